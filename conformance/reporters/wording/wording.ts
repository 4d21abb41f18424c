import { endpoints, gaps, requirements } from '../../../spec/index.ts';
import headings from '../../../spec/sections.json';
import { grouping } from '../../collections.ts';
import type { BaselineEntry, CheckReport, Observation, Report } from '../../report/report.ts';
import { counted, optional } from '../../show.ts';
import words from './words.json';

/** The outcome and its subject (`Conformant for 27 of 93 checks`); a baseline decides words and exit status alike. */
export function verdictWords({ outcome, baseline, scope, options }: Report): string {
  const about = aboutWords(scope, options);
  if (!baseline || outcome === 'unreachable') return words.outcomes[outcome] + about;
  const compared = baseline.news.length > 0 ? 'Something new' : 'Nothing new';
  return `${compared}${about} (by itself: ${outcome})`;
}

function aboutWords(scope: Report['scope'], { levels = [], only, skip }: Partial<Report['options']> = {}): string {
  if (!scope || scope.checks === scope.of) return '';
  if (levels.length > 0 && !only && !skip) return ` (${levels.join(', ')})`;
  return ` for ${scope.checks} of ${counted(scope.of, 'check')}`;
}

/** The requirements of a check, the broken one first. */
export function brokenFirst({ requirements: all, failure }: CheckReport): CheckReport['requirements'] {
  const broken = all.filter(({ id }) => id === failure?.requirement);
  return [...broken, ...all.filter(({ id }) => id !== failure?.requirement)];
}

/** Why a derived requirement follows from stated ones. */
export function derivationOf(requirement: CheckReport['requirements'][number]): string | undefined {
  if (requirement.lane !== 'derived' || !Object.hasOwn(requirements, requirement.id)) return undefined;
  return requirements[requirement.id].derivation;
}

/** Unjudged checks by the `supply` that lets them be judged, and each group by its reasons; those without come last. */
export function unjudgedBySupply(checks: readonly CheckReport[]) {
  const unjudged = checks.filter(({ status }) => status === 'not-judged');
  const groups = Array.from(
    grouping(unjudged, ({ supply }) => supply),
    ([supply, members]) => {
      const reasons = grouping(members, ({ reason = '' }) => reason);
      return { supply, checks: members, reasons: Array.from(reasons, ([says, some]) => ({ says, checks: some })) };
    },
  );
  return groups.toSorted((one, other) => Number(one.supply === undefined) - Number(other.supply === undefined));
}

/** How much of the documented shape was seen, over all schemas. */
export function depthOf({ evidence }: Report) {
  const sum = (of: 'typed' | 'seenValid' | 'seenNull'): number => evidence.reduce((total, one) => total + one[of], 0);
  return { typed: sum('typed'), seen: sum('seenValid'), nulls: sum('seenNull') };
}

/** An observed choice in words, or its id if it is not a known one. */
export function choiceWords(gap: Observation['gap'], choice: string): string {
  const choices: Readonly<Record<string, string>> = Object.hasOwn(gaps, gap) ? gaps[gap].choices : {};
  return (Object.hasOwn(choices, choice) && choices[choice]) || choice;
}

/** `2026-11 (4f0c…)`, with the beginning of its digest. */
export function contractWords({ contract }: Report): string {
  if (!contract) return '';
  return `${contract.edition} (${contract.digest.replace('sha256:', '').slice(0, 12)})`;
}

export function productWords({ target: { product } }: Report): string {
  if (!product) return '';
  const { name, version = '', commit } = product;
  return `${name} ${version}${optional` (${commit})`}`.trim();
}

/** What a verdict rests on, for formats that have no outline. */
export function basisOf(report: Report): Readonly<Record<string, string>> {
  const { tool, conditions = [] } = report;
  const { contract, product } = { contract: contractWords(report), product: productWords(report) };
  const basis = { tool: `${tool.name} ${tool.version}`, verdict: verdictWords(report), contract, product };
  const all = { ...basis, conditions: conditions.join(' ') };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

export function sectionOf(check?: CheckReport): { readonly number: string; readonly title: string } {
  const number = check?.requirements[0]?.section ?? '';
  const endpoint = Object.values(endpoints).find(({ section }) => section === number);
  return { number, title: endpoint?.title ?? (headings as Partial<Record<string, string>>)[number] ?? '' };
}

export function bySection(checks: readonly CheckReport[]) {
  const groups = grouping(checks, (check) => sectionOf(check).number);
  const sections = Array.from(groups.values(), (members) => ({ ...sectionOf(members[0]), checks: members }));
  return sections.toSorted((one, other) => compareSections(one.number, other.number));
}

export function compareSections(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** The baseline entry of a failure; `undefined` without a baseline, or if any part of the failure is new. */
export function knownEntry({ baseline }: Pick<Report, 'baseline'>, { id, status }: CheckReport) {
  if (!baseline || status !== 'fail') return undefined;
  const { known, news } = baseline;
  if (news.some(({ kind, check }) => check === id && /^(?:new-failure|expired)$/.test(kind))) return undefined;
  return known.find((entry) => entry.check === id && entry.status !== 'not-judged');
}

/** `the reason (until 2026-12-31)`. */
export function reasonOf({ reason, expires }: BaselineEntry): string {
  return reason + optional` (until ${expires})`;
}
