import { request as httpRequest, type IncomingMessage } from 'node:http';
import { served } from '../../http/testing/test-server.ts';
import { createMock } from '../mock.ts';

const names = (text: string): readonly string[] => [...text.matchAll(/"(\w+)":/g)].map(([, name = '']) => name);

test('whether other requests are in progress is decided when a request is answered, not when its first byte arrives', async () => {
  const mock = createMock({ faults: ['create-workspace-answer-wrapped@while-another-is-under-way'] });
  const server = await served(mock);
  const { token, agentId } = mock.target;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const create = httpRequest(`${server.url}/api/v1/workspaces`, { method: 'POST', headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    create.on('response', resolve).on('error', reject),
  );
  create.write('{ "name": ');
  const arrived = new Promise<void>((resolve) => mock.journal.subscribe(() => resolve()));
  const slow = new AbortController();
  const waiting = { headers: { ...headers, prefer: 'delay=60000' }, signal: slow.signal };
  const other = fetch(`${server.url}/api/v1/agents/${agentId}`, waiting);
  await arrived;
  create.end('"Beside another" }');
  const answer = (await (await answered).toArray()).join('');
  const body = new TextEncoder().encode('{ "name": "Beside another" }');
  const alone = mock.handle({ method: 'POST', target: '/_s/alone/api/v1/workspaces', headers, body });
  expect(names(answer)).not.toEqual(names(alone.body));
  slow.abort();
  await expect(other).rejects.toThrow('aborted');
});

test('a request that is alone on its host is not concurrent with others, however many came before it', async () => {
  const fault = 'create-workspace-answer-wrapped';
  const mock = createMock({ faults: [`${fault}@while-another-is-under-way`] });
  const server = await served(mock);
  const headers = { authorization: `Bearer ${mock.target.token}`, 'content-type': 'application/json' };
  const create = async (): Promise<string> => {
    const init = { method: 'POST', headers, body: '{ "name": "Alone" }' };
    return names(await (await fetch(`${server.url}/api/v1/workspaces`, init)).text()).join();
  };
  const alone = [await create(), await create()];
  mock.setFaults([fault]);
  expect(alone).not.toContain(await create());
});

test('requests that are sent together overlap, on a mock that would answer each before the next comes', async () => {
  const mock = createMock({ faults: ['limit-ignored@while-another-is-under-way'] });
  const server = await served(mock);
  const init = { headers: { authorization: `Bearer ${mock.target.token}` } };
  const count = async (): Promise<number> => {
    const answer = await fetch(`${server.url}/api/v1/agents/${mock.target.agentId}/results?limit=2`, init);
    return ((await answer.json()) as { readonly results: readonly unknown[] }).results.length;
  };
  // A connection that is still to be opened may come too late to overlap.
  await Promise.all([count(), count()]);
  expect([await count(), ...(await Promise.all([count(), count()])).toSorted()]).toEqual([2, 2, 50]);
});
