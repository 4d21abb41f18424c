import { timeFilters, type TimeFilter } from '../../spec/index.ts';
import type { Probe } from './probe.ts';
import type { Answered } from '../http/exchange.ts';
import { readResultsPage } from '../history/facts/page.ts';
import type { Run } from './probe.ts';
import { CannotProbe } from './cannot-probe.ts';
import { created, refusalReason, slipSupply } from './prerequisites.ts';

/** Which lists of results are read: page sizes, filters and ways of walking, drawn from the seed of the round. */

export type ListQuery = Readonly<{ limit?: number; timeFilter?: TimeFilter }>;

export interface WalkBounds {
  readonly agentId: string;
  readonly query: ListQuery;
  /** The number of pages to read, apart from pages that show only new results since the first reading. */
  readonly pages: number;
}

/** The outcome of a walk. */
export interface Walked {
  /** The identifiers of its results. */
  readonly ids: ReadonlySet<string>;
  /** The first answer that was not a page. */
  readonly refused: Answered | undefined;
  readonly pages: number;
  /** The number of empty pages. */
  readonly empty: number;
}

/** Pages of 100 to read of a long list. */
const LONGEST = 30;
const MAX_ARRIVALS = 6;
const LARGEST = 100;
/** Consecutive empty pages to follow, once in a history; fewer after that. */
export const EMPTY_PAGES = 20;
const RETRY_LATER: ReadonlySet<number> = new Set([408, 409, 425]);

/** A list that is read page by page. */
export interface ListReader {
  readonly ids: ReadonlySet<string>;
  /** Reads the next page. Resolves with whether another may follow. */
  next(): Promise<boolean>;
  walked(): Walked;
}

/** Reads a list from its head, with its cursor sent in whichever way the server accepts. @throws CannotProbe */
export function readList(run: Run, { agentId, query }: Omit<WalkBounds, 'pages'>): ListReader {
  const ids = new Set<string>();
  let cursor: string | undefined;
  let refused: Answered | undefined;
  let [pages, empty, emptyInAll, stale] = [0, 0, 0, 0];

  const read = async (): Promise<Answered> => {
    const beside = await patiently(run, agentId, { ...query, cursor });
    if (beside.answer.accepted || cursor === undefined || Object.keys(query).length === 0) return beside;
    return patiently(run, agentId, { cursor });
  };

  return {
    ids,
    async next() {
      const exchange = await read();
      const page = exchange.answer.accepted ? readResultsPage(exchange) : undefined;
      if (typeof page !== 'object') {
        refused = exchange;
        return false;
      }
      pages++;
      const before = ids.size;
      for (const { id } of page.rows) ids.add(id);
      empty = page.count === 0 ? empty + 1 : 0;
      if (page.count === 0) emptyInAll++;
      stale = page.count > 0 && ids.size === before ? stale + 1 : 0;
      cursor = page.nextCursor ?? undefined;
      return cursor !== undefined && stale < 2 && empty <= (followedFar(run) ? 2 : EMPTY_PAGES);
    },
    walked: () => ({ ids, refused, pages, empty: emptyInAll }),
  };
}

/** Whether an earlier walk followed empty pages up to the limit. */
const followedFar = ({ facts }: Run): boolean =>
  facts.lists.all.some(
    ({ pages }) => pages.length > EMPTY_PAGES && pages.slice(-EMPTY_PAGES - 1).every((page) => page.count === 0),
  );

/** Some servers answer only one request at a time. */
async function patiently(
  run: Run,
  agentId: string,
  query: ListQuery & { cursor?: string | undefined },
): Promise<Answered> {
  for (const pause of [100, 400]) {
    const exchange = await run.api.call('list-results', { agentId, query });
    if (!RETRY_LATER.has(exchange.answer.status)) return exchange;
    await run.sleep(pause);
  }
  return run.api.call('list-results', { agentId, query });
}

/** Reads a list page by page. @throws CannotProbe */
export async function walk(run: Run, { pages, ...of }: WalkBounds, known?: ReadonlySet<string>): Promise<Walked> {
  const reader = readList(run, of);
  let left = pages;
  let arrivals = 0;
  let goesOn = true;
  while (goesOn && left > 0) {
    const before = reader.walked();
    goesOn = await reader.next();
    const isArrivals = known !== undefined && known.size > 0 && ![...reader.ids].some((id) => known.has(id));
    if (isArrivals && arrivals++ < MAX_ARRIVALS) continue;
    // Goes on after the last result, to see how the list ends.
    if (!(goesOn && reader.walked().empty > before.empty)) left--;
  }
  return reader.walked();
}

/** The whole list and each filter, in the largest pages that are accepted. */
export interface Reading {
  readonly agentId: string;
  readonly whole: Required<ListQuery>;
  /** What the whole list and each filter held. */
  readonly ids: ReadonlyMap<TimeFilter, ReadonlySet<string>>;
}

/** The first reading of all filters. Everything else is compared with it. @throws CannotProbe */
export const firstReading = (run: Run): Promise<Reading> =>
  run.once('first reading', async () => {
    const agentId = run.need('agentId');
    const ids = new Map<TimeFilter, ReadonlySet<string>>();
    const whole = await wholeReading(run, agentId, ids);
    await readFilters(run, agentId, whole, ids);
    return { agentId, whole, ids };
  });

/** The widest list and the largest page size that are accepted. @throws CannotProbe if there is none. */
async function wholeReading(
  run: Run,
  agentId: string,
  ids: Map<TimeFilter, ReadonlySet<string>>,
): Promise<Required<ListQuery>> {
  let refused: Answered | undefined;
  for (const query of [
    { limit: LARGEST, timeFilter: 'allTime' },
    { limit: 50, timeFilter: 'allTime' },
    { limit: LARGEST, timeFilter: 'yearToDate' },
  ] as const) {
    const walked = await walk(run, { agentId, query, pages: LONGEST });
    if (walked.pages > 0) {
      ids.set(query.timeFilter, walked.ids);
      return query;
    }
    refused = walked.refused ?? refused;
  }
  if (refused?.answer.accepted === false)
    throw new CannotProbe(refusalReason(refused, 'list-results'), slipSupply(refused, run.target));
  throw new CannotProbe('No answer of List results could be read.');
}

async function readFilters(
  run: Run,
  agentId: string,
  { limit }: Required<ListQuery>,
  ids: Map<TimeFilter, ReadonlySet<string>>,
): Promise<void> {
  for (const timeFilter of timeFilters) {
    if (ids.has(timeFilter)) continue;
    const walked = await walk(run, { agentId, query: { limit, timeFilter }, pages: LONGEST });
    ids.set(timeFilter, walked.ids);
  }
  await walk(run, { agentId, query: { limit }, pages: LONGEST });
}

const ask = (phase: Probe['phase'], queue: Probe['queue'], send: Probe['send']): Probe => ({ phase, queue, send });

/** The last reading of all filters. @throws CannotProbe */
const lastReading = (run: Run): Promise<void> =>
  run.once('last reading', async () => {
    const { agentId, whole } = await firstReading(run);
    await readByTurns(run, agentId, whole);
    const ids = new Map<TimeFilter, ReadonlySet<string>>();
    await walk(run, { agentId, query: whole, pages: LONGEST });
    ids.set(whole.timeFilter, new Set());
    // A refused limit shows something only between accepted lists.
    if (whole.limit < LARGEST) await walk(run, { agentId, query: { ...whole, limit: LARGEST }, pages: 1 });
    await readFilters(run, agentId, whole, ids);
  });

/** All filters in large pages, at the start and end of a round: what both show existed in between. */
export const readings: readonly Probe[] = [
  ask('first', 'lists', async (run) => void (await firstReading(run))),
  ask('end', 'lists', lastReading),
];

/**
 * Page sizes: those that clients use, both bounds, and one whose pages never end where pages of 100 do. Each with the
 * number of pages to read.
 */
const SIZES: readonly (readonly [limit: number, pages: number])[] = [
  // Runs first, while other requests are still in flight.
  [25, 3],
  [1, 2],
  [2, 2],
  [7, 3],
  [10, 3],
  [20, 2],
  [50, 2],
  [51, 2],
  [99, 2],
];

/** The whole list in pages of many sizes, two of them drawn. */
export const sizes: Probe = ask('first', 'lists', async (run) => {
  const { agentId, whole, ids } = await firstReading(run);
  const known = ids.get(whole.timeFilter);
  const drawn = [4 + run.draw('small page', 30), 52 + run.draw('large page', 47)];
  for (const [limit, pages] of [...SIZES, ...drawn.map((size) => [size, Math.ceil(100 / size)] as const)])
    await walk(run, { agentId, query: { limit, timeFilter: whole.timeFilter }, pages: Math.min(pages, 3) }, known);
});

/** Each filter in at least three pages. */
export const filterWalks: Probe = ask('first', 'lists', async (run) => {
  const { agentId, whole, ids } = await firstReading(run);
  for (const [index, timeFilter] of timeFilters.entries()) {
    const held = ids.get(timeFilter)?.size ?? 0;
    if (timeFilter === whole.timeFilter || held < 2) continue;
    const limit = Math.max(1, Math.min(99, Math.floor((held - 1) / 2) - run.draw(`page of ${index}`, 3)));
    await walk(run, { agentId, query: { limit, timeFilter }, pages: Math.ceil(held / limit) + 1 }, ids.get(timeFilter));
  }
});

/** A client that sets nothing, and follows the cursor alone; and one that sets only a limit. */
export const defaults: Probe = ask('first', 'lists', async (run) => {
  const { agentId, whole, ids } = await firstReading(run);
  await walk(run, { agentId, query: {}, pages: BARE_PAGES });
  const known = ids.get('last7Days');
  await walk(run, { agentId, query: { limit: 20 + run.draw('bare limit', 15) }, pages: 3 }, known);
  const { timeFilter } = whole;
  for (const query of [{ timeFilter }, { timeFilter, limit: 50 }, { timeFilter }, { timeFilter, limit: 50 }])
    await walk(run, { agentId, query, pages: 1 });
  await walk(run, { agentId, query: { timeFilter }, pages: 2 }, ids.get(timeFilter));
  await walk(run, { agentId, query: { timeFilter: 'yearToDate' }, pages: 1 });
});

/** The pages of a list that is read without any parameter. */
const BARE_PAGES = 6;

/**
 * Several lists, read in turns, a page each: one by a client that sets nothing, and one of another agent that begins in
 * between.
 */
async function readByTurns(run: Run, agentId: string, whole: Required<ListQuery>): Promise<void> {
  const others = await madeAgents(run);
  const bare = readList(run, { agentId, query: {} });
  const readers = [
    readList(run, { agentId, query: { limit: 21 + run.draw('first list', 9), timeFilter: whole.timeFilter } }),
    readList(run, { agentId, query: { limit: 31 + run.draw('second list', 9), timeFilter: 'last7Days' } }),
    bare,
    ...others.slice(0, 1).map((id) => readList(run, { agentId: id, query: { limit: 10 } })),
  ];
  const open = new Set(readers);
  for (let turn = 0; turn < BARE_PAGES; turn++)
    for (const reader of turn < 3 ? open : open.has(bare) ? [bare] : [])
      if (!(await reader.next())) open.delete(reader);
}

/** Identifiers of agents that the round created, if it may create any. */
async function madeAgents(run: Run): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const endpoint of ['create-agent', 'import-agent'] as const) {
    const made = await created(run, endpoint).catch((error: unknown) => {
      if (error instanceof CannotProbe) return undefined;
      throw error;
    });
    if (made?.id !== undefined) ids.push(made.id);
  }
  return ids;
}

/** The lists of new agents, and of the published one. */
const listsOfOthers = async (run: Run): Promise<void> => {
  const { agentId, publishedAgentId } = run.target;
  for (const id of await madeAgents(run)) {
    await untilFound(run, id);
    await walk(run, { agentId: id, query: { limit: 100, timeFilter: 'allTime' }, pages: 1 });
  }
  if (publishedAgentId !== undefined && publishedAgentId !== agentId)
    await walk(run, { agentId: publishedAgentId, query: { limit: 40, timeFilter: 'allTime' }, pages: 2 });
};

/**
 * Every filter and both bounds of limit, for an agent after which others were created. Also the lists of an agent in
 * another workspace, and of a published one.
 */
const filtersOfOthers = async (run: Run): Promise<void> => {
  // An interleaved list of another agent may disturb this one. Earlier lists have shown where it does.
  await lastReading(run).catch((error: unknown) => {
    if (!(error instanceof CannotProbe)) throw error;
  });
  for (const agentId of await madeAgents(run)) {
    for (const [index, timeFilter] of timeFilters.entries())
      await walk(run, { agentId, query: { limit: [100, 1, 20][index % 3] ?? 100, timeFilter }, pages: 1 });
  }
  const all = [...run.facts.agents.all];
  const elsewhere = all.find(({ workspaceId }) => run.facts.workspaces.made.has(workspaceId ?? ''));
  const published = all.findLast(({ made, isPublished }) => made !== undefined && isPublished === true);
  for (const id of new Set([elsewhere?.id, published?.id])) if (id !== undefined) await untilFound(run, id);
};

export const otherAgents: readonly Probe[] = [
  ask('first', 'creations', listsOfOthers),
  ask('end', 'lists', filtersOfOthers),
];

/** A new agent may take a moment to be found. */
async function untilFound(run: Run, agentId: string): Promise<void> {
  for (const pause of [100, 400, 1500]) {
    const { answer } = await run.api.call('list-results', { agentId });
    if (answer.accepted || ![403, 404, 410].includes(answer.status)) return;
    await run.sleep(pause);
  }
}

/**
 * Limits above the maximum. The specification leaves open whether they are refused or clamped, but not a page of more
 * than 100.
 */
export const beyondLimit: Probe = ask('first', 'lists', async (run) => {
  const { agentId, whole } = await firstReading(run);
  const { lists } = run.facts;
  const list = lists.all.find((one) => one.agentId === agentId && one.selection.sentFilter === 'yearToDate');
  const cursor = list?.pages[0]?.nextCursor ?? undefined;
  const limit = 500 + run.draw('large limit', 500);
  for (const query of [
    { limit: 101, timeFilter: whole.timeFilter },
    { limit, timeFilter: 'yearToDate' },
    ...(cursor === undefined ? [] : [{ limit, timeFilter: 'yearToDate', cursor }]),
  ])
    await run.api.call('list-results', { agentId, query, open: true });
});

/** Reads the agents whose lists are refused: an existing agent has a list. */
export const refusedAgents: Probe = ask('end', 'lists', async (run) => {
  const agentIds = new Set([
    ...(run.target.agentId === undefined ? [] : [run.target.agentId]),
    ...(await madeAgents(run)),
  ]);
  for (const agentId of agentIds) {
    const isListed = run.facts.lists.all.some((list) => list.agentId === agentId && list.pages.length > 0);
    if (!isListed) await run.api.call('get-agent', { agentId });
  }
});
