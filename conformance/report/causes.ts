import { templateOf } from '../../spec/json-pointer.ts';
import type { CheckReport, Cause } from './report.ts';

/**
 * Groups failures with one cause: the same requirement, broken at the same place of a resource, at any number of
 * endpoints. The groups are in the order of their first checks.
 */
export function causesOf(checks: readonly CheckReport[]): readonly Cause[] {
  const causes = new Map<string, Cause & { readonly checks: string[] }>();
  for (const { id, requirements, failure } of checks) {
    if (!failure) continue;
    const { requirement = requirements[0]?.id ?? id, expected, actual } = failure;
    const at = failure.at === undefined ? undefined : placeIn(failure.at);
    // Without a place, two findings are the same only if their requirement is: values and names differ between runs.
    const key = JSON.stringify([requirement, at ?? '', at === undefined ? '' : kindOf(actual)]);
    const cause = causes.get(key) ?? { requirement, expected, actual, at, checks: [] };
    causes.set(key, cause);
    cause.checks.push(id);
  }
  return [...causes.values()];
}

/** A place below the resource, whatever its envelope is called: the third group's id is the same in each. */
function placeIn(pointer: string): string {
  const place = templateOf(pointer.replace(/^\/(?:agent|publicAgent|workspace|results\/\d+)(?=\/|$)/, ''));
  if (place === '' && pointer !== '') return templateOf(pointer);
  return place;
}

/** The actual value without its details: `the number 3` and `the number 4` are the same mistake. */
const kindOf = (actual: string): string => actual.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.,:TZ-]*/g, '…');
