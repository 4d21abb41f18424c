import { templateOf } from '../../spec/json-pointer.ts';
import { present } from '../collections.ts';
import { counted, optional } from '../show.ts';
import type { CheckReport, FailureReport } from './report.ts';

/** What a failed check found at one place. */
export type ReportedFinding = Pick<FailureReport, 'expected' | 'actual' | 'at' | 'times' | 'because' | 'condition'>;

/** Every finding of a check, the decisive one first. */
export function findingsOf({ failure }: Pick<CheckReport, 'failure'>): readonly ReportedFinding[] {
  return present(failure, ...(failure?.more ?? []));
}

/** The places of a check's findings, without indexes; if there is no place, what was expected. */
export function placesOf(check: Pick<CheckReport, 'failure'>): ReadonlySet<string> {
  return new Set(findingsOf(check).map(({ at, expected }) => (at && templateOf(at)) ?? `expected ${expected}`));
}

export function findingLine({ expected, actual, at, times, because, condition }: ReportedFinding): string {
  const place = optional` at ${at !== undefined && placeWords(at)}`;
  const often = optional`, and ${times !== undefined && counted(times - 1, 'finding')} like it`;
  const cause = optional`follows from ${because}: `;
  return `${cause}expected ${expected}, got ${actual}${place}${often}${optional`. ${condition?.replace(/\.$/, '')}`}`;
}

/** A JSON Pointer in readable form. */
export function placeWords(pointer: string): string {
  return pointer || 'the whole body';
}

/** The finding of a check, or the reason for its status, in one line. */
export function briefOf({ failure, reason }: CheckReport): string | undefined {
  if (failure) return findingLine(failure);
  return reason?.split('\n', 1)[0];
}
