import { endpointIds } from '../../spec/index.ts';
import refusals from '../testing/refusals.json';
import { testMock } from '../testing/test-client.ts';

function refusalOf(route: string, body: unknown): readonly unknown[] {
  const { mock, call } = testMock();
  mock.session('mine');
  mock.snapshots.take('before');
  mock.standing.set('get-agent', { code: 503 });
  const [method = '', ...path] = route.split(' ');
  const { agentId } = mock.target;
  const answer = call(`/__admin${path.join(' ').replace('AGENT', agentId)}`, { method, authorization: null, body });
  return [answer.status, answer.json.error.replaceAll(agentId, 'AGENT')];
}

/** What `/__admin` refuses and how: where the mistake is, what was sent, what is allowed and meant. Null is no body. */
const refused = Object.entries(refusals as unknown as Readonly<Record<string, [string, unknown, string][]>>);
const rows = refused.flatMap(([status, some]) => some.map((row) => [Number(status), ...row] as const));
test.each(rows)('%d: %s %j', (status, route, body, message) => {
  const told = message.replace('ENDPOINTS', endpointIds.join(', '));
  expect(refusalOf(route, body ?? undefined)).toEqual([status, told]);
});

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

test.each([5, 6])('of %d errors the answer lists five', (sent) => {
  const { json } = testMock().call('/__admin/clock/set', { body: { at: '2026-01-01', ...wrong(sent) } });
  expect(json.error.match(/is not known/g)).toHaveLength(5);
});

test.each([10, 11])('of %d names the answer lists ten', (count) => {
  const { mock, call } = testMock();
  for (const name of names(count)) mock.snapshots.take(name);
  const { json } = call('/__admin/snapshots/zzzzzzzz', { method: 'DELETE' });
  const end = count === 10 ? '.' : ', and 1 more.';
  expect(json.error).toBe(`There is no snapshot "zzzzzzzz". There are ${names(10).join(', ')}${end}`);
});

test('a page of results holds 50, or as many as the query asks for, up to 100', () => {
  const { mock, call } = testMock();
  const count = (query: string): number =>
    call(`/__admin/agents/${mock.target.agentId}/results?${query}`).json.results.length;
  expect(['', 'limit=0', 'limit=99', 'limit=100'].map(count)).toEqual([50, 0, 99, 100]);
  expect(['offset=2&limit=3', 'limit=999999999'].map(count)).toEqual([3, 100]);
});
