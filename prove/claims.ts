import { checks } from '../conformance/index.ts';
import type { ProfileName } from '../mock/index.ts';
import { triggers, violationIds, violations, type TriggerId, type ViolationId } from '../spec/index.ts';

/** The checks that claim to catch a violation, under any trigger. */
export const claimedBy = (violation: ViolationId): readonly string[] =>
  checks.filter(({ provenBy }) => provenBy.includes(violation)).map(({ id }) => id);

/** The checks that fail for violations other than their own. */
export const alsoFailing = (violation: ViolationId): readonly string[] =>
  checks.filter(({ alsoFailsOn }) => alsoFailsOn?.includes(violation)).map(({ id }) => id);

/** Faults that refuse a valid list request, by the refused part. */
const REFUSES_LISTS = /^(?:list-results-(?:refused|not-there)|limit-\d+-refused|time-filter-\w+-refused)$/;

/** Every check that notices a refused list. */
const refusedLists = (): readonly string[] => [
  ...new Set([
    ...violationIds.filter((id) => REFUSES_LISTS.test(id)).flatMap(claimedBy),
    'list-results-cursor-leads-on',
  ]),
];

/** Triggers under which no pre-existing agent is read. */
const OF_MADE_AGENTS: ReadonlySet<TriggerId> = new Set([
  'created-agents',
  'imported-agents',
  'new-workspace',
  'after-later-creations',
]);

/**
 * Checks that may also fail when only some requests are affected, under all triggers or these. With `anyOf`, one failing
 * check, of these or of those that claim the violation, is enough.
 */
const PARTLY: readonly {
  readonly violation: ViolationId;
  readonly triggers?: ReadonlySet<TriggerId>;
  readonly may: readonly string[];
  readonly anyOf?: boolean;
  readonly because: string;
}[] = [
  {
    violation: 'get-agent-not-there',
    may: ['created-agent-can-be-read', 'imported-agent-can-be-read'],
    because: 'Where others are found, an agent that was made and is not there was not stored.',
  },
  {
    violation: 'get-agent-not-there',
    triggers: OF_MADE_AGENTS,
    may: [],
    anyOf: true,
    because: 'Where only agents are missing that the run made, they may not have been stored.',
  },
  {
    violation: 'created-workspace-takes-no-agents',
    triggers: new Set(['while-another-is-under-way']),
    may: ['create-agent-accepts-valid-body', 'import-agent-accepts-valid-body'],
    anyOf: true,
    because: 'Where a workspace takes some agents and refuses others, the creation is at fault and not the workspace.',
  },
  ...(['create-agent', 'import-agent'] as const).flatMap((endpoint) =>
    (['zero', 'empty'] as const).map((value) => ({
      violation: `${endpoint}-turns-${value}-to-null` as const,
      may: [`${endpoint === 'create-agent' ? 'created' : 'imported'}-agent-reads-as-answered`],
      because: 'Where only later answers show null, they also contradict the answer that made the agent.',
    })),
  ),
  {
    violation: 'created-at-differs-by-page-size',
    may: ['list-results-newest-first'],
    because: 'If a page shows different dates from its neighbours, the order breaks too.',
  },
  {
    violation: 'last-month-reaches-into-this',
    may: ['list-results-walks-agree'],
    because: 'Where one page reaches further than the same in other sizes, walks disagree.',
  },
];

/** Under this profile results arrive while a list is read, so that the walk of today ends before these violations show. */
const BUSY_PROFILE: ProfileName = 'contrarian';
const HIDDEN_WHERE_BUSY = {
  violations: ['cursor-drops-time-filter', 'third-page-drops-filter'],
  hides: 'list-results-time-filter-today',
  shows: 'list-results-walks-agree',
};

/**
 * Where results arrive, a list that is out of order where two pages meet may show one of them too late, and one that
 * starts over begins with newer results.
 */
const ALSO_WHERE_BUSY: Readonly<Partial<Record<ViolationId, readonly string[]>>> = {
  'cursor-starts-over': ['list-results-newest-first'],
  'results-out-of-order-between-pages': ['list-results-time-filter-allTime'],
};

/** A result that two pages show out of order may be missing from the list that its neighbours belong to. */
const ALSO_AT_TIMES: Readonly<Partial<Record<ViolationId, readonly string[]>>> = {
  'results-out-of-order-between-pages': ['list-results-default-time-filter'],
};

/**
 * The checks that must fail for a violation. Without a trigger: all that name it in `provenBy` or `alsoFailsOn`. Under
 * a trigger: those in `provenBy`; the others may fail, and so may those that notice partial faults. A refusal does not
 * show which parameter it is for, so for refusals at least one of the checks about refusals must fail, and no other
 * may. The same holds for created agents that cannot be found.
 * @returns which checks must fail, which may, and whether one of the former is enough
 */
export function expectedOf(
  violation: ViolationId,
  trigger: TriggerId | undefined,
  profile: ProfileName = 'default',
): { must: readonly string[]; may: readonly string[]; some: boolean } {
  const [claiming, others] = [claimedBy(violation), alsoFailing(violation)];
  if (trigger === undefined) {
    const must = [...claiming, ...others];
    const { violations: hidden, hides, shows } = HIDDEN_WHERE_BUSY;
    if (profile !== BUSY_PROFILE) return { must, may: ALSO_AT_TIMES[violation] ?? [], some: true };
    if (!hidden.includes(violation)) return { must, may: ALSO_WHERE_BUSY[violation] ?? [], some: true };
    return { must: must.filter((id) => id !== hides), may: [shows, hides], some: true };
  }
  const of = PARTLY.filter((row) => row.violation === violation && row.triggers?.has(trigger) !== false);
  const partly = of.flatMap(({ may }) => may);
  if (triggers[trigger].isSeldom === true)
    return { must: [], may: [...claiming, ...others, ...partly, ...checksAt(violation)], some: false };
  if (REFUSES_LISTS.test(violation)) return { must: [], may: [...claiming, ...refusedLists()], some: true };
  if (of.some(({ anyOf }) => anyOf === true)) return { must: [], may: [...claiming, ...others, ...partly], some: true };
  return { must: claiming, may: [...others, ...partly], some: true };
}

/**
 * A fault on one request in seven may be missed, and a fault on one page of a list may be another violation of lists.
 * But no check of another endpoint may fail.
 */
const checksAt = (violation: ViolationId): readonly string[] =>
  checks.filter(({ endpoint }) => violations[violation].at.includes(endpoint)).map(({ id }) => id);

/**
 * Faults under triggers that a run does not reach, since it sends fewer than three hundred requests; with the reason.
 */
const OUT_OF_REACH: readonly { readonly pairs: RegExp; readonly because: string }[] = [
  {
    pairs:
      /^get-published-agent-(?:accepts-|refusal-).*@(?:new-workspace|imported-agents|non-ascii|after-later-creations)$/,
    because: 'Wrong credentials are tried with one published agent.',
  },
  {
    pairs:
      /^list-results-(?:accepts-.*|refusal-.*)@(?:new-workspace|imported-agents|created-agents|after-later-creations)$/,
    because: 'Wrong credentials are tried with the lists of the given agent, and of one of the others, which is drawn.',
  },
  {
    pairs: /^default-limit-\d+@with-filter-later-pages$/,
    because: 'Of a filtered list without limit one page is read.',
  },
  {
    pairs:
      /-accepts-(?:forwarded-request|path-in-other-form|page-request)@(?:.*-page.*|with-filter|without-parameters|cursor-alone|unusual-limit|.*-agents|new-workspace|non-ascii|after-later-creations)$/,
    because: 'Each is tried in one of the ways in which an endpoint is used, which is drawn.',
  },
  {
    pairs: /-accepts-cookie@read-tokens$/,
    because: 'Cookies are tried with those that answers to the token that is judged with have set.',
  },
  {
    pairs: /^(?:created|imported)-agent-reads-without-variables@read-tokens$/,
    because: 'With a token that may only read an agent is read once, and what one answer lacks is not lost.',
  },
  {
    pairs: /^(?:create-agent-cuts-levels|new-agents-(?:lose-deep-levels|merge-equal-items))@new-workspace$/,
    because: 'In a new workspace an agent of each kind is made, and none that is deep or repeats an item.',
  },
  {
    pairs: /^get-(?:published-agent-shows-(?:another-flow|no-groups)|agent-finds-by-beginning)@read-tokens$/,
    because: 'With a token that may only read, the public forms of new agents are not read, nor identifiers cut short.',
  },
  {
    pairs: /^created-agent-list-not-found@published-agents$/,
    because: 'Of the agents that a run publishes no list is read.',
  },
  {
    pairs: /^(?:limit-1-refused|page-of-25-loses-last)@with-filter(?:-later-pages)?$/,
    because: 'Filtered lists are walked in sizes that fit what they hold.',
  },
  {
    pairs: /^(?:limit-\d+-refused|time-filter-\w+-refused|next-cursor-never-null)@new-workspace$/,
    because: 'Of the list of an agent in a new workspace the first page is read, without parameters.',
  },
  {
    pairs: /^time-filter-allTime-(?:cut|loses)@last-page$/,
    because: 'The list of all results is read to its end in pages of one size, and no other span holds its last page.',
  },
];

/** Whether a run does not reach a fault under a trigger. */
export const isOutOfReach = (violation: ViolationId, trigger: TriggerId): boolean =>
  OUT_OF_REACH.some(({ pairs }) => pairs.test(faultOf(violation, trigger)));

/** The id of a violation, under a trigger if there is one. */
export function faultOf(violation: ViolationId, trigger: TriggerId | undefined): string {
  if (trigger === undefined) return violation;
  return `${violation}@${trigger}`;
}
