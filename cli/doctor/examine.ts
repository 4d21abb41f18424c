import { setTimeout as delay } from 'node:timers/promises';
import { createTargetApi } from '../../conformance/probes/api/api.ts';
import type { CallParameters } from '../../conformance/probes/api/request.ts';
import { CannotProbe } from '../../conformance/probes/cannot-probe.ts';
import { createHistory } from '../../conformance/history/history.ts';
import { readResultsPage } from '../../conformance/history/facts/page.ts';
import { createCanary, withCanary } from '../../conformance/http/canary.ts';
import type { Answered } from '../../conformance/http/exchange.ts';
import { createHttpTransport } from '../../conformance/http/http-transport.ts';
import { field, stringAt } from '../../conformance/json.ts';
import { createRedactor, type Secret } from '../../conformance/report/redact.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { show } from '../../conformance/show.ts';
import { isLocalName } from '../../http/local-names.ts';
import { endpoints, type EndpointId } from '../../spec/index.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { flagName } from '../flags.ts';

export type ExaminationFinding = Found & { readonly what: string };

interface Found {
  /** Usable, worth knowing, not given, wrongly given, or fatal for any run. */
  readonly state: 'ok' | 'note' | 'missing' | 'wrong' | 'fatal';
  readonly says: string;
  readonly fix?: string | undefined;
}

/** An identifier that no agent has: the answer still shows something about the server. */
const NOBODY = 'agent-contract-doctor';
const WEEK = 7 * 86_400_000;
const NOTABLE_SKEW = 60_000;

/** Looks at a target with a few GET requests, which change nothing. The findings hold none of the secrets. */
export async function examine(options: RunOptions, secrets: readonly Secret[] = []) {
  const { timeoutMs = 10_000, canary = createCanary().value, ca, insecure } = options;
  const { sleep = (ms: number) => delay(ms) } = options;
  const http = createHttpTransport({ timeoutMs, concurrency: 1, ca, insecure });
  const transport = withCanary(options.transport ?? http, { value: canary });
  const headers = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  let requests = 0;
  const get: Get = async (endpoint, { baseUrl = options.baseUrl, token, ...parameters }) => {
    const api = createTargetApi({
      ...options,
      baseUrl,
      transport: (...sent) => {
        requests++;
        return transport(...sent);
      },
      headers: Object.fromEntries(headers),
      readOnly: true,
      timeoutMs,
      maxTimeMs: 60_000,
      sleep,
      history: createHistory([]),
    });
    const authorization = token === undefined ? null : `Bearer ${token}`;
    return api.call(endpoint, { ...parameters, authorization }).catch((error: unknown) => {
      if (error instanceof CannotProbe) return error.message;
      throw error;
    });
  };
  const { sentence } = createRedactor(secrets);
  try {
    const { findings, usable } = await examineWith(options, get);
    const clean = findings.map(({ what, state, says, fix }) => {
      return { what, state, says: sentence(says), fix: fix && sentence(fix) };
    });
    return { findings: clean, usable, requests };
  } finally {
    await http.close();
  }
}

type Parameters = Pick<CallParameters, 'agentId' | 'query'> & { token?: string | undefined; baseUrl?: string };
/** Sends a GET request, with this token or without any; resolves with the answer, or with why there was none. */
type Get = (endpoint: EndpointId, parameters: Parameters) => Promise<Answered | string>;

/** What a run could work with; what is missing or was refused is left out. */
export type Usable = { [O in (typeof supplies)[number]['option']]?: boolean } & {
  token?: 'write' | 'read' | 'guest';
  agentId?: 'with results' | 'without results';
};

/** What was found, and what of it is usable, if there is a service. */
async function examineWith(options: RunOptions, get: Get) {
  const { agentId = NOBODY, token } = options;
  const first = await get('get-agent', { agentId, token });
  const base = await aboutBase(first, options, get);
  const findings: ExaminationFinding[] = [];
  const isUsable = (what: string, found: Found): boolean => {
    findings.push({ what, ...found });
    return found.state === 'ok' || found.state === 'note';
  };
  isUsable('base URL', base);
  if (typeof first === 'string' || base.state === 'fatal') return { findings };
  const usable: Usable = {};
  if (!isUsable('token', await aboutToken(first, options, get))) return { findings, usable };
  usable.token = accessOf(first) ?? 'write';
  if (isUsable('agent', aboutAgent(first, options)))
    usable.agentId = isUsable('results', await aboutResults(options, get)) ? 'with results' : 'without results';
  for (const supply of supplies) usable[supply.option] = isUsable(supply.what, await aboutSupply(supply, options, get));
  isUsable('clock', aboutClock(first, options));
  return { findings, usable };
}

const finding = (state: Found['state']) => (says: string, fix?: string) => ({ state, says, fix });
const ok = finding('ok');
const note = finding('note');
const missing = finding('missing');
const wrong = finding('wrong');
const fatal = finding('fatal');

function isHtml({ answer: { text, headers } }: Answered): boolean {
  return /^\s*<(!doctype|html)/i.test(text) || /^text\/html\b/i.test(headers['content-type'] ?? '');
}

/** How much an answer looks like one of the service. */
function likeness(came: Answered | string): number {
  if (typeof came === 'string') return -1;
  const { accepted, problem, status } = came.answer;
  if (accepted) return problem === undefined ? 3 : 0;
  if (status === 401 || status === 403) return 2;
  if ([400, 404, 410].includes(status) && !isHtml(came)) return 1;
  return 0;
}

async function aboutBase(first: Answered | string, options: RunOptions, get: Get): Promise<Found> {
  const better = likeness(first) < 2 ? await betterBase(first, options, get) : undefined;
  const problem = problemAt(first, options);
  if (better !== undefined) return fatal(problem?.says ?? 'The service is not here.', `Use ${better}`);
  if (problem) return problem;
  const { status } = (first as Answered).answer;
  const { protocol, hostname } = new URL(options.baseUrl);
  if (protocol === 'https:' || isLocalName(hostname) || options.token === undefined)
    return ok(`It answers (${status}).`);
  return note(`It answers (${status}). The token goes over http, where anybody on the network can read it.`);
}

/** Why there can be no service here. */
function problemAt(first: Answered | string, { agentId = NOBODY }: RunOptions): Found | undefined {
  if (typeof first === 'string') return fatal(first);
  const { status, headers, accepted, problem } = first.answer;
  if (status >= 300 && status < 400) {
    const { location } = headers;
    const there = location === undefined ? undefined : parseUrl(location, first.excerpt.request.url);
    const path = endpoints['get-agent'].path.replace('{agentId}', encodeURIComponent(agentId));
    const isSamePath = there?.pathname.endsWith(path) === true;
    return fatal(
      `It redirects (${status}) to ${there ? show(there.href) : 'nowhere'}. The runner never follows redirects, so that the token goes nowhere else.`,
      isSamePath ? `Use ${show(`${there.origin}${there.pathname.slice(0, -path.length)}`)}` : undefined,
    );
  }
  if (isHtml(first) && likeness(first) < 2)
    return fatal(
      `It answers ${status} with an HTML page instead of JSON, so this is a web site rather than the service.`,
      'Give the URL of the API, without the documented paths, which begin with /api/v1',
    );
  if (accepted && problem !== undefined) return fatal(`It answers ${status} with ${problem} instead of JSON.`);
  if (status < 500) return undefined;
  return fatal(`It answers ${status}: it is broken, or not ready.`, 'Try again later');
}

/** Another base URL where the service seems to be. None of them gets the token. */
async function betterBase(
  first: Answered | string,
  { baseUrl, agentId = NOBODY }: RunOptions,
  get: Get,
): Promise<string | undefined> {
  // A missing agent looks like a missing path. Without a token, the service reveals itself.
  const likenessAt = async (base: string): Promise<number> =>
    likeness(await get('get-agent', { agentId, baseUrl: base }));
  const trimmed = baseUrl.replace(/\/+$/, '');
  const here = typeof first === 'string' ? 0 : Math.max(0, likeness(first), await likenessAt(baseUrl));
  const candidates = [trimmed.replace(/\/api(?:\/v1)?$/, ''), new URL(baseUrl).origin];
  const otherScheme = baseUrl.replace(/^http(s?)/i, (_, secure: string) => (secure === '' ? 'https' : 'http'));
  if (likeness(first) <= 0) candidates.push(otherScheme);
  for (const candidate of new Set(candidates))
    if (candidate !== trimmed && (await likenessAt(candidate)) > here) return candidate;
  return undefined;
}

async function aboutToken(first: Answered, { token, agentId }: RunOptions, get: Get): Promise<Found> {
  const { status, accepted } = first.answer;
  if (token === undefined) return missing('No token was given, and a run judges nothing without one.');
  if (status === 401) return wrong('It is refused (401).', 'Give a --token that this server knows');
  const access = accessOf(first);
  if (access === 'write') return ok('It is accepted, and has write access to the agent.');
  if (access !== undefined)
    return note(
      `It is accepted, and has ${access} access to the agent.`,
      'Give a --token with write access to judge more',
    );
  if (accepted) return ok('It is accepted, but the server does not say which access to the agent it has.');
  const without = await get('get-agent', { agentId: agentId ?? NOBODY });
  if (typeof without !== 'string' && without.answer.status !== status)
    return ok(`It is accepted (${status}, and ${without.answer.status} without it).`);
  return note(
    `Nothing shows whether it is accepted: the answer is ${status} with and without it.`,
    agentId === undefined ? 'Give the --agent-id of an agent that it may read' : undefined,
  );
}

function accessOf({ answer }: Answered) {
  const mode = stringAt(answer.json, 'currentUserMode');
  if (mode === 'write' || mode === 'read' || mode === 'guest') return mode;
  return undefined;
}

function aboutAgent(first: Answered, { agentId }: RunOptions): Found {
  const flag = '--agent-id';
  if (agentId === undefined) return missing(`${flag} was not given.`, `Give the ${flag} of an agent with results`);
  if (!first.answer.accepted) return refused(flag, first);
  return ok(`It can be read (${show(stringAt(first.answer.json, 'agent', 'name')?.slice(0, 60) ?? '')}).`);
}

function refused(flag: string, { answer: { status } }: Answered): Found {
  if (status === 404 || status === 410) return wrong(`It was not found (${status}).`, `Check ${flag}`);
  return wrong(`It is refused (${status}).`, `Give another ${flag}`);
}

async function aboutResults({ agentId, token, now }: RunOptions, get: Get): Promise<Found> {
  const fix = 'Give the --agent-id of an agent with more than 100 results, some of them older than 7 days';
  const came = await get('list-results', { agentId, token, query: { limit: 100, timeFilter: 'allTime' } });
  if (typeof came === 'string') return wrong(`They cannot be read. ${came}`);
  if (!came.answer.accepted) return wrong(`They cannot be read (${came.answer.status}).`, fix);
  const page = readResultsPage(came);
  if (typeof page === 'string') return wrong(`They cannot be read: ${page}.`);
  if (page.count === 0) return wrong('The agent has no results.', fix);
  const weekAgo = (now ?? dateOf(came) ?? Date.now()) - WEEK;
  const old = page.rows.filter(({ at }) => at !== undefined && at.ms < weekAgo).length;
  const isMore = page.nextCursor !== null;
  const says = `There are ${isMore ? 'more than ' : ''}${page.count}; of these, ${old} are older than 7 days.`;
  if (isMore && old < page.count) return ok(says);
  return note(says, fix);
}

/** What else a user may supply: an agent, which an endpoint shows, or a token, and the access that it should have. */
const supplies: readonly {
  readonly what: string;
  readonly option: 'publishedAgentId' | 'v5AgentId' | 'readToken' | 'guestToken';
  readonly endpoint?: EndpointId;
  readonly access?: 'read' | 'guest';
}[] = [
  { what: 'published agent', option: 'publishedAgentId', endpoint: 'get-published-agent' },
  { what: 'version 5 agent', option: 'v5AgentId' },
  { what: 'read token', option: 'readToken', access: 'read' },
  { what: 'guest token', option: 'guestToken', access: 'guest' },
];

async function aboutSupply(
  { option, endpoint = 'get-agent', access }: (typeof supplies)[number],
  { [option]: given, token, agentId }: RunOptions,
  get: Get,
): Promise<Found> {
  const flag = flagName(option);
  if (given === undefined) return missing(`${flag} was not given.`);
  if (access && agentId === undefined) return note('It cannot be tested without --agent-id.', 'Give --agent-id');
  const came = await get(endpoint, access ? { agentId, token: given } : { agentId: given, token });
  if (typeof came === 'string') return wrong(came);
  if (!came.answer.accepted) return refused(flag, came);
  const found = accessOf(came) ?? 'unknown';
  if (access && found !== access)
    return wrong(`Its access to the agent is ${found}, not ${access}.`, `Give another ${flag}`);
  if (endpoint === 'get-published-agent' && field(came.answer.json, 'publicAgent') === undefined)
    return wrong('It has no published form.', `Give another ${flag}`);
  return ok(access ? 'It reads the agent.' : 'It can be read.');
}

/** The time of an answer in epoch milliseconds, if it has a date. */
function dateOf({ answer }: Answered): number | undefined {
  const date = Date.parse(answer.headers['date'] ?? '');
  if (Number.isNaN(date)) return undefined;
  return date;
}

function aboutClock(first: Answered, { now = Date.now() }: RunOptions): Found {
  const date = dateOf(first);
  if (date === undefined)
    return note('The answers have no Date, so a run judges time windows by the clock of this machine.');
  const skew = Math.abs(date - now);
  const seconds = Math.round(skew / 1000);
  if (skew < NOTABLE_SKEW) return ok(`It agrees with this machine (within ${seconds + 1} s).`);
  const side = date > now ? 'ahead of' : 'behind';
  return note(`It is ${seconds} s ${side} this machine. A run judges time windows by the Date of the answers.`);
}
