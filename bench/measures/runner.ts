import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMock, type Mock } from '../../mock/index.ts';
import { CLI, file, startServer } from '../processes.ts';
import { NOW } from '../requests.ts';
import { median } from '../statistics.ts';
import { mockCommand } from './throughput.ts';

export interface CheckRun {
  readonly what: string;
  /** For the whole program, and for the run inside it. */
  readonly seconds: number;
  readonly runSeconds: number;
  readonly requests: number;
  readonly megabytes: number;
  readonly outcome: string;
}

const SMALL_HEAP = ['--max-old-space-size=64', '--max-semi-space-size=4'];

/** Milliseconds that the slow target takes per answer. */
export const LATENCY = 100;

/** Checks in flight at once; the last value allows all of them. */
const CONCURRENCIES = [1, 16, 100];

export interface Runner {
  readonly loopback: CheckRun;
  /** Agents with 360, ten thousand and a million results; the last also with a small heap. */
  readonly large: readonly CheckRun[];
  /** A target that takes {@link LATENCY} per answer; then one for each of {@link CONCURRENCIES}. */
  readonly latentByDefault: CheckRun;
  readonly latent: readonly CheckRun[];
}

export async function measureRunner(rounds: number): Promise<Runner> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-runner-'));
  try {
    const near = target('demo');
    const loopback: CheckRun[] = [];
    const large: CheckRun[] = [];
    const latent: CheckRun[] = [];
    for (let i = 0; i < rounds; i++) loopback.push(await check('demo world', folder, [], near));
    const few = target('large', 'main');
    const most = target('large', 'busiest');
    large.push(await check('360 results', folder, [], few));
    large.push(await check('10,000 results', folder, [], { ...few, added: 9_640 }));
    large.push(await check('1,000,000 results', folder, [], most));
    large.push(await check(`the same, ${SMALL_HEAP.join(' ')}`, folder, [], most, SMALL_HEAP));
    const slow = { ...near, flags: [...near.flags, '--latency', String(LATENCY)] };
    const latentByDefault = await check(`${LATENCY} ms latency`, folder, [], slow);
    for (const concurrency of CONCURRENCIES) {
      const flags = ['--concurrency', String(concurrency)];
      latent.push(await check(`${LATENCY} ms latency, ${flags.join(' ')}`, folder, flags, slow));
    }
    return { loopback: middle(loopback), large, latentByDefault, latent };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Target {
  readonly flags: readonly string[];
  readonly known: Mock['target'];
  /** Results to add to the agent's own. */
  readonly added?: number;
}

function target(persona: 'demo' | 'large', agent: 'main' | 'busiest' = 'main'): Target {
  const mock = createMock({ persona, now: Date.parse(NOW), frozen: true });
  const index = mock.store.universe.persona.roles[agent];
  const agentId = index === undefined ? mock.target.agentId : mock.store.agentId(index);
  return { flags: ['--persona', persona], known: { ...mock.target, agentId } };
}

/** The run with the median time. */
function middle(runs: readonly CheckRun[]): CheckRun {
  const seconds = median(runs.map((run) => run.seconds));
  const [first] = runs.toSorted((a, b) => Math.abs(a.seconds - seconds) - Math.abs(b.seconds - seconds));
  if (!first) throw new Error('There was no run.');
  return { ...first, seconds, megabytes: median(runs.map((run) => run.megabytes)) };
}

/** One run of `check` against its own mock. */
async function check(
  what: string,
  folder: string,
  flags: readonly string[],
  { flags: mockFlags, known, added }: Target,
  nodeFlags: readonly string[] = [],
): Promise<CheckRun> {
  const server = await startServer(mockCommand(...mockFlags));
  const reportFile = path.join(folder, 'report.json');
  try {
    if (added !== undefined) await addResults(server.url, known.agentId, added);
    const checkFlags = [...targetFlags(known), '--report', `json=${reportFile}`, ...flags];
    const { seconds, kilobytes } = await runCheck(folder, nodeFlags, [server.url, ...checkFlags]);
    const report = JSON.parse(readFileSync(reportFile, 'utf8')) as {
      readonly requests: number;
      readonly durationMs: number;
      readonly outcome: string;
    };
    return {
      what,
      seconds,
      runSeconds: report.durationMs / 1000,
      requests: report.requests,
      megabytes: kilobytes / 1024,
      outcome: report.outcome,
    };
  } finally {
    await server.stop();
  }
}

const TARGET_FLAGS = {
  token: '--token',
  readToken: '--read-token',
  guestToken: '--guest-token',
  workspaceId: '--workspace-id',
  agentId: '--agent-id',
  publishedAgentId: '--published-agent-id',
  v5AgentId: '--v5-agent-id',
} as const;

const targetFlags = (known: Mock['target']): readonly string[] =>
  Object.entries(TARGET_FLAGS).flatMap(([key, flag]) => {
    const value = known[key as keyof typeof TARGET_FLAGS];
    return value === undefined || value === '' ? [] : [flag, value];
  });

/** @returns the time of the whole program, and the most memory that it occupied */
async function runCheck(
  folder: string,
  nodeFlags: readonly string[],
  checkFlags: readonly string[],
): Promise<{ readonly seconds: number; readonly kilobytes: number }> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [...nodeFlags, '--require', file('usage-hook.js'), CLI, 'check', ...checkFlags],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  let complaints = '';
  let usage = '';
  child.stderr?.on('data', (data: Buffer) => (complaints += data.toString()));
  child.stdio[3]?.on('data', (data: Buffer) => (usage += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = (performance.now() - began) / 1000;
  if (code !== 0 && code !== 1 && code !== 3) throw new Error(`check ended with ${code}: ${complaints}`);
  return { seconds, ...(JSON.parse(usage) as { readonly kilobytes: number }) };
}

async function addResults(url: string, agentId: string, results: number): Promise<void> {
  const { status } = await fetch(`${url}/__admin/agents/${agentId}/results`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ count: results }),
  });
  if (status !== 200 && status !== 201) throw new Error(`The mock refused ${results} results with ${status}.`);
}
