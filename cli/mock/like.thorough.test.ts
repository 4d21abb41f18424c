import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../conformance/report/report.ts';
import { createMock, profileNames, type MockServer } from '../../mock/index.ts';
import { serve } from '../testing/test-mock.ts';
import { run, temporaryFolder } from '../testing/test-io.ts';

const folder = temporaryFolder();
const mocks: MockServer[] = [];
afterAll(() => Promise.all(mocks.map((one) => one.close())));

const TOKEN = 'a-token-of-the-vendor';

async function vendor(profile: (typeof profileNames)[number]): Promise<{ url: string; agentId: string }> {
  const mock = createMock({ seed: 1, profile, tokens: { [TOKEN]: 'write' } });
  const server = await mock.listen();
  mocks.push(server);
  return { url: server.url, agentId: mock.target.agentId };
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
  const { url, agentId } = await vendor(profile);
  const file = path.join(folder, `like-127.0.0.1-${new URL(url).port}.json`);
  const like = async (said: RegExp): Promise<void> => {
    const { stderr, status } = await serve(folder)(
      ['--like', url, '--json'],
      async (printed) => {
        const own = JSON.parse(printed) as { readonly url: string };
        const { target } = createMock({ seed: 1, profile });
        expect(await manners(own.url, target.token, target.agentId)).toEqual(await manners(url, TOKEN, agentId));
      },
      { AGENT_CONTRACT_TOKEN: TOKEN, AGENT_CONTRACT_AGENT_ID: agentId },
    );
    expect([status, stderr]).toEqual([0, expect.stringMatching(said)]);
    expect(stderr + readFileSync(file, 'utf8')).not.toContain(TOKEN);
  };
  await like(/like http\S+ today: \d+ of \d+ choices, saved in .*like-127\.0\.0\.1-\d+\.json\. agent-contract drift /);
  const kept = readFileSync(file, 'utf8');
  await mocks.at(-1)?.close();
  const learned = JSON.parse(kept) as Report;
  const mock = createMock({ profile });
  for (const [gap, choice] of Object.entries(learned.observedProfile))
    expect([gap, choice]).toEqual([gap, (mock.profile as Readonly<Record<string, string>>)[gap]]);
  // From the file, since the server is down.
  const again = await serve(folder)(['--like', url], () => undefined);
  expect(again.stderr).toMatch(
    /like http\S+ on \d{4}-\d\d-\d\d: \d+ of \d+ choices, from .* Remove the file to ask again/,
  );
  expect(readFileSync(file, 'utf8')).toBe(kept);
});

test('sends only GET requests on demand', async () => {
  const { url, agentId } = await vendor('default');
  await serve(folder)(['--like', url, '--read-only', '--like-file', 'read-only.json'], () => undefined, {
    AGENT_CONTRACT_TOKEN: TOKEN,
    AGENT_CONTRACT_AGENT_ID: agentId,
  });
  const { created, options } = JSON.parse(readFileSync(path.join(folder, 'read-only.json'), 'utf8')) as Report;
  expect([created, options?.readOnly]).toEqual([[], true]);
});

const told = async (...argv: readonly string[]): Promise<readonly [number, string]> => {
  const { status, stderr } = await run(['mock', '--port', '0', ...argv], { cwd: folder });
  return [status, stderr];
};

test("leaves other programs' files alone, and says what to do", async () => {
  writeFileSync(path.join(folder, 'theirs.json'), '{"mine":true}');
  const other = await told('--like', 'http://127.0.0.1:1', '--like-file', 'theirs.json');
  expect(other).toEqual([
    2,
    expect.stringMatching(/theirs\.json is not a report .* unchanged\. Name another with --like-file/s),
  ]);
  expect(readFileSync(path.join(folder, 'theirs.json'), 'utf8')).toBe('{"mine":true}');
  expect(await told('--like', 'http://127.0.0.1:1', '--like-file', 'read-only.json')).toEqual([
    2,
    expect.stringMatching(/read-only\.json says how http:\/\/127\.0\.0\.1:\d+ behaves/),
  ]);
});

test('says why it could not learn anything, and keeps nothing', async () => {
  expect(await told('--like', 'http://127.0.0.1:1')).toEqual([
    2,
    expect.stringMatching(/--like: http:\/\/127\.0\.0\.1:1 did not show how it behaves\./),
  ]);
  expect(existsSync(path.join(folder, 'like-127.0.0.1-1.json'))).toBe(false);
  expect(await told('--like', 'vendor.example')).toEqual([2, expect.stringContaining('Did you mean http://')]);
  expect(await told('--like', 'http://127.0.0.1:1', '--profile', 'minimal')).toEqual([
    2,
    expect.stringContaining('Leave one out'),
  ]);
  expect(await told('--like-file', 'x.json')).toEqual([2, expect.stringContaining('no effect without --like')]);
});
