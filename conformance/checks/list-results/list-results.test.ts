import { foreignTraffic, ownTraffic } from '../../history/policy.ts';
import { type SampleExchange, numbersOf, verdictsOn } from '../../testing/sample-exchange.ts';
import { checks } from '../index.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);
const HOUR = 3_600_000;

const ours = checks.filter(({ id }) => id.startsWith('list-results-') && !/answer-shape|-refus|does-not-fail/.test(id));
const verdicts = (samples: readonly SampleExchange[], policy = ownTraffic) => {
  const dated = samples.map((sample) => ({ at: now, ...sample }));
  return verdictsOn(ours, dated, { now, policy });
};

/** What fails: the check, the place, what was found, and which of the exchanges show it, counted from 1. */
const failures = (samples: readonly SampleExchange[], policy = ownTraffic): readonly string[] =>
  [...verdicts(samples, policy)].flatMap(([id, { findings }]) =>
    findings.map(({ at = 'nowhere', actual, requirement, exchanges }) => {
      const words = [id.replace('list-results-', ''), requirement, at, actual, numbersOf(exchanges).join(' ')];
      return words.filter((word) => word !== undefined).join('; ');
    }),
  );

type Ages = Readonly<Record<string, number>>;
const ago = (age: number): string => new Date(now - age * HOUR).toISOString();
/** A page of results, given by their ages in hours. */
const page = (ages: Ages, nextCursor: string | null = null): { readonly json: object } => ({
  json: { results: Object.entries(ages).map(([id, age]) => ({ id, createdAt: ago(age) })), nextCursor },
});
const all = { a: 1, b: 2, c: 3, d: 4 };
const whole = page(all);
const windowed = (timeFilter: string, ages: Ages): SampleExchange => ({ query: { timeFilter }, ...page(ages) });
const reads = (mode: string) => ({ endpoint: 'get-agent', agentId: 'b', json: { currentUserMode: mode } }) as const;
const makesB: SampleExchange = { endpoint: 'create-agent', json: { agent: { id: 'b' } } };
const ofB = (status: number, more: object = {}): SampleExchange => ({ agentId: 'b', status, ...more });
/** A list of the new agent is denied so many milliseconds after its creation, between two that are not. */
const deniedAfter = (ms: number) => [
  makesB,
  ofB(200, page({})),
  ofB(404, { query: { limit: 1 }, at: now + ms }),
  ofB(200, page({})),
];
const refusal = (check: string, status: number, shown: string): readonly string[] => [
  `${check}; nowhere; the answer was ${status}; ${shown}`,
];

const notValid = refusal('accepts-valid-request', 400, '1 2');

test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['the list of a readable agent', [whole, reads('write'), ofB(404)], refusal('accepts-valid-request', 404, '2 3')],
  ['the list of an agent for a caller who may only read it', [whole, reads('guest'), ofB(403), ofB(404)], []],
  ['the list of a created agent', [makesB, ofB(404)], refusal('accepts-valid-request', 404, '1 2')],
  ['the list of an agent that appears a moment later', [makesB, ofB(404), { ...page({}), agentId: 'b' }], []],
  ['a list of a new agent on one replica', deniedAfter(3000), []],
  ['a list of an agent that is not new', deniedAfter(3001), refusal('accepts-limit-bounds', 404, '2 3')],
  ['the list of an unknown agent', [whole, ofB(404), ofB(410)], []],
  ['the list of an agent that disappeared', [{ ...whole, agentId: 'b' }, ofB(404)], []],
  ['the list of an agent, without an excuse', [whole, ofB(400)], notValid],
  ['every list, like everything else', [ofB(400)], []],
  ['the list, with a weaker token', [whole, { ...reads('read'), caller: 'read' }, ofB(404, { caller: 'read' })], []],
])('refused: %s', (_, samples, expected) => {
  expect(failures(samples)).toEqual(expected);
});

const short = { a: 1, b: 2 };
const walk = (...samples: readonly SampleExchange[]): readonly SampleExchange[] => [
  { query: { limit: 2 }, ...page(short, 'x') },
  ...samples.map((one) => ({ ...one, query: { ...one.query, cursor: 'x' } })),
];
const beside: SampleExchange = { query: { limit: 2 }, status: 400 };
const alone: SampleExchange = { status: 400 };

test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['only beside the parameters of its list', walk(beside), []],
  ['only by itself', walk(alone), []],
  ['in both ways', walk(beside, alone), refusal('cursor-leads-on', 400, '1 3')],
  ['alone', [page(short, 'x'), { ...alone, query: { cursor: 'x' } }], refusal('cursor-leads-on', 400, '1 2')],
  ['by a busy server', walk(beside, { status: 503 }), []],
  ['and then leads to an empty page', walk(beside, page({})), refusal('cursor-leads-on', 400, '1 2')],
  ['and then leads to an empty page, like a last', [...walk(beside, page({ c: 3 })), ...walk(beside, page({}))], []],
])('a cursor that is refused %s', (_, samples, expected) => {
  expect(failures(samples)).toEqual(expected);
});

const lesser = (ages: Ages) => ({ query: { limit: 2 }, caller: 'read', ...page(ages) }) as const;
const ENDS = 'walk-ends; /nextCursor; null with the read token, and the same list goes on with another one; 1 2';

test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['which sees more elsewhere', [whole, lesser(short), { ...windowed('today', all), caller: 'read' }], [ENDS]],
  ['which sees no more elsewhere', [whole, lesser(short)], []],
])('a list ends early for a caller with less access, %s', (_, samples, expected) => {
  expect(failures(samples)).toEqual(expected);
});

const days = { a: 24, b: 48, c: 72 };
/** An hour and a half into the month in UTC, and still in the previous month in zones behind it. */
const turn = { e: 471 - 1.5 };

const month30 = windowed('last30Days', all);
const everyDay = windowed('allTime', days);
const twoDays = windowed('last30Days', { a: 24, b: 48 });
/** Not at a full hour, so that they are no days. */
const odd = { a: 1.01, b: 2 };
const young = windowed('allTime', { n: 0.02, ...odd });
/** Three lists of today among others that show a result of the last minutes. */
const ofToday = (last: Ages) => [odd, odd, last].flatMap((ages) => [young, windowed('today', ages)]).concat(young);
const UNSEEN = 'time-filter-today; time-filter-meaning; /results; it is missing before the first row; 1 7 2';
const LACKS =
  'time-filter-last30Days; time-filter-meaning; /results; it is missing after the last row, on page 1; 1 3 2';
const MISSING = 'walks-agree; page-size-irrelevant; /results; it is missing after the last row, on page 1; 1 3 2';

test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['the end of a list without a filter', [whole, page(short), whole], [MISSING]],
  ['the end of a list with one', [month30, windowed('last30Days', short), month30], [MISSING]],
  [
    'what belongs between two pages',
    [
      windowed('today', all),
      { query: { timeFilter: 'today', limit: 2 }, ...page({ a: 1, b: 2 }, 'x') },
      { query: { timeFilter: 'today', limit: 2, cursor: 'x' }, ...page({ d: 4 }) },
      windowed('today', all),
    ],
    ['walks-agree; cursor-continues; /results; it is missing right after page 1; 1 4 2 3'],
  ],
  ['the newest result under one filter', ofToday(odd), [UNSEEN]],
  ['a result that comes late', ofToday({ n: 0.02, ...odd }), []],
  ['the end of a window', [everyDay, twoDays, everyDay], [LACKS]],
  ['the end of a window that a later reading shows', [everyDay, twoDays, everyDay, windowed('last30Days', days)], []],
  [
    'a result in two months, where it belongs to neither',
    [windowed('monthToDate', { a: 1 }), windowed('lastMonth', { a: 1 }), windowed('monthToDate', { a: 1 })],
    ['time-filter-lastMonth; time-filter-meaning; /results/0/createdAt; one of "2026-05-20T14:30:00.000Z"; 2'],
  ],
  [
    'a result in two months',
    [windowed('monthToDate', turn), windowed('lastMonth', turn), windowed('monthToDate', turn)],
    ['windows-nest; /results/0; result "e" of "2026-05-01T02:00:00.000Z" in both; 1 3 2'],
  ],
  [
    'a result that appears in no other list',
    [whole, page({ a: 1, b: 2, c: 3, x: 3.5, d: 4 }), whole],
    ['walks-agree; page-size-irrelevant; /results/3; result "x" of "2026-05-20T12:00:00.000Z"; 1 3 2'],
  ],
  [
    'a result that appears in no list of the default filter',
    [windowed('last7Days', all), page({ a: 1, x: 1.5, b: 2, c: 3, d: 4 }), windowed('last7Days', all)],
    ['default-time-filter; /results/1; result "x" of "2026-05-20T14:00:00.000Z"; 1 3 2'],
  ],
])('%s', (_, samples, expected) => {
  expect(failures(samples)).toEqual(expected);
});

/** A page whose results name their agent. */
const of = (agentId: string, rows: Readonly<Record<string, string | undefined>>, age = 1): SampleExchange => ({
  agentId,
  json: {
    results: Object.entries(rows).map(([id, shown]) => ({ id, createdAt: ago(age), agentId: shown, workspaceId: 'w' })),
    nextCursor: null,
  },
});

const home = (version: string) => ({ ...reads('write'), json: { agent: { version, workspaceId: 'other' } } });

describe('results of agents', () => {
  const [x, both] = [{ x: undefined }, { x: undefined, y: undefined }];
  const shared = (at: string, one: string, other: string): readonly string[] => [
    `agents-share-none; /results${at}; result "x" in the lists of "${one}" and "${other}"; 2 3`,
  ];
  test.each<[string, readonly SampleExchange[], readonly string[]]>([
    ['of their own', [of('a', { x: 'a' }), of('b', { y: 'b' })], []],
    ['of another', [of('a', { x: 'a', y: 'b' })], ['belong-to-the-agent; /results/1/agentId; one of "b"; 1']],
    ['elsewhere', [home('6'), of('b', { x: 'b' })], ['belong-to-the-agent; /results/0/workspaceId; "w"; 1 2']],
    ['elsewhere, of an agent of version 5', [home('5'), of('b', { x: 'b' })], []],
    ['that do not name their agent', [of('a', { x: undefined })], []],
    ['that are read twice in a new one', [makesB, of('b', { x: 'b' }), of('b', { x: 'b' })], []],
    ['in an old agent and a new one', [makesB, of('a', x), of('b', { y: undefined, ...x })], shared('/1', 'a', 'b')],
    ['in a new agent and an old one', [makesB, of('b', x), of('a', x)], shared('/0', 'b', 'a')],
    ['of which a new agent and an old one share two', [makesB, of('a', both), of('b', both)], shared('/0', 'a', 'b')],
  ])('%s', (_, samples, expected) => {
    expect(failures(samples)).toEqual(expected);
  });
});

const old = { id: 'a', createdAt: ago(2), updatedAt: ago(1), lastChatSessionId: 's', metadata: { ip: '1', qr: true } };
const file = (url: string) => ({ answers: [{ blockId: 'b', attachedFileUrls: url ? [url] : [] }] });
const result = { ...old, ...file('https://f.example/x.pdf?signed=1') };

test.each<[string, object, string | undefined]>([
  ['another IP', { metadata: { ip: '2', qr: true } }, 'metadata; others'],
  ['fewer values of metadata', { metadata: { ip: '2' } }, undefined],
  ['other metadata after a change', { metadata: { ip: '2', qr: true }, updatedAt: ago(0) }, undefined],
  ['other metadata when it is young', { metadata: { ip: '2', qr: true }, createdAt: ago(0.5) }, undefined],
  ['another session', { lastChatSessionId: 't' }, 'lastChatSessionId; others'],
  ['no session', { lastChatSessionId: '' }, undefined],
  ['another file', file('https://f.example/y.pdf'), 'answers; others'],
  ['no file', file(''), 'answers; 0 attachedFileUrls'],
  ['a file that is signed anew, elsewhere', file('//cdn.example/x.pdf?signed=2#x'), undefined],
])('a result that once shows %s', (_, change, expected) => {
  const shown = [result, { ...result, ...change }, result].map((one) => ({
    json: { results: [one], nextCursor: null },
  }));
  const found = failures(shown).filter((one) => !one.includes('createdAt'));
  expect(found).toEqual(expected ? [`keep-creation-date; /results/0/${expected}; 1 2 3`] : []);
});

test.each([
  ['never again', {}, 1],
  ['once again', { metadata: old.metadata }, 0],
])('a value that results show when they are new, and %s', (_, again, expected) => {
  const many = Array.from({ length: 6 }, (__, i) => ({ ...old, id: `${i}`, lastChatSessionId: undefined }));
  const lacking = many.slice(1).map((one) => ({ ...one, metadata: undefined }));
  const shown = [many.slice(1), [...many.slice(0, 1), { ...lacking[0], ...again }, ...lacking.slice(1)]];
  const found = failures(shown.map((results) => ({ json: { results, nextCursor: null } })));
  expect(found.filter((one) => one.startsWith('keep-creation-date; /results; less of it'))).toHaveLength(expected);
});

const second = (timeFilter: string | undefined, ages: Ages): readonly SampleExchange[] =>
  walk(page(ages)).map((one) => ({ ...one, query: { ...one.query, limit: 2, ...(timeFilter && { timeFilter }) } }));
const unread = 'No list was read three times in order, so a lost result looks like a change during the run.';

test.each<[string, string, readonly SampleExchange[], number, string | undefined]>([
  ['belong-to-the-agent', 'results that name their agent', [of('a', { x: 'a', y: undefined, z: 'a' })], 2, undefined],
  ['agents-share-none', 'no list', [], 0, 'No agent has results.'],
  ['agents-share-none', 'a new agent', [makesB, whole, of('b', {}), of('b', {})], 2, undefined],
  ['agents-share-none', 'a new agent beside one without results', [makesB, of('b', {})], 1, 'No agent has results.'],
  ['walk-once-each', 'two pages', second('today', { c: 3 }), 1, undefined],
  ['walk-once-each', 'an empty page', second('today', {}), 0, 'No list had a second page.'],
  ['cursor-keeps-filter', 'two pages', second('today', { c: 3 }), 1, undefined],
  ['cursor-keeps-filter', 'two pages of all time', second('allTime', { c: 3 }), 0, 'No filter fills a second page.'],
  ['walks-agree', 'two readings', [whole, whole], 0, unread],
])('%s judges %s', (id, _, samples, judged, reason) => {
  const verdict = verdicts(samples).get(`list-results-${id}`);
  expect([verdict?.judged, verdict?.missing?.reason]).toEqual([judged, reason]);
});

test.each<[string, string | undefined, readonly string[]]>([
  ['of a window', 'today', ['cursor-keeps-filter; /results/0/createdAt; one of "2026-05-10T15:30:00.000Z"; 1 2']],
  ['of all time', 'allTime', []],
])('an old result on a second page %s', (_, timeFilter, expected) => {
  const found = failures(second(timeFilter, { old: 240 }));
  expect(found.filter((one) => one.startsWith('cursor-keeps-filter'))).toEqual(expected);
});

test.each<[string, Readonly<Record<string, string | number>>, number, string | undefined, boolean]>([
  ['a limit', { limit: 7 }, 400, 'accepts-limit-bounds', true],
  ['a limit beside a cursor', { limit: 7, cursor: 'x' }, 400, undefined, false],
  ['a filter', { timeFilter: 'lastMonth' }, 400, 'time-filter-lastMonth', true],
  ['a filter beside a cursor', { timeFilter: 'lastMonth', cursor: 'x' }, 400, undefined, false],
  ['an undocumented parameter', { limit: 7, interval: 'P1D' }, 400, undefined, false],
])('refused between accepted lists: %s, %j, by %d fails %s, in traffic too: %s', (_, query, status, check, inBoth) => {
  const accepted = [{}, { timeFilter: 'today' }, { limit: 50 }].map((others) => ({ query: others, ...whole }));
  const samples = [...accepted, { query, status }, whole];
  const found = check === undefined ? [] : refusal(check, status, '1 4');
  expect([failures(samples), failures(samples, foreignTraffic)]).toEqual([found, inBoth ? found : []]);
});

const today = { a: 1 };
const month = { a: 1, b: 200, c: 600 };
/** Lists of some filters, each with the results of these ages; `none` names no filter. */
const lists = (byFilter: Readonly<Record<string, Ages>>): readonly SampleExchange[] =>
  Object.entries(byFilter).map(([filter, ages]) => (filter === 'none' ? page(ages) : windowed(filter, ages)));

const allOfToday = 'Every result is from today, so nothing tells one time span from another.';
const allInside = 'Every result lies in this span, so nothing shows whether the filter leaves others out.';
const notRead = 'createdAt is "soon", which is not a timestamp in a common format.';
const soon = { results: [{ id: 'a', createdAt: 'soon' }], nextCursor: null };
const begun = { query: { timeFilter: 'today' }, ...page(today, 'x') };

test.each<[string, readonly SampleExchange[], string | undefined]>([
  ['no list without a filter', lists({ allTime: all }), 'No list without timeFilter showed a result.'],
  ['everything from today', lists({ none: today, today, last7Days: today, allTime: today }), allOfToday],
  ['something of the week, older than today', lists({ none: all, today, last7Days: all, allTime: all }), undefined],
  ['something older than the week', lists({ none: today, today, last7Days: today, allTime: month }), undefined],
])('the default filter, given %s', (_, samples, reason) => {
  expect(verdicts(samples).get('list-results-default-time-filter')?.missing?.reason).toBe(reason);
});

test.each<[string, readonly SampleExchange[], string | undefined]>([
  ['no results at all', lists({ today: {}, allTime: {} }), 'The agent has no results.'],
  ['a time that nobody can read', [windowed('today', {}), { json: soon }], notRead],
  ['an end not read', [begun, windowed('allTime', month)], 'The window was not read to its end (results read: 1).'],
  ['nothing outside it', lists({ today, allTime: today }), allInside],
  ['nothing inside it', lists({ today: {}, allTime: { b: 200 } }), 'No result lies in this span.'],
  ['something inside and outside it', lists({ today, allTime: month }), undefined],
])('the filter of today, given %s', (_, samples, reason) => {
  expect(verdicts(samples).get('list-results-time-filter-today')?.missing?.reason).toBe(reason);
});
