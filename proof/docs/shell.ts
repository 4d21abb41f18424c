import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A shell that runs the blocks of one page, one after the other. */
export type Shell = ReturnType<typeof openShell>;

/** Milliseconds until a mock must answer, and until any command must end. */
const PATIENCE = 600_000;

/** Bash in a folder. A mock in the foreground runs on until the next, or the end; `# exit status 1` tells failures. */
export function openShell(cwd: string, env: NodeJS.ProcessEnv, log: string) {
  // A separate process group, so that nothing outlives the page.
  const bash = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const mark = randomUUID();
  let unread = '';
  let hear: (() => void) | undefined;
  bash.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    unread += chunk;
    hear?.();
  });
  const ended = new Promise<void>((resolve) => bash.once('exit', () => resolve()));
  void ended.then(() => hear?.());
  bash.stdin.on('error', () => {});
  bash.stdin.write('exec 2>&1\n');

  const command: Command = async (text) => {
    bash.stdin.write(`${text}\nprintf '\\n%s %s\\n' ${mark} "$?"\n`);
    const limit = Date.now() + PATIENCE;
    for (;;) {
      const [whole, status] = new RegExp(`\\n${mark} (\\d+)\\n`).exec(unread) ?? [];
      if (whole !== undefined) {
        const output = unread.slice(0, unread.indexOf(whole));
        unread = unread.slice(output.length + whole.length);
        return { output, status: Number(status) };
      }
      if (Date.now() > limit || bash.exitCode !== null)
        throw new Error(`This does not end: ${text}\n--- written so far\n${unread}`);
      await Promise.race([new Promise<void>((resolve) => (hear = resolve)), sleep(500)]);
    }
  };

  return {
    /** Runs the commands of a block; `problems` lists those with an unexpected exit status. */
    async run(block: string) {
      let output = '';
      const problems: string[] = [];
      for (const text of commandsOf(block)) {
        const [, words = text, wanted = '0'] = REMARK.exec(text) ?? [];
        if (/^(?:npx (?:--no )?)?agent-contract mock\b|^npm start\b/.test(text) && !text.includes('--help')) {
          output += await startMock(command, words, log);
          continue;
        }
        const done = await command(`{\n${text}\n} </dev/null`);
        output += `${done.output.replace(/\n$/, '')}\n`;
        if (done.status !== Number(wanted))
          problems.push(`${text}\nended with ${done.status}, not ${wanted}\n--- written\n${done.output}`);
      }
      return { output, problems };
    },
    /** Ends the shell, and a mock that still runs. */
    async close() {
      if (bash.pid !== undefined && bash.exitCode === null) process.kill(-bash.pid, 'SIGKILL');
      await ended;
      for (const stream of [bash.stdin, bash.stdout, bash.stderr]) stream.destroy();
    },
  };
}

/** Executes a command after the previous one. */
type Command = (text: string) => Promise<{ readonly output: string; readonly status: number }>;

/** The words of a command before its trailing comment, and the exit status in that comment. */
const REMARK = /^(.*?)\s+#(?:.*\bexit status (\d+))?[^\n]*$/s;

/** Starts a mock instead of the previous one. @returns its output until it was ready */
async function startMock(command: Command, words: string, log: string): Promise<string> {
  await command('[ -z "$__mock" ] || { kill "$__mock" && wait "$__mock"; }; __mock=');
  rmSync(log, { force: true });
  await command(`${words} </dev/null >'${log}' 2>&1 & __mock=$!`);
  const limit = Date.now() + PATIENCE;
  for (;;) {
    const written = existsSync(log) ? readFileSync(log, 'utf8') : '';
    if (/^Ctrl\+C stops it\.|^\{"url":.*\n/m.test(written)) return written;
    const { status } = await command('kill -0 "$__mock"');
    if (Date.now() > limit || status !== 0) throw new Error(`This mock does not start: ${words}\n${written}`);
    await sleep(50);
  }
}

/** The commands of a block, as bash reads them: a command may continue over several lines. */
function commandsOf(block: string): readonly string[] {
  const commands: string[] = [];
  let text = '';
  for (const line of block.split('\n')) {
    if (text === '' && /^\s*(?:#|$)/.test(line)) continue;
    text += text === '' ? line : `\n${line}`;
    if (!isWhole(text)) continue;
    commands.push(text);
    text = '';
  }
  if (text !== '') throw new Error(`bash takes this for no whole command: ${text}`);
  return commands;
}

function isWhole(text: string): boolean {
  if (text.endsWith('\\')) return false;
  const [, end] = /<<-?\s*['"]?(\w+)/.exec(text) ?? [];
  if (end !== undefined && !text.split('\n').slice(1).includes(end)) return false;
  if (!/['"({]|\b(?:if|for|while|until|case)\b/.test(text)) return true;
  return spawnSync('bash', ['-n'], { input: text }).status === 0;
}
