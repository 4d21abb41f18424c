import path from 'node:path';
import type { Command } from 'commander';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { readHost } from '../../mock/access/settings.ts';
import { preparePublication, publish, reportFlags, writeBaselineOption } from '../check/publish.ts';
import { createRecorder } from '../check/recorder.ts';
import { readBaseUrl, selectionFlags, targetFlags } from '../check/target.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import { codeOf } from '../errors.ts';
import { addFlags, BadValue, readFlags, readNumber, switchFlag, valueFlag } from '../flags.ts';
import { exitStatus } from '../exit-status.ts';
import { interrupted, nextUncaught } from '../interruption.ts';
import { hasColor } from '../io.ts';

const { only, skip, strictNull } = selectionFlags;

const proxyFlags = {
  port: {
    ...valueFlag(
      '<n>',
      'port to listen on; 0 takes any free one (default: 4020)',
      readNumber('a whole number', 0, 65_535, 4020),
    ),
    variable: 'AGENT_CONTRACT_PROXY_PORT',
  },
  host: {
    ...valueFlag(
      '<address>',
      'address to listen on (default: 127.0.0.1); anyone who reaches it reaches the upstream',
      readHost,
    ),
    variable: 'AGENT_CONTRACT_PROXY_HOST',
  },
  timeout: { ...targetFlags.timeout, description: 'time that the upstream may stay silent (default: 60000)' },
  ca: targetFlags.ca,
  insecure: targetFlags.insecure,
  errors: switchFlag('replace an answer that breaks the contract with a 502'),
  unjudged: {
    ...valueFlag(
      '<pass|refuse>',
      'with --errors: what becomes of an answer that takes over 10 s or 8 MiB to judge (default: pass)',
      readUnjudged,
    ),
    needs: 'errors',
  },
  only,
  skip,
  strictNull,
  ...reportFlags,
} as const;

const FOOTER = `
The proxy forwards everything unchanged. It may add two headers to an answer: x-agent-contract-source, and sl-violations if
the shape of the answer is wrong. It prints each finding once, on standard error. The report follows when you stop the proxy;
SIGUSR1 prints its text before that, and SIGHUP writes every --report. SIGTERM lets requests in flight end, for at most ten
seconds. What the traffic does not show is not judged. Each session of the mock (x-mock-session)
is judged apart.

Exit status: the same as that of judge.`;

function readUnjudged(text: string): 'pass' | 'refuse' {
  if (text === 'pass' || text === 'refuse') return text;
  throw new BadValue(`this must be pass or refuse, not ${visible(JSON.stringify(text))}.`);
}

export const addProxy: AddCommand = (program, cli) => {
  const command = program
    .command('proxy')
    .description('forward everything to a server, and judge what passes')
    .argument('<upstream>', 'server to forward to: https://api.example.com')
    .addHelpText('after', FOOTER)
    .option('--record <file.har>', 'record everything that passes, without tokens, for agent-contract judge')
    .option(...writeBaselineOption);
  addFlags(command, proxyFlags);
  command.action(cli.action((upstream: string) => proxy(cli, command, upstream)));
};

/** Requests in flight get so many milliseconds to end. A second signal ends the program at once. */
const DRAIN_MS = 10_000;

async function proxy(cli: Cli, command: Command, argument: string): Promise<number> {
  const { io } = cli;
  const settings = readFlags(proxyFlags, command, io, undefined);
  const upstream = new URL(readBaseUrl(argument, 'upstream', io.stderr));
  const publication = await preparePublication(cli, settings, command);
  const record = command.getOptionValue('record') as string | undefined;
  const secrets = cli.secrets;
  const recorder =
    record === undefined ? undefined : createRecorder(path.resolve(io.cwd, record), secrets, { isLive: true });
  const watch = (await import('../../proxy/watch.ts')).createWatch({
    terminal: { write: (text) => io.stderr.write(text), hasColor: hasColor(io.stderr, io.env) },
    secrets,
    upstream: upstream.href,
    isStrict: settings.errors,
    unjudged: settings.unjudged,
    strictNull: settings.strictNull,
    only: settings.only,
    skip: settings.skip,
    record: recorder && ((exchange, place) => recorder.add(exchange, place)),
  });
  const [{ startProxy }, { reporters }] = await Promise.all([
    import('../../proxy/start.ts'),
    import('../../conformance/reporters/index.ts'),
  ]);
  const { port = 4020, host = '127.0.0.1', timeout = 60_000, ca, insecure } = settings;
  const server = await startProxy({
    upstream,
    ca,
    insecure,
    timeoutMs: timeout,
    port,
    host,
    inspector: watch.inspector,
    live: watch.live,
  }).catch((error: unknown) => {
    throw new UsageError(
      `Nothing can listen on ${visible(host)}:${port} (${codeOf(error)}). Is something else there? --port 0 takes any free one.`,
      { cause: error },
    );
  });
  io.stdout.write(`proxy on ${server.url}, to ${visible(upstream.href)}\n`);
  io.stdout.write(`live: ${server.url}${watch.path}/\n`);
  const summarize = (): void => void io.stdout.write(reporters.text.reporter(watch.report(), { color: false }));
  // A proxy normally ends by being stopped.
  const write = (): Promise<number> =>
    publish(watch.report(), { ...cli, io: { ...io, signal: undefined } }, publication);
  const writeNow = (): void =>
    void write().catch((error: unknown) =>
      io.stderr.write(`error: No report was written: ${visible(String(error))}\n`),
    );
  process.on('SIGUSR1', summarize);
  process.on('SIGHUP', writeNow);
  const uncaught = nextUncaught();
  const broken = await Promise.race([interrupted(io.signal), uncaught.error]);
  if (broken !== undefined)
    io.stderr.write(
      `error: The proxy broke. A report of what passed follows. Please report this: ${visible(broken)}\n`,
    );
  process.off('SIGUSR1', summarize);
  process.off('SIGHUP', writeNow);
  await server.close(DRAIN_MS);
  watch.end();
  recorder?.end();
  const status = await write();
  uncaught.ignore();
  if (broken !== undefined) return exitStatus.broken;
  return status;
}
