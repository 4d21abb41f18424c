import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../conformance/report/report.ts';
import { served, type Listening } from '../../http/testing/test-server.ts';
import { createMock, type ProfileName } from '../../mock/index.ts';
import { servingIn, serveJson } from '../testing/test-mock.ts';
import { testFolder } from '../testing/test-io.ts';

const { folder, run, read, write } = testFolder();
const serving = servingIn(folder);

const TOKEN = 'a-token-of-the-vendor';

async function vendor(profile: ProfileName): Promise<Listening & { agentId: string }> {
  const mock = createMock({ seed: 1, profile, tokens: { [TOKEN]: 'write' } });
  const server = await served(mock);
  return { url: server.url, close: () => server.close(), agentId: mock.target.agentId };
}

test.each(['contrarian', 'trpc'] as const)(
  'behaves like a server of the profile %s, and remembers it',
  async (profile) => {
    const { url, close, agentId } = await vendor(profile);
    const file = `like-127.0.0.1-${new URL(url).port}.json`;
    let taken: Readonly<Record<string, string>> = {};
    const asked = await serveJson(folder)(
      ['--like', url],
      async (own) => void (taken = (await (await fetch(`${own.url}/__admin/profile`)).json()) as typeof taken),
      { AGENT_CONTRACT_TOKEN: TOKEN, AGENT_CONTRACT_AGENT_ID: agentId },
    );
    const kept = read(file);
    const { observedProfile } = JSON.parse(kept) as Report;
    expect(taken).toMatchObject(observedProfile);
    expect(createMock({ profile }).profile).toMatchObject(observedProfile);
    expect(asked.stderr).toMatch(
      /like http\S+ today: \d+ of \d+ choices, saved in .*like-127\.0\.0\.1-\d+\.json\. agent-contract drift /,
    );
    expect(asked.stderr + kept).not.toContain(TOKEN);
    await close();
    // From the file, since the server is down.
    const again = await serving(['--like', url], () => undefined);
    expect(again.stderr).toMatch(
      /like http\S+ on \d{4}-\d\d-\d\d: \d+ of \d+ choices, from .* Remove the file to ask again/,
    );
    expect(read(file)).toBe(kept);
  },
);

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
  [['--like', NOWHERE, '--like-file', 'theirs.json'], /theirs\.json is not a report .* unchanged\. Name another/s],
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
