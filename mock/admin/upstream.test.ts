import { endpointIds } from '../../spec/index.ts';
import { createMock } from '../mock.ts';
import { testMock } from '../testing/test-client.ts';

const mock = createMock({ upstream: { url: 'http://real.example/base', forward: ['get-agent'], fallback: true } });
const { call } = testMock({}, mock);
const ask = (method: string, path: string, body?: unknown) => call(`/__admin${path}`, { method, body });
const begun = { ...Object.fromEntries(endpointIds.map((endpoint) => [endpoint, 'mock'])), 'get-agent': 'fallback' };

test('shows, changes and resets who answers, for each session', () => {
  expect(ask('GET', '/upstream').json).toEqual({ url: 'http://real.example/base', ways: begun });
  const changed = { ...begun, 'list-results': 'upstream' };
  expect(ask('PUT', '/upstream/list-results', { way: 'upstream' }).json.ways).toEqual(changed);
  expect(ask('PUT', '/upstream/get-agent', { way: 'fallback' }).json.ways).toEqual(changed);
  expect(mock.session('other').upstream?.ways).toEqual(begun);
  expect(ask('DELETE', '/upstream/4.5').json).toMatchObject({ ways: { ...begun, 'get-agent': 'fallback' } });
  ask('PUT', '/upstream/every', { way: 'upstream' });
  expect(new Set(Object.values(mock.upstream?.ways ?? {}))).toEqual(new Set(['upstream']));
  mock.reset();
  expect(mock.upstream?.ways).toEqual(begun);
});

test.each([
  ['PUT', '/upstream/list-result', { way: 'mock' }, /no endpoint or section "list-result".*Did you mean list-results/],
  ['PUT', '/upstream/get-agent', { way: 'mocks' }, /upstream, fallback, mock.*Did you mean mock/],
  ['DELETE', '/upstream/7', undefined, /no endpoint or section "7"/],
])('%s %s %j is refused', (method, path, body, message) => {
  const { status, json } = ask(method, path, body);
  expect([status, json.error]).toEqual([400, expect.stringMatching(message)]);
  expect(mock.upstream?.ways).toEqual(begun);
});

test('a mock without an upstream says how to configure one', () => {
  const { status, json } = testMock().call('/__admin/upstream');
  expect([status, json.error]).toEqual([404, expect.stringMatching(/no upstream\. Start it with --upstream <url>/)]);
});
