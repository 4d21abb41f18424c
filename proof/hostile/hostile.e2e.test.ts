import { fork, spawn } from 'node:child_process';
import { availableParallelism, tmpdir } from 'node:os';
import { createCanary, findSecrets, withCanary } from '../../conformance/http/canary.ts';
import type { HttpRequest } from '../../conformance/index.ts';
import { compiled } from '../compiled.ts';
import { sampled } from '../test-trials.ts';
import type { Attacked } from './attack.ts';
import { createTarget, tokens } from './serve.ts';
import { servers } from './servers.ts';

// For a busy machine.
jest.setTimeout(900_000);

// These run outside Jest's sandbox, in the compiled program, which is several times faster.
const workerFile = compiled('cli/testing/hostile-worker');
const PROCESSES = Math.max(2, Math.min(availableParallelism(), 6));
const MEGABYTE = 1024;

const all = servers.map((server, position) => [server.name, server, position] as const);
const rows = sampled(all, 1 / 6);

/** The result of each run, by the index of its server. */
const results = new Map<number, Attacked>();

/** The servers that are tried on the program in a separate process, whose memory is measured. */
const WORST = [
  'sends a gzip bomb',
  'sends a body without end',
  'gives every agent a hundred thousand blocks',
  'hides 100,000 levels in every agent and result',
];
const apart = new Map<string, Awaited<ReturnType<typeof alone>>>();

beforeAll(async () => {
  const positions = rows.map(([, , position]) => position).values();
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = fork(workerFile, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const next = (): void => {
        const { done, value } = positions.next();
        if (done === true) worker.disconnect();
        else worker.send(value);
      };
      worker.on('message', (message) => {
        const { position, came } = message as { readonly position: number; readonly came: Attacked };
        results.set(position, came);
        next();
      });
      worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      next();
    });
  const workAlone = async (): Promise<void> => {
    for (const name of WORST) apart.set(name, await alone(name));
  };
  await Promise.all([workAlone(), ...Array.from({ length: PROCESSES }, work)]);
});

/**
 * The processor time that one run may take, as a multiple of the typical run. The highest seen is fourteen, for the first run in
 * a process.
 */
const MOST_TIMES = 50;

/** The median processor time of all runs. */
const typicalMs = (): number => {
  const times = [...results.values()].map(({ ms }) => ms).toSorted((a, b) => a - b);
  return times[times.length >> 1] ?? Number.NaN;
};

function resultOf(position: number): Attacked {
  const result = results.get(position);
  if (!result) throw new Error('no result came');
  return result;
}

test.each(rows.filter(([, { isCompliant }]) => !isCompliant))(
  'a run against a server that %s',
  (_, _server, position) => {
    const { status, ms, problems, requests } = resultOf(position);
    expect(problems).toEqual([]);
    expect([1, 3, 4]).toContain(status);
    expect(requests).toBeGreaterThan(0);
    // Compared with other runs in the same processes, so that a slow machine does not matter.
    expect(ms / typicalMs()).toBeLessThan(MOST_TIMES);
  },
);

const compliant = rows.filter(([, { isCompliant }]) => isCompliant);
test.each(compliant)('a run against a server that keeps the contract and %s', (_, server, position) => {
  const { status, problems, failed, notJudged, reasons, passed } = resultOf(position);
  const others = notJudged.filter((id) => server.notJudged?.test(id) !== true);
  expect({ problems, failed, others }).toEqual({ problems: [], failed: [], others: [] });
  expect(status).toBe(server.notJudged === undefined ? 0 : 3);
  expect(passed).toBeGreaterThan(5);
  expect(reasons.filter((reason) => reason.endsWith('Supply nothing.'))).toEqual([]);
});

/** Runs the program itself, and measures it. */
async function alone(name: string): Promise<{ status: number | null; megabytes: number; stdout: string }> {
  const found = servers.find((one) => one.name === name);
  if (!found) throw new Error(`there is no server that ${name}`);
  const mock = createTarget();
  const server = await found.start(mock);
  const program = ['--require', compiled('bench/usage-hook'), compiled('cli/bin'), 'check', server.url];
  const target = ['--agent-id', mock.target.agentId, '--timeout', '2000', '--max-time', '2000'];
  const child = spawn(process.execPath, [...program, ...target], {
    cwd: tmpdir(),
    env: { ...process.env, AGENT_CONTRACT_TOKEN: tokens.write },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const written = { stdout: '', usage: '' };
  child.stdout?.on('data', (data: Buffer) => void (written.stdout += data.toString()));
  child.stdio[3]?.on('data', (data: Buffer) => void (written.usage += data.toString()));
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  await server.close();
  // A killed program writes nothing at its end. Then only its own test fails.
  const { kilobytes = Number.NaN } = JSON.parse(written.usage || '{}') as { readonly kilobytes?: number };
  return { status, megabytes: kilobytes / MEGABYTE, stdout: written.stdout };
}

test.each(WORST)('the program itself, against a server that %s, ends cleanly and uses little memory', async (name) => {
  const { status, megabytes, stdout } = apart.get(name) ?? (await alone(name));
  expect([1, 3, 4]).toContain(status);
  expect(megabytes).toBeLessThan(512);
  expect(stdout).toMatch(/\n(?:NONCONFORMANT|PARTIAL|UNREACHABLE): .*\n/);
});

describe('the canary', () => {
  const canary = createCanary();

  test('differs in every run, and is sent with every request', async () => {
    expect(createCanary().value).not.toBe(canary.value);
    const seen: HttpRequest[] = [];
    const transport = withCanary((request) => {
      seen.push(request);
      return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() });
    }, canary);
    const request = { method: 'GET', url: 'http://x.test/', headers: { accept: '*/*' } };
    await transport(request);
    expect(seen.map(({ headers }) => Object.values(headers))).toEqual([['*/*', canary.value]]);
    expect(Object.values(request.headers)).not.toContain(canary.value);
  });

  test.each<readonly [string, (text: string) => string]>([
    ['unchanged', (text) => text],
    ['in capitals', (text) => text.toUpperCase()],
    ['percent-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
    ['in JSON escapes', (text) => Array.from(text, (c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')],
    ['in entities', (text) => Array.from(text, (c) => `&#${c.charCodeAt(0)};`).join('')],
    ['in base64', (text) => Buffer.from(`x${text}y`).toString('base64')],
    ['in base64 for URLs', (text) => Buffer.from(`xy${text}`).toString('base64url')],
    ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ])('is found %s', (_, write) => {
    expect(findSecrets(`before ${write(canary.value)} after`, [canary])).toEqual([canary]);
    expect(findSecrets(`before ${write(canary.value.slice(2))} after`, [canary])).toEqual([]);
  });
});
