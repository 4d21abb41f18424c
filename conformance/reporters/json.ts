import schema from '../report.schema.json';
import type { Reporter } from '../report/report.ts';
import { unseenEscaped } from './wording/safe-json.ts';

const order = new Map(Array.from(new Set(declaredIn(schema)), (name, index) => [name, index]));

function declaredIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties = {} } = node as { readonly properties?: object };
  return [...Object.keys(properties), ...Object.values(node).flatMap(declaredIn)];
}

/** The report, its properties in a fixed order. What a CI server would take for a command (##[...]) is escaped. */
export const jsonReporter: Reporter = (report) =>
  `${unseenEscaped(JSON.stringify(report, inOrder, 2)).replaceAll('##[', '#\\u0023[')}\n`;

function inOrder(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // Gaps have their own order, and one gap has the name of a header.
  if (name === 'observedProfile') return value;
  const names = Object.keys(value).toSorted();
  const sorted = names.toSorted((one, other) => (order.get(one) ?? Infinity) - (order.get(other) ?? Infinity) || 0);
  return Object.fromEntries(sorted.map((key) => [key, (value as Readonly<Record<string, unknown>>)[key]]));
}
