import { endpointIds } from '../../spec/index.ts';
import { checks } from '../checks/index.ts';
import type { Secret } from '../report/redact.ts';
import type { Report } from '../report/report.ts';
import { createExchanges } from './exchange-of.ts';
import type { Recognised } from './recognise.ts';
import { createForeignJudge, type ForeignOptions } from './judge-foreign.ts';
import type { ForeignExchange } from './foreign-exchange.ts';
import { reportForeign, supplyOf } from './report-foreign.ts';

const noon = Date.UTC(2026, 4, 20, 12);

interface Sample extends Partial<Omit<ForeignExchange, 'request' | 'answer'>> {
  readonly method?: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The part after /api/v1, or a whole URL. */
  readonly to: string;
  /** Seconds after noon. */
  readonly at: number;
  readonly json?: unknown;
  readonly sent?: object;
  /** It ran at the same time as the one before it. */
  readonly isBeside?: boolean;
}

function reportOn(samples: readonly Sample[], more: Partial<ForeignOptions> = {}): Report {
  const secrets: Secret[] = [];
  const judge = createForeignJudge({ checks, strict: false, secrets, ...more });
  let n = 0;
  for (const { to, at, json, sent, isBeside = false, method, requestHeaders, status, headers, ...rest } of samples) {
    const begun = isBeside ? Math.max(0, n - 2) : ++n;
    const type: Record<string, string> = sent ? { 'content-type': 'application/json' } : {};
    judge.see(
      {
        request: {
          method: method ?? (sent ? 'POST' : 'GET'),
          url: to.startsWith('http') ? to : `http://service.test/api/v1${to}`,
          headers: requestHeaders ?? { authorization: 'Bearer some-token-1234', ...type },
          body: sent && JSON.stringify(sent),
        },
        answer: {
          status: status ?? 200,
          headers: headers ?? { date: new Date(noon + at * 1000).toUTCString() },
          body: new TextEncoder().encode(JSON.stringify(json ?? { error: 'no' })),
        },
        sentAt: noon + at * 1000,
        answeredAt: noon + at * 1000 + 20,
        hasAllHeaders: true,
        ...rest,
      },
      { begun, n: ++n },
    );
  }
  return reportForeign(judge, { strict: false, secrets, includeBodies: true });
}

const failed = (samples: readonly Sample[]): readonly string[] =>
  reportOn(samples).checks.flatMap(({ id, status }) => (status === 'fail' || status === 'error' ? [id] : []));

const at = (seconds: number): string => new Date(noon + seconds * 1000).toISOString();
const dates = (seconds: number) => ({ createdAt: at(seconds), updatedAt: at(seconds) });
const agent = (id: string, more: object = {}): object => ({ id, name: 'A', version: '6', ...dates(0), ...more });
const read = (seconds: number, id: string, more: Partial<Sample> = {}, shown: object = {}): Sample => ({
  to: `/agents/${id}`,
  at: seconds,
  json: { agent: agent(id, shown), currentUserMode: 'write' },
  ...more,
});
const create = (seconds: number, id: string, shown: object = {}, more: Partial<Sample> = {}): Sample => ({
  to: '/agents',
  at: seconds,
  sent: { workspaceId: 'w', agent: { name: 'A' } },
  json: { agent: agent(id, { workspaceId: 'w', ...shown }) },
  ...more,
});
const gone: Partial<Sample> = { status: 404, json: { error: 'not found' } };
const row = (id: string, seconds: number, agentId = 'a'): object => ({ id, agentId, ...dates(seconds) });
const rows = [row('r3', -1000), row('r2', -2000), row('r1', -3000)];
const list = (seconds: number, query = '', results = rows, nextCursor: string | null = null): Sample => ({
  to: `/agents/a/results${query}`,
  at: seconds,
  json: { results, nextCursor },
});
const refusedList = (seconds: number, query: string, status = 400): Sample => ({ ...list(seconds, query, []), status });
const firstPage = (seconds: number): Sample => list(seconds, '', rows, 'c');
const renamed = (seconds: number, id = 'n', more: object = {}): Sample => read(seconds, id, {}, { name: 'B', ...more });

const patched: Sample = { to: '/agents/n', at: 2, method: 'PATCH' };
/** A page that is wrong if the clock of the server is known. */
const longAgo = (seconds: number): Sample => list(seconds, '?timeFilter=today', [row('r', -90 * 86_400)]);
const bearer = { authorization: 'Bearer some-token-1234', 'content-type': 'application/json' };
const importOfV5: Sample = {
  ...create(0, 'n'),
  to: '/agents/import',
  sent: { workspaceId: 'w', agent: { version: '5', name: 'A' } },
  json: { agent: { id: 'n', version: '5', edges: 'of another shape' } },
};
const ofExport = { workspaceId: 'w', agent: { name: 'A', publicId: 'shop', createdAt: at(-9) } };
/** As many values as a default has. */
const settings = {
  metadata: { title: 'A', ...Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`s${i}`, i])) },
};
const withDefault = { ...create(0, 'n', { settings }), sent: { workspaceId: 'w', agent: { name: 'A', settings } } };
const idempotent = create(0, 'n', {}, { requestHeaders: { ...bearer, 'idempotency-key': 'k' } });

describe('effects of other clients are no failures', () => {
  test.each<[string, readonly Sample[]]>([
    ['a deleted agent', [create(0, 'n'), read(5, 'n'), read(10, 'n', gone), read(20, 'n', gone)]],
    ['an agent that somebody edited elsewhere', [create(0, 'n'), renamed(5, 'n', { updatedAt: at(4) })]],
    ['an agent that an undocumented request edited, without a new date', [create(0, 'n'), patched, renamed(5)]],
    ['data that starts over with the same ids', [create(0, '1'), read(5, '1'), create(60, '1'), renamed(65, '1')]],
    ['results that start over with other dates', [list(0), list(60, '', [row('r3', -500)])]],
    ['an agent that is requested by another name', [{ ...read(0, 'n'), to: '/agents/shop' }]],
    ['a list of such an agent', [{ ...list(0), to: '/agents/shop/results' }]],
    ['a name in use', [create(0, 'n'), create(5, 'n', {}, { status: 422, json: {} }), create(9, 'm')]],
    ['a refused body that matches the schema', [create(0, 'n', {}, { status: 400 }), read(5, 'x')]],
    ['an unknown cursor', [list(0), refusedList(2, '?cursor=old&limit=10&timeFilter=today'), list(5)]],
    ['an expired cursor', [firstPage(0), refusedList(3600, '?cursor=c', 410), firstPage(3601)]],
    ['a used cursor', [firstPage(0), firstPage(1), list(2, '?cursor=c', []), refusedList(3, '?cursor=c')]],
    ['a server error', [read(0, 'n'), read(5, 'n', { status: 502 }), read(10, 'n')]],
    [
      'another caller without access',
      [create(0, 'n'), read(5, 'n', { ...gone, requestHeaders: { authorization: 'Bearer another' } }), read(9, 'n')],
    ],
    ['a server whose clock is set to another time', [longAgo(0)]],
    ['a form that is not shown', [importOfV5]],
    ['an unpublished agent', [{ to: '/agents/n/publishedAgent', at: 0, json: { publicAgent: null } }]],
    ['an unchanged answer', [read(0, 'n'), read(5, 'n', { status: 304 }), read(9, 'n')]],
    ['an answer from a cache', [create(0, 'n'), { ...renamed(5), leftOut: 'not-the-server' }]],
    ['a creation that is repeated', [idempotent, { ...idempotent, at: 1, isBeside: true }]],
    ['a default that one client sends and another leaves out', [withDefault, create(5, 'm', { settings })]],
    ['the terms of an export', [{ ...create(0, 'n', { publicId: 'shop-2' }), sent: ofExport }]],
  ])('%s', (_, samples) => expect(failed(samples)).toEqual([]));
});

describe('judges what the traffic establishes', () => {
  const withGap = rows.filter((_, i) => i !== 1);
  test.each<[string, string, readonly Sample[]]>([
    ['order', 'list-results-newest-first', [list(0, '', rows.toReversed())]],
    ['the size of a page', 'list-results-respects-limit', [list(0, '?limit=2')]],
    ['the agent of results', 'list-results-belong-to-the-agent', [list(0, '', [...rows, row('x', -4000, 'b')])]],
    ['a walk', 'list-results-walk-once-each', [firstPage(0), list(1, '?cursor=c', [row('r1', -3000)])]],
    ['a cursor that was just given', 'list-results-cursor-leads-on', [firstPage(0), refusedList(1, '?cursor=c')]],
    ['reads before and after', 'list-results-default-time-filter', [list(0), list(90, '', withGap), list(180)]],
    ['what was sent', 'create-agent-keeps-what-was-sent', [create(0, 'n', { name: 'Another' })]],
    ['the workspace of a creation', 'create-agent-in-the-workspace', [create(0, 'n', { workspaceId: 'v' })]],
    ['that a read shows an agent unchanged', 'created-agent-reads-as-answered', [create(0, 'n'), renamed(5)]],
    ['that it exists', 'created-agent-can-be-read', [create(0, 'n'), read(5, 'n'), read(10, 'n', gone), read(15, 'n')]],
    ['ids given at once', 'create-agent-gives-new-ids', [create(0, 'n'), create(0, 'n', {}, { isBeside: true })]],
    ['shape', 'get-agent-answer-shape', [read(0, 'n', {}, { groups: 'none' })]],
    ['no credentials', 'get-agent-refuses-no-authorization', [read(0, 'n'), read(5, 'n', { requestHeaders: {} })]],
    ['a method', 'create-agent-accepts-valid-body', [read(0, 'n'), create(5, 'm', {}, { status: 405, json: {} })]],
    ['the window of a filter, once its clock is known', 'list-results-time-filter-today', [create(0, 'n'), longAgo(5)]],
  ])('%s', (_, check, samples) => expect(failed(samples)).toEqual([check]));
});

test('counts what it leaves out, with the reason', () => {
  const { traffic, summary, target, counts } = reportOn([
    { to: 'https://cdn.test/app.js', at: 0 },
    { to: '/nothing', at: 1 },
    read(2, 'n'),
    { to: 'http://service.test/login', at: 3 },
    { to: '/agents/n', at: 4, method: 'DELETE' },
    read(5, 'n', { requestHeaders: { prefer: 'code=503' } }),
    read(6, 'n', { status: 0 }),
  ]);
  expect(target.baseUrl).toBe('http://service.test');
  expect(traffic).toEqual({
    judged: 1,
    leftOut: [
      { reason: 'other-host', count: 2, examples: ['https://cdn.test', 'http://service.test'] },
      { reason: 'other-path', count: 1, examples: ['GET /login'] },
      { reason: 'other-method', count: 1, examples: ['DELETE /api/v1/agents/n'] },
      { reason: 'no-answer', count: 1, examples: ['GET get-agent'] },
      { reason: 'preference', count: 1, examples: ['GET get-agent'] },
    ],
  });
  expect(summary).toContain('Left out: 2 went to another server (https://cdn.test, http://service.test); ');
  expect(counts.fail).toBe(0);
});

describe('says the true reason why nothing was judged', () => {
  const reasonOf = (id: string, samples: readonly Sample[], more: Partial<ForeignOptions> = {}): unknown =>
    reportOn(samples, more).checks.find((check) => check.id === id)?.reason;
  const times = (count: number, sample: (i: number) => Sample): readonly Sample[] =>
    Array.from({ length: count }, (_, i) => sample(i));
  const edge = { id: 'e', from: { blockId: 'x' }, to: { groupId: 'y' } };
  const lost = { workspaceId: 'w', agent: { name: 'A', edges: [edge] } };
  const by = (i: number): Partial<Sample> => ({ requestHeaders: { ...bearer, authorization: `Bearer caller-${i}` } });
  const unasked = 'No request of the traffic was List results of an agent.';
  const denied = 'No request of Get agent shows anything: 8 answers had the status 404.';
  const preferred = 'No request of Get agent shows anything: 1 asked for a special answer with Prefer.';
  const alphabet = 'whose id is a string. 27 requests had 26 different credentials';
  const withPreference = read(0, 'n', { requestHeaders: { prefer: 'code=503' } });
  const empty = { results: [], nextCursor: null };
  const full = { agents: 20, lists: 1, exchanges: 100, callers: 10, bytes: 3e6 };
  test.each<[string, string, readonly Sample[], string, Partial<ForeignOptions>?]>([
    ['no list', 'list-results-newest-first', [read(0, 'n')], unasked],
    ['404 alone', 'created-agent-can-be-read', [create(0, 'n'), ...times(8, (i) => read(i, `n${i}`, gone))], denied],
    ['only what is left out', 'get-agent-answer-shape', [withPreference], preferred],
    ['loose edges', 'create-agent-keeps-what-was-sent', [create(0, 'n', {}, { sent: lost })], '1 have edges that lead'],
    [
      'an alphabet of callers',
      'create-agent-gives-new-ids',
      times(26, (i) => read(i, 'n', by(i))).concat(create(30, 'n', {}, by(0))),
      alphabet,
    ],
    [
      'a limit',
      'list-results-walks-agree',
      times(9, (i) => ({ ...list(i), json: empty })),
      'Limits were reached',
      { full },
    ],
  ])('%s', (_, id, samples, reason, more = {}) => {
    expect(reasonOf(id, samples, more)).toContain(reason);
  });
});

test('a report shows no credential from the traffic', () => {
  const secret = 'hush-hush-1234567890';
  const requestHeaders = { authorization: `Bearer ${secret}`, cookie: 'session=crumbs-0987654321' };
  const headers = { 'set-cookie': 'session=crumbs', 'x-other': 'shown' };
  const report = reportOn([read(0, 'n', { requestHeaders, headers }, { name: secret, groups: secret })]);
  const text = JSON.stringify(report);
  expect(report.counts.fail).toBe(1);
  expect(text).toContain('$TOKEN');
  expect(text).toContain('x-other');
  expect(text).not.toMatch(/hush-hush|crumbs|set-cookie/);
});

test('sessions of the mock are separate worlds', () => {
  const inSession = (session: string): Sample =>
    create(0, 'n', {}, { requestHeaders: { ...bearer, 'x-mock-session': session } });
  expect(failed([inSession('one'), { ...inSession('two'), isBeside: true }])).toEqual([]);
});

test('a request that is not documented may change the agent unless its method is safe', () => {
  const isBlamed = (method: string): boolean =>
    failed([create(0, 'n'), { ...patched, to: '/agents/n/draft', method }, renamed(5)]).length > 0;
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
  expect(methods.filter(isBlamed)).toEqual(['GET', 'HEAD', 'OPTIONS']);
});

const denials = (from: number, to: number, after: number): readonly Sample[] =>
  Array.from({ length: to - from }, (_, i) => [
    create((from + i) * 10, `n${from + i}`),
    read((from + i) * 10 + after, `n${from + i}`, gone),
  ]).flat();

test.each<[string, readonly Sample[], readonly Sample[], readonly string[]]>([
  ['twenty, three of them for seconds', denials(0, 17, 0.5), denials(17, 20, 3), ['created-agent-can-be-read']],
  ['twenty, all only at once', denials(0, 20, 0.5), [], []],
  ['nineteen', denials(0, 19, 3), [], []],
  ['twenty, and one could be read', denials(0, 20, 3), [create(300, 'x'), read(301, 'x')], []],
])('agents that were created and then denied: %s', (_, samples, more, expected) => {
  expect(failed([...samples, ...more])).toEqual(expected);
});

describe('traffic without end is judged to its end', () => {
  const by = (name: string, headers: object = {}) => ({
    requestHeaders: { authorization: `Bearer ${name}`, ...headers },
  });
  const full = { agents: 20, lists: 30, exchanges: 100, callers: 10, bytes: 3_000_000 };
  test.each<[string, (i: number) => Sample, RegExp]>([
    ['callers with tokens', (i) => read(i, 'n', by(`token-${i}-secret`)), /15 for 10 callers/],
    ['callers with cookies', (i) => read(i, 'n', by('one', { cookie: `analytics=${i}` })), /for 10 callers/],
    ['agents', (i) => read(i, `n${i}`), /7 for 20 agents/],
    ['created agents', (i) => create(i, `n${i}`), /for 20 agents/],
    ['sessions', (i) => read(i, 'n', by('one', { 'x-mock-session': `${i}` })), /for 3 MiB/],
    ['lists', (i) => list(i), /5 for 30 lists/],
    ['requests', (i) => read(i % 1000, 'n'), /1 for 100 exchanges/],
  ])('after many %s', (_, sample, limit) => {
    const count = 150;
    const before = Array.from({ length: count }, (__, i) => sample(i));
    const late = [
      create(count, 'x'),
      renamed(count + 5, 'x'),
      list(count + 10, '', rows.toReversed()),
      read(count + 11, 'y', {}, { groups: 'none' }),
    ];
    expect(reportOn(before, { full }).counts.fail).toBe(0);
    const report = reportOn([...before, ...late], { full });
    const failing = report.checks.filter(({ status }) => status === 'fail').map(({ id }) => id);
    for (const id of ['created-agent-reads-as-answered', 'list-results-newest-first', 'get-agent-answer-shape'])
      expect(failing).toContain(id);
    expect(report.summary).toMatch(limit);
    expect([report.traffic?.judged, report.traffic?.leftOut]).toEqual([before.length + late.length, []]);
  });

  test('a finding about an early caller holds no secret, however many follow', () => {
    const early = read(0, 'n', { ...by('early-secret-1234'), json: { agent: { id: 'early-secret-1234' } } });
    const others = Array.from({ length: 30 }, (_, i) => read(i, 'n', by(`token-${i}-secret`)));
    const text = JSON.stringify(reportOn([early, ...others], { full }));
    expect(text).toContain('get-agent-answer-shape');
    expect(text).not.toContain('early-secret');
  });
});

test('an Idempotency-Key is remembered for long, and not for ever', () => {
  const exchangeOf = createExchanges();
  const by: Recognised = { endpoint: 'create-workspace', agentId: undefined, query: [], world: '' };
  const times = { sentAt: noon, answeredAt: noon, hasAllHeaders: true };
  const isRepeated = (key: number): boolean => {
    const request = { method: 'POST', url: 'http://service.test/', headers: { 'idempotency-key': `k${key}` } };
    const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
    return (
      exchangeOf({ request, answer, ...times }, by, { caller: 'none', headers: {} }, { n: 2, begun: 1 }) === 'repeated'
    );
  };
  for (let key = 0; key < 10_100; key++) if (isRepeated(key)) throw new Error(`${key} is new`);
  expect([isRepeated(5_000), isRepeated(1)]).toEqual([true, false]);
});

test('limits the findings about many worlds', () => {
  const inSession = (session: number): Sample => {
    const requestHeaders = { ...bearer, 'x-mock-session': `${session}` };
    return read(session, `n${session}`, { requestHeaders }, { groups: 'none' });
  };
  const told = (worlds: number): number => {
    const { checks: all } = reportOn(Array.from({ length: worlds }, (_, i) => inSession(i)));
    const failure = all.find(({ id }) => id === 'get-agent-answer-shape')?.failure;
    return failure ? 1 + (failure.more?.length ?? 0) : 0;
  };
  expect([told(0), told(3), told(30)]).toEqual([0, 3, 25]);
});

test('names the traffic to supply for every check that can judge traffic, and for no other', () => {
  const without = checks.filter((check) => supplyOf(check) === undefined).map(({ id }) => id);
  expect(without).toHaveLength(2 * endpointIds.length + 1);
  for (const id of without) expect(id).toMatch(/-refuses-(?:unknown|similar)-token$|^get-agent-mode-matches-token$/);
  const find = (id: string): string | undefined => {
    const check = checks.find((one) => one.id === id);
    return check && supplyOf(check);
  };
  expect(find('create-agent-answer-shape')).toBe('traffic with Create agent');
  expect(find('list-results-windows-nest')).toBe('traffic with the results of one agent under several timeFilters');
  expect(new Set(checks.map(supplyOf)).size).toBeGreaterThan(25);
});
