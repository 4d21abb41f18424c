import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { LEFT_BEHIND, lockFile } from './lock-file.ts';
import { temporaryFolder } from '../testing/test-io.ts';

const folder = temporaryFolder();
let files = 0;
const newFile = (): string => path.join(folder, `locked-${++files}`);
const START = Date.UTC(2026, 4, 20);
const later = { now: () => START + LEFT_BEHIND + 1 };

/** What is in the lock of this process, but for what differs. */
const content = (more: object): string =>
  JSON.stringify({ pid: process.pid, host: hostname(), since: 'then', ...more });

/** A file with a lock that was taken at {@link START}, without a sign of life since. */
function locked(text: string): string {
  const file = newFile();
  writeFileSync(`${file}.lock`, text);
  utimesSync(`${file}.lock`, START / 1000, START / 1000);
  return file;
}

test('a lock without signs of life is taken over, even if its number now belongs to another process', () => {
  const file = locked(content({ pid: process.ppid }));
  expect(() => lockFile(file, 'x', { now: () => START + LEFT_BEHIND - 1 })).toThrow(
    `${file} is in use by another mock (process ${process.ppid} on `,
  );
  const lock = lockFile(file, 'x', later);
  expect(lock.isHeld()).toBe(true);
  lock.release();
  expect(readdirSync(folder).filter((name) => name.startsWith(path.basename(file)))).toEqual([]);
  lockFile(locked(content({ pid: 1, host: 'elsewhere' })), 'x', later).release();
});

const ifLinux = process.platform === 'linux' ? test : test.skip;
ifLinux('so is, at once, that of a killed process whose parent has not collected it', async () => {
  // The command that replaces the shell does not reap the shell's child, which ends only after that, with its input.
  const script = 'exec 3<&0; (read line <&3) & echo $!; exec sleep 600';
  const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  const becomes = async (of: string, expected: RegExp): Promise<void> => {
    while (!expected.test(readFileSync(`/proc/${of}`, 'utf8'))) await new Promise(setImmediate);
  };
  await becomes(`${parent.pid}/comm`, /^sleep/);
  parent.stdin.end();
  await becomes(`${pid}/stat`, /\) Z/);
  const file = locked(content({ pid }));
  try {
    // The moment at which the process gave its last sign of life.
    lockFile(file, 'x', { now: () => START }).release();
  } finally {
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  }
});

test('a process that slept while another took its lock notices, and gives way', () => {
  const file = newFile();
  const slept = lockFile(file, 'x', { now: () => START });
  expect(statSync(`${file}.lock`).mtimeMs).toBe(START);
  expect(() => lockFile(file, 'x', { now: () => START + 1000 })).toThrow('Stop that mock, or name another file.');
  const taken = lockFile(file, 'x', later);
  expect([slept.isHeld(), taken.isHeld()]).toEqual([false, true]);
  slept.release();
  expect(existsSync(`${file}.lock`)).toBe(true);
  taken.release();
  lockFile(file, 'x', { now: () => START + 1000 }).release();
});

test('a lock that somebody deleted is taken again', () => {
  const file = newFile();
  const lock = lockFile(file, 'x');
  const before = readFileSync(`${file}.lock`, 'utf8');
  lock.release();
  expect(lock.isHeld()).toBe(true);
  expect(readFileSync(`${file}.lock`, 'utf8')).toBe(before);
  lock.release();
});

test.each<[string, string, string | undefined]>([
  ['of a process that ended', content({ pid: 2 ** 30 }), undefined],
  ['of a process of the same id, before a restart', content({}), undefined],
  [
    'of another machine, whatever its processes',
    content({ pid: 2 ** 30, host: 'elsewhere' }),
    `process ${2 ** 30} on elsewhere, since then`,
  ],
  ['without a number', content({ pid: '1' }), `process 1 on ${hostname()}, since then`],
  ['that is not yet written', '', 'which is starting'],
])('a fresh lock %s', (_, text, holder) => {
  const file = locked(text);
  const take = (): void => lockFile(file, 'x', { now: () => START }).release();
  if (holder === undefined) expect(take).not.toThrow();
  else expect(take).toThrow(`${file} is in use by another mock (${holder}).`);
});
