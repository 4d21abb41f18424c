import { timeFilters, type TimeFilter } from '../../spec/index.ts';
import { present } from '../collections.ts';
import type { List } from '../history/facts/lists.ts';
import type { Answered } from '../http/exchange.ts';
import type { Query } from './api/request.ts';
import { CannotProbe, ifPossible } from './cannot-probe.ts';
import { askUntil, firstAgent, ifAccepted } from './prerequisites.ts';
import type { Run } from './probe.ts';
import { readList, walk, type ListQuery, type Walk } from './walk.ts';

const ALL_FILTERS: readonly TimeFilter[] = timeFilters;
const LARGEST = 100;
/** Pages of 100 to read of a long list. */
const LONGEST = 30;
/** Of a filter that took so many pages only the head is read again: the whole list shows the rest. */
const [MANY_PAGES, HEAD] = [10, 3];
/** Days that no date, zone or edge moves. */
const [HOUR, WELL_MS] = [3_600_000, 50 * 3_600_000];
/** The pages of a list that is read without any parameter. */
const BARE_PAGES = 6;

type WholeReading = Awaited<ReturnType<typeof wholeReading>>;
type FirstReading = Awaited<ReturnType<typeof firstReading>>;
/** What walks are drawn from: what was read before, and the seed of the round. */
type Plan<T = FirstReading> = (reading: T, draw: Run['draw']) => readonly Omit<Walk, 'agentId'>[];

/** The widest list and the largest pages: the first of these that is accepted is the whole list. */
const WHOLE: readonly Required<ListQuery>[] = [
  { limit: LARGEST, timeFilter: 'allTime' },
  { limit: 50, timeFilter: 'allTime' },
  { limit: LARGEST, timeFilter: 'yearToDate' },
];

/** Sizes of pages with the number to read: usual ones, both bounds, and one whose pages end where none of 100 do. */
const SIZES = [25, 1, 2, 7, 10, 20, 50, 51, 99].map((limit, i) => [limit, i < 2 ? 3 : 2] as const);

/** So many of them are always read. */
const NEEDED_SIZES = 6;

/** The whole list in pages of many sizes, two of them drawn. */
const inManySizes: Plan<WholeReading> = ({ whole: { timeFilter }, ids }, draw) => {
  const drawn = [4 + draw('small page', 30), 52 + draw('large page', 47)];
  const sizes = [...SIZES, ...drawn.map((limit) => [limit, Math.min(3, Math.ceil(100 / limit))] as const)];
  return sizes.map(([limit, pages]) => ({ query: { limit, timeFilter }, pages, known: ids.get(timeFilter) }));
};

const inThreePages: Plan = ({ whole, ids, sizeOf }, draw) =>
  ALL_FILTERS.flatMap((timeFilter, index) => {
    const held = sizeOf(timeFilter);
    if (timeFilter === whole.timeFilter || held < 2) return [];
    const limit = Math.max(1, Math.min(99, Math.floor((held - 1) / 2) - draw(`page of ${index}`, 3)));
    return [{ query: { limit, timeFilter }, pages: Math.ceil(held / limit) + 1, known: ids.get(timeFilter) }];
  });

/** Far from UTC, one with summer time. A zone may move days and be the form of times, but moves no time. */
const ZONES = ['Asia/Kolkata', 'America/Los_Angeles', 'Pacific/Kiritimati'] as const;

/** An end alone, and with a start: many results are newer, and the next page would show older ones. */
function spanIn({ whole, rows }: FirstReading) {
  const place = Math.floor(Math.min(0.8 * whole.limit, 0.6 * rows.length));
  const [newest, last] = [rows[0]?.at, rows[place]?.at];
  const isTelling = newest && last?.zoneKnown === true && newest.ms - last.ms > WELL_MS;
  const end = isTelling ? last.ms : Date.UTC(2100);
  return { start: new Date(isTelling ? end - HOUR : 0).toISOString(), end: new Date(end).toISOString() };
}

/** Parameters whose formats are not shown (section 4.5) may be refused, but never make the server fail. */
const withOpenParameters: Plan = (reading, draw) => {
  const { whole, ids, sizeOf } = reading;
  const { timeFilter } = whole;
  const { start, end } = spanIn(reading);
  const timeZone = ZONES[draw('zone', ZONES.length)];
  // Its last page shows whether later ones keep to the filter.
  const narrow = ALL_FILTERS.findLast((one) => sizeOf(one) > 1 && sizeOf(one) < sizeOf(timeFilter)) ?? timeFilter;
  const limit = Math.min(LARGEST, Math.max(1, Math.ceil(sizeOf(narrow) / 2)));
  return [
    { query: { limit, timeFilter: narrow, timeZone }, pages: 3, known: ids.get(narrow) },
    { query: { ...whole, start, end }, pages: 1 },
    { query: { ...whole, end }, pages: 1 },
  ];
};

/** One list is read to its end in more pages than this, and in at most twice as many. */
const MANY_SMALL = 10;

/** The end of a list, many pages away: the drawn one of those that hold enough. */
const toTheEnd: Plan = ({ whole, ids, sizeOf, again }, draw) => {
  const long = ALL_FILTERS.filter((one) => sizeOf(one) > MANY_SMALL);
  // Some list was followed as far before.
  if (long.some((one) => again(one) === HEAD)) return [];
  const timeFilter = long[draw('list to its end', Math.max(1, long.length))] ?? whole.timeFilter;
  const limit = Math.min(100, Math.max(1, Math.floor((sizeOf(timeFilter) - 1) / MANY_SMALL)));
  return [{ query: { limit, timeFilter }, pages: LONGEST, known: ids.get(timeFilter) }];
};

/** A client that sets nothing, and follows the cursor alone; one that sets only a limit, by which three pages reach the end. */
const withoutFilter: Plan = ({ ids, sizeOf }, draw) => {
  const limit = Math.max(20, Math.ceil(sizeOf('last7Days') / 3)) + draw('bare limit', 15);
  return [{ pages: BARE_PAGES }, { query: { limit: Math.min(100, limit) }, pages: 3, known: ids.get('last7Days') }];
};

const withoutLimit: Plan = ({ whole: { timeFilter }, ids }) => [
  { query: { timeFilter }, pages: 1 },
  { query: { timeFilter, limit: 50 }, pages: 1 },
  { query: { timeFilter }, pages: 1 },
  { query: { timeFilter, limit: 50 }, pages: 1 },
  { query: { timeFilter }, pages: 2, known: ids.get(timeFilter) },
  { query: { timeFilter: 'yearToDate' }, pages: 1 },
];

/** Walks lists of the agent with results, several at once: at least the first ones, and all if there are enough requests. */
const walksOf =
  <T extends WholeReading>(read: (run: Run) => Promise<T>, plan: Plan<T>, needed = Infinity) =>
  async (run: Run): Promise<void> => {
    const reading = await read(run);
    await run.inParallel([...plan(reading, run.draw).entries()], async ([i, planned]) => {
      if (i < needed || run.hasSpare()) await walk(run, { agentId: reading.agentId, ...planned });
    });
  };

export const walkInManySizes = walksOf((run) => wholeReading(run), inManySizes, NEEDED_SIZES);
export const walkInThreePages = walksOf((run) => firstReading(run), inThreePages);
export const walkToTheEnd = walksOf((run) => firstReading(run), toTheEnd);
export const walkWithOpenParameters = walksOf((run) => firstReading(run), withOpenParameters, 0);

const walkWithoutFilter = walksOf((run) => firstReading(run), withoutFilter);

/** Those without a limit one after the other, since readings of one list are compared with those before and after them. */
export async function walkWithoutParameters(run: Run): Promise<void> {
  const reading = await firstReading(run);
  const one = async (): Promise<void> => {
    for (const planned of withoutLimit(reading, run.draw)) await walk(run, { agentId: reading.agentId, ...planned });
  };
  await Promise.all([walkWithoutFilter(run), one()]);
}

/** The widest list, in the largest pages that are accepted. @throws CannotProbe */
const wholeReading = (run: Run) =>
  run.once('whole reading', async () => {
    const agentId = run.need('agentId');
    const { query: whole, walked } = await readWhole(run, agentId);
    return { agentId, whole, ids: new Map<TimeFilter, ReadonlySet<string>>([[whole.timeFilter, walked.ids]]) };
  });

/** All filters, in pages as large. Everything else is compared with it. @throws CannotProbe */
export const firstReading = (run: Run) =>
  run.once('first reading', async () => {
    const { agentId, whole, ids } = await wholeReading(run);
    const isLong = new Set<TimeFilter>();
    /** The pages of a filter to read another time. */
    const again = (timeFilter: TimeFilter): number => (isLong.has(timeFilter) ? HEAD : LONGEST);
    // One after the other, so that a server that mixes up lists shows what each holds.
    for (const timeFilter of ALL_FILTERS) {
      if (timeFilter === whole.timeFilter) continue;
      const walked = await walk(run, { agentId, query: { limit: whole.limit, timeFilter }, pages: LONGEST });
      ids.set(timeFilter, walked.ids);
      if (walked.pages > MANY_PAGES) isLong.add(timeFilter);
    }
    await walk(run, { agentId, query: { limit: whole.limit }, pages: again('last7Days') });
    /** What the whole list and each filter held. */
    const sizeOf = (timeFilter: TimeFilter): number => ids.get(timeFilter)?.size ?? 0;
    const { all } = run.facts.lists;
    const of = (one: List): boolean => one.agentId === agentId && one.selection.filter === whole.timeFilter;
    return { agentId, whole, rows: all.find(of)?.rows ?? [], ids, sizeOf, again };
  });

/** The widest list and the largest size of pages that are accepted. @throws CannotProbe if there is none. */
async function readWhole(run: Run, agentId: string) {
  let refused: Answered | undefined;
  for (const query of WHOLE) {
    const walked = await walk(run, { agentId, query, pages: LONGEST });
    if (walked.pages > 0) return { query, walked };
    refused = walked.refused ?? refused;
  }
  if (refused) ifAccepted(run, refused);
  throw new CannotProbe('No answer of List results could be read.');
}

/** The last reading of all filters. @throws CannotProbe */
export const lastReading = (run: Run): Promise<void> =>
  run.once('last reading', async () => {
    const { agentId, whole, sizeOf, again } = await firstReading(run);
    await readByTurns(run, agentId, whole.timeFilter);
    // Before the others, which show that what it lacks was there before and after it.
    await walk(run, { agentId, query: whole, pages: LONGEST });
    // A refused limit shows something only between accepted lists.
    if (whole.limit < LARGEST) await walk(run, { agentId, query: { ...whole, limit: LARGEST }, pages: 1 });
    // The longest first, so that none waits for it.
    await run.inParallel(
      ALL_FILTERS.filter((one) => one !== whole.timeFilter).toSorted((one, other) => sizeOf(other) - sizeOf(one)),
      (timeFilter) => walk(run, { agentId, query: { limit: whole.limit, timeFilter }, pages: again(timeFilter) }),
    );
    // Last, since it shows whether lists are still accepted.
    await walk(run, { agentId, query: { limit: whole.limit }, pages: again('last7Days') });
  });

/** Lists read in turns, a page each: one by a client that sets nothing, one of another agent that begins in between. */
async function readByTurns(run: Run, agentId: string, timeFilter: TimeFilter): Promise<void> {
  const [other] = await createdAgents(run);
  const bare = readList(run, agentId);
  const readers = [
    readList(run, agentId, { limit: 21 + run.draw('first list', 9), timeFilter }),
    readList(run, agentId, { limit: 31 + run.draw('second list', 9), timeFilter: 'last7Days' }),
    bare,
  ];
  if (other !== undefined) readers.push(readList(run, other, { limit: 10 }));
  const open = new Set(readers);
  for (let turn = 0; turn < BARE_PAGES; turn++)
    await run.inParallel([...open], async (reader) => {
      if ((turn < 3 || reader === bare) && !(await reader.next())) open.delete(reader);
    });
}

async function createdAgents(run: Run): Promise<readonly string[]> {
  const created = await ifPossible(firstAgent(run, 'create-agent'));
  const imported = await ifPossible(firstAgent(run, 'import-agent'));
  return present(created?.id, imported?.id);
}

/** The lists of new agents, and of the published one. A cursor of another agent may be refused, but shows nothing of it. */
export async function readOthers(run: Run): Promise<void> {
  const { agentId, publishedAgentId } = run.target;
  const list = run.facts.lists.all.find((one) => one.agentId === agentId && one.caller === 'valid');
  const cursor = list?.pages[0]?.nextCursor ?? undefined;
  for (const [i, id] of (await createdAgents(run)).entries()) {
    await readUntilFound(run, id);
    const query = { limit: 100, timeFilter: 'allTime', cursor };
    if (i === 0 && cursor !== undefined) await run.call('list-results', { agentId: id, query, open: true });
    await walk(run, { agentId: id, query: { limit: 100, timeFilter: 'allTime' }, pages: 1 });
  }
  if (publishedAgentId !== undefined && publishedAgentId !== agentId)
    await walk(run, { agentId: publishedAgentId, query: { limit: 40, timeFilter: 'allTime' }, pages: 2 });
}

/** Every filter and both bounds: of an agent before others, of one in another workspace, and of a published one. */
export async function readOthersAgain(run: Run): Promise<void> {
  // An interleaved list of another agent may disturb this one. Earlier lists have shown where it does.
  await ifPossible(lastReading(run));
  const walks = (await createdAgents(run)).flatMap((agentId) =>
    ALL_FILTERS.map((timeFilter, index) => ({ agentId, query: { limit: [100, 1, 20][index % 3] ?? 100, timeFilter } })),
  );
  const { agents, workspaces } = run.facts;
  const created = [...agents.all].filter(({ creation }) => creation !== undefined);
  const elsewhere = created.find(({ creation }) => workspaces.created.has(creation?.workspaceId ?? ''));
  const published = created.findLast(({ isPublished }) => isPublished === true);
  const { v5AgentId } = run.target;
  await Promise.all([
    v5AgentId !== undefined && readInBrief(run, { agentId: v5AgentId, pages: 2 }),
    run.inParallel(present(...new Set([elsewhere?.id, published?.id])), (id) => readUntilFound(run, id)),
    run.inParallel(walks, (one) => walk(run, { ...one, pages: 1 })),
  ]);
}

/** The narrowest list without a limit, and pages of the widest. Whoever is refused the first is asked for no other. */
export async function readInBrief(run: Run, of: Omit<Walk, 'query'>): Promise<void> {
  const { agentId, authorization } = of;
  const narrow = await run.call('list-results', { agentId, authorization, query: { timeFilter: 'today' } });
  if (narrow.answer.accepted) await walk(run, { ...of, query: { limit: 20, timeFilter: 'allTime' } });
}

/** A new agent may take a moment to be found. */
const readUntilFound = (run: Run, agentId: string): Promise<Answered> =>
  askUntil(run, ['list-results', { agentId }], ({ answer }) => ![403, 404, 410].includes(answer.status));

/** Limits outside the bounds: they may be refused or clamped, but no page may have more than 100. */
export async function readBeyondLimit(run: Run): Promise<void> {
  const { agentId, whole } = await firstReading(run);
  const list = run.facts.lists.all.find((one) => one.agentId === agentId && one.selection.filter === 'yearToDate');
  const cursor = list?.pages[0]?.nextCursor ?? undefined;
  const beyond = { limit: 500 + run.draw('large limit', 500), timeFilter: 'yearToDate' };
  const below = { limit: -1 - run.draw('negative limit', 9), timeFilter: 'yearToDate' };
  const queries: Query[] = [
    { limit: 101, timeFilter: whole.timeFilter },
    beyond,
    { limit: 0, timeFilter: whole.timeFilter },
    below,
  ];
  // A server may look at the limit of a first page only, or of a later one only.
  if (cursor !== undefined) queries.push({ ...beyond, cursor }, { ...below, cursor });
  for (const query of queries) await run.call('list-results', { agentId, query, open: true });
}

export async function readRefusedAgents(run: Run): Promise<void> {
  for (const agentId of new Set([run.target.agentId, ...(await createdAgents(run))])) {
    const isListed = run.facts.lists.all.some((list) => list.agentId === agentId && list.pages.length > 0);
    if (agentId !== undefined && !isListed) await run.call('get-agent', { agentId });
  }
}
