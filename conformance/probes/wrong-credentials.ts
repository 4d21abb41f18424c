import { endpointIds, endpoints, isCreating, type EndpointId } from '../../spec/index.ts';
import { present } from '../collections.ts';
import type { Exchange } from '../http/exchange.ts';
import type { CredentialFlaw } from '../history/facts/credentials.ts';
import type { CallParameters, QueryPair } from './api/request.ts';
import odd from './odd-credentials.json';
import type { Run } from './probe.ts';
import { MOST_SIMILAR, similarTokens } from './similar-tokens.ts';

type Sent = 'authorization' | 'headers' | 'path' | 'isOdd' | 'method' | 'form';

export interface WrongCredentials extends Pick<CallParameters, Sent> {
  readonly query?: readonly QueryPair[];
  readonly members?: Readonly<Record<string, string>>;
  /** Whether it is left out where the run needs its requests for other things. */
  readonly isExtra?: boolean;
  /** Ends a sentence that begins with "the request". */
  readonly differs: string;
  /** Each thing that it combines, alone: sent if the target lets it in, to see which of them is the way. */
  readonly parts?: readonly WrongCredentials[];
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

const bearer = (value: string, differs: string): WrongCredentials => ({ authorization: `Bearer ${value}`, differs });

const asExtra = (one: WrongCredentials): WrongCredentials => ({ ...one, isOdd: true, isExtra: true });

const without = (differs: string, more: Partial<WrongCredentials> = {}): WrongCredentials => ({
  ...more,
  authorization: null,
  differs,
});

const NO_HEADER = 'without the Authorization header';
export const WITHOUT = without(NO_HEADER);

/** Headers with which a proxy or the server itself says who calls, from where, and for what. */
const trusted = ({ endpoint, agentId = '' }: Request): Readonly<Record<string, string>> => {
  const { method, path } = endpoints[endpoint];
  const at = path.replace('{agentId}', () => encodeURIComponent(agentId));
  return {
    ...odd.trusted,
    'x-original-url': at,
    'x-rewrite-url': at,
    'x-http-method-override': method,
    'x-method-override': method,
  };
};

/** What a browser says that opens an address once more, with the ETag of what it saw. */
const asBrowser = ({ run, endpoint, agentId }: Request): Readonly<Record<string, string>> => ({
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'if-none-match': run.facts.credentials.accepted(endpoint, agentId)?.headers?.['etag'] ?? '"agent-contract"',
  'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
});

/** A request without Authorization, and all that may make a server skip the question; taken apart if let in. */
function withEverything(request: Request): WrongCredentials {
  const headers = { ...trusted(request), ...asBrowser(request) };
  // A list may refuse unknown parameters.
  const query = endpoints[request.endpoint].does === 'lists' ? [] : Object.entries(odd.parameters);
  const parts = [
    ...Object.entries(headers).map(([name, value]) =>
      without(`${NO_HEADER}, and with ${name}`, { headers: { [name]: value } }),
    ),
    ...query.map((pair) => without(`${NO_HEADER}, and with ${pair.join('=')} in the query`, { query: [pair] })),
  ];
  const differs = `${NO_HEADER}, and as if a trusted proxy or a browser had sent it`;
  return without(differs, { headers, query, parts, isOdd: true });
}

/** A letter of a path as `%61`, which means the same. Only the last segment that the specification names changes. */
const ENCODED = without(`${NO_HEADER}, and with a percent-encoded letter in the path`, {
  path: (path) => path.replace(/[a-z](?=gents|orkspaces)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  isOdd: true,
});

/** The version of old proxies, for which a server may have a way of its own. */
const OLD_VERSION = without(`${NO_HEADER}, and over HTTP/1.0`, { form: { version: '1.0' }, isOdd: true });

/** A method that asks about a resource, and shows none. */
const asMethod = (method: string): WrongCredentials =>
  without(`${NO_HEADER}, as ${method}`, { method, isOdd: true, isExtra: true });

/** Members that some programs believe. */
const WITH_MORE = without(`${NO_HEADER}, and with admin and role in the body`, {
  members: { admin: 'true', role: 'admin' },
  isOdd: true,
  isExtra: true,
});

/** So many of the items, another share at each endpoint, so that a round meets all of them. */
function shareOf<T>(items: readonly T[], { run, endpoint }: Request, size: number, label: string): readonly T[] {
  const first = endpointIds.indexOf(endpoint) * size + run.draw(label, items.length);
  return Array.from({ length: size }, (_, i) => items[(first + i) % items.length] as T);
}

/** Credentials from templates, in which MADE is a token that was never issued, and TOKEN the right one. */
function written(templates: Readonly<Record<string, string>>, run: Run): readonly WrongCredentials[] {
  return Object.entries(templates).map(([differs, template]) => ({
    authorization: template
      .replaceAll('MADE', `agent-contract-unknown-${run.tag}`)
      .replaceAll('TOKEN', () => run.token())
      .replace(/BASE64\((.*)\)$/, (_, text: string) => Buffer.from(text).toString('base64')),
    differs,
  }));
}

/** What is wrong in each way. Every round meets all of it; the seed decides where. */
export const WRONG: Readonly<Record<CredentialFlaw, (request: Request) => Ways>> = {
  'no-authorization': (request) => ({
    always: [WITHOUT],
    once: [
      withEverything(request),
      ENCODED,
      OLD_VERSION,
      asMethod(odd.methods[endpoints[request.endpoint].method]),
      ...(isCreating(request.endpoint) ? [WITH_MORE] : []),
      // A server may take these for the documented path after it asked who calls.
      ...shareOf(Object.entries(odd.paths), request, 1, 'forms of paths').map(([form, [part = '', other = '']]) => {
        const path = (documented: string): string => documented.replace(new RegExp(part), other);
        return without(`${NO_HEADER}, and with ${form}`, { path, isOdd: true, isExtra: true });
      }),
    ],
  }),
  'other-scheme': (request) => ({ spread: shareOf(written(odd.schemes, request.run), request, 3, 'schemes') }),
  'empty-token': () => ({ always: [bearer('', 'with an empty token')] }),
  'unknown-token'(request) {
    const [made, ...others] = written(odd.unknown, request.run);
    return {
      spread: present(made, ...shareOf(others, request, 2, 'unknown tokens')),
      once: shareOf(written(odd.authorizations, request.run), request, 2, 'odd tokens').map(asExtra),
    };
  },
  'similar-token'(request) {
    const { run } = request;
    const similar = similarTokens(run.token()).map(({ value, differs }) => bearer(value, differs));
    const [middle, ...rest] = similar as [WrongCredentials, ...WrongCredentials[]];
    const places = [middle, similar[MOST_SIMILAR] ?? middle];
    const [changed = middle] = shareOf(places, request, 1, 'places in the token');
    const extra = bearer(`${run.token()} extra`, 'with another word after the token');
    const others = [extra, places.find((one) => one !== changed) ?? extra];
    // Always as many, so that a report says nothing about the token.
    return {
      spread: Array.from({ length: MOST_SIMILAR }, (_, i) => [changed, ...rest][i % similar.length] ?? changed),
      once: shareOf(others, request, 1, 'odd similar tokens').map(asExtra),
    };
  },
  'token-elsewhere': ({ run, endpoint }) => tokenElsewhere(run, endpoint),
};

function tokenElsewhere(run: Run, endpoint: EndpointId): Ways {
  const token = run.token();
  const cookies = [run.facts.credentials.cookie, ...odd.names.cookies.map((name) => `${name}=${token}`)];
  const headers = Object.fromEntries([
    ...odd.names.headers.map((name) => [name, token]),
    ...odd.names.schemed.map((name) => [name, `Bearer ${token}`]),
  ]) as Record<string, string>;
  const cookie = cookies.filter((one) => one !== undefined).join('; ');
  const query = odd.names.query.map((name) => [name, token] as const);
  const inQuery = without('with the token only in the query', {
    query,
    parts: query.map((pair) => without(`with the token only in the query, as ${pair[0]}`, { query: [pair] })),
  });
  const inHeaders = without('with the token only in other headers', {
    headers: { ...headers, cookie },
    parts: [
      without('with the token only in a cookie', { headers: { cookie } }),
      ...Object.entries(headers).map(([name, value]) =>
        without(`with the token only in the header ${name}`, { headers: { [name]: value } }),
      ),
    ],
  });
  // A list may refuse unknown parameters from anyone, so headers are tried apart from the query.
  if (endpoints[endpoint].does === 'lists') return { always: [inQuery, inHeaders] };
  const parts = [inQuery, inHeaders].flatMap((one) => one.parts ?? []);
  const everywhere = without('with the token only in the query and in other headers', { ...inHeaders, query, parts });
  if (!isCreating(endpoint)) return { always: [everywhere] };
  const members = Object.fromEntries(odd.names.members.map((name) => [name, token]));
  return { always: [everywhere], once: [without('with the token only in the body', { members })] };
}
