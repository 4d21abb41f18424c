import type { Secret } from '../../conformance/report/redact.ts';
import type { Latency, Mode, RateLimit } from '../../mock/index.ts';
import { readAdminToken, readHost, readOrigin } from '../../mock/access/settings.ts';
import { MockError } from '../../mock/mock-error.ts';
import { endpointsNamed } from '../../mock/upstream/options.ts';
import { targetFlags } from '../check/target.ts';
import { checkWritable } from '../files/files.ts';
import {
  BadValue,
  fileFlag,
  listFlag,
  readNameOrFile,
  readNumber,
  readPath,
  readText,
  switchFlag,
  valueFlag,
  WORDS,
  type ValueOrigin,
  type ValuesOf,
} from '../flags.ts';

const modes: readonly Mode[] = ['write', 'read', 'guest'];

const ofUpstream = { needs: 'upstream' } as const;
const secret = { isSecret: true } as const;
const endpoint = mockReads((text) => (endpointsNamed([text], ''), text));

/** The flags of a mock, wherever it is started. Each is also an environment variable. */
export const mockFlags = {
  port: valueFlag(
    '<number>',
    'port to listen on; 0 takes any free one (default: 4010, and 0 for run)',
    readNumber('a whole number', 0, 65_535, 4010),
  ),
  host: valueFlag('<address>', 'address to listen on (default: 127.0.0.1)', readText),
  allowedHost: listFlag(
    '<name>',
    WORDS,
    'another name to answer to, besides those of this machine (repeatable; beyond loopback any name, unless some are given)',
    mockReads(readHost),
  ),
  cors: listFlag(
    '<origin>',
    WORDS,
    'origin whose pages may use the service, besides those of this machine: https://app.example, or * for any (repeatable)',
    mockReads(readOrigin),
  ),
  adminToken: valueFlag(
    '<token>',
    'token that /__admin requires; safer in the variable, which other users cannot see',
    mockReads(readAdminToken),
    secret,
  ),
  persona: valueFlag(
    '<name>',
    'what the world holds: empty, tiny, demo, large, unicode, extremes or legacy (default: demo)',
    readText,
  ),
  seed: valueFlag(
    '<number>',
    'the same seed gives the same data (default: 1)',
    readNumber('a whole number', 0, Number.MAX_SAFE_INTEGER, 42),
  ),
  seedFile: fileFlag('your own agents, results and workspaces (JSON), added to the generated ones'),
  state: fileFlag('keep the data in this file, and continue from it after a restart'),
  watch: switchFlag('read the profile, seed and state files again when they change'),
  now: valueFlag('<time>', 'instant at which the clock starts, as RFC 3339 (default: now)', instant),
  freeze: switchFlag('stop the clock at that instant'),
  profile: valueFlag(
    '<name|file>',
    'how to answer what the specification leaves open: a name, or a file with a whole or partial profile or a JSON report of check (default: default)',
    readNameOrFile,
  ),
  like: valueFlag(
    '<url>',
    'behave like this server: run check against it once, and save what that shows in a file',
    readText,
    { excludes: 'profile' },
  ),
  likeToken: valueFlag('<token>', 'with --like: bearer token for that server; safer in the variable', readText, {
    ...secret,
    // As check takes it.
    variable: 'AGENT_CONTRACT_TOKEN',
  }),
  likeFile: fileFlag('with --like: the file to save that in (default: like-<host>.json)', { needs: 'like' }),
  readOnly: switchFlag('with --like: send only GET requests, so that nothing is created'),
  choice: listFlag('<gap=choice>', WORDS, 'answer to one gap (repeatable)', gapAndChoice),
  fault: listFlag(
    '<id[@trigger]>',
    WORDS,
    'violation to commit, always or under a trigger, such as results-ascending@later-pages (repeatable)',
    (text: string) => text,
  ),
  latency: valueFlag(
    '<ms|lower-upper|lognormal:median,sigma>',
    'delay before each answer, in milliseconds: fixed, or drawn anew each time',
    latency,
  ),
  rateLimit: valueFlag('<requests/seconds>', 'answer more requests with 429, for example 100/60', rateLimit),
  upstream: valueFlag(
    '<url>',
    'a real server for what the mock does not answer; unless you say otherwise, the mock answers what it knows',
    readText,
  ),
  forward: listFlag(
    '<endpoint|section>',
    WORDS,
    'endpoint or section that the upstream has; the mock answers all others (repeatable)',
    endpoint,
    ofUpstream,
  ),
  mock: listFlag(
    '<endpoint|section>',
    WORDS,
    'endpoint or section that the upstream does not have; it answers all others (repeatable)',
    endpoint,
    ofUpstream,
  ),
  fallback: switchFlag(
    'answer where the upstream lacks the route, cannot be reached or does not answer in time',
    ofUpstream,
  ),
  learn: switchFlag('copy what the upstream returns, so that the mock has it when the upstream is gone', ofUpstream),
  upstreamToken: {
    ...targetFlags.token,
    description: "token to send to the upstream in place of the client's; safer in the variable",
  },
  upstreamTimeout: valueFlag(
    '<ms>',
    'time limit of one answer of the upstream (default: 10000)',
    readNumber('a whole number of milliseconds', 1, 600_000, 10_000),
    ofUpstream,
  ),
  ca: { ...targetFlags.ca, description: `with --upstream or --like: ${targetFlags.ca.description}` },
  insecure: { ...targetFlags.insecure, description: `with --upstream or --like: ${targetFlags.insecure.description}` },
  validate: switchFlag('do not list mistakes of requests and answers in the header sl-violations', { isOn: true }),
  // AGENT_CONTRACT_TOKEN is the secret of a server that is judged; a mock shows its tokens.
  token: listFlag(
    '<[mode=]token>',
    /\s+/,
    'token to accept instead of the usual ones; mode is write, read or guest (repeatable)',
    tokenAndMode,
    { variable: 'AGENT_CONTRACT_TOKENS' },
  ),
  https: switchFlag('serve HTTPS, with a certificate made for this run unless you name one'),
  tlsCert: fileFlag('certificate to serve HTTPS with (PEM)', { needs: 'tlsKey' }),
  tlsKey: fileFlag('key of that certificate (PEM, without a passphrase)', { needs: 'tlsCert' }),
  writeCertificate: valueFlag(
    '<file>',
    'write the certificate made for this run to a file, for clients to trust',
    outputFile,
    { needs: 'https', excludes: 'tlsCert' },
  ),
  writeTarget: valueFlag('<file>', 'write a target file for "check"', outputFile),
  open: switchFlag('open the dashboard in the browser'),
} as const;

export type MockSettings = ValuesOf<typeof mockFlags>;

/** What no output shows. */
export function mockSecrets({ adminToken, like, likeToken, upstreamToken }: MockSettings): readonly Secret[] {
  const secrets: Secret[] = [];
  if (adminToken !== undefined) secrets.push({ value: adminToken, placeholder: '$ADMIN_TOKEN' });
  if (like !== undefined && likeToken !== undefined) secrets.push({ value: likeToken, placeholder: '$TOKEN' });
  if (upstreamToken !== undefined) secrets.push({ value: upstreamToken, placeholder: '$UPSTREAM_TOKEN' });
  return secrets;
}

/** Reads a value as the mock does; the mock's message says what it should be. */
function mockReads(read: (text: string) => string): (text: string) => string {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof MockError ? new BadValue(error.message) : error;
    }
  };
}

function outputFile(text: string, origin: ValueOrigin): string {
  const full = readPath(text, origin);
  checkWritable(full, origin.label);
  return full;
}

function instant(value: string): number {
  const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw new BadValue('this must be an instant such as 2026-05-20T15:30:00Z.');
  return ms;
}

function gapAndChoice(value: string): readonly [gap: string, choice: string] {
  const [gap = '', choice, ...more] = value.split('=');
  if (choice === undefined || more.length > 0) throw new BadValue('this must have the form gap=choice.');
  return [gap, choice];
}

function tokenAndMode(value: string): readonly [token: string, mode: Mode] {
  const mode = modes.find((known) => value.startsWith(`${known}=`));
  return [mode === undefined ? value : value.slice(mode.length + 1), mode ?? 'write'];
}

const DECIMAL = String.raw`(\d+(?:\.\d+)?)`;
const LATENCY = new RegExp(`^(?:${DECIMAL}|${DECIMAL}-${DECIMAL}|lognormal:${DECIMAL},${DECIMAL})$`);

function latency(text: string): Latency {
  const numbers =
    LATENCY.exec(text)
      ?.slice(1)
      .map((part: string | undefined) => part && Number(part)) ?? [];
  const [milliseconds, lower, upper, median, sigma] = numbers as readonly (number | undefined)[];
  if (milliseconds !== undefined) return { type: 'fixed', milliseconds };
  if (lower !== undefined && upper !== undefined) return { type: 'uniform', lower, upper };
  if (median !== undefined && sigma !== undefined) return { type: 'lognormal', median, sigma };
  throw new BadValue(
    'this must be a number of milliseconds (80), a range (50-200), or lognormal:median,sigma (lognormal:80,0.4).',
  );
}

function rateLimit(text: string): RateLimit {
  const [, requests, seconds] = new RegExp(String.raw`^(\d+)\/${DECIMAL}$`).exec(text) ?? [];
  if (requests === undefined || seconds === undefined)
    throw new BadValue('this must be a number of requests and a number of seconds, for example 100/60.');
  return { requests: Number(requests), seconds: Number(seconds) };
}
