import type { Latency, Mode, RateLimit } from '../../mock/index.ts';
import { readAdminToken, readHost, readOrigin } from '../../mock/access/gate.ts';
import { endpointsNamed } from '../../mock/upstream/options.ts';
import { selectionFlags, targetFlags } from '../check/target.ts';
import { checkWritable } from '../files/files.ts';
import { BadValue, flagsOf, readNameOrFile, readNumber, readPath, type ValueOrigin, type ValuesOf } from '../flags.ts';

const modes: readonly Mode[] = ['write', 'read', 'guest'];

/** The flags of a mock, wherever it is started. Each is also an environment variable. */
export const mockFlags = flagsOf('mock', {
  port: readNumber('a whole number', 0, 65_535, 4010),
  allowedHost: readHost,
  cors: readOrigin,
  adminToken: readAdminToken,
  seed: selectionFlags.seed.read,
  seedFile: readPath,
  state: readPath,
  now: instant,
  profile: readNameOrFile,
  likeFile: readPath,
  choice: gapAndChoice,
  fault: String,
  latency,
  rateLimit,
  forward: endpoint,
  mock: endpoint,
  upstreamToken: targetFlags.token.read,
  upstreamTimeout: readNumber('a whole number of milliseconds', 1, 600_000, 10_000),
  ca: targetFlags.ca.read,
  token: tokenAndMode,
  writeCertificate: outputFile,
  writeTarget: outputFile,
});

export type MockSettings = ValuesOf<typeof mockFlags>;

function endpoint(text: string): string {
  endpointsNamed([text], '');
  return text;
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
