import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { fuzz } from './fuzz.ts';

/** `npm run fuzz [requests] [seed]`: fuzzes the mock as a process of its own, and says how it went. */
async function main(): Promise<void> {
  const [requests = '100000', seed = '1'] = process.argv.slice(2);
  const mock = spawn(process.execPath, [path.join(__dirname, '../cli/bin.js'), 'mock', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(mock.stdout, 'data')) as [Buffer];
  const ready = JSON.parse(line.toString()) as {
    readonly url: string;
    readonly pid: number;
    readonly target: { token: string; workspaceId: string; agentId: string };
  };
  const began = performance.now();
  const report = await fuzz(
    { baseUrl: ready.url, ...ready.target, memory: () => memoryOf(ready.pid) },
    { requests: Number(requests), seed: Number(seed) },
  );
  const isAlive = mock.exitCode === null && mock.signalCode === null;
  const ended = once(mock, 'exit');
  mock.kill('SIGTERM');
  await ended;
  process.stdout.write(
    `${JSON.stringify({ ...report, isAlive, exitCode: mock.exitCode, seconds: Math.round((performance.now() - began) / 1000) }, undefined, 2)}\n`,
  );
  if (!isAlive || report.failures.length > 0 || report.differences.length > 0) process.exitCode = 1;
}

/** Resident bytes of a process, where the system says so. */
function memoryOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

void main();
