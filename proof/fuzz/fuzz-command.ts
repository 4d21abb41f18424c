import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { fuzz } from '../../prove/random/clients.ts';
import type { RandomTarget } from '../../prove/random/sending.ts';
import { judgeEndless, LATE_FAULTS } from './endless.ts';
import { load } from './load.ts';
import { forwarders, sendRawTraffic } from './raw-traffic.ts';

/** Connections of a load run. */
const CONNECTIONS = 300;

/**
 * `npm run fuzz [requests] [seed]` fuzzes a mock in a separate process, and `npm run fuzz load [seconds] [seed]` loads
 * it; `npm run fuzz traffic [requests] [seed]` sends bytes through the proxy and through a mock with an upstream. `npm run fuzz endless [exchanges]`
 * judges a day of traffic in process, at whose end faults begin. All print a report, and exit with 1 after a failure.
 */
async function main(): Promise<void> {
  if (process.argv[2] === 'endless') return endless(Number(process.argv[3] ?? 1_000_000));
  if (process.argv[2] === 'traffic') return traffic(Number(process.argv[3] ?? 100_000), Number(process.argv[4] ?? 1));
  const isLoad = process.argv[2] === 'load';
  const [count = isLoad ? '180' : '100000', seed = '1'] = process.argv.slice(isLoad ? 3 : 2);
  const mock = spawn(process.execPath, [path.join(__dirname, '../../cli/bin.js'), 'mock', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(mock.stdout, 'data')) as [Buffer];
  const { url, pid, target } = JSON.parse(line.toString()) as {
    readonly url: string;
    readonly pid: number;
    readonly target: Pick<RandomTarget, 'token' | 'workspaceId' | 'agentId'>;
  };
  const began = performance.now();
  const fuzzed = { baseUrl: url, ...target, memory: () => memoryOf(pid) };
  const report = isLoad
    ? await load(fuzzed, { connections: CONNECTIONS, seconds: Number(count), seed: Number(seed) })
    : await fuzz(fuzzed, { requests: Number(count), seed: Number(seed) });
  const isAlive = mock.exitCode === null && mock.signalCode === null;
  const ended = once(mock, 'exit');
  mock.kill('SIGTERM');
  await ended;
  const seconds = Math.round((performance.now() - began) / 1000);
  const written = { ...report, isAlive, exitCode: mock.exitCode, seconds };
  process.stdout.write(`${JSON.stringify(written, undefined, 2)}\n`);
  if (!isAlive || report.failures.length > 0 || report.differences.length > 0) process.exitCode = 1;
}

async function traffic(requests: number, seed: number): Promise<void> {
  for (const [name, start] of Object.entries(forwarders)) {
    // The first requests open what the process keeps.
    await sendRawTraffic({ seed, from: requests, requests: 100, start });
    const descriptors = openDescriptors();
    const report = await sendRawTraffic({ seed, from: 0, requests, start });
    const leaked = openDescriptors() - descriptors;
    process.stdout.write(`${name}: ${JSON.stringify({ ...report, leaked })}\n`);
    if (report.unanswered.length > 0 || report.leftOpen > 0 || leaked > 0) process.exitCode = 1;
  }
}

function endless(exchanges: number): void {
  const report = judgeEndless(exchanges, LATE_FAULTS);
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  if (report.falseAlarms.length > 0 || report.found.length < LATE_FAULTS.length) process.exitCode = 1;
}

/** 0 if the system does not tell. */
function openDescriptors(): number {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).length;
}

/** Resident bytes of a process, if the system reports them. */
function memoryOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    if (kilobytes === undefined) return undefined;
    return Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

void main();
