import { endpointIds, endpoints } from '../../spec/index.ts';
import { mapValues } from '../collections.ts';
import type { Exchange } from '../http/exchange.ts';
import type { CredentialFlaw } from '../history/facts/credentials.ts';
import type { CallParameters, QueryPair } from './api/request.ts';
import odd from './odd-credentials.json';
import type { Run } from './probe.ts';
import { MOST_SIMILAR, similarTokens } from '../http/similar-tokens.ts';

type Texts = Readonly<Record<string, string>>;
type Sent = 'authorization' | 'headers' | 'path' | 'isOdd' | 'method' | 'form';

export interface WrongCredentials extends Pick<CallParameters, Sent> {
  readonly query?: readonly QueryPair[] | undefined;
  readonly members?: Texts | undefined;
  /** Whether it is left out where the run needs its requests for other things. */
  readonly isExtra?: boolean | undefined;
  /** Ends a sentence that begins with "the request". */
  readonly differs: string;
  /** Each thing that it combines, alone: sent if the target lets it in, to see which of them is the way. */
  readonly parts?: readonly WrongCredentials[] | undefined;
}

export interface Ways {
  /** All sent in each way in which the endpoint is used. */
  readonly always?: readonly WrongCredentials[];
  /** Each sent at least once, and one of them in each way in which the endpoint is used. */
  readonly spread?: readonly WrongCredentials[];
  /** Each sent once. */
  readonly once?: readonly WrongCredentials[];
}

type Request = Pick<Exchange, 'endpoint' | 'agentId'> & { readonly run: Run };

/** What a row of `odd-credentials.json` sends in place of the right token. Words in capitals stand for what `VALUES` has. */
interface Row extends Pick<WrongCredentials, 'differs' | 'isExtra' | 'isOdd' | 'method'> {
  /** Where it goes, by what endpoints do. Default: everywhere. */
  readonly at?: readonly string[];
  /** Default: no such header. */
  readonly authorization?: string;
  readonly headers?: Texts;
  readonly query?: Texts;
  /** A query that lists may refuse for its unknown parameters, so that it does not go to them. */
  readonly parameters?: Texts;
  /** How it differs with one of these headers, or pairs of the query, alone. */
  readonly each?: Texts;
  readonly members?: Texts;
  /** Parts of the path, and what stands in their place. */
  readonly path?: readonly (readonly string[])[];
  readonly form?: object;
}

/** So many of these rows go to each endpoint, another share at each, so that a round meets all of them. */
type Share = Readonly<{ share: number; label: string; of: readonly Row[] }>;

type Rows = Readonly<Partial<Record<keyof Ways, readonly (Row | Share)[]>>>;

export const WITHOUT: WrongCredentials = { authorization: null, differs: 'without the Authorization header' };

const VALUES: Readonly<Partial<Record<string, (request: Request) => string>>> = {
  TOKEN: ({ run }) => run.token(),
  // Never issued.
  MADE: ({ run }) => `agent-contract-unknown-${run.tag}`,
  PATH: ({ endpoint, agentId = '' }) =>
    endpoints[endpoint].path.replace('{agentId}', () => encodeURIComponent(agentId)),
  METHOD: ({ endpoint }) => endpoints[endpoint].method,
  ETAG: ({ run, endpoint, agentId }) =>
    run.facts.credentials.accepted(endpoint, agentId)?.headers?.['etag'] ?? '"agent-contract"',
  COOKIE: ({ run }) => run.facts.credentials.cookie ?? '',
};

function filled(text: string, request: Request): string {
  return text
    .replaceAll(/\b[A-Z]+\b/g, (word) => VALUES[word]?.(request) ?? word)
    .replace(/^; /, '')
    .replace(/BASE64\((.*)\)$/, (_, inner: string) => Buffer.from(inner).toString('base64'));
}

function wrongOf(row: Row, request: Request): WrongCredentials {
  const { at: _, each = {}, parameters, ...rest } = row;
  const { authorization, headers, query, members, path } = rest;
  const isOfList = endpoints[request.endpoint].does === 'lists';
  const filledIn = (texts: Texts): Texts => mapValues(texts, (text) => filled(text, request));
  const sent = headers && filledIn(headers);
  const pairs = Object.entries(filledIn({ ...query, ...(!isOfList && parameters) }));
  const alone = (kind: string, name: string, value: string): string =>
    (each[name] ?? each[kind] ?? '').replace('NAME', name).replace('VALUE', value);
  return {
    ...rest,
    authorization: authorization === undefined ? null : filled(authorization, request),
    headers: sent,
    query: pairs,
    members: members && filledIn(members),
    path:
      path && ((usual) => path.reduce((left, [part = '', other = '']) => left.replace(new RegExp(part), other), usual)),
    parts: [
      ...pairs.map((pair) => ({ ...WITHOUT, query: [pair], differs: alone('query', ...pair) })),
      ...Object.entries(sent ?? {}).map(([name, value]) => ({
        ...WITHOUT,
        headers: { [name]: value },
        differs: alone('header', name, value),
      })),
    ],
  };
}

function shareOf<T>(items: readonly T[], { run, endpoint }: Request, size: number, label: string): readonly T[] {
  const first = endpointIds.indexOf(endpoint) * size + run.draw(label, items.length);
  return Array.from({ length: size }, (_, i) => items[(first + i) % items.length] as T);
}

const wrongIn = (rows: readonly (Row | Share)[], request: Request): readonly WrongCredentials[] =>
  rows
    .flatMap((row) => ('of' in row ? shareOf(row.of, request, row.share, row.label) : row))
    .filter(({ at }) => at?.includes(endpoints[request.endpoint].does) !== false)
    .map((row) => wrongOf(row, request));

/** What is wrong in one way. Every round meets all of it; the seed decides where. */
export function waysOf(flaw: CredentialFlaw, request: Request): Ways {
  if (flaw === 'similar-token') return similarWays(request);
  const rows: Rows = odd[flaw];
  return mapValues(rows, (some) => wrongIn(some ?? [], request));
}

function similarWays(request: Request): Ways {
  const token = request.run.token();
  const similar = similarTokens(token).map(({ value, differs }) => ({ authorization: `Bearer ${value}`, differs }));
  const [middle, ...rest] = similar as [WrongCredentials, ...WrongCredentials[]];
  const places = [middle, similar[MOST_SIMILAR] ?? middle];
  const [changed = middle] = shareOf(places, request, 1, 'places in the token');
  const extra = { authorization: `Bearer ${token} extra`, differs: 'with another word after the token' };
  const others = [extra, places.find((one) => one !== changed) ?? extra];
  // Always as many, so that a report says nothing about the token.
  return {
    spread: Array.from({ length: MOST_SIMILAR }, (_, i) => [changed, ...rest][i % similar.length] ?? changed),
    once: shareOf(others, request, 1, 'odd similar tokens').map((one) => ({ ...one, isOdd: true, isExtra: true })),
  };
}
