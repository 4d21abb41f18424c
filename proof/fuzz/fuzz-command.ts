import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { fuzz } from '../../prove/random/clients.ts';
import type { RandomTarget } from '../../prove/random/sending.ts';
import { load, tableOf } from './load.ts';

/** Connections of a load run. */
const CONNECTIONS = 300;

/**
 * `npm run fuzz [requests] [seed]` fuzzes a mock in a separate process, and `npm run fuzz load [seconds] [seed]` loads
 * it. Both print a summary, and exit with 1 after a failure.
 */
async function main(): Promise<void> {
  const [first = '100000', ...others] = process.argv.slice(2);
  const seed = Number((first === 'load' ? others[1] : others[0]) ?? '1');
  await withMock(async (target) => {
    if (first !== 'load') {
      const report = await fuzz(target, { requests: Number(first), seed });
      return { report, text: '', isFine: report.failures.length === 0 && report.differences.length === 0 };
    }
    const report = await load(target, { connections: CONNECTIONS, seconds: Number(others[0] ?? '180'), seed });
    return { report: { seed, failures: report.failures }, text: tableOf(report), isFine: report.failed === 0 };
  });
}

interface Outcome {
  readonly report: object;
  readonly text: string;
  readonly isFine: boolean;
}

async function withMock(use: (target: RandomTarget) => Promise<Outcome>): Promise<void> {
  const mock = spawn(process.execPath, [path.join(__dirname, '../../cli/bin.js'), 'mock', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(mock.stdout, 'data')) as [Buffer];
  const ready = JSON.parse(line.toString()) as {
    readonly url: string;
    readonly pid: number;
    readonly target: { token: string; workspaceId: string; agentId: string };
  };
  const began = performance.now();
  const { report, text, isFine } = await use({
    baseUrl: ready.url,
    ...ready.target,
    memory: () => memoryOf(ready.pid),
  });
  const isAlive = mock.exitCode === null && mock.signalCode === null;
  const ended = once(mock, 'exit');
  mock.kill('SIGTERM');
  await ended;
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${JSON.stringify({ ...report, isAlive, exitCode: mock.exitCode, seconds }, undefined, 2)}\n${text}`,
  );
  if (!isAlive || !isFine) process.exitCode = 1;
}

/** Resident bytes of a process, if the system reports them. */
function memoryOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

void main();
