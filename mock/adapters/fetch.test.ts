import { testNow } from '../testing/test-client.ts';
import { createMock } from '../mock.ts';
import { mockFetch } from './fetch.ts';

const mock = createMock({ now: testNow, frozen: true });
const { agentId, token } = mock.target;
const headers = { authorization: `Bearer ${token}` };
const passed: unknown[] = [];
const real: typeof fetch = (input, init) => {
  passed.push([input, init]);
  return Promise.resolve(new Response('real'));
};

test('the mock answers the chosen endpoints, and the real fetch everything else, unchanged', async () => {
  const own = mockFetch(mock, { only: ['list-results'], fetch: real });
  const url = `https://api.example.com/api/v1/agents/${agentId}`;
  expect(await (await own(`${url}/results?limit=1`, { headers })).json()).toMatchObject({ results: [{}] });
  expect((await own(new Request(new URL(`${url}/results`)))).status).toBe(401);
  const request = new Request(url, { method: 'post', body: '{}' });
  const others: Parameters<typeof fetch>[] = [
    [url, { headers }],
    [new URL('https://other.example/')],
    [request],
    [`${url}/results`, { method: 'POST' }],
  ];
  for (const [input, init] of others) expect(await (await own(input, init)).text()).toBe('real');
  expect(passed).toEqual(others.map(([input, init]) => [input, init]));
  // The body is still unread.
  expect(await request.text()).toBe('{}');
});

test('works below a base URL and in a session, with every endpoint', async () => {
  const session = mock.session('one');
  const own = mockFetch(session, { baseUrl: 'https://api.example.com/service', fetch: real });
  const path = `/api/v1/agents/${agentId}`;
  expect((await own(`https://api.example.com/service${path}`, { headers })).status).toBe(200);
  expect(await (await own(`https://api.example.com${path}`, { headers })).text()).toBe('real');
  expect(session.journal.entries().map((entry) => entry.url)).toEqual([path]);
});
