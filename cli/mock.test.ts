import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { profiles } from '../mock/index.ts';
import { main } from './main.ts';
import { run, temporaryFolder } from './test-io.ts';

const folder = temporaryFolder();

/** Starts `mock`, hands what it prints first to `use`, and stops it as Ctrl+C would. */
async function serving(
  argv: readonly string[],
  use: (printed: string) => Promise<void> | void,
  env: Record<string, string> = {},
): Promise<{ readonly status: number; readonly stderr: string }> {
  const interruption = new AbortController();
  let stderr = '';
  let failure: unknown;
  const status = await main({
    argv: ['mock', '--port', '0', ...argv],
    env,
    cwd: folder,
    signal: interruption.signal,
    stdout: {
      write(text: string) {
        void (async () => use(text))()
          .catch((error: unknown) => {
            failure = error;
          })
          .finally(() => interruption.abort());
      },
    },
    stderr: { write: (text: string) => void (stderr += text) },
  });
  if (failure !== undefined) throw failure;
  return { status, stderr };
}

interface Ready {
  readonly url: string;
  readonly seed: number;
  readonly now: string;
  readonly target: { readonly token: string; readonly agentId: string };
  readonly tokens: Record<string, string>;
}

const read = async (ready: Ready, what: string, token = ready.target.token) =>
  fetch(`${ready.url}/api/v1/agents/${ready.target.agentId}${what}`, { headers: { authorization: `Bearer ${token}` } });

test('prints one line of JSON when ready, answers, and ends with 0 when it is stopped', async () => {
  const { status } = await serving(
    ['--json', '--seed', '7', '--now', '2026-05-20T15:30:00Z', '--freeze'],
    async (line) => {
      const ready = JSON.parse(line) as Ready;
      expect(ready).toMatchObject({ seed: 7, now: '2026-05-20T15:30:00.000Z' });
      const answer = await read(ready, '');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('date')).toBe('Wed, 20 May 2026 15:30:00 GMT');
    },
  );
  expect(status).toBe(0);
});

test('the banner shows tokens, ids and a check that judges the mock', async () => {
  let judged: Awaited<ReturnType<typeof run>> | undefined;
  await serving([], async (banner) => {
    expect(banner).toMatch(/write +mock-write-token/);
    const command = /npx agent-contract (check .*)/.exec(banner)?.[1] ?? '';
    judged = await run([...command.split(' '), '--only', 'get-agent']);
  });
  expect(judged).toMatchObject({ status: 0, stderr: '' });
});

test('--write-target writes what check reads, for its owner alone', async () => {
  const file = path.join(folder, 'target.json');
  await serving(['--write-target', 'target.json', '--json'], async (line) => {
    const ready = JSON.parse(line) as Ready;
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ baseUrl: ready.url, ...ready.target });
    expect(statSync(file).mode & 0o077).toBe(0);
    expect((await run(['check', '--target', file, '--only', 'get-agent'])).status).toBe(0);
  });
});

test('flags reach the mock', async () => {
  writeFileSync(path.join(folder, 'mine.json'), JSON.stringify({ ...profiles.default, 'error-body': 'message' }));
  await serving(
    [
      '--json',
      '--token',
      'one',
      '--token',
      'read=two',
      '--fault',
      'limit-1-refused',
      '--profile',
      './mine.json',
      '--choice',
      'invalid-status=unprocessable-422',
    ],
    async (line) => {
      const ready = JSON.parse(line) as Ready;
      expect(ready.tokens).toEqual({ one: 'write', two: 'read' });
      const refused = await read(ready, '/results?limit=1', 'two');
      expect(refused.status).toBe(422);
      expect(await refused.json()).toEqual({ error: 'Refused.' });
    },
  );
});

test('variables of the environment do as flags do', async () => {
  await serving([], (line) => expect(JSON.parse(line)).toMatchObject({ seed: 5, tokens: { one: 'write' } }), {
    AGENT_CONTRACT_JSON: 'true',
    AGENT_CONTRACT_SEED: '5',
    AGENT_CONTRACT_TOKEN: 'one',
  });
});

test.each([
  [['--port', 'x'], /--port "x": this is a whole number from 0 to 65535/],
  [['--now', 'yesterday'], /--now "yesterday": this is an instant/],
  [['--profile', 'none'], /There is no profile "none"/],
  [['--profile', './none.json'], /--profile: .*none\.json cannot be read \(ENOENT\)/],
  [['--choice', 'error-body'], /--choice "error-body": this has the form gap=choice/],
  [['--choice', 'error-body=x'], /no choice "x"/],
  [['--fault', 'x'], /There is no fault "x"/],
  [['--write-target', 'no/where/target.json'], /--write-target: .* cannot be written \(ENOENT\)/],
])('%j is a mistake that is explained', async (argv, message) => {
  const { status, stdout, stderr } = await run(['mock', '--port', '0', ...argv]);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect([status, stdout]).toEqual([2, '']);
});

test('a port that is in use is explained', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const { status, stderr } = await run(['mock', '--port', String(port)]);
  expect(stderr).toMatch(/is in use\. Stop what uses it, or take another: --port 0/);
  expect(status).toBe(2);
  other.close();
});
