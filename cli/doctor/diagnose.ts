import type { Answer as AnswerOnly, Answered } from '../../conformance/http/exchange.ts';
import { createTargetClock } from '../../conformance/history/facts/clock.ts';
import { createHistory } from '../../conformance/history/history.ts';
import { createTargetApi, type TargetApi } from '../../conformance/probes/api/api.ts';
import { withCanary } from '../../conformance/http/canary.ts';
import { CannotProbe } from '../../conformance/probes/cannot-probe.ts';
import { field, stringAt } from '../../conformance/json.ts';
import { show } from '../../conformance/show.ts';
import { createHttpTransport } from '../../conformance/http/http-transport.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { readResultsPage, type ResultsPage } from '../../conformance/history/facts/page.ts';
import { endpoints } from '../../spec/index.ts';
import type { Means, Mode } from './prospects.ts';
import { parseUrl } from '../../text/parse-url.ts';

/** The state of something: good; worth knowing; not given; wrongly given; fatal for any run. */
export type Standing = 'ok' | 'note' | 'missing' | 'wrong' | 'fatal';

/** One thing that was examined, and its state. */
export interface Examination {
  readonly what: string;
  readonly standing: Standing;
  readonly says: string;
  /** The remedy. */
  readonly fix?: string;
}

export interface Diagnosis {
  readonly findings: readonly Examination[];
  /** The usable part of the settings; `undefined` if no service was found. */
  readonly means:
    | Pick<Means, 'token' | 'agentId' | 'publishedAgentId' | 'v5AgentId' | 'readToken' | 'guestToken'>
    | undefined;
  readonly requests: number;
}

/** An identifier that no agent has: the answer still shows something about the server. */
const NOBODY = 'agent-contract-doctor';
const DAY = 86_400_000;
const MAX_PAGES = 5;
const NOTABLE_SKEW = 60_000;
const MAX_TIME = 60_000;

/** Examines a target with a few GET requests, which change nothing. */
export async function diagnose(
  options: RunOptions & { /** Removes secrets from a sentence. */ readonly redact: (sentence: string) => string },
): Promise<Diagnosis> {
  const { redact } = options;
  const timeoutMs = options.timeoutMs ?? 10_000;
  const http = options.transport
    ? undefined
    : createHttpTransport({ timeoutMs, concurrency: 1, ca: options.ca, insecure: options.insecure });
  let requests = 0;
  const { canary } = options;
  const plain = options.transport ?? http ?? unreachable();
  const transport = canary === undefined ? plain : withCanary(plain, { value: canary });
  const apiAt = (baseUrl: string): TargetApi =>
    createTargetApi({
      baseUrl,
      token: options.token,
      transport: (...args) => {
        requests++;
        return transport(...args);
      },
      headers: Object.fromEntries(
        Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      readOnly: true,
      rps: options.rps,
      timeoutMs,
      maxTimeMs: MAX_TIME,
      signal: options.signal,
      sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
      history: createHistory([]),
    });
  try {
    const { findings, means } = await examine(options, apiAt);
    const clean = findings.map(({ fix, ...finding }) => ({
      ...finding,
      says: redact(finding.says),
      ...(fix === undefined ? {} : { fix: redact(fix) }),
    }));
    return { findings: clean, means, requests };
  } finally {
    await http?.close();
  }
}

/** An answer, with its request. */
type Answer = AnswerOnly & Pick<Answered, 'kept'>;
/** An answer, or why there was none. */
type Met = Answer | string;

async function met(calling: Promise<Answered>): Promise<Met> {
  try {
    const { answer, kept } = await calling;
    return { ...answer, kept };
  } catch (error) {
    if (error instanceof CannotProbe) return error.message;
    throw error;
  }
}

const bearer = (token: string | undefined): string | null => (token === undefined ? null : `Bearer ${token}`);

async function examine(
  options: RunOptions,
  apiAt: (baseUrl: string) => TargetApi,
): Promise<Pick<Diagnosis, 'findings' | 'means'>> {
  const { baseUrl, token, agentId } = options;
  const api = apiAt(baseUrl);
  const began = performance.now();
  const first = await met(api.call('get-agent', { agentId: agentId ?? NOBODY, authorization: bearer(token) }));
  const took = performance.now() - began;
  const base = await examineBase(first, { options, took, apiAt });
  if (typeof first === 'string' || base.some(({ standing }) => standing === 'fatal'))
    return { findings: base, means: undefined };

  const own = await examineToken(first, { options, api });
  const accepted = own.standing === 'ok' || own.standing === 'note';
  const findings: Examination[] = [...base, own];
  if (!accepted) {
    findings.push({
      what: 'the rest',
      standing: 'note',
      says: 'Not examined, since that needs an accepted token.',
    });
    return { findings, means: NOTHING };
  }
  const agent = examineAgent(first, agentId);
  const results = agent.standing === 'ok' ? await examineResults(options, api) : undefined;
  const published = await examinePublished(options, api);
  const v5 = await examineV5(options, api);
  const reading = await examineOther('read', options.readToken, options, api);
  const guest = await examineOther('guest', options.guestToken, options, api);
  findings.push(agent, ...(results ? [results.finding] : []), published, v5, reading, guest, clock(first, options.now));
  const isUsable = ({ standing }: Examination): boolean => standing === 'ok' || standing === 'note';
  return {
    findings,
    means: {
      token: modeOf(first) ?? 'write',
      agentId: results === undefined ? 'none' : results.any ? 'with results' : 'without results',
      publishedAgentId: isUsable(published),
      v5AgentId: isUsable(v5),
      readToken: isUsable(reading),
      guestToken: isUsable(guest),
    },
  };
}

const NOTHING: NonNullable<Diagnosis['means']> = {
  agentId: 'none',
  publishedAgentId: false,
  v5AgentId: false,
  readToken: false,
  guestToken: false,
};

const isHtml = ({ text, headers }: Answer): boolean =>
  /^\s*<(!doctype|html)/i.test(text) || /^text\/html\b/i.test(headers['content-type'] ?? '');

/** How much an answer looks like one of the service. */
function likeness(answer: Met): number {
  if (typeof answer === 'string') return -1;
  const { accepted, problem, status } = answer;
  if (accepted) return problem === undefined ? 3 : 0;
  if (status === 401 || status === 403) return 2;
  return (status === 404 || status === 400 || status === 410) && !isHtml(answer) ? 1 : 0;
}

async function examineBase(
  first: Met,
  {
    options,
    took,
    apiAt,
  }: { readonly options: RunOptions; readonly took: number; readonly apiAt: (baseUrl: string) => TargetApi },
): Promise<readonly Examination[]> {
  const { baseUrl, token, agentId } = options;
  const what = 'base URL';
  const better = await betterBase(first, options, apiAt);
  const fix = better === undefined ? {} : { fix: `Use ${better}` };
  const fatal = (says: string, otherFix: { readonly fix?: string } = {}): readonly Examination[] => [
    { what, standing: 'fatal', says, ...otherFix, ...fix },
  ];
  if (typeof first === 'string') return fatal(first);
  const { status, headers, text, problem } = first;
  const location = headers['location'];
  if (status >= 300 && status < 400) {
    const there = location === undefined ? undefined : parseUrl(location, first.kept.request.url)?.href;
    const meant = there === undefined ? undefined : baseOf(there, agentId ?? NOBODY);
    return fatal(
      `It redirects (${status}) to ${there === undefined ? 'nowhere' : JSON.stringify(there)}. The runner never follows redirects, so that the token goes nowhere else.`,
      meant === undefined ? {} : { fix: `Use ${JSON.stringify(meant)}` },
    );
  }
  if (better !== undefined) {
    const why = /\/api\/v1\/*$/.test(baseUrl)
      ? 'It ends with /api/v1, but the documented paths already begin with it'
      : 'The service is not here';
    return fatal(`${why}: ${shortly(first)}.`);
  }
  if (isHtml(first) && likeness(first) < 2) {
    const title = /<title[^>]*>\s*([^<]{1,80}?)\s*</i.exec(text)?.[1];
    return fatal(
      `It answers ${status} with an HTML page${title === undefined ? '' : ` (${show(title)})`} instead of JSON, so this is a web site rather than the service.`,
      { fix: 'Give the URL of the API, without the documented paths, which begin with /api/v1' },
    );
  }
  if (first.accepted && problem !== undefined) return fatal(`It answers ${status} with ${problem} instead of JSON.`);
  if (status >= 500) return fatal(`It answers ${status}: it is broken, or not ready.`, { fix: 'Try again later' });
  const findings: Examination[] = [{ what, standing: 'ok', says: `It answers (${status} in ${Math.round(took)} ms).` }];
  if (/[^/]\/+$/.test(baseUrl) && !/^https?:\/\/[^/]+\/$/i.test(baseUrl))
    findings.push({ what, standing: 'note', says: 'The trailing slash is ignored.' });
  if (/^http:/i.test(baseUrl) && token !== undefined && !isLoopback(baseUrl))
    findings.push({
      what,
      standing: 'note',
      says: 'The token goes over http, where anybody on the network can read it.',
    });
  return findings;
}

function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** The base URL of a documented path. */
function baseOf(url: string, agentId: string): string | undefined {
  const end = endpoints['get-agent'].path.replace('{agentId}', encodeURIComponent(agentId));
  const { origin, pathname } = new URL(url);
  if (pathname.endsWith(end)) return `${origin}${pathname.slice(0, -end.length)}`;
  return undefined;
}

/** Another base URL where the service seems to be. The token is sent to no other origin. */
async function betterBase(
  first: Met,
  { baseUrl, token, agentId = NOBODY }: RunOptions,
  apiAt: (baseUrl: string) => TargetApi,
): Promise<string | undefined> {
  if (likeness(first) >= 2) return undefined;
  const url = new URL(baseUrl);
  const trimmed = baseUrl.replace(/\/+$/, '');
  const candidates = [
    ...(trimmed.endsWith('/api/v1') ? [trimmed.slice(0, -'/api/v1'.length)] : []),
    ...(trimmed.endsWith('/api') ? [trimmed.slice(0, -'/api'.length)] : []),
    ...(url.pathname.replace(/\/+$/, '') === '' ? [] : [url.origin]),
  ];
  // A missing agent looks like a missing path. Without a token, the service reveals itself.
  const without = async (base: string): Promise<number> =>
    likeness(await met(apiAt(base).call('get-agent', { agentId, authorization: null })));
  if (typeof first !== 'string' && candidates.length > 0) {
    const here = Math.max(0, likeness(first), await without(baseUrl));
    for (const candidate of new Set(candidates)) {
      const answer = await met(apiAt(candidate).call('get-agent', { agentId, authorization: bearer(token) }));
      if (Math.max(likeness(answer), await without(candidate)) > here) return candidate;
    }
  }
  if (likeness(first) > 0) return undefined;
  const other = /^https:/i.test(baseUrl) ? baseUrl.replace(/^https:/i, 'http:') : baseUrl.replace(/^http:/i, 'https:');
  const answer = await met(apiAt(other).call('get-agent', { agentId: NOBODY, authorization: null }));
  return likeness(answer) > 0 ? other : undefined;
}

function shortly(answer: Met): string {
  if (typeof answer === 'string') return answer;
  const { status, problem } = answer;
  return `${status}${problem === undefined ? '' : ` with ${problem}`}`;
}

async function examineToken(
  first: Answer,
  { options, api }: { readonly options: RunOptions; readonly api: TargetApi },
): Promise<Examination> {
  const what = 'token';
  const { token, agentId } = options;
  if (token === undefined)
    return { what, standing: 'missing', says: 'No token was given, and a run judges nothing without one.' };
  if (first.status === 401)
    return { what, standing: 'wrong', says: 'It is refused (401).', fix: 'Give a --token that this server knows' };
  const mode = modeOf(first);
  if (first.accepted)
    return {
      what,
      standing: mode === undefined || mode === 'write' ? 'ok' : 'note',
      says:
        mode === undefined
          ? 'It is accepted, but the server does not say which access to the agent it has.'
          : `It is accepted, and has ${mode} access to the agent.`,
      ...(mode === 'read' || mode === 'guest' ? { fix: 'Give a --token with write access to judge more' } : {}),
    };
  const without = await met(api.call('get-agent', { agentId: agentId ?? NOBODY, authorization: null }));
  const isTold = typeof without !== 'string' && without.status !== first.status;
  if (isTold)
    return { what, standing: 'ok', says: `It is accepted (${first.status}, and ${without.status} without it).` };
  return {
    what,
    standing: 'note',
    says: `Nothing shows whether it is accepted: the answer is ${first.status} with and without it.`,
    ...(agentId === undefined ? { fix: 'Give the --agent-id of an agent that it may read' } : {}),
  };
}

function modeOf({ json }: Answer): Mode | undefined {
  const mode = stringAt(json, 'currentUserMode');
  return mode === 'write' || mode === 'read' || mode === 'guest' ? mode : undefined;
}

function examineAgent(answer: Answer, agentId: string | undefined): Examination {
  const what = 'agent';
  if (agentId === undefined)
    return {
      what,
      standing: 'missing',
      says: '--agent-id was not given.',
      fix: 'Give the --agent-id of an agent with results',
    };
  if (!answer.accepted) return { what, standing: 'wrong', says: refused(answer), fix: fixOf(answer, '--agent-id') };
  const version = stringAt(answer.json, 'agent', 'version');
  const name = stringAt(answer.json, 'agent', 'name');
  const facts = [
    name === undefined ? '' : show(name.slice(0, 60)),
    version === undefined ? '' : `version ${show(version)}`,
  ];
  return {
    what,
    standing: 'ok',
    says: `It can be read (${facts.filter((fact) => fact !== '').join(', ') || 'nameless'}).`,
  };
}

const refused = ({ status }: Answer): string =>
  status === 404 || status === 410 ? `It was not found (${status}).` : `It is refused (${status}).`;

const fixOf = ({ status }: Answer, flag: string): string =>
  status === 404 || status === 410 ? `Check ${flag}` : `Give the ${flag} of an agent that the token may read`;

interface ResultsRead {
  readonly pages: readonly ResultsPage[];
  /** The status that refused the first page. */
  readonly refused?: number;
  /** Why reading ended early. */
  readonly problem?: string;
  /** The time at the target, in epoch milliseconds. */
  readonly now: number;
}

async function readResults(api: TargetApi, agentId: string): Promise<ResultsRead> {
  const pages: ResultsPage[] = [];
  let now = Date.now();
  let cursor: string | undefined;
  while (pages.length < MAX_PAGES) {
    const query = { limit: 100, timeFilter: 'allTime', cursor };
    const came = await api.call('list-results', { agentId, query }).catch((error: unknown) => {
      if (error instanceof CannotProbe) return error.message;
      throw error;
    });
    if (typeof came === 'string') return { pages, now, problem: came.replace(/\.$/, '') };
    const { accepted, status } = came.answer;
    if (!accepted)
      return { pages, now, ...(pages.length === 0 ? { refused: status } : { problem: `refused with ${status}` }) };
    const page = readResultsPage(came);
    if (typeof page === 'string') return { pages, now, problem: page };
    if (pages.length === 0) [now = now] = createTargetClock().instants(page.stamp);
    pages.push(page);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return { pages, now };
}

async function examineResults(
  { agentId = NOBODY, now }: RunOptions,
  api: TargetApi,
): Promise<{ readonly finding: Examination; readonly any: boolean }> {
  const what = 'results';
  const read = await readResults(api, agentId);
  const wrong = (says: string, fix?: string) => ({
    finding: { what, standing: 'wrong', says, fix } as const,
    any: false,
  });
  if (read.refused !== undefined)
    return wrong(
      `They cannot be read (${read.refused}).`,
      'Give a --token with read access, and the --agent-id of its agent',
    );
  const rows = read.pages.flatMap((page) => page.rows);
  const count = rows.length;
  if (count === 0 && read.problem !== undefined) return wrong(`They cannot be read: ${read.problem}.`);
  const fix = 'Give the --agent-id of an agent with more than 100 results, some of them older than 7 days';
  if (count === 0) return wrong('The agent has no results.', fix);
  const isMore = read.pages.at(-1)?.nextCursor !== null;
  const times = rows.flatMap(({ at }) => (at === undefined ? [] : [at.ms]));
  const today = now ?? read.now;
  const old = times.filter((ms) => ms < today - 7 * DAY).length;
  const lacks = [
    ...(times.length === 0 ? ['no createdAt in a common format'] : []),
    ...(times.length > 0 && old === 0 && !isMore
      ? ['none is older than 7 days, so nothing shows the default of timeFilter']
      : []),
    ...(times.length > 0 && old === times.length ? ['none is from the last 7 days'] : []),
    ...(count <= 50 && !isMore
      ? ['too few for a second page of 50']
      : count <= 100 && !isMore
        ? ['too few for a second page of 100']
        : []),
  ];
  const size = `${isMore ? 'more than ' : ''}${count}`;
  return {
    finding: {
      what,
      standing: lacks.length === 0 ? 'ok' : 'note',
      says: `There are ${size}, ${old}${isMore ? ' or more' : ''} of them older than 7 days${lacks.map((lack) => `; ${lack}`).join('')}.`,
      ...(lacks.length === 0 ? {} : { fix }),
    },
    any: true,
  };
}

async function examinePublished({ publishedAgentId }: RunOptions, api: TargetApi): Promise<Examination> {
  const what = 'published agent';
  const flag = '--published-agent-id';
  if (publishedAgentId === undefined) return { what, standing: 'missing', says: `${flag} was not given.` };
  const answer = await met(api.call('get-published-agent', { agentId: publishedAgentId }));
  if (typeof answer === 'string') return { what, standing: 'wrong', says: answer };
  if (!answer.accepted) return { what, standing: 'wrong', says: refused(answer), fix: fixOf(answer, flag) };
  if (field(answer.json, 'publicAgent') === undefined)
    return { what, standing: 'wrong', says: 'It has no published form.', fix: `Publish it, or give another ${flag}` };
  return { what, standing: 'ok', says: 'It can be read.' };
}

async function examineV5({ v5AgentId }: RunOptions, api: TargetApi): Promise<Examination> {
  const what = 'version 5 agent';
  if (v5AgentId === undefined) return { what, standing: 'missing', says: '--v5-agent-id was not given.' };
  const answer = await met(api.call('get-agent', { agentId: v5AgentId }));
  if (typeof answer === 'string') return { what, standing: 'wrong', says: answer };
  if (!answer.accepted) return { what, standing: 'wrong', says: refused(answer), fix: fixOf(answer, '--v5-agent-id') };
  const version = stringAt(answer.json, 'agent', 'version');
  if (version === '6') return { what, standing: 'note', says: 'It comes as version 6 (the server may convert it).' };
  return {
    what,
    standing: 'ok',
    says: `It can be read (version ${version === undefined ? 'unknown' : show(version)}).`,
  };
}

async function examineOther(
  mode: 'read' | 'guest',
  token: string | undefined,
  { agentId }: RunOptions,
  api: TargetApi,
): Promise<Examination> {
  const what = `${mode} token`;
  const flag = `--${mode}-token`;
  if (token === undefined) return { what, standing: 'missing', says: `${flag} was not given.` };
  if (agentId === undefined)
    return { what, standing: 'note', says: 'It cannot be tested without --agent-id.', fix: 'Give --agent-id' };
  const answer = await met(api.call('get-agent', { agentId, authorization: bearer(token) }));
  if (typeof answer === 'string') return { what, standing: 'wrong', says: answer };
  if (!answer.accepted)
    return {
      what,
      standing: 'wrong',
      says: refused(answer),
      fix: `Give a ${flag} with ${mode} access to the agent`,
    };
  const actual = modeOf(answer);
  if (actual !== mode)
    return {
      what,
      standing: 'wrong',
      says: `Its access to the agent is ${actual ?? 'unknown'}, not ${mode}.`,
      fix: `Give a ${flag} with ${mode} access to the agent`,
    };
  return { what, standing: 'ok', says: `It has ${mode} access to the agent.` };
}

function clock({ headers }: Answer, now = Date.now()): Examination {
  const what = 'clock';
  const date = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(date))
    return {
      what,
      standing: 'note',
      says: 'The answers have no Date, so a run judges time windows by the clock of this machine.',
    };
  const skew = date - now;
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) < NOTABLE_SKEW)
    return { what, standing: 'ok', says: `It agrees with this machine (within ${seconds + 1} s).` };
  return {
    what,
    standing: 'note',
    says: `It is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} this machine. A run judges time windows by the Date of the answers.`,
  };
}

function unreachable(): never {
  throw new Error('there is no transport');
}
