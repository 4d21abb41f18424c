#!/usr/bin/env node
import { constants } from 'node:os';
import { signalOf } from './interruption.ts';
import { tolerateBrokenPipe } from './io.ts';
import { main } from './main.ts';

tolerateBrokenPipe(process.stdout, process.stderr);

const stopping = new AbortController();
const exit = (): never => process.exit(128 + constants.signals[signalOf(stopping.signal)]);
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    // A second signal ends the process at once.
    if (stopping.signal.aborted) exit();
    stopping.abort(Object.assign(new Error('interrupted'), { signal: name }));
  });

/** Asks on the terminal. Any answer that does not begin with y means no. */
async function ask(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y/i.test(await terminal.question(question, { signal: stopping.signal }));
  } finally {
    terminal.close();
  }
}

async function start(): Promise<void> {
  const { argv, env, stdout, stderr } = process;
  const asking = process.stdin.isTTY && stderr.isTTY ? { ask } : {};
  const { signal } = stopping;
  const io = { argv: argv.slice(2), env, stdout, stderr, cwd: process.cwd(), signal, exit, ...asking };
  process.exitCode = await main(io);
}

void start();
