import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Used by tests only: an empty folder like {@link temporaryFolder}, its files by their names, and the program, run in it. */
export function testFolder() {
  const folder = temporaryFolder();
  return {
    folder,
    run: (argv: readonly string[], options?: Parameters<typeof run>[1]) => run(argv, { cwd: folder, ...options }),
    read: (name: string): string => readFileSync(path.join(folder, name), 'utf8'),
    /** Writes a text, or anything else as JSON, and returns the name. */
    write: (name: string, content: unknown): string => {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return name;
    },
  };
}

/** Used by tests only: runs the program, and resolves with its output and exit status. */
export async function run(
  argv: readonly string[],
  {
    env = {},
    cwd = tmpdir(),
    isTTY = false,
    signal,
    exit,
  }: Partial<Pick<Io, 'env' | 'cwd' | 'signal' | 'exit'>> & { isTTY?: boolean } = {},
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    isTTY,
    columns: 60,
    write: (text: string): void => void (written[name] += text),
  });
  const status = await main({ argv, env, cwd, signal, exit, stdout: output('stdout'), stderr: output('stderr') });
  return { status, ...written };
}
