import { endpoints, isCreating, isCreatingAgents, type CreatingEndpoint, type EndpointId } from '../../spec/index.ts';
import type { AgentOrigin } from '../history/facts/agents.ts';
import { credentialFlaws, type CredentialFlaw } from '../history/facts/credentials.ts';
import type { List } from '../history/facts/lists.ts';
import { isAnswered, type Answered } from '../http/exchange.ts';
import { stringAt } from '../json.ts';
import { pairsOf, type CallParameters, type QueryPair } from './api/request.ts';
import { CannotProbe, UnansweredProbe } from './cannot-probe.ts';
import { acceptedRequest, agentToRead, bodyFor, firstAgent, firstWorkspace } from './prerequisites.ts';
import type { Run } from './probe.ts';
import { similarTokens } from './similar-tokens.ts';

/** Credentials that the target must refuse. */
interface WrongCredentials extends Pick<CallParameters, 'authorization' | 'headers'> {
  readonly query?: readonly QueryPair[];
  /** Ends a sentence that begins with "the request". */
  readonly differs: string;
}

function bearer(value: string, differs: string): WrongCredentials {
  return { authorization: `Bearer ${value}`, differs };
}

/** Draws one of several credentials that are wrong in the same way. */
const oneOf = (choices: readonly WrongCredentials[], drawn: number): readonly WrongCredentials[] =>
  choices.slice(drawn % choices.length).slice(0, 1);

/** The credentials that are wrong in one way, for one request. */
const WRONG: Readonly<
  Record<CredentialFlaw, (run: Run, drawn: number, endpoint: EndpointId) => readonly WrongCredentials[]>
> = {
  'no-authorization': () => [{ authorization: null, differs: 'without the Authorization header' }],
  'other-scheme'(run, drawn) {
    const token = run.token();
    const named = Buffer.from(`${token}:`).toString('base64');
    const choices = [
      { authorization: `Basic ${token}`, differs: 'with the token under the scheme Basic' },
      { authorization: `Token ${token}`, differs: 'with the token under the scheme Token' },
      { authorization: token, differs: 'with only the token, without a scheme' },
      { authorization: `Basic ${named}`, differs: 'with the token as the user name of the scheme Basic' },
    ];
    return oneOf(choices, drawn);
  },
  'empty-token': () => [bearer('', 'with an empty token')],
  'unknown-token'({ tag }, drawn) {
    const choices = [
      bearer(`agent-contract-unknown-${tag}`, 'with a token that was never issued'),
      bearer('undefined', 'with the word undefined as its token'),
      bearer('null', 'with the word null as its token'),
    ];
    return oneOf(choices, drawn);
  },
  'similar-token'(run, drawn) {
    const choices = similarTokens(run.token()).map(({ value, differs }) => bearer(value, differs));
    return oneOf(choices, drawn);
  },
  'token-elsewhere'(run, drawn, endpoint) {
    const name = drawn % 2 === 0 ? 'access_token' : 'token';
    const query = [[name, run.token()]] as const;
    const cookies = [run.facts.credentials.cookie, `${name}=${run.token()}`];
    const headers = { cookie: cookies.filter((cookie) => cookie !== undefined).join('; ') };
    if (endpoints[endpoint].does !== 'lists')
      return [{ authorization: null, query, headers, differs: 'with the token only in the query and a cookie' }];
    // A list may refuse unknown parameters from anyone, so the cookie is tried apart from the query.
    return [
      { authorization: null, query, differs: 'with the token only in the query' },
      { authorization: null, headers, differs: 'with the token only in a cookie' },
    ];
  },
};

/**
 * Sends requests with wrong credentials: in every way in which they can be wrong, and in every way in which the
 * endpoint is used. Each is preceded and followed by a request with the right token, since a server may lock out a
 * caller after wrong ones.
 */
export async function sendWrongCredentials(run: Run, endpoint: EndpointId): Promise<void> {
  const first = await acceptedRequest(run, endpoint);
  if (isCreating(endpoint)) await tryCreations(run, endpoint);
  else await tryReadings(run, endpoint, first);
}

async function tryReadings(run: Run, endpoint: EndpointId, { agentId: first }: Answered): Promise<void> {
  const all: readonly CallParameters[] =
    endpoints[endpoint].does === 'lists'
      ? await listsToRefuse(run)
      : agentsToRefuse(run, endpoint, first).map((agentId) => ({ agentId }));
  for (const [index, parameters] of all.entries()) {
    const isUsual = run.facts.credentials.accepted(endpoint, parameters.agentId) !== undefined;
    if (!isUsual && !(await isStillAccepted(run, endpoint, parameters))) continue;
    await tryEveryWay(run, endpoint, parameters, index, () => isStillAccepted(run, endpoint, parameters));
  }
  if (!(await isStillAccepted(run, endpoint, all[0] ?? {}))) throw lockedOut();
}

/** All these requests send the same body: if one of them has an effect, its name is taken. */
async function tryCreations(run: Run, endpoint: CreatingEndpoint): Promise<void> {
  const body = await bodyToRefuse(run, endpoint);
  await tryEveryWay(run, endpoint, { body }, 0, async () => {
    const { answer } = await run.call(endpoint, { body: await bodyFor(run, endpoint, 'name-only', 'answered') });
    return answer.accepted;
  });
  const name = stringAt(body, 'slug') ?? stringAt(body, 'agent', 'publicId');
  if (name === undefined) {
    const { id } = await firstAgent(run, 'create-agent');
    if (id !== undefined && !(await isStillAccepted(run, 'get-agent', { agentId: id }))) throw lockedOut();
    return;
  }
  // The specification leaves open what happens to a name in use. Only the fact that it is in use shows something.
  const retaken = await run.call(endpoint, { body, open: true });
  if (!retaken.answer.accepted)
    await run.call(endpoint, { body: await bodyFor(run, endpoint, 'full', 'another-name'), open: true });
}

function lockedOut(): CannotProbe {
  return new CannotProbe('After wrong credentials the target refused the right token too, so refusals prove nothing.');
}

/** The fullest body that the target accepts, in a workspace of this history if there is one. */
async function bodyToRefuse(run: Run, endpoint: CreatingEndpoint): Promise<unknown> {
  if (!isCreatingAgents(endpoint)) {
    const { answer } = await firstWorkspace(run, 'full');
    return bodyFor(run, endpoint, answer.accepted ? 'full' : 'name-only', 'refused');
  }
  const { detail } = await firstAgent(run, endpoint);
  const body = await bodyFor(run, endpoint, detail, 'refused');
  const [fresh] = run.facts.workspaces.created;
  if (fresh === undefined) return body;
  return { ...body, workspaceId: fresh };
}

/** An agent of the given origin: one in a workspace of this history, or else the first. */
function agentOf({ facts: { agents, workspaces } }: Run, origin: AgentOrigin): string | undefined {
  const ofOrigin = [...agents.all].filter((agent) => agent.origin === origin);
  const fresh = ofOrigin.find(({ creation }) => workspaces.created.has(creation?.workspaceId ?? ''));
  return (fresh ?? ofOrigin[0])?.id;
}

/** One agent of each origin. */
function agentsToRefuse(run: Run, endpoint: EndpointId, first: string | undefined): readonly string[] {
  const { facts, target } = run;
  const known =
    endpoints[endpoint].mayBeAbsent === true
      ? [first, agentOf(run, 'imported')].filter((id) => id === first || facts.credentials.accepted(endpoint, id))
      : [first, target.publishedAgentId ?? target.agentId, agentOf(run, 'created'), agentOf(run, 'imported')];
  return [...new Set(known)].filter((id) => id !== undefined);
}

/** A list from its beginning, middle and end, with a filter, and by its cursor alone; and one of a new agent. */
async function listsToRefuse(run: Run): Promise<readonly CallParameters[]> {
  const { all } = run.facts.lists;
  const given = await agentToRead(run);
  const isOfCreated = run.draw('credentials list-results origin', 2) === 0;
  const created = agentOf(run, isOfCreated ? 'created' : 'imported');
  const filtered = lastPageOf(all) ?? (await secondPage(run, given));
  const alone = cursorAloneIn(all) ?? (await cursorAlone(run, given));
  const lists = [filtered, alone, { agentId: given }, created === undefined ? undefined : { agentId: created }];
  return lists.filter((list) => list !== undefined);
}

const USUAL_LIMITS: ReadonlySet<string | undefined> = new Set([undefined, '1', '2', '3', '7', '50', '100']);

/** How much the last page of a walk tells: most with a filter, then with an unusual page size, then at the end. */
function tellingOf({ query, pages }: List): number {
  const given = new Map(query);
  const isFiltered = given.has('timeFilter') && given.get('timeFilter') !== 'allTime';
  const isUnusual = !USUAL_LIMITS.has(given.get('limit'));
  return Number(isFiltered) * 4 + Number(isUnusual) * 2 + Number(pages.at(-1)?.nextCursor === null);
}

/** The last page of the most telling walk. */
function lastPageOf(lists: readonly List[]): CallParameters | undefined {
  const walked = lists.filter(({ caller, pages }) => caller === 'valid' && pages.length > 1);
  const [best] = walked.toSorted((one, other) => tellingOf(other) - tellingOf(one));
  const query = best?.pages.at(-1)?.query;
  return best && query && { agentId: best.agentId, query };
}

function cursorAloneIn(lists: readonly List[]): CallParameters | undefined {
  for (const { agentId, caller, pages } of lists)
    for (const { query } of pages)
      if (caller === 'valid' && query.length === 1 && query[0]?.[0] === 'cursor') return { agentId, query };
  return undefined;
}

async function secondPage(run: Run, agentId: string): Promise<CallParameters> {
  const query = { limit: 13, timeFilter: 'last30Days' };
  const cursor = stringAt((await run.call('list-results', { agentId, query })).answer.json, 'nextCursor');
  return { agentId, query: { ...query, cursor } };
}

async function cursorAlone(run: Run, agentId: string): Promise<CallParameters | undefined> {
  const cursor = stringAt((await run.call('list-results', { agentId })).answer.json, 'nextCursor');
  if (cursor === undefined) return undefined;
  return { agentId, query: { cursor } };
}

async function isStillAccepted(run: Run, endpoint: EndpointId, parameters: CallParameters): Promise<boolean> {
  return (await run.call(endpoint, { ...parameters, open: true })).answer.accepted;
}

const MANY = 1_000;

/**
 * One request for each way. If a way has several credentials, the seed draws one, and another for the next request of
 * the endpoint, which has another index.
 */
async function tryEveryWay(
  run: Run,
  endpoint: EndpointId,
  parameters: CallParameters,
  index: number,
  isAcceptedAgain: () => Promise<boolean>,
): Promise<void> {
  const all = credentialFlaws.flatMap((flaw) =>
    WRONG[flaw](run, run.draw(`credentials ${endpoint} ${flaw}`, MANY) + index, endpoint),
  );
  const isAnsweredWith = ({ query = [], ...wrong }: WrongCredentials): Promise<boolean> =>
    isAnsweredAtAll(run, endpoint, { ...parameters, ...wrong, query: [...pairsOf(parameters.query), ...query] });
  for (const together of inPairs(all)) {
    const answered = await Promise.all(together.map(isAnsweredWith));
    // One closed socket may be an accident. Two, beside an answered request, are the server's answer.
    for (const wrong of together.filter((_, place) => answered[place] === false))
      if (!(await isAnsweredWith(wrong)) && !(await isAcceptedAgain())) throw lockedOut();
  }
}

/** Two at a time, never one alone: a server may mix up callers whose requests overlap. */
function inPairs<T>(all: readonly T[]): readonly (readonly T[])[] {
  const pairs = all.flatMap((_, at) => (at % 2 === 0 ? [all.slice(at, at + 2)] : []));
  if (pairs.length > 1 && pairs.at(-1)?.length === 1) return [...pairs.slice(0, -2), all.slice(-3)];
  return pairs;
}

async function isAnsweredAtAll(run: Run, endpoint: EndpointId, parameters: CallParameters): Promise<boolean> {
  try {
    return isAnswered(await run.call(endpoint, parameters));
  } catch (error) {
    if (error instanceof UnansweredProbe) return false;
    throw error;
  }
}
