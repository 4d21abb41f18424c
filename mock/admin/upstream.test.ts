import { endpointIds } from '../../spec/index.ts';
import { createMock } from '../mock.ts';

const mock = createMock({ upstream: { url: 'http://real.example/base', forward: ['get-agent'], fallback: true } });
const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> => {
  const answer = await mock.fetch(`http://mock/__admin${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: answer.status, json: await answer.json() };
};
const begun = { ...Object.fromEntries(endpointIds.map((endpoint) => [endpoint, 'mock'])), 'get-agent': 'fallback' };

test('shows, changes and resets who answers, for each session', async () => {
  const expected = { status: 200, json: { url: 'http://real.example/base', ways: begun } };
  expect(await ask('GET', '/upstream')).toEqual(expected);
  expect((await ask('PUT', '/upstream/list-results', { way: 'upstream' })).json).toMatchObject({
    ways: { ...begun, 'list-results': 'upstream' },
  });
  expect((await ask('PUT', '/upstream/get-agent', { way: 'fallback' })).json).toMatchObject({
    ways: { 'get-agent': 'fallback', 'list-results': 'upstream', 'create-agent': 'mock' },
  });
  expect(mock.session('other').upstream?.ways).toEqual(begun);
  expect((await ask('DELETE', '/upstream/4.5')).json).toMatchObject({ ways: { ...begun, 'get-agent': 'fallback' } });
  await ask('PUT', '/upstream/every', { way: 'upstream' });
  expect(new Set(Object.values(mock.upstream?.ways ?? {}))).toEqual(new Set(['upstream']));
  mock.reset();
  expect(mock.upstream?.ways).toEqual(begun);
});

test.each([
  ['PUT', '/upstream/list-result', { way: 'mock' }, /no endpoint or section "list-result".*Did you mean list-results/],
  ['PUT', '/upstream/get-agent', { way: 'mocks' }, /upstream, fallback, mock.*Did you mean mock/],
  ['DELETE', '/upstream/7', undefined, /no endpoint or section "7"/],
])('%s %s %j is refused', async (method, path, body, message) => {
  const { status, json } = await ask(method, path, body);
  expect([status, (json as { error: string }).error]).toEqual([400, expect.stringMatching(message)]);
  expect(mock.upstream?.ways).toEqual(begun);
});

test('a mock without an upstream says how to configure one', async () => {
  const answer = await createMock().fetch('http://mock/__admin/upstream');
  const expected = [404, { error: expect.stringMatching(/no upstream\. Start it with --upstream <url>/) as string }];
  expect([answer.status, await answer.json()]).toEqual(expected);
});
