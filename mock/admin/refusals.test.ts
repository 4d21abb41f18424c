import { endpointIds } from '../../spec/index.ts';
import { testMock } from '../testing/test-client.ts';

/** The status and the words of the answer to a body on a route. */
function refusalOf(route: string, body: unknown): readonly unknown[] {
  const { mock, call } = testMock();
  mock.session('mine');
  mock.takeSnapshot('before');
  mock.standing.set('get-agent', { code: 503 });
  const [method = '', ...path] = route.split(' ');
  const { agentId } = mock.target;
  const answer = call(`/__admin${path.join(' ').replace('AGENT', agentId)}`, { method, authorization: null, body });
  return [answer.status, answer.json.error.replaceAll(agentId, 'AGENT')];
}

/**
 * What `/__admin` refuses and how: the message says where the mistake is, what was sent, what is allowed and what was probably
 * meant.
 */
const refused: Readonly<Record<string, readonly (readonly [body: unknown, message: string])[]>> = {
  'POST /clock/set': [
    [undefined, 'No body was sent. body/at is required.'],
    ['{', 'The body is not JSON: close brace expected at line 1, column 2.'],
    [[], 'body must be an object; it is [].'],
    ['', 'No body was sent. body/at is required.'],
    [{ at: 5 }, 'body/at must be a string; it is 5.'],
    [{ att: '2026-01-01' }, 'body/at is required. body/att is not known. Did you mean at?'],
    [{ at: 'soon' }, 'at is "soon"; it must be an instant such as 2026-05-20T15:30:00Z.'],
  ],
  'POST /clock/advance': [
    [{ by: true }, 'body/by must be a number or a string; it is true.'],
    [{ by: 'a day' }, 'by is "a day"; it must be milliseconds or an ISO 8601 duration such as P1D.'],
  ],
  'POST /clock/freeze': [[{ at: null }, 'body/at must be a string; it is null.']],
  'PUT /settings': [
    [{ fixedDelay: 'x' }, 'body/fixedDelay must be a number or null; it is "x".'],
    [{ fixedDelay: -1 }, 'body/fixedDelay must be >= 0; it is -1.'],
    [
      { delayDistribution: { type: 'unifrom', lower: 1, upper: 2 } },
      'body/delayDistribution/type must be one of fixed, uniform, lognormal; it is "unifrom". Did you mean uniform?',
    ],
    [{ delayDistribution: { type: 'uniform', lower: 1 } }, 'body/delayDistribution/upper is required.'],
    [
      { delayDistribution: { type: 'uniform', lower: 3, upper: 1 } },
      'latency.upper is 1; it must be a number from 3 to 600000.',
    ],
    [{ rateLimit: { requests: 0, seconds: 1 } }, 'body/rateLimit/requests must be >= 1; it is 0.'],
    [{ rateLimit: 5 }, 'body/rateLimit must be null or an object; it is 5.'],
  ],
  'PUT /faults': [
    [{}, 'body/faults is required.'],
    [{ faults: 'limit-ignored' }, 'body/faults must be a list; it is "limit-ignored".'],
    [{ faults: [5] }, 'body/faults/0 must be a string; it is 5.'],
  ],
  'PUT /profile': [
    [
      { profile: 'minimall' },
      'There is no profile "minimall". There are default, contrarian, trpc, minimal. Did you mean minimal?',
    ],
    [{ profile: 5 }, 'body/profile must be a string or an object; it is 5.'],
    [{ choices: [] }, 'body/choices must be an object; it is [].'],
    [{ choices: { 'error-body': null } }, 'body/choices/error-body must be a string; it is null.'],
    [
      { choices: { 'error-bodi': 'trpc' } },
      'There is no gap "error-bodi". Did you mean error-body? "agent-contract list gaps" lists them all.',
    ],
    [
      { profile: { 'error-body': null } },
      'The gap "error-body" has no choice null. It has problem-json, trpc, message, empty.',
    ],
    [{ choice: {} }, 'body/choice is not known. Did you mean choices?'],
  ],
  'PUT /world': [
    [
      { persona: 'tinny' },
      'body/persona must be one of empty, tiny, demo, large, unicode, extremes, legacy; it is "tinny". Did you mean tiny?',
    ],
    [{ seed: 1.5 }, 'body/seed must be a whole number; it is 1.5.'],
    [{ seed: -1 }, 'body/seed must be >= 0; it is -1.'],
    [{}, 'body is empty; it must have one of seed, persona.'],
  ],
  'POST /sessions': [
    [{}, 'body/id is required.'],
    [{ id: 'a b' }, 'The name of a session has up to 128 letters, digits and . _ - ~ : @; "a b" does not fit.'],
    [{ name: 'x' }, 'body/id is required. body/name is not known. There are id, from.'],
  ],
  'PUT /snapshots/a%20b': [
    [
      undefined,
      'The name of a snapshot has up to 100 letters, digits, dots, hyphens and underscores; "a b" does not fit.',
    ],
  ],
  'GET /snapshots/before/diff?to=befor': [
    [undefined, 'There is no snapshot "befor". The snapshots are before. Did you mean before?'],
  ],
  'GET /snapshots/before/diff?too=x': [[undefined, 'This route has no query parameter "too". Did you mean to?']],
  'PUT /standing/get-agnt': [
    [
      { code: 503 },
      `A standing answer is for an endpoint (${endpointIds.join(', ')}) or "every"; it is "get-agnt". Did you mean get-agent?`,
    ],
  ],
  'PUT /standing/get-agent': [
    [{}, 'body is empty; it must have one of code, example, dynamic, seed, delay, fault, rate, retryAfter, match.'],
    [{ code: 700 }, 'body/code must be <= 599; it is 700.'],
    [{ cod: 500 }, 'body/cod is not known. Did you mean code?'],
    [{ fault: 'zzz' }, 'answer/fault: There is no fault "zzz". "agent-contract list faults" lists them all.'],
  ],
  'POST /plans': [
    [{}, 'body/on is required. body/steps is required.'],
    [
      { on: 'get-agnt', steps: [{}] },
      `"on" of a plan must be an endpoint (${endpointIds.join(', ')}) or "every"; it is "get-agnt". Did you mean get-agent?`,
    ],
    [{ on: 'every', steps: [] }, 'body/steps must hold at least 1; it holds 0.'],
    [{ on: 'every', steps: [{ code: '503' }] }, 'body/steps/0/code must be a whole number; it is "503".'],
    [{ on: 'every', steps: [{ cod: 503 }] }, 'body/steps/0/cod is not known. Did you mean code?'],
    [{ on: 'every', steps: {} }, 'body/steps must be a list; it is {}.'],
    [
      { on: 'get-agent', steps: [{ fault: 'limit-ignore' }] },
      'steps/0/fault: There is no fault "limit-ignore". Did you mean limit-ignored? "agent-contract list faults" lists them all.',
    ],
  ],
  'PUT /agents/AGENT': [
    [{}, 'body/agent is required.'],
    [{ name: 'x' }, 'body/agent is required. body/name is not known. There is agent.'],
    [{ agent: [] }, 'body/agent must be an object; it is [].'],
    [{ agent: { version: '6', name: 5 } }, 'The agent does not fit its schema. /name must be a string; it is 5.'],
  ],
  'PUT /agents/AGENT/mode': [
    [
      { token: 'mock-write-token', mode: 'raed' },
      'body/mode must be one of guest, read, write; it is "raed". Did you mean read?',
    ],
    [
      { token: 'mock-write-tokn', mode: 'read' },
      'The mock does not know this token. It prints its tokens when it starts, and GET /__admin/target lists them.',
    ],
  ],
  'GET /agents?limit=many': [[undefined, 'limit is "many"; it must be a whole number of up to 9 digits.']],
  'POST /agents/AGENT/results': [
    [{ count: 0 }, 'body/count must be >= 1; it is 0.'],
    [
      { count: 1, results: [{}] },
      'body has count and results. Give count to generate results, or results to add your own.',
    ],
    [{ results: {} }, 'body/results must be a list; it is {}.'],
    [
      { results: [{ isCompleted: 1 }] },
      'The results do not fit their schema. /results/0/isCompleted must be true or false; it is 1.',
    ],
  ],
  'GET /requests?after=x': [[undefined, 'after is "x"; it must be a whole number of up to 9 digits.']],
  'POST /requests/find': [
    [
      { endpoint: 'get-agnt' },
      `body/endpoint must be one of ${endpointIds.join(', ')}; it is "get-agnt". Did you mean get-agent?`,
    ],
    [{ urll: 'x' }, 'body/urll is not known. Did you mean url?'],
    [{ url: { contain: 'x' } }, 'body/url/contain is not known. Did you mean contains?'],
    [{ status: '200' }, 'body/status must be a whole number; it is "200".'],
  ],
  'POST /requests/count': [
    [{ method: 'get' }, 'body/method must match ^[^a-z]+$ (In capitals, as it is sent); it is "get".'],
  ],
  'POST /curl': [
    [{ url: 'ftp://x' }, 'body/url must match ^https?:// (A whole URL); it is "ftp://x".'],
    [
      { url: 'http://x', method: 'get' },
      'body/method must match ^[A-Z]{1,20}$ (In capitals; GET unless given); it is "get".',
    ],
  ],
};

test.each(
  Object.entries(refused).flatMap(([route, rows]) => rows.map(([body, message]) => [route, body, message] as const)),
)('400: %s %j', (route, body, message) => expect(refusalOf(route, body)).toEqual([400, message]));

test.each([
  ['GET /', undefined, 'There is no GET /__admin/. GET /__admin/openapi.json describes all there is.'],
  ['GET ', undefined, 'There is no GET /__admin. GET /__admin/openapi.json describes all there is.'],
  ['GET /clok', undefined, 'There is no GET /__admin/clok. Did you mean GET /__admin/clock?'],
  ['GET /Clock', undefined, 'There is no GET /__admin/Clock. Did you mean GET /__admin/clock?'],
  ['GET /clock/', undefined, 'There is no GET /__admin/clock/. Did you mean GET /__admin/clock?'],
  ['GET /agents/%E0%A4%A', undefined, 'There is no GET /__admin/agents/%E0%A4%A. Its percent signs encode no UTF-8.'],
  ['POST /sessions', { id: 'x', from: 'min' }, 'There is no session "min". Did you mean mine?'],
  ['DELETE /sessions/min', undefined, 'There is no session "min". Did you mean mine?'],
  ['POST /snapshots/befor/restore', undefined, 'There is no snapshot "befor". Did you mean before?'],
  ['GET /snapshots/befor/diff', undefined, 'There is no snapshot "befor". Did you mean before?'],
  ['DELETE /snapshots/befor', undefined, 'There is no snapshot "befor". Did you mean before?'],
  ['DELETE /standing/get-agnt', undefined, 'There is no standing answer for "get-agnt". Did you mean get-agent?'],
  ['DELETE /plans/plan-9', undefined, 'There is no plan "plan-9". There is none yet.'],
  [
    'POST /agents/AGENT/publsh',
    undefined,
    'There is no POST /__admin/agents/AGENT/publsh. Did you mean POST /__admin/agents/AGENT/publish?',
  ],
  ['GET /requests/7', undefined, 'There is no request with the number "7". None has come yet.'],
  [
    'GET /requests/abc',
    undefined,
    'Requests are numbered from 1. There is no request with the number "abc". None has come yet.',
  ],
] as const)('404: %s %j', (route, body, message) => expect(refusalOf(route, body)).toEqual([404, message]));

test.each([
  ['POST /agents', undefined, 'There is no POST /__admin/agents. There is GET.'],
  ['PATCH /clock', undefined, 'There is no PATCH /__admin/clock. There is GET.'],
  ['OPTIONS /health', undefined, 'There is no OPTIONS /__admin/health. There is GET.'],
  ['HEAD /health', undefined, 'There is no HEAD /__admin/health. There is GET.'],
  ['PUT /clock/set', {}, 'There is no PUT /__admin/clock/set. There is POST.'],
] as const)('405: %s %j', (route, body, message) => expect(refusalOf(route, body)).toEqual([405, message]));

const long = 'x'.repeat(300);
const upTo = (length: number): string => 'x'.repeat(length);
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `name-${i + 10}`);
const wrong = (count: number): object => Object.fromEntries(names(count).map((name) => [name, 1]));

/** An error shows only the beginning of what was sent. */
test.each<[string, string, unknown, string]>([
  ['a path', `GET /${long}`, undefined, `There is no GET /__admin/${upTo(199)}.`],
  ['a method', `${'X'.repeat(30)} /clock`, undefined, `There is no ${'X'.repeat(20)} /__admin/clock. There is GET.`],
  ['of an unknown fault', 'PUT /faults', { faults: ['limit-ignore'] }, 'Did you mean limit-ignored?'],
  ['an id', `DELETE /snapshots/${long}`, undefined, `There is no snapshot "${upTo(128)}".`],
  ['a parameter', `GET /agents?${long}=1`, undefined, `This route has no query parameter "${upTo(100)}".`],
  ['its value', `GET /agents?limit=${long}`, undefined, `limit is "${upTo(60)}"; it must be`],
  ['ten digits', 'GET /agents?limit=1000000000', undefined, 'limit is "1000000000"; it must be'],
  ['the number of a request', `GET /requests/${long}`, undefined, `with the number "${upTo(40)}".`],
  ['an instant', 'POST /clock/set', { at: long }, `at is "${upTo(60)}"; it must be`],
  ['a name in a body', 'POST /clock/set', { at: '2026-01-01', [long]: 1 }, `body/${upTo(100)} is not known.`],
  ['a value', 'PUT /settings', { fixedDelay: long }, `body/fixedDelay must be a number or null; it is "${upTo(59)}….`],
  ['a value of 60', 'PUT /settings', { fixedDelay: upTo(58) }, `it is "${upTo(58)}".`],
  ['too many results', 'POST /agents/AGENT/results', { count: 10_001 }, 'body/count must be <= 10000; it is 10001.'],
  ['another seed', 'PUT /world', { seed: 2 ** 53 }, 'body/seed must be <= 9007199254740991; it is 9007199254740992.'],
])('%s: %s %j', (_, route, body, said) => {
  const { mock, call } = testMock();
  const [method = '', path = ''] = route.split(' ');
  const { json } = call(`/__admin${path.replace('AGENT', mock.target.agentId)}`, { method, body });
  expect(json.error).toContain(said);
});

test.each([
  [5, 5],
  [6, 5],
])('of %d errors the answer lists %d', (sent, told) => {
  const { json } = testMock().call('/__admin/clock/set', { body: { at: '2026-01-01', ...wrong(sent) } });
  expect(json.error.match(/is not known/g)).toHaveLength(told);
});

test.each([
  [10, 'name-18, name-19.'],
  [11, 'name-18, name-19, and 1 more.'],
])('of %d names the answer lists ten', (count, end) => {
  const { mock, call } = testMock();
  for (const name of names(count)) mock.takeSnapshot(name);
  const { json } = call('/__admin/snapshots/zzzzzzzz', { method: 'DELETE' });
  expect(json.error).toBe(`There is no snapshot "zzzzzzzz". There are ${names(8).join(', ')}, ${end}`);
});

test.each([
  ['offset=2&limit=3', 3],
  ['limit=0', 0],
  ['', 50],
  ['limit=99', 99],
  ['limit=100', 100],
  ['limit=999999999', 100],
])('with the query %j a page of results holds %d', (query, count) => {
  const { mock, call } = testMock();
  const { json } = call(`/__admin/agents/${mock.target.agentId}/results?${query}`);
  expect(json.results).toHaveLength(count);
});
