import type { EndpointId, LevelId } from '../spec/index.ts';
import { similarTokens } from './http/similar-tokens.ts';
import type { Exchange } from './http/exchange.ts';
import type { Transport } from '../http/exchange.ts';
import type { Secret } from '../text/curl.ts';
import type { CheckReport, Report } from './generated/report.ts';
import type { TargetOptions } from './target-options.ts';
import { isSecretName, placeholderFor } from '../text/secret-names.ts';
import { UsageError } from './usage-error.ts';
import { parseUrl } from '../text/parse-url.ts';

/** The progress of a run. */
export interface Progress {
  readonly requests: number;
  /** About how many a round sends, if that can be said. */
  readonly about: number | undefined;
  /** Where the latest answer came from. */
  readonly endpoint: EndpointId;
  /** The number of checks that something speaks against. */
  readonly failing: number;
  /** The round, from 1. */
  readonly round: number;
}

export interface RunOptions extends TargetOptions {
  /** The URL before the documented paths, which begin with /api/v1. */
  readonly baseUrl: string;
  /** What is judged, for the report. */
  readonly product?: NonNullable<Report['target']['product']> | undefined;
  /** A run judges nothing without a token. */
  readonly token?: string | undefined;
  /** Sends no POST requests, so that the run creates nothing on the target. */
  readonly readOnly?: boolean | undefined;
  /** Runs only these: ids of checks, requirements or endpoints, or sections, with `*` as a wildcard. */
  readonly only?: readonly string[] | undefined;
  /** Runs only the checks of these levels, which the server claims to hold. */
  readonly levels?: readonly LevelId[] | undefined;
  /** Runs all checks except these, named in the same way. */
  readonly skip?: readonly string[] | undefined;
  /** Fails null in a documented optional field, and what was sent often and shown by no answer; otherwise permitted. */
  readonly strict?: boolean | undefined;
  /** The share of an endpoint's answers that may fail and be right when repeated, from 0 to 1. Default: any. */
  readonly maxRate?: number | undefined;
  /** Milliseconds for one exchange. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for the run. What it cannot judge by then is not judged. Default: 300,000. */
  readonly maxTimeMs?: number | undefined;
  /** Most requests per second. Default: no limit. */
  readonly rps?: number | undefined;
  /** Most requests in flight. Default: 10. */
  readonly concurrency?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Certificates (PEM) to trust. */
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
  /** A whole number; repeats the random choices of a run. Default: a random one. */
  readonly seed?: number | undefined;
  /** Observes, with about forty more requests, what the specification leaves open. Default: yes, unless `only` is given. */
  readonly observe?: boolean | undefined;
  /** The number of rounds. Each round draws its requests anew from the seed. Default: 1. */
  readonly repeat?: number | undefined;
  /** Adds rounds until this many milliseconds have passed. */
  readonly durationMs?: number | undefined;
  /** A worthless secret, sent in a header of every request and kept out of the report. Default: a random one. */
  readonly canary?: string | undefined;
  /** The time at the target, in epoch milliseconds. Default: what its answers say. */
  readonly now?: number | undefined;
  /** Waits. For tests. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined;
  /** Used instead of HTTP over the network. */
  readonly transport?: Transport | undefined;
  /** Called at each answer. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with every complete exchange and the body of its answer, as they went over the wire. Both may hold a token. */
  readonly onExchange?: ((exchange: Exchange, body?: Uint8Array) => void) | undefined;
  /** Called at the end for each check, with its verdict. */
  readonly onCheck?: ((check: CheckReport) => void) | undefined;
  /** Stops the run. Checks that are not judged by then are reported as not judged. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws UsageError for invalid options. */
export function validateOptions({ baseUrl, token, readToken, guestToken, headers, ...options }: RunOptions): void {
  const url = parseUrl(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`The base URL must begin with http:// or https://; it is ${JSON.stringify(baseUrl)}.`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('The base URL must hold no user name or password.');
  if (url.search !== '' || url.hash !== '') throw new UsageError('The base URL must hold no ? and no #.');
  for (const [name, value] of Object.entries({ token, readToken, guestToken, ...headers }))
    if (value !== undefined && !/^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/.test(value))
      throw new UsageError(`${name} is empty, or holds characters that an HTTP header cannot hold.`);
  for (const name of ['timeoutMs', 'maxTimeMs', 'rps', 'concurrency', 'durationMs'] as const) {
    const value = options[name];
    if (value !== undefined && !(value > 0)) throw new UsageError(`${name} must be above 0; it is ${value}.`);
  }
  const { repeat, maxRate } = options;
  if (maxRate !== undefined && !(maxRate >= 0 && maxRate <= 1))
    throw new UsageError(`maxRate must be from 0 to 1; it is ${maxRate}.`);
  if (repeat !== undefined && !(Number.isSafeInteger(repeat) && repeat > 0))
    throw new UsageError(`repeat must be a whole number above 0; it is ${repeat}.`);
  if (options.seed !== undefined && !Number.isSafeInteger(options.seed))
    throw new UsageError(`The seed must be a whole number; it is ${options.seed}.`);
}

/** Secrets that no output may show. */
export function runSecrets({ token, readToken, guestToken, headers }: RunOptions): readonly Secret[] {
  const secrets: Secret[] = [];
  if (token !== undefined) secrets.push({ value: token, placeholder: '$TOKEN' }, ...similarTokens(token));
  if (readToken !== undefined) secrets.push({ value: readToken, placeholder: '$READ_TOKEN' });
  if (guestToken !== undefined) secrets.push({ value: guestToken, placeholder: '$GUEST_TOKEN' });
  for (const [name, value] of Object.entries(headers ?? {}))
    if (isSecretName(name)) secrets.push({ value, placeholder: placeholderFor(name) });
  return secrets;
}

/** The same for a recording, in which tokens that resemble the right one must still resemble it. */
export function recordedSecrets(options: RunOptions): readonly Secret[] {
  return runSecrets(options).map(({ value, placeholder = '$TOKEN' }) => ({
    value,
    placeholder: /^\$\w+$/.test(placeholder) ? placeholder : '$TOKENx',
  }));
}
