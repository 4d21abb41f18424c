import { endpoints } from '../../../spec/index.ts';
import headings from '../../../spec/sections.json';
import type { CheckReport } from '../../report/report.ts';
import { grouping } from './wording.ts';

const sectionTitles: Readonly<Record<string, string>> = {
  ...headings,
  ...Object.fromEntries(Object.values(endpoints).map(({ section, title }) => [section, title])),
};

/** The section of a check's first requirement. */
export function sectionOf({ requirements: [first] }: CheckReport): { readonly number: string; readonly title: string } {
  const number = first?.section ?? '';
  return { number, title: sectionTitles[number] ?? '' };
}

/** Checks by their section, in the order of the specification. */
export function bySection(checks: readonly CheckReport[]) {
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
