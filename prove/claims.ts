import { checks } from '../conformance/index.ts';
import type { ProfileName } from '../mock/index.ts';
import { triggers, violationIds, violations, type TriggerId, type ViolationId } from '../spec/index.ts';
import claims from './claims.json';

/** The checks that claim to catch a violation, under any trigger. */
export const claimedBy = (violation: ViolationId): readonly string[] =>
  checks.filter(({ provenBy }) => provenBy.includes(violation)).map(({ id }) => id);

/** The checks that fail for violations other than their own. */
export const alsoFailing = (violation: ViolationId): readonly string[] =>
  checks.filter(({ alsoFailsOn }) => alsoFailsOn?.includes(violation)).map(({ id }) => id);

/** Faults that refuse a valid list request, by the refused part. */
const REFUSES_LISTS = /^(?:list-results-(?:refused|not-there)|limit-\d+-refused|time-filter-\w+-refused)$/;

const refusedLists = (): readonly string[] => [
  ...violationIds.filter((id) => REFUSES_LISTS.test(id)).flatMap(claimedBy),
  'list-results-cursor-leads-on',
];

/** A violation that shows otherwise than by the checks that claim it. Patterns match whole ids. */
interface Exception {
  readonly violations: string;
  /** Triggers, or profiles of servers without one. */
  readonly where: readonly (TriggerId | ProfileName | 'a trigger' | 'foreign traffic')[];
  /** Checks that may fail too. */
  readonly may?: string;
  /** One failing check, of these or of those that claim the violation, is enough. */
  readonly anyOf?: boolean;
  readonly hides?: string;
  readonly because: string;
}

/** The exceptions for a violation in one of these places, and the checks that may fail by them. */
export function exceptionsFor(violation: ViolationId, places: Exception['where']) {
  const isWhole = (pattern: string, id: string): boolean => new RegExp(`^(?:${pattern})$`).test(id);
  const rows = (claims.exceptions as readonly Exception[]).filter(
    (row) => row.where.some((place) => places.includes(place)) && isWhole(row.violations, violation),
  );
  const ids = checks.map(({ id }) => id);
  return { rows, may: ids.filter((id) => rows.some(({ may }) => may !== undefined && isWhole(may, id))) };
}

/** How a violation is committed. */
interface Committed {
  readonly violation: ViolationId;
  readonly trigger?: TriggerId;
  readonly profile?: ProfileName;
}

/**
 * The checks that must fail for a violation. Without a trigger: all that name it in `provenBy` or `alsoFailsOn`. Under
 * a trigger: those in `provenBy`; the others may fail, and so may those that notice partial faults. A refusal does not
 * show which parameter it is for, so for refusals at least one of the checks about refusals must fail, and no other
 * may. The same holds for created agents that cannot be found.
 * @returns which checks must fail, which may, and whether one of the former is enough
 */
export function expectedOf({ violation, trigger, profile = 'default' }: Committed) {
  const [claiming, others] = [claimedBy(violation), alsoFailing(violation)];
  if (trigger === undefined) {
    const { rows, may } = exceptionsFor(violation, [profile]);
    const must = [...claiming, ...others].filter((id) => rows.every(({ hides }) => hides !== id));
    return { must, may, some: true };
  }
  const { rows, may } = exceptionsFor(violation, ['a trigger', trigger]);
  if (triggers[trigger].isSeldom === true)
    return { must: [], may: [...claiming, ...others, ...may, ...checksAt(violation)], some: false };
  if (REFUSES_LISTS.test(violation)) return { must: [], may: [...claiming, ...refusedLists()], some: true };
  if (rows.some(({ anyOf }) => anyOf)) return { must: [], may: [...claiming, ...others, ...may], some: true };
  return { must: claiming, may: [...others, ...may], some: true };
}

/** Faults on few requests or one page may be missed or look like others, but no check of another endpoint may fail. */
const checksAt = (violation: ViolationId): readonly string[] =>
  checks.filter(({ endpoint }) => violations[violation].at.includes(endpoint)).map(({ id }) => id);

const unreached = claims.outOfReach.map(({ pairs }) => new RegExp(pairs));

/** Whether a run, which sends fewer than three hundred requests, does not reach a fault under a trigger, or under a profile. */
export const isOutOfReach = (violation: ViolationId, where: TriggerId | ProfileName): boolean =>
  unreached.some((pairs) => pairs.test(`${violation}@${where}`));

export function faultOf(violation: ViolationId, trigger: TriggerId | undefined): string {
  if (trigger === undefined) return violation;
  return `${violation}@${trigger}`;
}
