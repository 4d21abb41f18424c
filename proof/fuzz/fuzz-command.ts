import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { underLoad } from '../../prove/random/actions.ts';
import { fuzz } from '../../prove/random/clients.ts';
import type { RandomTarget } from '../../prove/random/sending.ts';
import { attempt } from '../../text/errors.ts';
import { judgeEndless, LATE_FAULTS } from './endless.ts';
import { forwarders, sendRawTraffic } from './raw-traffic.ts';

/**
 * `npm run fuzz [requests] [seed]` fuzzes a mock in a separate process. `npm run fuzz load [requests] [seed]` does so over 300
 * connections, some of them aborted, slow or huge, and measures how long others wait meanwhile. `npm run fuzz traffic [requests]
 * [seed]` sends bytes through the proxy and through a mock with an upstream. `npm run fuzz endless [exchanges]` judges a day of traffic in
 * process, at whose end faults begin. All print a report, and exit with 1 after a failure.
 */
async function main(): Promise<void> {
  const given = process.argv.slice(2);
  const kind = /^[a-z]/.test(given[0] ?? '') ? given.shift() : undefined;
  const isLoad = kind === 'load';
  const [requests = isLoad ? 20_000 : 100_000, seed = 1] = given.map(Number);
  if (kind === 'traffic') return traffic(requests, seed);
  if (kind === 'endless') return endless(given[0] === undefined ? 1_000_000 : requests);
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
  const ping = new Worker(path.join(__dirname, 'ping.js'), { workerData: url });
  const fuzzed = { baseUrl: url, ...target, memory: memoryOf.bind(undefined, pid) };
  const load = isLoad ? { mix: underLoad, workers: 300 } : {};
  const report = await fuzz(fuzzed, { requests, seed, ...load });
  ping.postMessage('stop');
  const [pinged] = (await once(ping, 'message')) as [object];
  const isAlive = mock.exitCode === null && mock.signalCode === null;
  const ended = once(mock, 'exit');
  mock.kill('SIGTERM');
  await ended;
  const seconds = Math.round((performance.now() - began) / 1000);
  const written = { ...report, ...pinged, isAlive, exitCode: mock.exitCode, seconds };
  process.stdout.write(`${JSON.stringify(written, undefined, 2)}\n`);
  if (!isAlive || report.failures.length > 0 || report.differences.length > 0) process.exitCode = 1;
}

async function traffic(requests: number, seed: number): Promise<void> {
  for (const [name, start] of Object.entries(forwarders)) {
    // The first requests open what the process keeps.
    await sendRawTraffic(start, 100, seed + 1);
    const descriptors = openDescriptors();
    const report = await sendRawTraffic(start, requests, seed);
    const leaked = openDescriptors() - descriptors;
    process.stdout.write(`${name}: ${JSON.stringify({ ...report, leaked })}\n`);
    if (report.unanswered.length > 0 || report.leftOpen > 0 || leaked > 0) process.exitCode = 1;
  }
}

async function endless(exchanges: number): Promise<void> {
  const report = await judgeEndless(exchanges, LATE_FAULTS);
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  if (report.falseAlarms.length > 0 || report.found.length < LATE_FAULTS.length) process.exitCode = 1;
}

/** 0 if the system does not tell. */
const openDescriptors = (): number => attempt(() => readdirSync('/proc/self/fd'))?.length ?? 0;

/** Resident bytes of a process, if the system reports them. */
function memoryOf(pid: number): number | undefined {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '';
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

void main();
