import { endpoints, type EndpointId } from '../../../spec/index.ts';
import flaws from './credential-flaws.json';
import type { createExcuses } from './excuses.ts';
import { present, valueFor } from '../../collections.ts';
import { wordOf } from './failures.ts';
import { arrayAt, field, isObject, stringAt, type JsonObject } from '../../json.ts';
import { namesBelow } from '../../shape/documented.ts';
import { errorIn } from '../../shape/envelope.ts';
import type { Answered, Exchange, Excerpt } from '../../http/exchange.ts';
import { isAccepted, isAnswered, isWithoutAccess } from '../../http/exchange.ts';

/** How the credentials of a request differ from the required ones (section 5). */
export type CredentialFlaw = keyof typeof flaws;
export const credentialFlaws = Object.keys(flaws) as readonly CredentialFlaw[];

/** A request that should have been refused, beside the accepted one that it is compared with. */
export interface Unrefused {
  readonly excerpt: Excerpt;
  readonly twin: Excerpt | undefined;
  readonly differs: string | undefined;
}

const MAX_TWINS = 100;
const [MAX_MARKED, MAX_LET_IN] = [1_000, 1_000];

/** The outcome of requests whose credentials differ in one way. */
const emptyAccount = () => ({
  /** Refusals that count: the same request was accepted with the right token before, and the token worked afterwards. */
  refused: 0,
  /** The `n` of refusals after which the right token was not seen accepted. */
  unconfirmed: [] as number[],
  served: [] as Unrefused[],
  /** Refusals that show the requested data. */
  holding: [] as Unrefused[],
  /** Two consecutive requests without an answer, and the request with the right token that was answered right after. */
  silent: undefined as readonly Excerpt[] | undefined,
  unanswered: [] as Pick<Exchange, 'begun' | 'n' | 'excerpt'>[],
});

/**
 * What is known about credentials, and about requests with wrong ones.
 * @param excuses is told of refusals with a status of success, or with an example
 */
export function createCredentials({ use }: Pick<ReturnType<typeof createExcuses>, 'use'>) {
  const letIn = new Set<number>();
  /** By endpoint and way. */
  const accounts = new Map<string, ReturnType<typeof emptyAccount>>();
  const issued = new Set<string>();
  /** The last accepted request with the right token, by endpoint and agent. */
  const twins = new Map<string, Excerpt>();
  /** What headers of accepted answers show, by what was requested. */
  const marks = new Map<string, Set<string>>();
  /** The results of each agent that answers to the right token showed. */
  const results = new Map<string, ReadonlySet<string>>();
  let ownCookie: string | undefined;

  const accountOf = (endpoint: EndpointId, flaw: CredentialFlaw) =>
    valueFor(accounts, `${endpoint} ${flaw}`, emptyAccount);

  function seeRight(exchange: Exchange): void {
    if (!isAccepted(exchange)) return;
    const { endpoint, agentId = '', excerpt, answer } = exchange;
    const token = tokenOf(excerpt.request.headers['authorization']);
    if (token !== undefined && token !== '' && issued.size < 100) issued.add(token);
    ownCookie = excerpt.request.headers['cookie'];
    credentials.cookie ??= cookieOf(answer.headers['set-cookie']);
    for (const key of [`${endpoint} ${agentId}`, `${endpoint} `])
      if (twins.has(key) || twins.size < MAX_TWINS) twins.set(key, excerpt);
    const known = valueFor(marks, requested(exchange), () => new Set(), MAX_MARKED);
    if (known.size < MAX_TWINS) for (const mark of marksOf(answer.headers)) known.add(mark);
    const listed = arrayAt(answer.json, 'results').flatMap((one) => stringAt(one, 'id') ?? []);
    if (listed.length > 0 && results.size < MAX_TWINS) results.set(agentId, new Set(listed));
    confirm(exchange);
  }

  /** An acceptance after refusals, or after missing answers, shows that the right token still works. */
  function confirm({ endpoint, begun, excerpt }: Answered): void {
    for (const account of accounts.values()) {
      const confirmed = account.unconfirmed.filter((n) => n < begun).length;
      account.refused += account.unconfirmed.splice(0, confirmed).length;
    }
    for (const flaw of credentialFlaws) {
      const account = accounts.get(`${endpoint} ${flaw}`);
      const [first, second] = account?.unanswered.slice(-2) ?? [];
      // Two that overlap may meet the same accident.
      const isTwice = first && second && first.n < second.begun && second.n < begun;
      if (account && isTwice) account.silent ??= [first.excerpt, excerpt, second.excerpt];
    }
  }

  function seeOther(exchange: Exchange): void {
    const { endpoint, agentId, excerpt, n, differs } = exchange;
    const account = accountOf(endpoint, wayOf(exchange, issued, ownCookie));
    if (!isAnswered(exchange)) {
      if (exchange.isOdd === true) use('odd-form', n);
      else account.unanswered.push(exchange);
      return;
    }
    account.unanswered = [];
    if (wordOf(exchange.answer.status) === 'not-now') return;
    const twin = credentials.accepted(endpoint, agentId);
    const outcome = outcomeOf(exchange, {
      isAsked: (thing) => isAskedFor(exchange, thing, results),
      ids: Array.from(twin?.body?.matchAll(/"id"\s*:\s*"([^"\\]{8,})"/g) ?? [], ([, id = '']) => id).filter(
        (id) => !excerpt.request.url.includes(id),
      ),
      isMark: (mark) => marks.get(requested(exchange))?.has(mark) === true,
    });
    if (outcome === 'nothing') return;
    if (outcome === 'refused' && exchange.answer.accepted) use('polite-refusal', n);
    if (outcome === 'refused' && thingsIn(exchange).length > 0) use('example', n);
    if (outcome === 'refused') return void (twin && account.unconfirmed.push(n));
    if (outcome === 'served' && letIn.size < MAX_LET_IN) letIn.add(n);
    if (account[outcome].length < 3) account[outcome].push({ excerpt, twin, differs });
  }

  const credentials = {
    /** Cookies that an accepted answer set, as a Cookie header. */
    cookie: undefined as string | undefined,
    seen: accountOf,
    /** The `n` of exchanges that should have been refused, and were served. */
    letIn: letIn as ReadonlySet<number>,
    /** The last accepted request with the right token, for one agent if given. */
    accepted: (endpoint: EndpointId, agentId = ''): Excerpt | undefined => twins.get(`${endpoint} ${agentId}`),
    see(exchange: Exchange): void {
      if (isWithoutAccess(exchange.caller)) seeOther(exchange);
      else seeRight(exchange);
    },
  };
  return credentials;
}

const tokenOf = (authorization = ''): string | undefined => /^bearer(?:\s+(.*))?$/i.exec(authorization.trim())?.[1];

/** Parameters whose values may be those of a short token, and are none. */
const PARAMETERS = new Set(['limit', 'cursor', 'timeFilter', 'timeZone', 'start', 'end', 'interval']);

function wayOf(exchange: Exchange, issued: ReadonlySet<string>, ownCookie: string | undefined): CredentialFlaw {
  const { headers } = exchange.excerpt.request;
  const { authorization, cookie } = headers;
  if (authorization === undefined) {
    if (cookie !== undefined && cookie !== ownCookie) return 'token-elsewhere';
    const members = isObject(exchange.sent) ? Object.values(exchange.sent) : [];
    const odd = exchange.query.filter(([name]) => !PARAMETERS.has(name));
    const sent = [...odd.map(([, value]) => value), ...Object.values(headers), ...members];
    if (sent.some((value) => typeof value === 'string' && issued.has(tokenOf(value) ?? value)))
      return 'token-elsewhere';
    return 'no-authorization';
  }
  if (!/^bearer(?:\s|$)/i.test(authorization)) return 'other-scheme';
  const token = tokenOf(authorization)?.trim() ?? '';
  if (token === '') return 'empty-token';
  if ([...issued].some((one) => isSimilar(one, token) || token.startsWith(`${one} `))) return 'similar-token';
  return 'unknown-token';
}

/** Whether one text becomes the other by adding, removing or changing one character, or by changing case. */
export function isSimilar(one: string, other: string): boolean {
  if (one.toLowerCase() === other.toLowerCase()) return true;
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(one.length, other.length) - start - end <= 1;
}

/** `a=1; b=2`, from header values joined by commas. */
function cookieOf(setCookie: string | undefined): string | undefined {
  if (setCookie === undefined || setCookie.length > 4_000) return undefined;
  const pairs = [...setCookie.matchAll(/(?:^|,\s*)([^=;,\s]+=[^;,\s]+)/g)].map(([, pair]) => pair);
  if (pairs.length === 0) return undefined;
  return pairs.join('; ');
}

/** Equal for requests for the same, whatever their form. */
const requested = ({ endpoint, agentId, query }: Exchange): string =>
  JSON.stringify([endpoint, agentId, query.toSorted(([one], [other]) => Number(one > other) - Number(one < other))]);

/** A shorter body is as long as many others. */
const LEAST_LENGTH = 200;

/** What headers tell of a body that does not come: its ETag, and its length. */
function marksOf({ etag, 'content-length': length = '' }: Answered['answer']['headers']): readonly string[] {
  if (Number(length) >= LEAST_LENGTH) return present(etag, length);
  return present(etag);
}

/**
 * What an answer gives to a caller who must be refused. The specification shows no status for it (section 7): an error,
 * or a sign-in page, is a refusal with any status, unless it shows the requested data. Anybody may be told what a method
 * does that the specification does not name, and 304 confirms the copy of a caller who has one. An accepted answer to the
 * same request has `ids`, so that a page that names one is no page to sign in, and marks: its ETag, its length.
 */
function outcomeOf(
  exchange: Answered,
  by: { isAsked: (thing: JsonObject) => boolean; ids: string[]; isMark: (mark: string) => boolean },
): 'served' | 'refused' | 'holding' | 'nothing' {
  const { answer, method, endpoint, excerpt } = exchange;
  const isPage = answer.problem !== undefined;
  const isHolding = thingsIn(exchange).some(by.isAsked) || (isPage && by.ids.some((id) => answer.text.includes(id)));
  if (answer.status === 304) return by.isMark(excerpt.request.headers['if-none-match'] ?? '') ? 'served' : 'nothing';
  if (answer.accepted && method !== endpoints[endpoint].method) {
    if (isHolding || (method === 'HEAD' && marksOf(answer.headers).some(by.isMark))) return 'served';
    return 'nothing';
  }
  if (answer.accepted && (isHolding || !saysError(exchange))) return 'served';
  if (isHolding) return 'holding';
  return 'refused';
}

function saysError({ answer: { json, problem, text }, endpoint }: Answered): boolean {
  if (problem !== undefined) return text.trim() !== '';
  if (!isObject(json) || Object.hasOwn(json, endpoints[endpoint].holds)) return false;
  return Object.hasOwn(json, 'status') || errorIn(json) !== undefined;
}

/** An answer must show this many documented fields beside the id, or all; one that only names the thing gives nothing away. */
const FIELDS_OF_A_THING = 3;

/** Things of the requested kind in a body, at their place or slightly below. Sent values do not count. */
function thingsIn({ endpoint, answer, sent }: Answered): readonly JsonObject[] {
  const name = endpoints[endpoint].holds;
  return around(answer.json, 2).flatMap((holder): readonly JsonObject[] => {
    const held = field(holder, name);
    const listed = arrayAt(holder, name).filter(isObject);
    if (name === 'results') return listed.filter((one) => typeof one['id'] === 'string');
    if (!isObject(held)) return [];
    if (sent !== undefined && (typeof held['id'] !== 'string' || held['id'] === field(sent, name, 'id'))) return [];
    const documented = namesBelow(endpoint, `/${name}`).filter((one) => one !== 'id');
    const told = documented.filter((one) => field(held, one) !== undefined).length;
    return told > 0 && told >= Math.min(FIELDS_OF_A_THING, documented.length) ? [held] : [];
  });
}

/** Whether a thing is what was asked for, and no example: it has the identifier from the path, or what was sent. */
function isAskedFor(
  { agentId, sent, endpoint }: Exchange,
  thing: JsonObject,
  results: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const ids = [stringAt(thing, 'id'), stringAt(thing, 'agentId')];
  if (agentId !== undefined) return ids.includes(agentId) || results.get(agentId)?.has(ids[0] ?? '') === true;
  const wanted = stringAt(endpoints[endpoint].holds === 'workspace' ? sent : field(sent, 'agent'), 'name');
  return wanted === undefined || stringAt(thing, 'name') === undefined || stringAt(thing, 'name') === wanted;
}

function around(json: unknown, depth: number): readonly JsonObject[] {
  if (!isObject(json) || depth < 0) return [];
  const inside = Object.values(json).slice(0, 50);
  return [json, ...inside.flatMap((one) => around(one, depth - 1))];
}
