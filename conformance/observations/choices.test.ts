import type { GapId } from '../../spec/index.ts';
import { runOver } from '../testing/run-over.ts';
import { createFacts } from '../history/facts/facts.ts';
import type { Answered } from '../http/exchange.ts';
import { sampleHistory, type SampleExchange } from '../testing/sample-exchange.ts';
import { tinyService } from '../testing/tiny-service.ts';
import cases from '../testing/observed.json';
import { bodyObservers } from './bodies.ts';
import { observers } from './index.ts';
import { createObservations } from './observe.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);
const HOUR = 3_600_000;

/** What is observed of a gap in a history. The twin of every question is the first request. */
function observed(
  gap: GapId,
  samples: readonly SampleExchange[],
): readonly [choice: string | undefined, seen: string] | undefined {
  const { facts, see } = createFacts({ target: {}, strict: false, now });
  const observations = createObservations(observers, facts);
  const asked = samples.map((sample): SampleExchange =>
    sample.differs === undefined ? { at: now, ...sample } : { at: now, twin: 2, open: true, ...sample },
  );
  for (const exchange of sampleHistory(asked)) {
    see(exchange);
    observations.see(exchange);
  }
  const found = observations.conclude().observations.find((one) => one.gap === gap);
  return found && [found.choice, found.seen];
}

const at = (age: number): string => new Date(now - age * HOUR).toISOString();
/** A page of results, given by their ages in hours. */
const page = (ages: Readonly<Record<string, number>>, nextCursor: string | null = null): { readonly json: object } => ({
  json: { results: Object.entries(ages).map(([id, age]) => ({ id, createdAt: at(age) })), nextCursor },
});
const noPage = { json: { results: 'none' } };
const accepted: SampleExchange = { endpoint: 'create-agent', json: { agent: { id: 'first' } } };

/** The choices for an accepted answer and for refusals; `null` if there is none. The proof observes every plain choice. */
type Answers = readonly [differs: string, gap: GapId, json: unknown, chosen: string | null, refused: string | null];

describe.each(Object.keys(cases.answers) as (keyof typeof cases.answers)[])('%s', (endpoint) => {
  test.each(cases.answers[endpoint] as unknown as readonly Answers[])(
    '%s shows %s: %j is %s, a refusal %s',
    (differs, gap, json, chosen, refused) => {
      const sent = { agent: { publicId: 'p', id: 'claimed' } };
      const choice = (more: Partial<SampleExchange>): string | null =>
        observed(gap, [accepted, { endpoint, differs, sent, ...more }])?.[0] ?? null;
      expect([choice({ json }), choice({ status: 400, json: {} })]).toEqual([chosen, refused]);
    },
  );
});

test.each(cases.refusals as [string, GapId, number, string | null][])(
  '%s shows %s by %d: %s',
  (differs, gap, status, expected) => {
    expect(observed(gap, [accepted, { endpoint: 'create-agent', differs, status, json: {} }])?.[0]).toBe(
      expected ?? undefined,
    );
  },
);

test.each<[GapId, Answered['endpoint'], string, object, readonly [string | undefined, string]]>([
  ['taken-public-id', 'create-agent', 'a taken publicId', { publicId: 'p' }, [undefined, 'given twice']],
  [
    'import-server-fields',
    'import-agent',
    'fields that the server sets',
    { id: 'c' },
    [undefined, 'the server keeps the id from the request'],
  ],
  ['unknown-workspace', 'create-agent', 'an unknown workspace', {}, ['accepted', 'it is accepted']],
])('%s says in words what %s shows with %s', (gap, endpoint, differs, agent, expected) => {
  expect(observed(gap, [accepted, { endpoint, differs, sent: { agent }, json: { agent } }])).toEqual(expected);
});

describe('a limit above 100', () => {
  const plain: SampleExchange = { query: {}, ...page({ a: 1 }) };
  const beyond: SampleExchange = { query: { limit: 500 }, open: true, ...page({ a: 1 }) };
  const refused: SampleExchange = { query: { limit: 500 }, open: true, status: 400, json: {} };
  test.each<[string, readonly SampleExchange[], string | undefined]>([
    ['that is accepted', [plain, beyond], 'clamped'],
    ['that is refused', [plain, refused], 'refused'],
    ['that is refused like every list', [refused], undefined],
    ['that is refused because of too many requests', [plain, { ...refused, status: 429 }], undefined],
    ['that is refused by a server error', [plain, { ...refused, status: 500 }], undefined],
    ['that is not a list', [plain, { ...refused, endpoint: 'get-agent' }], undefined],
    ['that is requested as if it were documented', [plain, { ...refused, open: false }], undefined],
    ['that is 100', [plain, { ...refused, query: { limit: 100 } }], undefined],
    ['that is not there', [plain, { ...refused, query: {} }], undefined],
  ])('%s', (_, samples, expected) => {
    expect(observed('limit-out-of-range', samples)?.[0]).toBe(expected);
  });
});

const long = 'x'.repeat(2000);
const never = ['never', 'no name twice in short answers'] as const;
const twice = ['undocumented', 'the name "id" twice'] as const;

test.each<[string, SampleExchange, readonly [string | undefined, string] | undefined]>([
  ['no repeated name', { json: {} }, never],
  ['a repeated name', { json: {}, answer: { repeats: 'id' } }, twice],
  ['a repeated name in a long answer', { json: {}, answer: { repeats: 'id', text: long } }, twice],
  ['a long answer', { json: {}, answer: { text: long } }, undefined],
  ['an answer that is a little shorter', { json: {}, answer: { text: long.slice(1) } }, never],
  ['a refusal', { status: 400, json: {} }, undefined],
  ['an answer that is not JSON', { answer: { problem: 'an HTML page' } }, undefined],
  ['an answer to a caller with a weaker token', { json: {}, caller: 'read' }, undefined],
])('repeated-names: %s', (_, samples, expected) => {
  expect(observed('repeated-names', [samples])).toEqual(expected);
});

test.each(cases.contentTypes as [string | null, string, string][])(
  'the content type %s is %s',
  (type, choice, seen) => {
    const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
    expect(observed('answer-content-type', [{ json: {}, answer: { headers } }])).toEqual([choice, seen]);
  },
);

const allTime = { timeFilter: 'allTime' };
const whole: SampleExchange = { query: allTime, ...page({ a: 0.5, b: 30, c: 60 }) };

type Row = readonly [title: string, sample: SampleExchange, expected: ReturnType<typeof observed>];

describe.each<[GapId, SampleExchange, readonly Row[]]>([
  [
    'start-end-with-filter',
    {
      differs: 'start and end around a result outside timeFilter',
      query: { timeFilter: 'today', start: at(31), end: at(30) },
    },
    [
      ['that shows it', page({ b: 30 }), ['replace', 'results outside timeFilter are shown']],
      ['that shows it and today', page({ a: 0.5, b: 30 }), ['replace', 'results outside timeFilter are shown']],
      ['that is empty', page({}), ['intersect', 'only what both allow is shown']],
      ['that shows the results of today', page({ a: 0.5 }), ['ignored', 'the results of timeFilter are shown']],
      ['that is refused', { status: 400, json: {} }, [undefined, 'refused with 400']],
      ['that is not a page', noPage, undefined],
      ['of another instant', { ...page({ b: 30 }), query: { timeFilter: 'today', start: at(50) } }, undefined],
      ['that has no start', { ...page({ b: 30 }), query: allTime }, undefined],
    ],
  ],
  [
    'end-edge',
    { differs: 'end at the instant of a result', query: { ...allTime, start: at(31), end: at(30) } },
    [
      ['that shows the result', page({ b: 30 }), ['inclusive', 'a result of that instant is shown']],
      ['that does not show it', page({}), ['exclusive', 'it is not shown']],
      ['that shows only older ones', page({ c: 60 }), ['exclusive', 'it is not shown']],
      ['without an effect', page({ a: 0.5, b: 30, c: 60 }), undefined],
      ['with an unknown result', page({ x: 30, b: 30 }), undefined],
      ['that is refused', { status: 400, json: {} }, undefined],
      ['that is not a page', noPage, undefined],
      ['of another instant', { ...page({ b: 30 }), query: { ...allTime, start: at(50), end: at(30) } }, undefined],
    ],
  ],
  [
    'interval-meaning',
    { differs: 'interval=P1D', query: { ...allTime, interval: 'P1D' } },
    [
      ['that shows fewer results', page({ a: 0.5 }), ['iso-8601', 'P1D shows fewer']],
      ['that shows fewer, and more on another page', page({ a: 0.5 }, 'x'), [undefined, 'P1D shows no fewer']],
      ['without an effect', page({ a: 0.5, b: 30, c: 60 }), [undefined, 'P1D shows no fewer']],
      ['that is refused', { status: 400, json: {} }, [undefined, 'P1D is refused with 400']],
      ['that is not a page', noPage, undefined],
    ],
  ],
])('%s: an answer', (gap, question, rows) => {
  test.each(rows)('%s', (_, sample, expected) => {
    expect(observed(gap, [whole, { ...question, ...sample }])).toEqual(expected);
  });
});

test('an interval means nothing without a list to compare', () => {
  const question = { query: { ...allTime, interval: 'P1D' }, differs: 'interval=P1D', ...page({ a: 0.5 }) };
  expect(observed('interval-meaning', [{ ...page({}), query: allTime }, question])).toBeUndefined();
});

describe('lists', () => {
  const first = { query: { ...allTime, limit: 2 }, ...page({ a: 1, b: 2 }, 'x') };
  const grown = { query: allTime, ...page({ new: 0.1, a: 0.5 }) };
  const ofThree = (sample: SampleExchange) => ({ ...sample, query: { ...sample.query, limit: 3 } });
  const one = (more: object): object => ({ results: [{ id: 'a', createdAt: at(1), ...more }], nextCursor: null });
  const next = (ages: Readonly<Record<string, number>>, cursor: string | null = null): SampleExchange => ({
    query: { ...allTime, limit: 2, cursor: 'x' },
    ...page(ages, cursor),
  });
  test.each<[GapId, string, readonly SampleExchange[], string | undefined]>([
    ['last-page', 'with results', [first, next({ c: 3 })], 'with-last-result'],
    ['last-page', 'that is empty', [first, next({})], 'empty-page-after'],
    ['last-page', 'that was not read', [first, next({ c: 3 }, 'y')], undefined],
    ['page-filling', 'that are full', [first, next({ c: 3 })], 'full'],
    ['page-filling', 'of one page', [whole], undefined],
    ['page-filling', 'that are short', [first, next({ c: 3 })].map(ofThree), 'short'],
    ['page-filling', 'of which one before the last is empty', [first, next({}, 'x'), next({ c: 3 })], 'empty'],
    ['page-filling', 'of which only the last is short, before an empty one', [first, next({ c: 3, d: 4 })], 'full'],
    ['cursor-characters', 'of one page', [whole], undefined],
    ['cursor-characters', 'whose cursor a URL may hold as it is', [first], 'plain'],
    ['cursor-characters', 'of which one has a plus in its cursor', [first, next({}, '1+1')], 'any'],
    ['results-while-reading', 'that were read once', [whole], undefined],
    ['results-while-reading', 'that are the same later', [whole, whole], 'still'],
    ['results-while-reading', 'that begin with another result later', [whole, grown], 'arriving'],
    ['listed-results', 'of ordinary results', [whole], undefined],
    ['listed-results', 'of results that never started', [{ query: allTime, json: one({ hasStarted: false }) }], 'all'],
    ['listed-results', 'of archived results', [{ query: allTime, json: one({ isArchived: true }) }], 'all'],
  ])('%s: %s', (gap, _, samples, expected) => {
    expect(observed(gap, samples)?.[0]).toBe(expected);
  });
});

test.each<[string, boolean]>([
  ['http://127.0.0.1', true],
  ['http://localhost', true],
  ['http://tiny.test', false],
])('a large body is sent to %s: %s', async (baseUrl, isSent) => {
  const service = tinyService({ now });
  const sizes: number[] = [];
  const run = runOver(
    (request, signal) => {
      sizes.push(request.body?.length ?? 0);
      return service.transport(request, signal);
    },
    { target: { agentId: 'main', workspaceId: 'w' }, now, baseUrl },
  );
  for (const { probes = [] } of bodyObservers) for (const probe of probes) await probe.send(run);
  expect(sizes.some((size) => size > 1_000_000)).toBe(isSent);
  expect(sizes.length).toBeGreaterThan(10);
});
