import { similarTokens } from './asking/similar-tokens.ts';
import type { Exchange } from './history/exchange.ts';
import type { Transport } from './http/transport.ts';
import type { Secret } from './report/redact.ts';
import type { CheckReport } from './report/report.ts';
import type { TargetOptions } from './target-options.ts';
import { UsageError } from './usage-error.ts';

/** How far a run is. */
export interface Progress {
  readonly requests: number;
  /** The round, from 1. */
  readonly round: number;
}

export interface RunOptions extends TargetOptions {
  /** What the documented paths are appended to (they begin with /api/v1). */
  readonly baseUrl: string;
  /** Without one nothing can be judged. */
  readonly token?: string | undefined;
  /** Sends no POST, so that nothing is created on the target. */
  readonly readOnly?: boolean | undefined;
  /** Ids of checks, requirements or endpoints, or sections, with `*` as a wildcard: these alone. */
  readonly only?: readonly string[] | undefined;
  /** Likewise: all but these. */
  readonly skip?: readonly string[] | undefined;
  /** Takes null for a documented optional field for a failure, which it otherwise is not. */
  readonly strictNull?: boolean | undefined;
  /** Milliseconds that one exchange may take. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that the run may take; what is not judged by then is reported as such. Default: 300,000. */
  readonly maxTimeMs?: number | undefined;
  /** Requests per second. Default: as many as come. */
  readonly rps?: number | undefined;
  /** Checks under way at once. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Certificates (PEM) to trust. */
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
  /** Decimal; repeats the random choices of a run. Default: a random one. */
  readonly seed?: number | undefined;
  /** Looks, with some forty more requests, at what the specification leaves open. Default: yes, unless `only` is given. */
  readonly probes?: boolean | undefined;
  /** Asks all over again, so many times in all, each time drawing anew from the seed. Default: 1. */
  readonly repeat?: number | undefined;
  /** Goes on asking, each time drawing anew, until so many milliseconds are over. */
  readonly durationMs?: number | undefined;
  /** A secret of no worth, sent in a header of every request and kept out of the report. Default: a random one. */
  readonly canary?: string | undefined;
  /** The clock of the target, in epoch milliseconds. Default: what its answers say. */
  readonly now?: number | undefined;
  /** Waits. For tests. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined;
  /** In place of HTTP over the network. */
  readonly transport?: Transport | undefined;
  /** Called while requests are sent. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Sees every exchange once it is complete, with the body of its answer, as it went over the wire: it may hold a token. */
  readonly onExchange?: ((exchange: Exchange, body?: Uint8Array) => void) | undefined;
  /** Called at the end, for each check with its verdict. */
  readonly onCheck?: ((check: CheckReport) => void) | undefined;
  /** Stops the run; what was not judged by then is reported as such. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws UsageError for options that make no sense. */
export function validateOptions({ baseUrl, token, readToken, guestToken, headers, ...options }: RunOptions): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`The base URL must begin with http:// or https://; it is ${JSON.stringify(baseUrl)}.`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('The base URL must hold no user name or password.');
  if (url.search !== '' || url.hash !== '') throw new UsageError('The base URL must hold neither ? nor #.');
  for (const [name, value] of Object.entries({ token, readToken, guestToken, ...headers }))
    if (value !== undefined && !/^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/.test(value))
      throw new UsageError(`${name} is empty or holds characters that no HTTP header can hold.`);
  for (const name of ['timeoutMs', 'maxTimeMs', 'rps', 'concurrency', 'durationMs'] as const) {
    const value = options[name];
    if (value !== undefined && !(value > 0)) throw new UsageError(`${name} must be above 0; it is ${value}.`);
  }
  const { repeat } = options;
  if (repeat !== undefined && !(Number.isSafeInteger(repeat) && repeat > 0))
    throw new UsageError(`repeat must be a whole number above 0; it is ${repeat}.`);
  if (options.seed !== undefined && !Number.isSafeInteger(options.seed))
    throw new UsageError(`The seed must be a whole number; it is ${options.seed}.`);
}

/** What must be in no output. */
export function runSecrets({ token, readToken, guestToken, headers }: RunOptions): readonly Secret[] {
  const secrets: Secret[] = [];
  if (token !== undefined) secrets.push({ value: token, placeholder: '$TOKEN' }, ...similarTokens(token));
  if (readToken !== undefined) secrets.push({ value: readToken, placeholder: '$READ_TOKEN' });
  if (guestToken !== undefined) secrets.push({ value: guestToken, placeholder: '$GUEST_TOKEN' });
  for (const [name, value] of Object.entries(headers ?? {}))
    if (/auth|cookie|key|secret|token|password/i.test(name))
      secrets.push({ value, placeholder: `$${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}` });
  return secrets;
}
