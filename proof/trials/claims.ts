import { checks } from '../../conformance/index.ts';
import type { ProfileName } from '../../mock/index.ts';
import { triggers, violationIds, violations, type TriggerId, type ViolationId } from '../../spec/index.ts';

/** The checks that claim to catch a violation under whatever trigger. */
export const claimedBy = (violation: ViolationId): readonly string[] =>
  checks.filter(({ provenBy }) => provenBy.includes(violation)).map(({ id }) => id);

/** The checks that another violation than their own makes fail. */
export const alsoFailing = (violation: ViolationId): readonly string[] =>
  checks.filter(({ alsoFailsOn }) => alsoFailsOn?.includes(violation)).map(({ id }) => id);

/** What must come of a fault: who must fail, who may, and whether it is enough that one of them does. */
export interface Expected {
  readonly must: readonly string[];
  readonly may: readonly string[];
  readonly some: boolean;
}

/** Faults that refuse a valid request for a list, by what of it they are about. */
const REFUSES_LISTS = /^(?:list-results-(?:refused|not-there)|limit-\d+-refused|time-filter-\w+-refused)$/;

/** Every check that hears of a list being refused. */
const refusedLists = (): readonly string[] => [
  ...new Set([
    ...violationIds.filter((id) => REFUSES_LISTS.test(id)).flatMap(claimedBy),
    'list-results-cursor-leads-on',
  ]),
];

/** Triggers under which no agent is met that was there before. */
const OF_MADE_AGENTS: ReadonlySet<TriggerId> = new Set([
  'created-agents',
  'imported-agents',
  'new-workspace',
  'after-later-creations',
]);

/** Checks that may fail as well of what is done to some requests and not to others. */
interface Partly {
  readonly violations: RegExp;
  /** Under these triggers alone; under all unless given. */
  readonly triggers?: ReadonlySet<TriggerId>;
  readonly may: readonly string[];
  /** Whether it is enough that one of them fails, or of those that claim it. */
  readonly anyOf?: boolean;
  readonly because: string;
}

const PARTLY: readonly Partly[] = [
  {
    violations: /^get-agent-not-there$/,
    may: ['created-agent-can-be-read', 'imported-agent-can-be-read'],
    because: 'Where others are found, an agent that was made and is not there was not stored.',
  },
  {
    violations: /^get-agent-not-there$/,
    triggers: OF_MADE_AGENTS,
    may: [],
    anyOf: true,
    because: 'Where only agents are missing that the run made, they may not have been stored.',
  },
  {
    violations: /^created-workspace-takes-no-agents$/,
    triggers: new Set(['while-another-is-under-way']),
    may: ['create-agent-accepts-valid-body', 'import-agent-accepts-valid-body'],
    anyOf: true,
    because: 'Where a workspace takes some agents and refuses others, the creation is at fault and not the workspace.',
  },
  {
    violations: /^created-at-differs-by-page-size$/,
    may: ['list-results-newest-first'],
    because: 'If a page shows different dates from its neighbours, the order breaks too.',
  },
  {
    violations: /^last-month-reaches-into-this$/,
    may: ['list-results-walks-agree'],
    because: 'Where one page reaches further than the same in other sizes, walks disagree.',
  },
];

/** What another profile than the default hides of a violation, and shows of it elsewhere. */
const UNDER_PROFILES: readonly {
  readonly violation: ViolationId;
  readonly profile: ProfileName;
  readonly hides: readonly string[];
  readonly shows: readonly string[];
  readonly because: string;
}[] = [
  {
    violation: 'cursor-drops-time-filter',
    profile: 'contrarian',
    hides: ['list-results-time-filter-today'],
    shows: ['list-results-walks-agree'],
    because: 'Results arrive while today is read, so that its walk ends before the results of yesterday.',
  },
  {
    violation: 'third-page-drops-filter',
    profile: 'contrarian',
    hides: ['list-results-time-filter-today'],
    shows: ['list-results-walks-agree'],
    because:
      'Results arrive while today is read, so that its third page holds only results that are of today somewhere.',
  },
];

/**
 * Who must fail of a violation. Without a trigger: all that claim it, and all that say they fail of it too. Under one:
 * those that claim it; the others may, and those that hear of it where it is done to some requests and not to others. A
 * refusal shows which requests are refused, and not which of their parameters is at fault, so that some check of those that
 * are about refusals must fail, and no other may; likewise of agents that were made and are not there.
 */
export function expectedOf(
  violation: ViolationId,
  trigger: TriggerId | undefined,
  profile: ProfileName = 'default',
): Expected {
  const [claiming, others] = [claimedBy(violation), alsoFailing(violation)];
  if (trigger === undefined) {
    const under = UNDER_PROFILES.find((one) => one.violation === violation && one.profile === profile);
    const { hides = [], shows = [] } = under ?? {};
    return { must: [...claiming, ...others].filter((id) => !hides.includes(id)), may: shows, some: true };
  }
  const of = PARTLY.filter(
    ({ violations: pattern, triggers: only }) => pattern.test(violation) && only?.has(trigger) !== false,
  );
  const partly = of.flatMap(({ may }) => may);
  if (triggers[trigger].isSeldom === true)
    return { must: [], may: [...claiming, ...others, ...partly, ...checksAt(violation)], some: false };
  if (REFUSES_LISTS.test(violation)) return { must: [], may: [...claiming, ...refusedLists()], some: true };
  if (of.some(({ anyOf }) => anyOf === true)) return { must: [], may: [...claiming, ...others, ...partly], some: true };
  return { must: claiming, may: [...others, ...partly], some: true };
}

/**
 * What is done to one request in seven may be missed, and what it does to one page of a list is another violation of the
 * list; but no check of another endpoint may fail.
 */
const checksAt = (violation: ViolationId): readonly string[] =>
  checks.filter(({ endpoint }) => violations[violation].at.includes(endpoint)).map(({ id }) => id);

/** Faults under triggers that a run does not meet, since it stays under three hundred requests; with the reason. */
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
    pairs: /-accepts-cookie@read-tokens$/,
    because: 'Cookies are tried with those that answers to the token that is judged with have set.',
  },
  {
    pairs: /^(?:created|imported)-agent-reads-without-variables@read-tokens$/,
    because: 'With a token that may only read an agent is read once, and what one answer lacks is not lost.',
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

/** Why a run does not meet a fault under a trigger; `undefined` where it does. */
export const outOfReach = (violation: ViolationId, trigger: TriggerId): string | undefined =>
  OUT_OF_REACH.find(({ pairs }) => pairs.test(`${violation}@${trigger}`))?.because;
