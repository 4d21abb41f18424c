import { endpointIds, type EndpointId } from '../../../spec/index.ts';
import { valueFor } from '../../collections.ts';
import { isWithoutAccess, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { PERMISSION, UNAUTHORIZED } from '../../http/statuses.ts';
import { readSelection } from './selection.ts';

/** Statuses that ask for patience. The server limits requests, or is not ready. */
const NOT_NOW: ReadonlySet<number> = new Set([408, 409, 423, 425, 429, 503]);

/** No accident: what is not implemented is refused. It counts as a failure beside that, where the request has a shown format. */
const NOT_IMPLEMENTED = 501;

/**
 * The word for a status (section 7 shows none); `undefined` stands for no complete answer. `not-now`: may be served later.
 * `not-allowed`: a permission may explain it.
 */
export function wordOf(status: number | undefined) {
  if (status === undefined) return 'failed';
  if (status >= 200 && status < 300) return 'served';
  if (NOT_NOW.has(status)) return 'not-now';
  if (status > 499 && status !== NOT_IMPLEMENTED) return 'failed';
  return PERMISSION.has(status) ? 'not-allowed' : 'refused';
}

/** Whether an exchange of a caller with access shows nothing of the request: only the theory of failure judges it. */
export function isUnserved({ caller, answer, method }: Exchange): boolean {
  const word = wordOf(answer?.status);
  // A creation may conflict with another, which shows something about its names.
  const isConflict = answer?.status === 409 && method === 'POST';
  return !isWithoutAccess(caller) && (word === 'failed' || (word === 'not-now' && !isConflict));
}

/** A request counts as always failing from this many times on: once, and twice again. */
export const ALWAYS = 3;
const MAX_FAILED = 200;

interface Kept {
  readonly endpoint: EndpointId;
  readonly excerpt: Excerpt;
  readonly times: number[];
  /** When it was sent last, and when another was served, which was sent after it had failed first. */
  last: number;
  servedSince?: number;
  recovered: boolean;
}

/** `served` are the `n` of the served requests of an endpoint, and `last` is the last of them. */
const none = () => ({ answers: 0, notNow: 0, served: [] as number[], last: undefined as Excerpt | undefined });

export function createFailures() {
  const failed = new Map<string, Kept>();
  const accounts = new Map<EndpointId, ReturnType<typeof none>>();
  const accountOf = (endpoint: EndpointId) => valueFor(accounts, endpoint, none);
  let isAnyServed = false;
  /** Requests with the right token that were refused (401), and not answered otherwise since. */
  const refused = new Map<string, Pick<Exchange, 'n' | 'excerpt'>>();
  let strays = 0;

  /** A refusal of the right token decides nothing if the same request is answered otherwise when it is sent again. */
  function seeRepeated({ endpoint, n, excerpt, answer }: Exchange): void {
    const isRefused = answer?.status === UNAUTHORIZED;
    if (!answer || (!isRefused && refused.size === 0)) return;
    const key = keyOf(excerpt);
    const before = refused.get(key);
    if (isRefused) {
      if (refused.size < MAX_FAILED) refused.set(key, { n, excerpt });
      return;
    }
    refused.delete(key);
    if (!before || failed.size >= MAX_FAILED) return;
    strays++;
    failed.set(`stray ${before.n}`, { ...before, endpoint, times: [before.n], last: n, recovered: true });
  }

  /**
   * What failed, failed again after others were served meanwhile, so that there was no outage of all: or the server never serves
   * anything, and yet answers. Of a lost request, the run knows by then that others are answered.
   */
  function failsBesideOthers(all: readonly Kept[], { status }: Excerpt): boolean {
    if (!isAnyServed) return status !== undefined;
    const since = Math.min(...all.map(({ servedSince = Infinity }) => servedSince));
    return since < (status === undefined ? Infinity : Math.max(...all.map(({ last }) => last)));
  }

  return {
    see(exchange: Exchange): void {
      const { endpoint, caller, open, excerpt, n, begun, answer } = exchange;
      if (isWithoutAccess(caller) || open || excerpt.isTooLarge) return;
      seeRepeated(exchange);
      const account = accountOf(endpoint);
      const word = hasFailed(exchange) ? 'failed' : wordOf(answer?.status);
      if (word === 'not-now') account.notNow++;
      else account.answers++;
      const key = word === 'failed' || failed.size > 0 ? keyOf(excerpt) : '';
      const known = failed.get(key);
      if (word !== 'failed') {
        if (known && word !== 'not-now') known.recovered = true;
        if (word !== 'served') return;
        isAnyServed = true;
        for (const one of failed.values()) if (begun > (one.times[0] ?? 0)) one.servedSince ??= n;
        account.last = excerpt;
        if (account.served.length < 2_000) account.served.push(n);
      } else if (known) {
        known.times.push(n);
        known.last = begun;
      } else if (failed.size < MAX_FAILED)
        failed.set(key, { endpoint, excerpt, times: [n], last: begun, recovered: false });
    },
    /** Requests that failed each time, the shortest first, before and after others were served. */
    always(endpoint: EndpointId) {
      const { last, served } = accountOf(endpoint);
      const all = [...failed.values()]
        .filter((one) => one.endpoint === endpoint && !one.recovered)
        .toSorted((one, other) => sizeOf(one) - sizeOf(other));
      const found = ({ excerpt }: Kept, times: readonly number[]) => ({ endpoint, excerpt, times, sibling: last });
      const often = all.filter((one) => one.times.length >= ALWAYS && failsBesideOthers([one], one.excerpt));
      const [first] = all;
      const times = all.flatMap((one) => one.times);
      // Of an endpoint that serves nothing, different requests are as good as one.
      if (first && often.length === 0 && served.length === 0 && times.length >= ALWAYS)
        return failsBesideOthers(all, first.excerpt) ? [found(first, times)] : [];
      return often.map((one) => found(one, one.times));
    },
    /** Of each endpoint, answers that failed, and were right when the same request was sent again. */
    sometimes: () =>
      endpointIds.flatMap((endpoint) => {
        const all = [...failed.values()].filter((one) => one.endpoint === endpoint && one.recovered);
        const [first] = all;
        if (!first) return [];
        const { length } = all.flatMap(({ times }) => times);
        return [{ endpoint, failed: length, of: accountOf(endpoint).answers, excerpt: first.excerpt }];
      }),
    of: accountOf,
    /** How often the right token was refused by accident. */
    strays: () => strays,
  };
}

const sizeOf = ({ excerpt: { request } }: Pick<Kept, 'excerpt'>): number =>
  request.url.length + (request.body?.length ?? 0);

const NAMES = /("(?:name|slug|publicId)":"[^"\\]*)[^"\\]"/g;

/** A creation that is sent again has other names, since it may have had an effect although it failed. */
export const renamed = (body: string, attempt: number | string): string => body.replace(NAMES, `$1${attempt}"`);

/** The same for a request and what repeats it. */
export const keyOf = ({ request: { method, url, body = '', headers, form } }: Excerpt): string =>
  [method, url, headers['authorization'], JSON.stringify(form), renamed(body, '')].join('\n');

/** Whether an exchange failed, so that the same request shows whether it always does. */
export function hasFailed({ answer, excerpt, query }: Exchange): boolean {
  const isMissing = answer?.status === NOT_IMPLEMENTED && readSelection(query).isDocumented;
  return excerpt.isTooLarge !== true && (isMissing || wordOf(answer?.status) === 'failed');
}
