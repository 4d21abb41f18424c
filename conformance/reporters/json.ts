import { reportProperties } from '../report/report-properties.ts';
import type { Reporter } from '../report/report.ts';
import { unseenEscaped } from './wording/safe-json.ts';

const rank = new Map(reportProperties.map((name, index) => [name, index]));

/**
 * The report, pretty-printed, with its properties always in the same order. Text that a CI server would take for a
 * command (##[...]) is escaped.
 */
export const jsonReporter: Reporter = (report) =>
  `${unseenEscaped(JSON.stringify(report, inOrder, 2)).replaceAll('##[', '#\\u0023[')}\n`;

function inOrder(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // Gaps have their own order, and one gap has the name of a header.
  if (name === 'observedProfile') return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(
      ([one], [other]) =>
        (rank.get(one) ?? Infinity) - (rank.get(other) ?? Infinity) || (one < other ? -1 : Number(one > other)),
    ),
  );
}
