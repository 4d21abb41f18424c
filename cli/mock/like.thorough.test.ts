import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../conformance/report/report.ts';
import { served, type Listening } from '../../http/testing/test-server.ts';
import { createMock, profileNames } from '../../mock/index.ts';
import { serve, serveJson } from '../testing/test-mock.ts';
import { testFolder } from '../testing/test-io.ts';

const { folder, run, read, write } = testFolder();
const serving = serve(folder);

const TOKEN = 'a-token-of-the-vendor';

async function vendor(profile: (typeof profileNames)[number]): Promise<Listening & { agentId: string }> {
  const mock = createMock({ seed: 1, profile, tokens: { [TOKEN]: 'write' } });
  const server = await served(mock);
  return { url: server.url, close: () => server.close(), agentId: mock.target.agentId };
}

/** The open choices, as a client sees them. */
async function manners(url: string, token: string, agentId: string): Promise<unknown> {
  const agents = `${url}/api/v1/agents`;
  const asked: readonly (readonly [string, RequestInit?])[] = [
    [`${agents}/no-such-agent`],
    [`${agents}/${agentId}/results?limit=0`],
    [`${agents}/${agentId}/results?limit=101`],
    [`${agents}/${agentId}/results?timeFilter=never`],
    [agents, { method: 'POST', body: '{}' }],
    [`${url}/api/v1/workspaces`, { method: 'POST', body: '{"name":"Met"}' }],
  ];
  return Promise.all(
    asked.map(async ([to, init]) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      let answer = await fetch(to, { ...init, headers });
      // A rate limit also counts the requests of the previous run.
      if (answer.status === 429) answer = await fetch(to, { ...init, headers });
      const text = await answer.text();
      return [answer.status, text === '' ? 'no body' : Object.keys(JSON.parse(text) as object)];
    }),
  );
}

test.each(profileNames)('behaves like a server of the profile %s, and remembers it', async (profile) => {
  const { url, close, agentId } = await vendor(profile);
  const file = `like-127.0.0.1-${new URL(url).port}.json`;
  const like = async (said: RegExp): Promise<void> => {
    const { stderr, status } = await serveJson(folder)(
      ['--like', url],
      async (own) => {
        const { target } = createMock({ seed: 1, profile });
        expect(await manners(own.url, target.token, target.agentId)).toEqual(await manners(url, TOKEN, agentId));
      },
      { AGENT_CONTRACT_TOKEN: TOKEN, AGENT_CONTRACT_AGENT_ID: agentId },
    );
    expect([status, stderr]).toEqual([0, expect.stringMatching(said)]);
    expect(stderr + read(file)).not.toContain(TOKEN);
  };
  await like(/like http\S+ today: \d+ of \d+ choices, saved in .*like-127\.0\.0\.1-\d+\.json\. agent-contract drift /);
  const kept = read(file);
  await close();
  const learned = JSON.parse(kept) as Report;
  const mock = createMock({ profile });
  for (const [gap, choice] of Object.entries(learned.observedProfile))
    expect([gap, choice]).toEqual([gap, (mock.profile as Readonly<Record<string, string>>)[gap]]);
  // From the file, since the server is down.
  const again = await serving(['--like', url], () => undefined);
  expect(again.stderr).toMatch(
    /like http\S+ on \d{4}-\d\d-\d\d: \d+ of \d+ choices, from .* Remove the file to ask again/,
  );
  expect(read(file)).toBe(kept);
});

test('sends only GET requests on demand', async () => {
  const { url, agentId } = await vendor('default');
  await serving(['--like', url, '--read-only', '--like-file', 'read-only.json'], () => undefined, {
    AGENT_CONTRACT_TOKEN: TOKEN,
    AGENT_CONTRACT_AGENT_ID: agentId,
  });
  const { created, options } = JSON.parse(read('read-only.json')) as Report;
  expect([created, options?.readOnly]).toEqual([[], true]);
});

const NOWHERE = 'http://127.0.0.1:1';

test.each([
  [
    ['--like', NOWHERE, '--like-file', 'theirs.json'],
    /theirs\.json is not a report .* unchanged\. Name another with --like-file/s,
  ],
  [['--like', NOWHERE, '--like-file', 'read-only.json'], /read-only\.json says how http:\/\/127\.0\.0\.1:\d+ behaves/],
  [['--like', NOWHERE], /--like: http:\/\/127\.0\.0\.1:1 did not show how it behaves\./],
  [['--like', 'vendor.example'], /Did you mean http:\/\//],
  [['--like', NOWHERE, '--profile', 'minimal'], /Leave one out/],
  [['--like-file', 'x.json'], /no effect without --like/],
])('%j is refused, and nothing is kept', async (argv, message) => {
  write('theirs.json', '{"mine":true}');
  expect(await run(['mock', '--port', '0', ...argv])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(message),
  });
  expect(read('theirs.json')).toBe('{"mine":true}');
  expect(existsSync(path.join(folder, 'like-127.0.0.1-1.json'))).toBe(false);
});
