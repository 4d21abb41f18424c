import { createUniverse, personas, type Persona } from '../../fixtures/index.ts';
import { answer, readCall, type AnswerContext } from '../../mock/answer.ts';
import type { Call } from '../../mock/call.ts';
import { createMemory } from '../../mock/faults/triggers/circumstances.ts';
import { isRefusal, readResultsQuery } from '../../mock/service/results-query.ts';
import { resolveProfile } from '../../mock/profiles/index.ts';
import { readQuery } from '../../mock/service/query.ts';
import { writeCursor } from '../../mock/store/cursor.ts';
import { createStore } from '../../mock/store/store.ts';
import { NOW } from '../requests.ts';
import { median } from '../statistics.ts';

/** Microseconds for a page of 50 results, by number of results and depth of the page. */
export type ListingCosts = readonly {
  readonly results: number;
  readonly first: number;
  readonly middle: number;
  readonly last: number;
  /** A window whose ends are in the middle, found by bisection. */
  readonly window: number;
}[];

const SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
const LIMIT = 50;
const PAGES = 20;
const ROUNDS = Number(process.argv[2] ?? 15);
const now = Date.parse(NOW);
const profile = resolveProfile('default');

/** The demo world, with another number of results for its first agent. */
function withResults(count: number): Persona {
  const { demo } = personas;
  return {
    ...demo,
    agent: (i) =>
      i === 0 ? { ...demo.agent(i), results: { count, pace: { results: count, days: 365 } } } : demo.agent(i),
  };
}

interface TimedWorld {
  readonly count: number;
  /** Microseconds for a page that begins at that index. */
  readonly page: (index: number) => number;
  readonly window: (index: number) => number;
}

function worldOf(count: number): TimedWorld {
  // Not the shared universe, which caches results: each page must be generated again.
  const universe = createUniverse({ seed: 1, now, persona: withResults(count) });
  const store = createStore(universe, 'cuid');
  const context: AnswerContext = {
    store,
    tokens: new Map([['t', 'write']]),
    profile,
    faults: [],
    now,
    requestNumber: 1,
    memory: createMemory(),
  };
  const agentId = store.agentId(0);
  const found = { endpoint: 'list-results', agentId } as const;
  const ask = (search: string): number => {
    const began = process.hrtime.bigint();
    const request = { method: 'GET', target: `?${search}`, headers: { authorization: 'Bearer t' } };
    const wire = answer(readCall({ request, found, query: readQuery(search) }, context), request, context);
    const took = Number(process.hrtime.bigint() - began) / 1000;
    if (wire.status !== 200 || !wire.body.startsWith('{"results":[{'))
      throw new Error(`${search}: ${wire.body.slice(0, 500)}`);
    return took;
  };
  const call: Call = {
    ...found,
    query: [['timeFilter', 'allTime']],
    authorization: undefined,
    cookie: undefined,
    tokens: new Map(),
    body: undefined,
    now,
    profile,
    mode: 'write',
  };
  const query = readResultsQuery(call);
  if (isRefusal(query)) throw new Error(query.detail);
  const { selection } = query;
  const instant = (index: number): string => new Date(store.results(agentId).createdAt(index)).toISOString();
  return {
    count,
    page: (index) => {
      const cursor = writeCursor({ fromOldest: count - index }, selection, universe.seed);
      return ask(`limit=${LIMIT}&timeFilter=allTime&cursor=${cursor}`);
    },
    window: (index) => ask(`limit=${LIMIT}&timeFilter=allTime&start=${instant(index + 200)}&end=${instant(index)}`),
  };
}

const worlds = SIZES.map(worldOf);
type Depth = 'first' | 'middle' | 'last' | 'window';
const depths: readonly Depth[] = ['first', 'middle', 'last', 'window'];
const taken = new Map<string, number[]>();
for (let round = -3; round < ROUNDS; round++)
  for (const world of worlds)
    for (const depth of depths) {
      const last = world.count - LIMIT * PAGES;
      const from = depth === 'first' ? 0 : depth === 'last' ? last : Math.floor(last / 2);
      const ask = depth === 'window' ? world.window : world.page;
      const times = Array.from({ length: PAGES }, (_, i) => ask(Math.min(from + i * LIMIT, world.count - 300)));
      const key = `${world.count} ${depth}`;
      if (round >= 0) taken.set(key, [...(taken.get(key) ?? []), median(times)]);
    }
const cost = (count: number, depth: Depth): number => median(taken.get(`${count} ${depth}`) ?? []);
const costs: ListingCosts = worlds.map(({ count }) => ({
  results: count,
  first: cost(count, 'first'),
  middle: cost(count, 'middle'),
  last: cost(count, 'last'),
  window: cost(count, 'window'),
}));
process.stdout.write(JSON.stringify(costs));
