import { endpoints, type EndpointId } from '../../../spec/index.ts';
import type { Caller, Exchange } from '../../http/exchange.ts';
import type { HttpRequest } from '../../../http/exchange.ts';
import type { Form } from '../../../http/form.ts';
import { parseJson } from '../../json.ts';
import type { RunOptions } from '../../run-options.ts';
import { CannotProbe } from '../cannot-probe.ts';

export type QueryPair = readonly [name: string, value: string];
/** Pairs in order, or an object, whose undefined members are left out. */
export type Query = Readonly<Record<string, string | number | undefined>> | readonly QueryPair[];

export interface CallParameters {
  readonly agentId?: string;
  readonly query?: Query;
  /** A string is sent as it is, and anything else as JSON. */
  readonly body?: unknown;
  /** The whole header; `null` sends none. Default: Bearer and the token. */
  readonly authorization?: string | null;
  readonly contentType?: string;
  /** Headers beside those of every request; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request asks something that the specification leaves open, so the shape of its answer is not judged. */
  readonly open?: boolean;
  /** An exchange from which this one differs only in `differs`. */
  readonly twin?: Exchange;
  /** How it differs from that exchange, in words: `without the Authorization header`. */
  readonly differs?: string;
  /** The method, if it is not that of the endpoint. */
  readonly method?: string;
  /** Another form of the path, without the query. */
  readonly path?: (path: string) => string;
  /** The target may also leave it unanswered. */
  readonly isOdd?: boolean;
  /** How it goes out. Default: as the plan of forms says. */
  readonly form?: Form;
}

/** What all requests of a run share. Names of headers are in lower case. */
export type Common = Pick<RunOptions, 'baseUrl' | 'token' | 'readToken' | 'guestToken' | 'headers' | 'readOnly'>;

/** A request, and what is known of its exchange before it is sent. */
export interface ComposedRequest {
  readonly wire: HttpRequest;
  readonly about: Omit<Exchange, 'n' | 'begun' | 'sentAt' | 'answeredAt' | 'answer' | 'excerpt'>;
}

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @throws CannotProbe if the run may not create anything, or has no token to send */
export function compose(
  endpoint: EndpointId,
  parameters: CallParameters,
  common: Common,
  formFor: (about: ComposedRequest['about']) => Form = () => ({}),
): ComposedRequest {
  const { agentId, body, twin, differs, authorization = `Bearer ${common.token ?? ''}` } = parameters;
  const method = parameters.method ?? endpoints[endpoint].method;
  if (common.readOnly === true && !SAFE.has(method))
    throw new CannotProbe('It takes a request that creates something.', 'a run without --read-only');
  if (common.token === undefined && parameters.authorization === undefined)
    throw new CannotProbe('This needs a token.', '--token');
  const about: ComposedRequest['about'] = {
    caller: callerOf(authorization, common),
    method,
    endpoint,
    agentId,
    query: pairsOf(parameters.query),
    sent: typeof body === 'string' ? parseJson(body) : body,
    // The specification shows no answer to another method.
    open: parameters.open === true || method !== endpoints[endpoint].method,
    twin: twin?.n,
    differs,
    isOdd: parameters.isOdd,
  };
  const form = parameters.form ?? twin?.excerpt.request.form ?? (isUsual(parameters) ? formFor(about) : {});
  const { path = (usual) => usual } = parameters;
  const documented = endpoints[endpoint].path.replace('{agentId}', () => encode(agentId ?? ''));
  const query = form.order === 'reversed' ? about.query.toReversed() : about.query;
  return {
    wire: {
      method,
      url: common.baseUrl.replace(/\/+$/, '') + path(documented) + queryText(query, form),
      headers: headersOf(parameters, authorization, common),
      body: typeof body === 'string' ? body : JSON.stringify(body),
      form: Object.values(form).some((value) => value !== 'usual') ? form : undefined,
    },
    about: { ...about, query },
  };
}

/** Whether nothing about a request is unusual yet: what asks for something else is to show that alone. */
const isUsual = ({ open, method, path, isOdd, contentType, headers }: CallParameters): boolean =>
  open !== true && isOdd !== true && [method, path, contentType, headers].every((one) => one === undefined);

/** Letters and signs that nobody has to encode, and whose codes have a hexadecimal letter. */
export const ENCODABLE = /[J-OZj-oz._~-]/;

function queryText(query: readonly QueryPair[], { percent = 'usual' }: Form): string {
  if (query.length === 0) return '';
  const place = percent === 'usual' ? -1 : query.findLastIndex(([, value]) => ENCODABLE.test(value));
  const pairs = query.map(([name, value], i) => {
    if (i !== place) return `${encode(name)}=${encode(value)}`;
    const at = value.search(ENCODABLE);
    const code = value.charCodeAt(at).toString(16).toUpperCase();
    return `${encode(name)}=${encode(value.slice(0, at))}%${code}${encode(value.slice(at + 1))}`;
  });
  const text = `?${pairs.join('&')}`;
  if (percent !== 'lower') return text;
  return text.replaceAll(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase());
}

function headersOf(parameters: CallParameters, authorization: string | null, common: Common): HttpRequest['headers'] {
  const { body, contentType = 'application/json', headers } = parameters;
  const sent: Record<string, string> = { accept: 'application/json', ...common.headers };
  if (authorization !== null) sent['authorization'] = authorization;
  if (body !== undefined) sent['content-type'] = contentType;
  return { ...sent, ...headers };
}

function callerOf(authorization: string | null, { token, readToken, guestToken }: Common): Caller {
  if (authorization === null) return 'none';
  const holds = (secret: string | undefined): boolean =>
    secret !== undefined && /^bearer $/i.test(authorization.slice(0, 7)) && authorization.slice(7) === secret;
  if (holds(token)) return 'valid';
  if (holds(readToken)) return 'read';
  return holds(guestToken) ? 'guest' : 'wrong';
}

export function pairsOf(query: Query = []): readonly QueryPair[] {
  if (Array.isArray(query)) return query as readonly QueryPair[];
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): QueryPair => [name, String(value)]);
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
