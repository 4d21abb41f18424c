import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { visible, type Secret } from '../conformance/redact.ts';
import type { Report } from '../conformance/report.ts';
import { isReportFormat, reportFormats } from '../conformance/reporters/formats.ts';
import type { RunOptions } from '../conformance/run.ts';
import { UsageError } from '../conformance/usage-error.ts';
import type { AddCommand, Cli } from './cli.ts';
import { codeOf } from './errors.ts';
import { exitStatus, exitStatusOf } from './exit-status.ts';
import {
  addFlags,
  BadValue,
  flagName,
  readFlags,
  readNumber,
  readText,
  variableName,
  type Origin,
  type ValuesOf,
} from './flags.ts';
import { hasColor, type Io } from './io.ts';
import { createProgress } from './progress.ts';
import { checkReportTargets, writeAtomically, type ReportTarget } from './report-files.ts';
import type { TargetFile } from './target-file.ts';

const idFlag = (description: string) => ({ kind: 'value', placeholder: '<id>', description, read: readText }) as const;
const tokenFlag = (description: string) =>
  ({ kind: 'value', placeholder: '<token>', description, read: readToken, isSecret: true }) as const;
const switchFlag = (description: string) => ({ kind: 'switch', description }) as const;
const patternFlag = (description: string) =>
  ({ kind: 'list', placeholder: '<id|section|endpoint>', separator: /[\s,]+/, description, read: readText }) as const;
const milliseconds = readNumber('milliseconds', { least: 1, most: 86_400_000, whole: true, example: '10000' });

/** The flags of `check`. Each is an environment variable and a key of the target file as well. */
export const checkFlags = {
  token: tokenFlag('bearer token with full access; better given by the variable than here, where ps shows it'),
  workspaceId: idFlag('workspace in which agents may be created'),
  agentId: idFlag('agent that has results'),
  publishedAgentId: idFlag('agent that is published'),
  v5AgentId: idFlag('agent in the version 5 form'),
  readToken: tokenFlag('token whose access to the agent is read'),
  guestToken: tokenFlag('token whose access to the agent is guest'),
  readOnly: switchFlag('send no POST, so that nothing is created on the target'),
  only: patternFlag('run these checks only (repeatable; * stands for anything)'),
  skip: patternFlag('run all but these checks (repeatable)'),
  report: {
    kind: 'list',
    placeholder: '<format=file>',
    separator: /\n+/,
    description: `write a report, - for standard output (repeatable): ${Object.keys(reportFormats).join(', ')}`,
    read: readReport,
  },
  json: switchFlag('write the JSON report to standard output, in place of the text'),
  strictNull: switchFlag('take null for a documented optional field for a failure'),
  timeout: { kind: 'value', placeholder: '<ms>', description: 'for one exchange (default: 10000)', read: milliseconds },
  maxTime: {
    kind: 'value',
    placeholder: '<ms>',
    description: 'for the whole run (default: 300000)',
    read: milliseconds,
  },
  rps: {
    kind: 'value',
    placeholder: '<n>',
    description: 'requests per second at most (default: no limit)',
    read: readNumber('requests per second', { least: 0.01, most: 100_000, whole: false, example: '5' }),
  },
  concurrency: {
    kind: 'value',
    placeholder: '<n>',
    description: 'checks under way at once (default: 1)',
    read: readNumber('checks at once', { least: 1, most: 256, whole: true, example: '4' }),
  },
  header: {
    kind: 'list',
    placeholder: '<name: value>',
    separator: /\n+/,
    description: 'header to send with every request (repeatable)',
    read: readHeader,
  },
  ca: {
    kind: 'value',
    placeholder: '<file>',
    description: 'certificates (PEM) to trust in place of the well-known authorities',
    read: readCertificates,
  },
  insecure: switchFlag('accept any certificate'),
  seed: {
    kind: 'value',
    placeholder: '<n>',
    description: 'repeat the random choices of an earlier run',
    read: readNumber('a seed', { least: 0, most: Number.MAX_SAFE_INTEGER, whole: true, example: '42' }),
  },
  allowPartial: switchFlag('end with 0 also where something could not be judged'),
} as const;

type Settings = ValuesOf<typeof checkFlags>;

const FOOTER = `
Each flag can be given as an environment variable (${variableName('agentId')}) and as a key of the target
file (agentId). A flag wins over a variable, a variable over the file. The file agent-contract.json of the current
folder is read where no --target is given.

Exit status: 0 conformant; 1 nonconformant; 2 a flag or a file is wrong; 3 partial, something could not be judged;
4 the target could not be reached, or the run broke.`;

export const addCheck: AddCommand = (program, cli) => {
  const command = program
    .command('check')
    .description('judge a server over HTTP')
    .argument('[base_url]', `what the documented paths are appended to (env: ${variableName('baseUrl')})`)
    .addHelpText('after', FOOTER)
    .option('--target <file>', `target file (env: ${variableName('target')}; default: agent-contract.json)`);
  addFlags(command, checkFlags);
  command.action(cli.action((baseUrl: string | undefined) => check(cli, command, baseUrl)));
};

async function check(cli: Cli, command: Command, argument: string | undefined): Promise<number> {
  const { io } = cli;
  const { file, baseUrl } = await findTarget(io, argument, command.getOptionValue('target') as string | undefined);
  const settings = readFlags(checkFlags, command, io, file);
  cli.secrets.push(...secretsOf(settings));
  const targets = reportTargets(settings);
  checkReportTargets(targets);
  if (settings.readOnly && settings.workspaceId !== undefined && io.stderr.isTTY === true) {
    io.stderr.write('note: --workspace-id is of no use with --read-only.\n');
  }

  const [{ runConformance }, { reporters }] = await Promise.all([
    import('../conformance/run.ts'),
    import('../conformance/reporters/index.ts'),
  ]);
  const progress = createProgress(io.stderr);
  const report = await runConformance({
    ...runOptions(settings, baseUrl),
    signal: io.signal,
    onCheck: (one, count) => progress.show(one, count),
  }).finally(() => progress.clear());

  for (const { format, file: to } of targets) {
    const isStdout = to === '-';
    const text = reporters[format].reporter(report, { color: isStdout && hasColor(io.stdout, io.env) });
    if (isStdout) io.stdout.write(text);
    else writeAtomically(to, text);
  }
  return statusOf(report, settings, io);
}

function statusOf(report: Report, { allowPartial }: Settings, { signal, stderr }: Io): number {
  const status = exitStatusOf(report, { allowPartial });
  if (signal?.aborted !== true) return status;
  stderr.write('The run was stopped; the report covers what was judged by then.\n');
  return status === exitStatus.nonconformant ? status : exitStatus.broken;
}

/** The target file and the base URL, of which either may lead to the other. */
async function findTarget(
  { env, cwd, stderr }: Io,
  argument: string | undefined,
  flag: string | undefined,
): Promise<{ readonly file: TargetFile | undefined; readonly baseUrl: string }> {
  const named = flag ?? nonEmpty(env[variableName('target')]);
  const { readTargetFile, TARGET_FILE } =
    named !== undefined || existsSync(path.join(cwd, 'agent-contract.json'))
      ? await import('./target-file.ts')
      : { readTargetFile: undefined, TARGET_FILE: undefined };
  const found = readTargetFile === undefined ? undefined : readTargetFile(named ?? TARGET_FILE, cwd);
  const typed = argument ?? nonEmpty(env[variableName('baseUrl')]);
  const label = argument === undefined ? variableName('baseUrl') : 'base_url';
  if (typed === undefined) {
    const known = found?.values['baseUrl'];
    if (found !== undefined && typeof known === 'string') {
      return { file: found, baseUrl: readBaseUrl(known, `${found.label} /baseUrl`, stderr) };
    }
    throw new UsageError(
      `No base URL was given. Name it (agent-contract check https://api.example.com), or set ${variableName('baseUrl')}, or baseUrl in a target file.`,
    );
  }
  const baseUrl = readBaseUrl(typed, label, stderr);
  if (found !== undefined && named === undefined && !isSameOrigin(found.values['baseUrl'], baseUrl)) {
    stderr.write(
      `note: ${found.label} is for another server, so nothing of it is used; --target ${found.label} would use it.\n`,
    );
    return { file: undefined, baseUrl };
  }
  return { file: found, baseUrl };
}

/** A file that was merely found lends its tokens to its own server only. */
function isSameOrigin(known: unknown, baseUrl: string): boolean {
  return typeof known === 'string' && URL.canParse(known) && new URL(known).origin === new URL(baseUrl).origin;
}

function readBaseUrl(text: string, label: string, stderr: Io['stderr']): string {
  const wrong = (why: string): UsageError => new UsageError(`${label}${why}`);
  const shown = ` ${visible(JSON.stringify(text))}`;
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text)) {
    throw wrong(
      ': this holds a user name or a password, which would end up in logs. Leave it out and use --token or --header.',
    );
  }
  if (!/^https?:\/\//i.test(text)) {
    const guess = /^[\w.[\]:-]+(?:\/|$)/.test(text) ? ` Did you mean http://${visible(text)}?` : '';
    throw wrong(`${shown}: this must begin with http:// or https://.${guess}`);
  }
  if (!URL.canParse(text)) throw wrong(`${shown}: this is no URL. An example: https://api.example.com/base`);
  if (/[?#]/.test(text))
    throw wrong(`${shown}: paths are appended to this, so it can hold neither ? nor #. Leave them out.`);
  if (/\/api\/v1\/*$/.test(text)) {
    stderr.write('note: the documented paths begin with /api/v1 themselves, and the base URL ends with it already.\n');
  }
  return text;
}

function reportTargets({ report, json }: Settings): readonly ReportTarget[] {
  const given: readonly ReportTarget[] = json ? [...report, { format: 'json', file: '-' }] : report;
  return given.some(({ file }) => file === '-') ? given : [...given, { format: 'text', file: '-' }];
}

function runOptions({ header, timeout, maxTime, only, skip, ...settings }: Settings, baseUrl: string): RunOptions {
  const { report: _report, json: _json, allowPartial: _allowPartial, ...rest } = settings;
  return {
    ...rest,
    baseUrl,
    ...(only.length > 0 ? { only } : {}),
    skip,
    timeoutMs: timeout,
    maxTimeMs: maxTime,
    headers: Object.fromEntries(header),
  };
}

function secretsOf({ token, readToken: reading, guestToken, header }: Settings): readonly Secret[] {
  const secrets: Secret[] = header.map(([, value]) => ({ value, placeholder: '$HEADER' }));
  if (guestToken !== undefined) secrets.push({ value: guestToken, placeholder: '$GUEST_TOKEN' });
  if (reading !== undefined) secrets.push({ value: reading, placeholder: '$READ_TOKEN' });
  if (token !== undefined) secrets.push({ value: token, placeholder: '$TOKEN' });
  return secrets;
}

function readToken(text: string): string {
  if (/^bearer\s/i.test(text)) throw new BadValue('give the token alone, without "Bearer" before it.');
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new BadValue('a token is not empty and holds no blanks and no characters beyond ASCII. Was it copied whole?');
  }
  return text;
}

/** Those that the runner sets itself, or that say how a message is transferred. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

function readHeader(text: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/s.exec(text) ?? [];
  if (name === '' || value === '') throw new BadValue('this must be of the form "Name: value".');
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new BadValue(`the value of ${name} holds characters that no header can hold.`);
  if (name.toLowerCase() === 'authorization') {
    throw new BadValue(
      `the runner sets ${name} itself, right and wrong by turns; give the token with ${flagName('token')}.`,
    );
  }
  if (OWN_HEADERS.has(name.toLowerCase())) throw new BadValue(`the runner sets ${name} itself; leave it out.`);
  return [name, value];
}

function readReport(text: string, { folder }: Origin): ReportTarget {
  const [, format = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const known = Object.keys(reportFormats).join(', ');
  if (file === '')
    throw new BadValue(`this must be FORMAT=FILE, for example junit=report.xml; the formats are ${known}.`);
  if (!isReportFormat(format))
    throw new BadValue(`there is no format ${visible(JSON.stringify(format))}; the formats are ${known}.`);
  return { format, file: file === '-' ? '-' : path.resolve(folder, file) };
}

function readCertificates(text: string, { folder }: Origin): string {
  let pem: string;
  try {
    pem = readFileSync(path.resolve(folder, text), 'utf8');
  } catch (error) {
    throw new BadValue(`this file cannot be read (${codeOf(error)}).`);
  }
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    throw new BadValue('this file holds no certificate in the PEM form (-----BEGIN CERTIFICATE-----).');
  }
  return pem;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}
