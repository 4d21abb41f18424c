import { createMock } from '../mock.ts';
import { testNow } from '../testing/test-client.ts';

const mock = createMock({ now: testNow, frozen: true });
const { agentId, token } = mock.target;
const headers = { authorization: `Bearer ${token}` };

test('answers a URL of any origin, a path, and a Request', async () => {
  for (const input of [
    `https://anything.example/api/v1/agents/${agentId}`,
    `/api/v1/agents/${agentId}`,
    new Request(`http://localhost/api/v1/agents/${agentId}`),
  ]) {
    const response = await mock.fetch(input, { headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ agent: { id: agentId } });
  }
});

test('answers a preflight and HEAD without a body', async () => {
  const asked = await mock.fetch('/api/v1/agents', {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  });
  expect([asked.status, asked.body]).toEqual([204, null]);
  const head = await mock.fetch(`/api/v1/agents/${agentId}`, { method: 'HEAD', headers });
  expect(head.body).toBeNull();
});

test('rejects as fetch does on a connection fault', async () => {
  const broken = mock.fetch(`/api/v1/agents/${agentId}`, {
    headers: { ...headers, prefer: 'fault=CONNECTION_RESET_BY_PEER' },
  });
  await expect(broken).rejects.toThrow(TypeError);
});

test('can be aborted before the request and during it', async () => {
  const aborted = mock.fetch(`/api/v1/agents/${agentId}`, { headers, signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  const controller = new AbortController();
  const stop = mock.journal.subscribe(() => queueMicrotask(() => controller.abort()));
  const waiting = mock.fetch(`/api/v1/agents/${agentId}`, {
    headers: { ...headers, prefer: 'delay=600000' },
    signal: controller.signal,
  });
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  stop();
});
