import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunOptions } from '../../conformance/run-options.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { visible } from '../../text/visible.ts';
import type { Cli, Command } from '../command.ts';
import { codeOf, UsageError } from '../errors.ts';
import {
  BadValue,
  DECIMAL,
  flagName,
  flagsOf,
  givenFor,
  readFlags,
  readNumber,
  readPath,
  secretsOf,
  typedFlags,
  variableName,
} from '../flags.ts';
import type { Flag, Flags, Given, ValueOrigin, ValuesOf } from '../flags.ts';
import type { Io } from '../io.ts';

const milliseconds = readNumber('a whole number of milliseconds', 1, 86_400_000, 10_000);
const perSecond = readNumber('a number of requests per second', 0.01, 100_000, 5, DECIMAL);
const atOnce = readNumber('a whole number of requests at once', 1, 256, 4);

/** Flags for the target: where it is, what is known about it, and how to talk to it. */
export const targetFlags = flagsOf('target', {
  token: readToken,
  readToken,
  guestToken: readToken,
  timeout: milliseconds,
  maxTime: milliseconds,
  rps: perSecond,
  concurrency: atOnce,
  header: readHeader,
  ca: readCertificates,
});

/** Flags whose values only the user's own server may see. */
export const secretFlags: Flags = Object.fromEntries(
  Object.entries<Flag>(targetFlags).filter(([, { isSecret }]) => isSecret === true),
);

export const selectionFlags = flagsOf('selection', {
  maxRate: readNumber('a share', 0, 1, 0.05, DECIMAL),
  seed: readNumber('a whole number', 0, Number.MAX_SAFE_INTEGER, 42),
});

/** Who names the server: the user, a file that the user named, a report, or a file that was only found. */
type NamedBy = 'user' | 'named file' | 'report' | 'found file';

type Place = Awaited<ReturnType<typeof findTarget>>;

/** Sources of the base URL, besides the environment and the target file. */
interface UrlSources {
  readonly typed: string | undefined;
  readonly label: string;
  /** From a report: used only if there is no other. */
  readonly recorded?: string;
  /** What the message without any says. Default: how to name it to check. */
  readonly missing?: string;
}

/**
 * The target, and the flags of a table for it. Every command that reads a target file uses this function, so that one
 * rule decides which secret goes where.
 * @throws UsageError for a wrong value, or if a file asks for something that only the user may choose
 */
export async function readTarget<F extends Flags & typeof targetFlags>(
  { io, secrets }: Pick<Cli, 'io' | 'secrets'>,
  command: Command,
  flags: F,
  sources: UrlSources,
): Promise<{ readonly settings: ValuesOf<F>; readonly baseUrl: string }> {
  const { target } = readFlags({ target: targetFlags.target }, command, io);
  const place = await findTarget(io, target, sources);
  const { file, baseUrl } = place;
  const given = (key: string): Given | undefined => {
    const flag = (flags as Flags)[key];
    return flag && givenFor(key, flag, command, io, file);
  };
  keepSecrets(place, given);
  if (file?.isNamed === false) (await import('./target-file.ts')).refuseBeyondFolder(file, given);
  secrets.push(...secretsOf(secretFlags, readFlags(secretFlags, command, io, file)));
  return { settings: readFlags(flags, command, io, file), baseUrl };
}

async function findTarget(
  { env, cwd, stderr }: Io,
  named: string | undefined,
  { typed, label, recorded, missing }: UrlSources,
) {
  const isThere = named !== undefined || existsSync(path.join(cwd, 'agent-contract.json'));
  const file = isThere ? (await import('./target-file.ts')).readTargetFile(named, cwd) : undefined;
  const variable = variableName('baseUrl');
  const candidates: readonly (readonly [text: string | undefined, label: string, namedBy: NamedBy])[] = [
    [typed, label, 'user'],
    [env[variable]?.trim() || undefined, variable, 'user'],
    [named === undefined ? recorded : undefined, label, 'report'],
    [
      file?.values['baseUrl'] as string | undefined,
      `${file?.label} /baseUrl`,
      file?.isNamed ? 'named file' : 'found file',
    ],
  ];
  const [text, source = '', namedBy = 'user'] = candidates.find(([found]) => found !== undefined) ?? [];
  if (text === undefined)
    throw new UsageError(
      missing ??
        `No base URL was given. Name it (agent-contract check https://api.example.com), or set ${variable}, or baseUrl in a target file.`,
    );
  const baseUrl = readBaseUrl(text, source, stderr);
  const known = file?.values['baseUrl'];
  const isOwn = typeof known === 'string' && parseUrl(known)?.origin === new URL(baseUrl).origin;
  // A found file is used only for its own server.
  if (file?.isNamed !== false || isOwn) return { file, baseUrl, namedBy };
  stderr.write(
    `note: ${file.label} describes another server, so it is ignored. To use it anyway: --target ${file.label}.\n`,
  );
  return { file: undefined, baseUrl, namedBy };
}

/** Whether two base URLs mean the same server, and the same paths there. */
export function isSameServer(one: string, other: string): boolean {
  const [first, second] = [one, other].map((url) => parseUrl(url)?.href.replace(/\/+$/, ''));
  return first === second;
}

/** The secrets that a server may get, by who named it. Those in a file go to the server of that file. */
const MAY_GO: Readonly<Record<NamedBy, readonly Given['source'][]>> = {
  user: ['flag', 'variable', 'file'],
  'named file': ['flag', 'variable', 'file'],
  report: ['flag', 'file'],
  'found file': ['file'],
};

/** @throws UsageError if a secret would go to a server that the user did not name */
function keepSecrets({ file, baseUrl, namedBy }: Place, given: (key: string) => Given | undefined): void {
  const astray = Object.keys(secretFlags)
    .map(given)
    .find((one) => one !== undefined && !MAY_GO[namedBy].includes(one.source));
  if (astray === undefined) return;
  const url = visible(baseUrl);
  const { label } = astray.origin;
  throw new UsageError(
    namedBy === 'report'
      ? `Only the report names ${url}, and the run would send ${label} there. If that is right, use --base-url ${url}.`
      : `Only ${file?.label}, which was only found in the current folder, names ${url}, and the run would send ${label} there. If that is right, use --target ${file?.label}.`,
  );
}

/** A base URL in its final form. @throws UsageError with `label` if it is not one */
export function readBaseUrl(text: string, label: string, stderr: Io['stderr']): string {
  const wrong = (why: string): UsageError => new UsageError(`${label}${why}`);
  const shown = ` ${visible(JSON.stringify(text))}`;
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text)) {
    throw wrong(
      ': this contains a user name or a password, which would end up in logs. Remove it, and use --token or --header.',
    );
  }
  if (!/^https?:\/\//i.test(text)) {
    const guess = /^[\w.[\]:-]+(?:\/|$)/.test(text) ? ` Did you mean http://${visible(text)}?` : '';
    throw wrong(`${shown}: this must begin with http:// or https://.${guess}`);
  }
  if (!parseUrl(text)) throw wrong(`${shown}: this is not a URL. An example: https://api.example.com/base`);
  if (/[?#]/.test(text)) throw wrong(`${shown}: this must hold no ? and no #, since paths are appended to it.`);
  if (/\/api\/v1\/*$/.test(text)) {
    stderr.write('note: the base URL ends with /api/v1, but the documented paths already begin with it.\n');
  }
  return asUri(text);
}

function asUri(url: string): string {
  if (/^[\w.~:/[\]@!$&'()*+,;=-]*$/.test(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/%(?![\da-f]{2})/gi, '%25').replace(/[[\]|^`\\{}"<>]/g, encodeURIComponent)}`;
}

export const recordingFlags = typedFlags(flagsOf('recordings', {}));

/** The value of the flag. @throws UsageError */
export function baseUrlOf({ baseUrl }: ValuesOf<typeof recordingFlags>, { stderr }: Io): string | undefined {
  return baseUrl === undefined ? undefined : readBaseUrl(baseUrl, '--base-url', stderr);
}

export function targetOptions(settings: ValuesOf<typeof targetFlags>, baseUrl: string): RunOptions {
  const { token, workspaceId, agentId, publishedAgentId, v5AgentId, guestToken, readToken: reading } = settings;
  const { timeout: timeoutMs, maxTime: maxTimeMs, rps, concurrency, header, ca, insecure } = settings;
  const known = { token, workspaceId, agentId, publishedAgentId, v5AgentId, guestToken, readToken: reading };
  const headers = Object.fromEntries(header);
  return { baseUrl, ...known, timeoutMs, maxTimeMs, rps, concurrency, headers, ca, insecure };
}

function readToken(text: string): string {
  if (/^bearer\s/i.test(text)) throw new BadValue('give the token alone, without "Bearer" before it.');
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new BadValue('a token is not empty, and holds no blanks and only ASCII characters. Did you copy all of it?');
  }
  return text;
}

/** Headers that the runner sets itself, or that control the transfer of a message. */
const OWN_HEADERS =
  /^(?:content-type|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/i;

function readHeader(text: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/s.exec(text) ?? [];
  if (name === '' || value === '') throw new BadValue('this must have the form "Name: value".');
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new BadValue(`the value of ${name} holds characters that a header cannot hold.`);
  if (name.toLowerCase() === 'authorization') {
    throw new BadValue(
      `the runner sets ${name} itself, to valid and invalid values; give the token with ${flagName('token')}.`,
    );
  }
  if (OWN_HEADERS.test(name)) throw new BadValue(`the runner sets ${name} itself; leave it out.`);
  return [name, value];
}

function readCertificates(text: string, origin: ValueOrigin): string {
  let pem: string;
  try {
    pem = readFileSync(readPath(text, origin), 'utf8');
  } catch (error) {
    throw new BadValue(`this file cannot be read (${codeOf(error)}).`);
  }
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    throw new BadValue('this file holds no PEM certificate (-----BEGIN CERTIFICATE-----).');
  }
  return pem;
}
