import { endpoints } from '../../../spec/index.ts';
import type { CheckReport } from '../../report/report.ts';
import { grouping } from './wording.ts';

/** The headings of the specification. */
const sectionTitles: Readonly<Record<string, string>> = {
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

/** The section of a check's first requirement. */
export function sectionOf({ requirements: [first] }: CheckReport): { readonly number: string; readonly title: string } {
  const number = first?.section ?? '';
  return { number, title: sectionTitles[number] ?? '' };
}

/** Checks by their section, in the order of the specification. */
export function bySection(
  checks: readonly CheckReport[],
): readonly { readonly number: string; readonly title: string; readonly checks: readonly CheckReport[] }[] {
  const groups = grouping(checks, (check) => sectionOf(check).number);
  const sections = Array.from(groups, ([number, members]) => ({
    number,
    title: sectionTitles[number] ?? '',
    checks: members,
  }));
  return sections.toSorted((one, other) => compareSections(one.number, other.number));
}

/** Orders "2.9" before "2.10". */
export function compareSections(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
