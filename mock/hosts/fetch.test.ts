import { createMock } from '../mock.ts';
import { testNow } from '../testing/test-client.ts';

const mock = createMock({ now: testNow, frozen: true });
const { agentId, token } = mock.target;
const headers = { authorization: `Bearer ${token}` };
const path = `/api/v1/agents/${agentId}`;

test('answers a URL of any origin, a path, and a Request', async () => {
  for (const input of [`https://anything.example${path}`, path, new Request(`http://localhost${path}`)])
    expect(await (await mock.fetch(input, { headers })).json()).toMatchObject({ agent: { id: agentId } });
});

test('answers a preflight and HEAD without a body, and rejects as fetch does on a connection fault', async () => {
  const asks = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const asked = await mock.fetch('/api/v1/agents', { method: 'OPTIONS', headers: asks });
  expect([asked.status, asked.body]).toEqual([204, null]);
  expect((await mock.fetch(path, { method: 'HEAD', headers })).body).toBeNull();
  const broken = mock.fetch(path, { headers: { ...headers, prefer: 'fault=CONNECTION_RESET_BY_PEER' } });
  await expect(broken).rejects.toThrow(TypeError);
});

test('can be aborted before the request and during it', async () => {
  const aborted = mock.fetch(path, { headers, signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  const controller = new AbortController();
  const stop = mock.journal.subscribe(() => queueMicrotask(() => controller.abort()));
  const { signal } = controller;
  const waiting = mock.fetch(path, { headers: { ...headers, prefer: 'delay=600000' }, signal });
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  stop();
});
