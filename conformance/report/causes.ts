import { endpoints } from '../../spec/index.ts';
import { templateOf } from '../../spec/json-pointer.ts';
import { isOfWholeEndpoint, KEEPS_FILTER, OF_ANY_LIST, premisesOf } from '../history/premises.ts';
import { orNothing, present, valueFor } from '../collections.ts';
import { findingsOf } from './findings.ts';
import type { CheckReport, Cause, RecordedExchange } from './report.ts';

/**
 * Groups failures with one cause: the same requirement, broken at the same place of a resource, at any number of
 * endpoints. What follows from a cause stands below it. The groups are in the order of their first checks.
 */
export function causesOf(checks: readonly CheckReport[]): readonly Cause[] {
  const causes = new Map<string, Cause & { readonly checks: string[] }>();
  const following = checks.filter(({ failure }) => failure?.because !== undefined);
  for (const { id, requirements, failure } of checks) {
    if (!failure || failure.because !== undefined) continue;
    const { requirement = requirements[0]?.id ?? id, expected, actual, condition } = failure;
    const at = failure.at && placeIn(failure.at);
    // Without a place, two findings are the same only if their requirement is: values and names differ between runs.
    // Values vary: `the number 3` and `the number 4` are the same mistake.
    const kind = actual.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.,:TZ-]*/g, '…');
    const key = JSON.stringify([requirement, at ?? '', at !== undefined && kind]);
    valueFor(causes, key, () => ({ requirement, expected, actual, at, condition, checks: [] })).checks.push(id);
  }
  return [...causes.values()].map((cause) => {
    const consequences = following.filter(({ failure }) => cause.checks.includes(failure?.because ?? ''));
    return { ...cause, consequences: orNothing(consequences.map(({ id }) => id)) };
  });
}

/** The checks, those whose finding follows from another's marked with the id of that check, which follows from none. */
export function withCauses(checks: readonly CheckReport[]): readonly CheckReport[] {
  const failed = new Map(checks.filter(({ failure }) => failure).map((check) => [check.id, check]));
  const causeOf = (check: CheckReport, met: readonly string[] = [check.id]): string => {
    for (const id of premisesOf(check.id, check.endpoint)) {
      const premise = failed.get(id);
      if (premise && !met.includes(id) && explains(premise, check)) return causeOf(premise, [...met, id]);
    }
    return check.id;
  };
  return checks.map((check) => {
    const { id, failure } = check;
    const because = failure && causeOf(check);
    if (!failure || because === id) return check;
    return { ...check, failure: { ...failure, because } };
  });
}

/** Whether two findings are about the same thing: the same list, the same place of a resource, or a whole endpoint. */
function explains(premise: CheckReport, check: CheckReport): boolean {
  if (isOfWholeEndpoint(premise.id)) return asks(premise, check);
  if (OF_ANY_LIST.includes(premise.id)) return true;
  if (premise.id === KEEPS_FILTER) return /[?&]cursor=/.test(check.failure?.exchanges.at(-1)?.url ?? '');
  const [places, others] = [placesIn(premise), placesIn(check)];
  if (endpoints[premise.endpoint].does === 'lists') return asks(premise, check);
  return places.some((one) => others.some((other) => isWithin(one, other) || isWithin(other, one)));
}

function asks({ failure: one }: CheckReport, { failure: other }: CheckReport): boolean {
  const asked = new Set(one?.exchanges.map(askedIn));
  return other?.exchanges.some((exchange) => asked.has(askedIn(exchange))) === true;
}

/** A request without its page: the same for every page of a list, in any size. */
function askedIn({ method, url }: RecordedExchange): string {
  const [path = '', query = ''] = url.split('?');
  const selecting = query.split('&').filter((pair) => !/^(?:limit|cursor)=/.test(pair));
  return [method, path, ...selecting.toSorted()].join(' ');
}

const placesIn = (check: CheckReport): readonly string[] =>
  present(...findingsOf(check).map(({ at }) => at)).map(placeIn);

const isWithin = (one: string, other: string): boolean => one === other || one.startsWith(`${other}/`);

/** A place below the resource, whatever its envelope is called: the third group's id is the same in each. */
function placeIn(pointer: string): string {
  return templateOf(pointer.replace(/^\/(?:agent|publicAgent|workspace|results\/\d+)(?=\/)/, ''));
}
