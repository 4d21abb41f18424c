import { EventEmitter } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { served } from '../../http/testing/test-server.ts';
import { personaNames } from '../../fixtures/index.ts';
import { createMock, profiles } from '../../mock/index.ts';
import { endpointIds } from '../../spec/index.ts';
import { servingIn, serveJson, type Ready } from '../testing/test-mock.ts';
import { run, temporaryFolder } from '../testing/test-io.ts';

const folder = temporaryFolder();
const browser = jest.fn<Promise<EventEmitter>, [string]>();
jest.doMock('open', () => ({ __esModule: true, default: browser }));

const serving = servingIn(folder);
const servingJson = serveJson(folder);

const read = async (ready: Ready, what: string, token = ready.target.token) =>
  fetch(`${ready.url}/api/v1/agents/${ready.target.agentId}${what}`, { headers: { authorization: `Bearer ${token}` } });

test('prints a line of JSON when it is ready, answers, and ends with 0 when it is stopped', async () => {
  const { status } = await servingJson('--seed 7 --now 2026-05-20T15:30:00Z --freeze'.split(' '), async (ready) => {
    expect(ready).toMatchObject({ seed: 7, now: '2026-05-20T15:30:00.000Z', docs: `${ready.url}/docs` });
    const answer = await read(ready, '');
    expect([answer.status, answer.headers.get('date')]).toEqual([200, 'Wed, 20 May 2026 15:30:00 GMT']);
  });
  expect(status).toBe(0);
});

test('the banner shows tokens, ids, a session, and a check that judges the mock', async () => {
  let judged: Awaited<ReturnType<typeof run>> | undefined;
  await serving([], async (banner) => {
    expect(banner).toMatch(/write +mock-write-token/);
    expect(banner).toMatch(/dashboard +http.*\/__admin\/ui\n +docs +http.*\/docs\n/);
    const base = /(\S+\/_s\/my-test) does the same as the base URL/.exec(banner)?.[1] ?? '';
    expect(await (await fetch(`${base}/__admin/health`)).json()).toMatchObject({ session: 'my-test' });
    const command = /npx --no agent-contract (check .*)/.exec(banner)?.[1] ?? '';
    judged = await run([...command.split(' '), '--only', 'get-agent']);
  });
  expect(judged).toMatchObject({ status: 0, stderr: '' });
  const few = ['--persona', 'empty', '--token', 'one'];
  await serving(few, (banner) => expect(banner).not.toMatch(/version 5|agent-id|read-token/));
});

test('--write-target writes the file that check reads, for its owner only', async () => {
  const file = path.join(folder, 'target.json');
  await servingJson(['--write-target', 'target.json'], async (ready) => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ baseUrl: ready.url, ...ready.target });
    expect(statSync(file).mode & 0o077).toBe(0);
    expect((await run(['check', '--target', file, '--only', 'get-agent'])).status).toBe(0);
  });
});

test('flags reach the mock', async () => {
  writeFileSync(path.join(folder, 'mine.json'), JSON.stringify({ ...profiles.default, 'error-body': 'message' }));
  const tokens = '--token one --token read=two';
  const behaviour = '--fault limit-1-refused --profile ./mine.json --choice invalid-status=unprocessable-422';
  await servingJson(`${tokens} ${behaviour}`.split(' '), async (ready) => {
    expect(ready.tokens).toEqual({ one: 'write', two: 'read' });
    const refused = await read(ready, '/results?limit=1', 'two');
    expect([refused.status, await refused.json()]).toEqual([422, { error: 'Refused.' }]);
  });
});

test('a token for checks of another server is not a token of the mock', async () => {
  const secret = 'the-secret-of-another-server';
  await serving([], (line) => expect(line).not.toContain(secret), {
    AGENT_CONTRACT_JSON: 'true',
    AGENT_CONTRACT_TOKEN: secret,
  });
});

test('an upstream answers its share, with its own token, which no output shows', async () => {
  const secret = 'the-token-of-the-upstream';
  const real = createMock({ seed: 9, tokens: { [secret]: 'write' } });
  const server = await served(real);
  const sources: unknown[] = [];
  const { stderr } = await serving(
    `--upstream ${server.url} --forward get-agent,4.4 --fallback --learn --upstream-timeout 9000`.split(' '),
    async (banner) => {
      expect(banner).toContain(
        `upstream   ${server.url}  ${endpointIds.filter((id) => !/^get-(?:published-)?agent$/.test(id)).join(', ')}: the mock;`,
      );
      expect(banner).not.toContain(secret);
      const url = /on (http:\S+)/.exec(banner)?.[1] ?? '';
      for (const what of ['', '/publishedAgent', '/results']) {
        const answer = await fetch(`${url}/api/v1/agents/${real.target.publishedAgentId}${what}`, {
          headers: { authorization: 'Bearer mock-write-token' },
        });
        sources.push([answer.headers.get('x-agent-contract-source'), answer.status]);
      }
    },
    { AGENT_CONTRACT_UPSTREAM_TOKEN: secret },
  );
  expect(sources).toEqual([
    ['upstream', 200],
    ['upstream', 200],
    ['mock', 200],
  ]);
  expect(stderr).not.toContain(secret);
});

test('the help names every persona', async () => {
  const { stdout } = await run(['mock', '--help']);
  for (const name of personaNames) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
});

test('a persona, latency and a rate limit reach the mock; an id that the persona lacks is omitted', async () => {
  await servingJson(['--persona', 'empty', '--rate-limit', '1/60', '--latency', '1-2'], async (ready) => {
    expect(ready).toMatchObject({ persona: 'empty', dashboard: `${ready.url}/__admin/ui` });
    expect(Object.keys(ready.target).filter((key) => !key.endsWith('oken'))).toEqual(['workspaceId']);
    expect(await (await fetch(`${ready.url}/__admin/settings`)).json()).toMatchObject({
      delayDistribution: { type: 'uniform', lower: 1, upper: 2 },
      rateLimit: { requests: 1, seconds: 60 },
    });
    expect([(await read(ready, '')).status, (await read(ready, '')).status]).toEqual([404, 429]);
  });
});

test('mistakes in requests are listed, unless a flag disables that', async () => {
  const found: (string | null)[] = [];
  for (const argv of [[], ['--no-validate']])
    await servingJson(argv, async (ready) => {
      found.push((await read(ready, '?no=such')).headers.get('sl-violations'));
    });
  expect(found).toEqual([expect.stringContaining('request'), null]);
});

test('a profile may be partial, or come from the observations in a report', async () => {
  const profile = { 'invalid-status': 'unprocessable-422' };
  for (const content of [profile, { outcome: 'partial', observedProfile: profile }]) {
    writeFileSync(path.join(folder, 'part.json'), JSON.stringify(content));
    await servingJson(['--profile', './part.json'], async (ready) => {
      expect((await read(ready, '/results?limit=x')).status).toBe(422);
    });
  }
});

test('a seed file adds to the world, and each mistake in it is reported with its line', async () => {
  const file = path.join(folder, 'seed.json');
  writeFileSync(file, '{"agents":[{"id":"mine","name":"Mine"}]}');
  await servingJson(['--seed-file', 'seed.json'], async (ready) => {
    expect((await read({ ...ready, target: { ...ready.target, agentId: 'mine' } }, '')).status).toBe(200);
  });
  writeFileSync(file, '{"agents":[\n{"name":1},\n{"tags":[2]}]}');
  const { stderr, status } = await run(['mock', '--seed-file', file]);
  expect(stderr).toBe(
    [
      `${file}:2: /agents/0/name must be a string; it is 1.`,
      `${file}:3: /agents/1/tags/0 must be a string; it is 2.`,
      `error: --seed-file: ${file} is invalid. The errors are listed above.`,
      '',
    ].join('\n'),
  );
  expect(status).toBe(2);
});

test('an answer in progress is completed when the mock is stopped', async () => {
  let answer: Promise<Response> | undefined;
  await servingJson(['--latency', '150'], async (ready) => {
    const stream = (await fetch(`${ready.url}/__admin/requests/stream`)).body?.getReader();
    await stream?.read();
    answer = read(ready, '');
    // The journal reports the request when it arrives, before it is answered.
    await stream?.read();
  });
  expect((await answer)?.status).toBe(200);
});

test('flags say who may talk to the mock', async () => {
  const argv = ['--allowed-host', 'mock.test', '--allowed-host', 'other.test', '--cors', 'https://app.example'];
  const { stderr } = await servingJson(argv, async ({ port }) => {
    const statuses = ['mock.test', 'other.test:1', 'third.test'].map((host) => statusOf(port, { host }));
    expect(await Promise.all(statuses)).toEqual([401, 401, 403]);
    const origins = ['https://app.example', 'https://other.example'].map((origin) => statusOf(port, { origin }));
    expect(await Promise.all(origins)).toEqual([401, 403]);
  });
  expect(stderr).toBe('');
});

const statusOf = (port: number, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/api/v1/agents/x', headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });

describe('the admin token', () => {
  const token = 'open-sesame-4711';
  test('is required, and appears in no output', async () => {
    const file = path.join(folder, 'with-admin.json');
    for (const argv of [['--json', '--write-target', file], []]) {
      const { stdout, stderr, status } = await serving(
        argv,
        async (text) => {
          const state = `${/http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? ''}/__admin/state`;
          const headers = { authorization: `Bearer ${token}` };
          expect([(await fetch(state)).status, (await fetch(state, { headers })).status]).toEqual([401, 200]);
        },
        { AGENT_CONTRACT_ADMIN_TOKEN: token },
      );
      expect([status, stdout + stderr + readFileSync(file, 'utf8')]).toEqual([0, expect.not.stringContaining(token)]);
    }
  });

  test('is recommended while other machines can reach the mock, and not once it is set', async () => {
    const warning = async (argv: readonly string[], env = {}): Promise<string> =>
      (await servingJson(['--host', '0.0.0.0', ...argv], () => undefined, env)).stderr;
    const alone = await warning([]);
    expect(alone).toMatch(/^warning: The mock listens on 0\.0\.0\.0, .* set AGENT_CONTRACT_ADMIN_TOKEN, .*\n$/);
    expect(alone).not.toContain('upstream');
    const forwarding = ['--upstream', 'http://127.0.0.1:1'];
    expect(await warning(forwarding)).not.toContain('also reach the upstream');
    expect(await warning([...forwarding, '--upstream-token', 'x'])).toContain(
      'They also reach the upstream, with the token of --upstream-token. Publish',
    );
    expect(await warning([], { AGENT_CONTRACT_ADMIN_TOKEN: token })).toBe('');
  });
});

describe('--open', () => {
  const launcher = new EventEmitter();

  test('opens the dashboard', async () => {
    browser.mockResolvedValueOnce(new EventEmitter());
    let url = '';
    await serving(['--json', '--open'], (line) => void ({ url } = JSON.parse(line) as Ready));
    expect(browser).toHaveBeenCalledWith(`${url}/__admin/ui`);
  });

  test.each([
    ['no browser', () => Promise.reject(new Error('no browser'))],
    [
      'its launcher ended with 3',
      () => Promise.resolve(launcher).finally(() => setImmediate(() => launcher.emit('exit', 3))),
    ],
  ])('says where the page is if there is no browser (%s), and serves it', async (why, opens) => {
    browser.mockImplementationOnce(opens);
    const { status, stderr } = await serving(['--open'], async (_, until) => void (await until(/The page is/)));
    expect(stderr).toContain(`warning: cannot open a browser (${why}). The page is http`);
    expect(stderr).toMatch(/\/__admin\/ui\n$/);
    expect(status).toBe(0);
  });
});
