import { endpoints } from '../../../spec/index.ts';
import type { CheckReport } from '../../report/report.ts';

/** The headings of the specification. */
export const sectionTitles: Readonly<Record<string, string>> = {
  '1': 'What the service does',
  '2': 'Resources and their fields',
  '2.1': 'Agent (version 6)',
  '2.2': 'Event',
  '2.3': 'Group',
  '2.4': 'Edge',
  '2.5': 'Variable',
  '2.6': 'Theme',
  '2.7': 'Settings',
  '2.8': 'Sharing',
  '2.9': 'Public agent (version 6)',
  '2.10': 'Result',
  '2.11': 'Workspace',
  '2.12': 'Gaps in the resource definitions',
  '3': 'States and transitions',
  '4': 'Endpoints',
  ...Object.fromEntries(Object.values(endpoints).map(({ section, title }) => [section, title])),
  '4.7': 'Gaps common to endpoints',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
};

export interface Section {
  readonly number: string;
  readonly title: string;
  readonly checks: readonly CheckReport[];
}

/** Checks by the section of their first requirement, in the order of the specification. */
export function bySection(checks: readonly CheckReport[]): readonly Section[] {
  const groups = new Map<string, CheckReport[]>();
  for (const check of checks) {
    const number = check.requirements[0]?.section ?? '';
    groups.set(number, [...(groups.get(number) ?? []), check]);
  }
  return Array.from(groups, ([number, members]) => ({
    number,
    title: sectionTitles[number] ?? '',
    checks: members,
  })).toSorted((one, other) => compareSections(one.number, other.number));
}

const collator = new Intl.Collator('en', { numeric: true });

/** Orders "2.9" before "2.10". */
export function compareSections(one: string, other: string): number {
  return collator.compare(one, other);
}
