import { served } from '../../http/testing/test-server.ts';
import { excessOf, MOST_MEMBERS, MOST_VALUES } from '../../text/json-limits.ts';
import { createMock } from '../mock.ts';
import { testMock } from '../testing/test-client.ts';

const deep = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
const wide = (members: number): string => `{${Array.from({ length: members }, (_, i) => `"k${i}":1`).join(',')}}`;

describe('finds what exceeds the limits of a JSON text', () => {
  test.each([
    [deep(3), undefined],
    [deep(4), 'levels'],
    [`{"a":${deep(2)}}`, undefined],
    [`{"a":${deep(3)}}`, 'levels'],
    [String.raw`["\"[[[[[", "\\", [[1]]]`, undefined],
    [String.raw`["\\", [[[1]]]]`, 'levels'],
    [String.raw`["\\\"[[[[", "[[[["]`, undefined],
    ['[[],[],[],[],[[]]]', undefined],
    ['"[[[[[', undefined],
    [']]]][[[', undefined],
    [wide(MOST_MEMBERS), undefined],
    [wide(MOST_MEMBERS + 1), 'members'],
    [`[${wide(6000)},${wide(6000)}]`, undefined],
    [`[${'1,'.repeat(MOST_VALUES - 1)}1]`, undefined],
    [`[${'1,'.repeat(MOST_VALUES - 2)}[]]`, undefined],
    [`[${'1,'.repeat(MOST_VALUES)}1]`, 'values'],
    [`[${'{},'.repeat(MOST_VALUES)}1]`, 'values'],
  ])('%#', (text, excess) => expect(excessOf(text, 3)).toBe(excess));
});

/** Bodies that would overload code that recurses, or handles one member at a time. */
const excessive: readonly (readonly [string, string])[] = [
  ['1,001 levels', deep(1001)],
  ['100,000 levels', deep(100_000)],
  ['100,000 open brackets', '['.repeat(100_000)],
  ['200,000 unknown keys', wide(200_000)],
];

describe.each(excessive)('%s', (_, value) => {
  test.each([
    ['POST', '/api/v1/agents', `{"workspaceId":"w","agent":{"name":"A","x":${value}}}`],
    ['POST', '/api/v1/agents/import', `{"workspaceId":"w","agent":{"name":"A","groups":${value}}}`],
    ['POST', '/api/v1/workspaces', `{"name":"A","x":${value}}`],
    ['POST', '/__admin/agents/AGENT/results', `{"results":[{"x":${value}}]}`],
    ['POST', '/__admin/requests/count', `{"body":${value}}`],
    ['PUT', '/__admin/profile', `{"profile":{"x":${value}}}`],
  ])('%s %s answers 400, the mock keeps running, and its state can be exported', (method, target, body) => {
    const { mock, call } = testMock();
    const sent = call(target.replace('AGENT', mock.target.agentId), { method, body });
    expect(sent.status).toBe(400);
    expect(call('/__admin/requests').status).toBe(200);
    expect(call('/__admin/state').status).toBe(200);
  });

  test('as JSON within a text is refused with 400', () => {
    const body = { workspaceId: 'w', agent: { name: 'A', groups: value.slice(0, 90_000) } };
    expect(testMock().call('/api/v1/agents', { body }).status).toBe(400);
  });
});

test.each(['/api/v1/agents', '/__admin/requests/count'])(
  'more values than memory allows are refused at %s',
  (target) => {
    const body = `{"workspaceId":"w","agent":{"name":"A","groups":[${'{},'.repeat(3_000_000)}{}]}}`;
    const { status, text } = testMock().call(target, { body });
    expect([status, text]).toEqual([400, expect.stringContaining('more than 500000 values. Send fewer.')]);
  },
);

test('100,000 levels do not harm an open stream', () => {
  const { mock, call } = testMock();
  const heard: string[] = [];
  mock.journal.subscribe((entry) => heard.push(JSON.stringify(entry)));
  expect([call('/api/v1/agents', { body: deep(100_000) }).status, heard.length]).toEqual([400, 1]);
});

test('every host refuses a body over the limit for the admin API, and nothing changes', async () => {
  const mock = createMock();
  const server = await served(mock);
  const body = `{}${' '.repeat(10_000_001)}`;
  const [target, sent] = ['/__admin/clock/freeze', { method: 'POST', body }];
  for (const answer of [await fetch(`${server.url}${target}`, sent), await mock.fetch(target, sent)])
    expect([answer.status, await answer.json()]).toEqual([413, { error: 'The body is larger than 10000000 bytes.' }]);
  expect(mock.clock.isFrozen).toBe(false);
});

describe('names of built-in members', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s', (name) => {
    const { call, mock } = testMock();
    const admin = (method: string, target: string, body?: unknown): number =>
      call(`/__admin${target}`, { method, ...(body === undefined ? {} : { body }) }).status;
    call(`/api/v1/agents/x?${name}=1&${name}=2&a=3`);
    expect(mock.journal.entries()[0]?.query).toEqual(JSON.parse(`{"${name}":["1","2"],"a":"3"}`));
    const queryParameters = JSON.parse(`{"${name}":{"contains":"1"}}`) as object;
    expect(call('/__admin/requests/count', { body: { queryParameters } }).json).toMatchObject({ count: 1 });
    expect(admin('PUT', `/snapshots/${name}`)).toBe(201);
    expect(admin('GET', `/snapshots/x/diff?to=${name}`)).toBe(404);
    expect(admin('GET', `/snapshots/${name}/diff?to=${name}`)).toBe(200);
    expect(admin('POST', `/snapshots/${name}/restore`)).toBe(200);
    expect(admin('GET', '/state')).toBe(200);
    expect(admin('GET', `/requests?${name}=1`)).toBe(400);
    expect(admin('GET', '/requests')).toBe(200);
    expect(admin('PUT', '/faults', { faults: [name] })).toBe(400);
    expect(admin('PUT', '/profile', { profile: name })).toBe(400);
    expect(admin('PUT', '/profile', JSON.parse(`{"choices":{"${name}":"x"}}`))).toBe(400);
    expect(admin('PUT', '/profile', JSON.parse(`{"profile":{"error-body":{"${name}":1}}}`))).toBe(400);
    expect(admin('POST', '/sessions', { id: name })).toBe(201);
  });
});
