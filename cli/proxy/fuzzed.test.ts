import { createMock } from '../../mock/index.ts';
import { fuzz } from '../../proof/fuzz/fuzz.ts';
import { closing, proxyTo } from './test-proxy.ts';

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

test('passes requests of every kind on as they are, and blames a mock for none of its answers', async () => {
  const mock = createMock({ seed: 1 });
  const server = await mock.listen();
  closing.push(() => server.close());
  const { url, judge, report } = await proxyTo(server.url);
  const { token, workspaceId, agentId } = mock.target;
  const target = { baseUrl: url, token, workspaceId, agentId, memory: () => undefined };
  const { failures, differences, requests } = await fuzz(target, { requests: 300, seed: 1 });
  expect([failures, differences]).toEqual([[], []]);
  judge();
  const { checks, traffic } = report();
  expect(checks.flatMap(({ id, status, failure }) => (status === 'fail' ? [[id, failure]] : []))).toEqual([]);
  expect(checks.flatMap(({ status, reason }) => (status === 'error' ? [reason] : []))).toEqual([]);
  expect(traffic?.judged).toBeGreaterThan(requests / 10);
});
