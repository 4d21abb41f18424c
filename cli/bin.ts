#!/usr/bin/env node
import { constants } from 'node:os';
import { tolerateBrokenPipe } from './io.ts';
import { main } from './main.ts';

tolerateBrokenPipe(process.stdout, process.stderr);

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    interruption.abort(new Error('interrupted'));
    // A second one does not wait for the rest.
    process.once(name, () => process.exit(128 + constants.signals[name]));
  });

async function start(): Promise<void> {
  const { argv, env, stdout, stderr } = process;
  const io = { argv: argv.slice(2), env, stdout, stderr, cwd: process.cwd(), signal: interruption.signal };
  process.exitCode = await main(io);
}

void start();
