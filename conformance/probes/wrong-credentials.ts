import { endpointIds, endpoints, isCreating, type EndpointId } from '../../spec/index.ts';
import type { CredentialFlaw } from '../history/facts/credentials.ts';
import type { CallParameters, QueryPair } from './api/request.ts';
import odd from './odd-credentials.json';
import type { Run } from './probe.ts';
import { MOST_SIMILAR, similarTokens } from './similar-tokens.ts';

type Sent = 'authorization' | 'headers' | 'path' | 'isOdd' | 'method';

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

interface Request {
  readonly run: Run;
  readonly endpoint: EndpointId;
  readonly agentId: string | undefined;
}

function bearer(value: string, differs: string): WrongCredentials {
  return { authorization: `Bearer ${value}`, differs };
}

/** A request without the Authorization header. */
const without = (differs: string, more: Partial<WrongCredentials> = {}): WrongCredentials => ({
  ...more,
  authorization: null,
  differs,
});

const NO_HEADER = 'without the Authorization header';

const QUERY = ['access_token', 'token', 'api_key', 'apikey', 'auth', 'jwt'] as const;
const COOKIES = ['access_token', 'token', 'session', 'jwt'] as const;
const MEMBERS = ['access_token', 'token'] as const;
const HEADERS = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'x-token', 'token'] as const;
const SCHEMED = ['proxy-authorization', 'x-authorization', 'x-forwarded-authorization', 'authentication'] as const;

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

/** Parameters with which programs are asked to say more. A list may refuse unknown ones. */
const MORE = [
  ['debug', 'true'],
  ['admin', 'true'],
] as const;

/** A request without Authorization, and all that may make a server skip the question; taken apart if let in. */
function withEverything(request: Request): WrongCredentials {
  const headers = { ...trusted(request), ...asBrowser(request) };
  const query = endpoints[request.endpoint].does === 'lists' ? [] : MORE;
  const parts = [
    ...Object.entries(headers).map(([name, value]) =>
      without(`${NO_HEADER}, and with ${name}`, { headers: { [name]: value } }),
    ),
    ...query.map((pair) => without(`${NO_HEADER}, and with ${pair.join('=')} in the query`, { query: [pair] })),
  ];
  const differs = `${NO_HEADER}, and as if a trusted proxy or a browser had sent it`;
  return without(differs, { headers, query, parts, isOdd: true });
}

/** Methods that ask about a resource, and show none. */
const METHODS: Readonly<Record<string, readonly string[]>> = { GET: ['HEAD', 'OPTIONS'], POST: ['OPTIONS'] };

/** A letter of a path as `%61`, which means the same. Only the last segment that the specification names changes. */
const ENCODED = without(`${NO_HEADER}, and with a percent-encoded letter in the path`, {
  path: (path) => path.replace(/[a-z](?=gents|orkspaces)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  isOdd: true,
});

/** Members that some programs believe. */
const WITH_MORE = without(`${NO_HEADER}, and with admin and role in the body`, {
  members: { admin: 'true', role: 'admin' },
  isOdd: true,
  isExtra: true,
});

/** Other forms of a path, which a server may take for the documented one after it asked who calls: what is replaced, and by what. */
const PATHS = Object.entries(odd.paths);

/** Values that some programs take for any token, or for none. */
const ODD = Object.entries(odd.authorizations);

/** So many of the items, another share at each endpoint, so that a round meets all of them. */
function shareOf<T>(items: readonly T[], { run, endpoint }: Request, size: number, label: string): readonly T[] {
  const first = endpointIds.indexOf(endpoint) * size + run.draw(label, items.length);
  return Array.from({ length: size }, (_, i) => items[(first + i) % items.length] as T);
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

/** What is wrong in each way. Every round meets all of it; the seed decides where. */
export const WRONG: Readonly<Record<CredentialFlaw, (request: Request) => Ways>> = {
  'no-authorization': (request) => ({
    always: [without(NO_HEADER)],
    once: [
      withEverything(request),
      ...(METHODS[endpoints[request.endpoint].method] ?? []).map((method) =>
        without(`${NO_HEADER}, as ${method}`, { method, isOdd: true, isExtra: true }),
      ),
      ENCODED,
      ...(isCreating(request.endpoint) ? [WITH_MORE] : []),
      ...shareOf(PATHS, request, 1, 'forms of paths').map(([form, [part = '', other = '']]) => {
        const path = (documented: string): string => documented.replace(new RegExp(part), other);
        return without(`${NO_HEADER}, and with ${form}`, { path, isOdd: true, isExtra: true });
      }),
    ],
  }),
  'other-scheme'(request) {
    const token = request.run.token();
    const all = [
      { authorization: `Basic ${token}`, differs: 'with the token under the scheme Basic' },
      { authorization: `Token ${token}`, differs: 'with the token under the scheme Token' },
      { authorization: token, differs: 'with only the token, without a scheme' },
      { authorization: basic(`${token}:`), differs: 'with the token as the user name of the scheme Basic' },
      { authorization: basic(`:${token}`), differs: 'with the token as the password of the scheme Basic' },
    ];
    return { spread: shareOf(all, request, 3, 'schemes') };
  },
  'empty-token': () => ({ always: [bearer('', 'with an empty token')] }),
  'unknown-token'(request) {
    const made = `agent-contract-unknown-${request.run.tag}`;
    return {
      spread: [
        bearer(made, 'with a token that was never issued'),
        bearer('undefined', 'with the word undefined as its token'),
        bearer('null', 'with the word null as its token'),
      ],
      once: shareOf(ODD, request, 2, 'odd tokens').map(([differs, authorization]) => ({
        authorization: authorization.replaceAll('MADE', made),
        differs,
        isOdd: true,
        isExtra: true,
      })),
    };
  },
  'similar-token'(request) {
    const { run } = request;
    const similar = similarTokens(run.token()).map(({ value, differs }) => bearer(value, differs));
    const extra = bearer(`${run.token()} extra`, 'with another word after the token');
    const others = [extra, similar[MOST_SIMILAR] ?? extra];
    // Always as many, so that a report says nothing about the token.
    return {
      spread: Array.from({ length: MOST_SIMILAR }, (_, i) => similar[i % similar.length]).filter(
        (one) => one !== undefined,
      ),
      once: shareOf(others, request, 1, 'odd similar tokens').map((one) => ({ ...one, isOdd: true, isExtra: true })),
    };
  },
  'token-elsewhere': ({ run, endpoint }) => tokenElsewhere(run, endpoint),
};

function tokenElsewhere(run: Run, endpoint: EndpointId): Ways {
  const token = run.token();
  const cookies = [run.facts.credentials.cookie, ...COOKIES.map((name) => `${name}=${token}`)];
  const headers = Object.fromEntries([
    ...HEADERS.map((name) => [name, token]),
    ...SCHEMED.map((name) => [name, `Bearer ${token}`]),
  ]) as Record<string, string>;
  const cookie = cookies.filter((one) => one !== undefined).join('; ');
  const query = QUERY.map((name) => [name, token] as const);
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
  const members = Object.fromEntries(MEMBERS.map((name) => [name, token]));
  return { always: [everywhere], once: [without('with the token only in the body', { members })] };
}
