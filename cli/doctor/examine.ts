import { readResultsPage } from '../../conformance/history/facts/page.ts';
import type { Answered } from '../../conformance/http/exchange.ts';
import { field, stringAt } from '../../conformance/json.ts';
import { CannotProbe, outcomeOf } from '../../conformance/probes/cannot-probe.ts';
import { probeOf, type Run } from '../../conformance/probes/probe.ts';
import { createRedactor, type Secret } from '../../conformance/report/redact.ts';
import { runConformance } from '../../conformance/run.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { show } from '../../conformance/show.ts';
import { endpoints, type EndpointId } from '../../spec/index.ts';
import { flagName } from '../flags.ts';

export type ExaminationFinding = Found & { readonly what: string };

interface Found {
  /** Usable, worth knowing, not given, wrongly given, or fatal for any run. */
  readonly state: 'ok' | 'note' | 'missing' | 'wrong' | 'fatal';
  readonly says: string;
  readonly fix?: string | undefined;
}

/** What a run could work with; what is missing or was refused is left out. */
export type Usable = { [O in Supply['option']]?: boolean } & { token?: 'write' | 'read' | 'guest'; results?: boolean };

/** An identifier that no agent has: the answer still shows something about the server. */
const NOBODY = 'agent-contract-doctor';

/** Looks at a target by a run that sends only a few GET requests, which change nothing. The findings hold none of the secrets. */
export async function examine(options: RunOptions, secrets: readonly Secret[] = []) {
  let examined = Promise.resolve<Examined>({ findings: [] });
  const look = probeOf('first', 'lists', (run) => (examined = examineWith(options, run)));
  const { requests } = await runConformance({ ...options, readOnly: true, observe: false, probes: [look] });
  const { findings, usable } = await examined;
  const { sentence } = createRedactor(secrets);
  const clean = findings.map(({ what, state, says, fix }) => {
    return { what, state, says: sentence(says), fix: fix && sentence(fix) };
  });
  return { findings: clean, usable, requests };
}

interface Examined {
  readonly findings: readonly ExaminationFinding[];
  /** Missing if no run makes sense. */
  readonly usable?: Usable;
}

/** What was found, and what of it is usable, if there is a service. */
async function examineWith(options: RunOptions, run: Run): Promise<Examined> {
  const { agentId = NOBODY, token } = options;
  const first = await read(run, 'get-agent', { agentId, token });
  const findings: ExaminationFinding[] = [];
  const isUsable = (what: string, found: Found): boolean => {
    findings.push({ what, ...found });
    return found.state === 'ok' || found.state === 'note';
  };
  const isThere = isUsable('base URL', aboutBase(first));
  if (first instanceof CannotProbe || !isThere) return { findings };
  const usable: Usable = {};
  if (!isUsable('token', await aboutToken(first, options, run))) return { findings, usable };
  usable.token = accessOf(first) ?? 'write';
  for (const supply of supplies) {
    usable[supply.option] = isUsable(supply.what, await aboutSupply(supply, options, run));
    if (supply.option === 'agentId' && usable.agentId)
      usable.results = isUsable('results', await aboutResults(options, run));
  }
  return { findings, usable };
}

type Asked = Parameters<Run['call']>[1] & { readonly token?: string | undefined };

/** The answer to a GET request with this token or without any, or why there was none. */
const read = (run: Run, endpoint: EndpointId, { token, ...parameters }: Asked): Promise<Answered | CannotProbe> =>
  outcomeOf(run.call(endpoint, { ...parameters, authorization: token === undefined ? null : `Bearer ${token}` }));

const finding = (state: Found['state']) => (says: string, fix?: string) => ({ state, says, fix });
const ok = finding('ok');
const note = finding('note');
const missing = finding('missing');
const wrong = finding('wrong');
const fatal = finding('fatal');

function aboutBase(first: Answered | CannotProbe): Found {
  if (first instanceof CannotProbe) return fatal(first.message);
  const { status, headers, text, accepted, problem } = first.answer;
  if (status >= 300 && status < 400)
    return fatal(
      `It redirects (${status}) to ${show(headers['location'] ?? 'nowhere')}. The runner never follows redirects, so that the token goes nowhere else.`,
    );
  if (status !== 401 && status !== 403 && /^\s*<(!doctype|html)/i.test(text))
    return fatal(
      `It answers ${status} with an HTML page instead of JSON, so this is a web site rather than the service.`,
      'Give the URL of the API, without the documented paths, which begin with /api/v1',
    );
  if (accepted && problem !== undefined) return fatal(`It answers ${status} with ${problem} instead of JSON.`);
  if (status >= 500) return fatal(`It answers ${status}: it is broken, or not ready.`, 'Try again later');
  return ok(`It answers (${status}).`);
}

async function aboutToken(first: Answered, { token, agentId }: RunOptions, run: Run): Promise<Found> {
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
  const without = await read(run, 'get-agent', { agentId: agentId ?? NOBODY });
  if (!(without instanceof CannotProbe) && without.answer.status !== status)
    return ok(`It is accepted (${status}, and ${without.answer.status} without it).`);
  return note(
    `Nothing shows whether it is accepted: the answer is ${status} with and without it.`,
    agentId === undefined ? 'Give the --agent-id of an agent that it may read' : undefined,
  );
}

function accessOf({ answer }: Answered) {
  const mode = stringAt(answer.json, 'currentUserMode');
  return (['write', 'read', 'guest'] as const).find((access) => access === mode);
}

async function aboutResults({ agentId, token, now }: RunOptions, run: Run): Promise<Found> {
  const fix = 'Give the --agent-id of an agent with more than 100 results, some of them older than 7 days';
  const came = await read(run, 'list-results', { agentId, token, query: { limit: 100, timeFilter: 'allTime' } });
  if (came instanceof CannotProbe) return wrong(`They cannot be read. ${came.message}`);
  if (!came.answer.accepted) return wrong(`They cannot be read (${came.answer.status}).`, fix);
  const page = readResultsPage(came);
  if (typeof page === 'string') return wrong(`They cannot be read: ${page}.`);
  if (page.count === 0) return wrong('The agent has no results.', fix);
  const date = Date.parse(came.answer.headers['date'] ?? '');
  const weekAgo = (now ?? (date || Date.now())) - 7 * 86_400_000;
  const old = page.rows.filter(({ at }) => at !== undefined && at.ms < weekAgo).length;
  const isMore = page.nextCursor !== null;
  const says = `There are ${isMore ? 'more than ' : ''}${page.count}; of these, ${old} are older than 7 days.`;
  if (isMore && old < page.count) return ok(says);
  return note(says, fix);
}

/** What else a user may supply: an agent, which an endpoint shows, or a token, and the access that it should have. */
interface Supply {
  readonly what: string;
  readonly option: 'agentId' | 'publishedAgentId' | 'v5AgentId' | 'readToken' | 'guestToken';
  readonly endpoint?: EndpointId;
  readonly access?: 'read' | 'guest';
  readonly fix?: string;
}

const supplies: readonly Supply[] = [
  { what: 'agent', option: 'agentId', fix: 'Give the --agent-id of an agent with results' },
  { what: 'published agent', option: 'publishedAgentId', endpoint: 'get-published-agent' },
  { what: 'version 5 agent', option: 'v5AgentId' },
  { what: 'read token', option: 'readToken', access: 'read' },
  { what: 'guest token', option: 'guestToken', access: 'guest' },
];

async function aboutSupply(
  { option, endpoint = 'get-agent', access, fix }: Supply,
  { [option]: given, token, agentId }: RunOptions,
  run: Run,
): Promise<Found> {
  const flag = flagName(option);
  if (given === undefined) return missing(`${flag} was not given.`, fix);
  if (access && agentId === undefined) return note('It cannot be tested without --agent-id.', 'Give --agent-id');
  const came = await read(run, endpoint, access ? { agentId, token: given } : { agentId: given, token });
  if (came instanceof CannotProbe) return wrong(came.message);
  const { status, accepted, json } = came.answer;
  if (status === 404 || status === 410) return wrong(`It was not found (${status}).`, `Check ${flag}`);
  if (!accepted) return wrong(`It is refused (${status}).`, `Give another ${flag}`);
  const found = accessOf(came) ?? 'unknown';
  if (access && found !== access)
    return wrong(`Its access to the agent is ${found}, not ${access}.`, `Give another ${flag}`);
  if (endpoints[endpoint].holds === 'publicAgent' && field(json, 'publicAgent') === undefined)
    return wrong('It has no published form.', `Give another ${flag}`);
  return ok(access ? 'It reads the agent.' : 'It can be read.');
}
