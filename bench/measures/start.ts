import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { file, startServer } from '../processes.ts';
import { requests } from '../requests.ts';
import { median, medianRatio } from '../statistics.ts';
import { mockCommand } from './throughput.ts';

/** Milliseconds from the start of a process to its first answer. */
export interface StartTimes {
  readonly express: number;
  readonly mock: number;
  readonly ratio: number;
}

export async function measureStart(rounds: number): Promise<StartTimes> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-start-'));
  const answers = path.join(folder, 'answers.json');
  const { target = '', headers = {} } = requests().get('get agent') ?? {};
  const answer = { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: '{}' };
  writeFileSync(answers, JSON.stringify({ [`GET ${target}`]: answer }));
  const timeOf = async (command: readonly string[]): Promise<number> => {
    const began = performance.now();
    const server = await startServer(command);
    const response = await fetch(`${server.url}${target}`, { headers });
    await response.arrayBuffer();
    const took = performance.now() - began;
    await server.stop();
    if (!response.ok) throw new Error(`${command.join(' ')} answered ${response.status}.`);
    return took;
  };
  const express: number[] = [];
  const mock: number[] = [];
  try {
    // After the first round, which is discarded, the files of both are in the disk cache.
    for (let round = 0; round <= rounds; round++) {
      const one = await timeOf([process.execPath, file('servers', 'bare-express.js'), answers]);
      const other = await timeOf(mockCommand());
      if (round === 0) continue;
      express.push(one);
      mock.push(other);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { express: median(express), mock: median(mock), ratio: medianRatio(mock, express) };
}
