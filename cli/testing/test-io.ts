import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Io } from '../io.ts';
import { main } from '../main.ts';

/** Used by tests only: an empty folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Used by tests only: runs the program, and resolves with its output and exit status. */
export async function run(
  argv: readonly string[],
  {
    env = {},
    cwd = tmpdir(),
    isTTY = false,
    signal,
  }: { env?: Io['env']; cwd?: string; isTTY?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    isTTY,
    columns: 60,
    write: (text: string): void => void (written[name] += text),
  });
  const status = await main({ argv, env, cwd, signal, stdout: output('stdout'), stderr: output('stderr') });
  return { status, ...written };
}
