import type { EndpointId } from '../../spec/index.ts';
import type { Probe } from './probe.ts';
import { credentialFlaws, type CredentialFlaw } from '../history/facts/credentials.ts';
import { isAnswered, type Answered } from '../http/exchange.ts';
import type { List } from '../history/facts/lists.ts';
import { stringAt } from '../json.ts';
import type { CallParameters } from './api/request.ts';
import type { Run } from './probe.ts';
import { CannotProbe, UnansweredProbe } from './cannot-probe.ts';
import { accepted, agentToRead, bodyFor, created, workspace } from './prerequisites.ts';
import { similarTokens } from './similar-tokens.ts';

type CreatingEndpoint = 'create-agent' | 'import-agent' | 'create-workspace';

const isCreating = (endpoint: EndpointId): endpoint is CreatingEndpoint =>
  endpoint === 'create-agent' || endpoint === 'import-agent' || endpoint === 'create-workspace';

/**
 * Sends requests with wrong credentials: in every way in which they can be wrong, and in every way in which the
 * endpoint is used. Each is preceded and followed by a request with the right token, since a server may lock out a
 * caller after wrong ones.
 */
export const wrongCredentials = (endpoint: EndpointId): Probe => ({
  phase: 'credentials',
  queue: 'creations',
  send: async (run) => {
    const first = await accepted(run, endpoint);
    if (isCreating(endpoint)) await tryCreations(run, endpoint);
    else await tryReadings(run, endpoint, first);
  },
});

async function tryReadings(run: Run, endpoint: EndpointId, first: Answered): Promise<void> {
  const all =
    endpoint === 'list-results' ? await listings(run) : agents(run, endpoint, first).map((agentId) => ({ agentId }));
  for (const [index, parameters] of all.entries()) {
    const { agentId } = parameters;
    if (!run.facts.credentials.accepted(endpoint, agentId) && !(await stillAccepted(run, endpoint, parameters)))
      continue;
    await tryAll(run, endpoint, parameters, index, () => stillAccepted(run, endpoint, parameters));
  }
  if (!(await stillAccepted(run, endpoint, all[0] ?? {}))) throw lockedOut();
}

/** All these requests send the same body: if one of them has an effect, its name is taken. */
async function tryCreations(run: Run, endpoint: CreatingEndpoint): Promise<void> {
  const body = await bodyToRefuse(run, endpoint);
  const again = async (label: string): Promise<boolean> => {
    const { answer } = await run.api.call(endpoint, { body: await bodyFor(run, endpoint, 'name-only', label) });
    return answer.accepted;
  };
  await tryAll(run, endpoint, { body }, 0, () => again('answered'));
  const name = endpoint === 'create-workspace' ? stringAt(body, 'slug') : stringAt(body, 'agent', 'publicId');
  if (name === undefined) {
    const { id } = await created(run, 'create-agent');
    if (id !== undefined && !(await stillAccepted(run, 'get-agent', { agentId: id }))) throw lockedOut();
    return;
  }
  // The specification leaves open what happens to a name in use. Only the fact that it is in use shows something.
  const retaken = await run.api.call(endpoint, { body, open: true });
  if (!retaken.answer.accepted)
    await run.api.call(endpoint, { body: await bodyFor(run, endpoint, 'full', 'another-name'), open: true });
}

const lockedOut = (): CannotProbe =>
  new CannotProbe('After wrong credentials the target refused the right token too, so refusals prove nothing.');

/** The fullest body that the target accepts, in a workspace of this history if there is one. */
async function bodyToRefuse(run: Run, endpoint: CreatingEndpoint): Promise<unknown> {
  if (endpoint === 'create-workspace') {
    const { answer } = await workspace(run, 'full');
    return bodyFor(run, endpoint, answer.accepted ? 'full' : 'name-only', 'refused');
  }
  const { detail } = await created(run, endpoint);
  const body = await bodyFor(run, endpoint, detail, 'refused');
  const [fresh] = run.facts.workspaces.made;
  return fresh === undefined ? body : { ...body, workspaceId: fresh };
}

/** An agent of the given origin: one in a workspace of this history, or else the first. */
function madeBy({ facts }: Run, origin: 'created' | 'imported'): string | undefined {
  const ofOrigin = [...facts.agents.all].filter((agent) => agent.origin === origin);
  const isFresh = ({ workspaceId = '' }): boolean => facts.workspaces.made.has(workspaceId);
  return (ofOrigin.find(isFresh) ?? ofOrigin[0])?.id;
}

/** One agent of each origin. */
function agents(run: Run, endpoint: EndpointId, { agentId: first }: Answered): readonly string[] {
  const { facts, target } = run;
  const known =
    endpoint === 'get-published-agent'
      ? [first, madeBy(run, 'imported')].filter((id) => id === first || facts.credentials.accepted(endpoint, id))
      : [first, target.publishedAgentId ?? target.agentId, madeBy(run, 'created'), madeBy(run, 'imported')];
  return [...new Set(known)].filter((id) => id !== undefined);
}

/** A list from its beginning, middle and end, with a filter, and by its cursor alone; and one of a new agent. */
async function listings(run: Run): Promise<readonly CallParameters[]> {
  const { facts } = run;
  const given = await agentToRead(run);
  const made = madeBy(run, run.draw('credentials list-results origin', 2) === 0 ? 'created' : 'imported');
  const filtered = lastPageOf(facts.lists.all) ?? (await secondPage(run, given));
  const alone = aloneOf(facts.lists.all) ?? (await cursorAlone(run, given));
  const plain = [given, made].flatMap((agentId) => (agentId === undefined ? [] : { agentId }));
  return [filtered, ...(alone ? [alone] : []), ...plain];
}

const USUAL_LIMITS: ReadonlySet<string | undefined> = new Set([undefined, '1', '2', '3', '7', '50', '100']);

/** The last page of the most telling walk: one with a filter and an unusual page size. */
function lastPageOf(lists: readonly List[]): CallParameters | undefined {
  const value = ({ query, pages }: List): number => {
    const given = new Map(query);
    return (
      Number(given.has('timeFilter') && given.get('timeFilter') !== 'allTime') * 4 +
      Number(!USUAL_LIMITS.has(given.get('limit'))) * 2 +
      Number(pages.at(-1)?.nextCursor === null)
    );
  };
  const walked = lists.filter(({ caller, pages }) => caller === 'valid' && pages.length > 1);
  const [best] = walked.toSorted((one, other) => value(other) - value(one));
  const query = best?.pages.at(-1)?.query;
  return best && query ? { agentId: best.agentId, query } : undefined;
}

function aloneOf(lists: readonly List[]): CallParameters | undefined {
  for (const { agentId, caller, pages } of lists)
    for (const { query } of pages)
      if (caller === 'valid' && query.length === 1 && query[0]?.[0] === 'cursor') return { agentId, query };
  return undefined;
}

async function secondPage(run: Run, agentId: string): Promise<CallParameters> {
  const query = { limit: 13, timeFilter: 'last30Days' };
  const cursor = stringAt((await run.api.call('list-results', { agentId, query })).answer.json, 'nextCursor');
  return cursor === undefined ? { agentId, query } : { agentId, query: { ...query, cursor } };
}

async function cursorAlone(run: Run, agentId: string): Promise<CallParameters | undefined> {
  const cursor = stringAt((await run.api.call('list-results', { agentId })).answer.json, 'nextCursor');
  return cursor === undefined ? undefined : { agentId, query: { cursor } };
}

async function stillAccepted(run: Run, endpoint: EndpointId, parameters: CallParameters): Promise<boolean> {
  return (await run.api.call(endpoint, { ...parameters, open: true })).answer.accepted;
}

/** One request for each way. If a way has several credentials, the seed draws one, and another next time. */
async function tryAll(
  run: Run,
  endpoint: EndpointId,
  parameters: CallParameters,
  index: number,
  answered: () => Promise<boolean>,
): Promise<void> {
  const all = credentialFlaws.flatMap((way) =>
    wrongOnes(run, endpoint, way, run.draw(`credentials ${endpoint} ${way}`, MANY) + index),
  );
  for (const together of inPairs(all)) {
    const met = await Promise.all(together.map(async (wrong) => tryOnce(run, endpoint, parameters, wrong)));
    // One closed socket may be an accident. Two, beside an answered request, are the server's answer.
    for (const wrong of together.filter((_, place) => met[place] === false))
      if (!(await tryOnce(run, endpoint, parameters, wrong)) && !(await answered())) throw lockedOut();
  }
}

/** Two at a time, never one alone: a server may mix up callers whose requests overlap. */
function inPairs(all: readonly Wrong[]): readonly (readonly Wrong[])[] {
  const pairsOfAll = all.flatMap((_, at) => (at % 2 === 0 ? [all.slice(at, at + 2)] : []));
  const last = pairsOfAll.at(-1);
  return last?.length === 1 && pairsOfAll.length > 1 ? [...pairsOfAll.slice(0, -2), all.slice(-3)] : pairsOfAll;
}

async function tryOnce(run: Run, endpoint: EndpointId, parameters: CallParameters, wrong: Wrong): Promise<boolean> {
  const { query = [], ...rest } = wrong;
  return isAnsweredAtAll(run, endpoint, { ...parameters, ...rest, query: [...pairs(parameters.query), ...query] });
}

const MANY = 1_000;

/** The request for a way, with one of the credentials that fit it. */
function wrongOnes(run: Run, endpoint: EndpointId, way: CredentialFlaw, drawn: number): readonly Wrong[] {
  if (way === 'token-elsewhere') return elsewhere(run, endpoint, drawn);
  const choices = credentialsOf(run, way);
  return choices.slice(drawn % choices.length).slice(0, 1);
}

/** A list may refuse unknown parameters from anyone, so the cookie is tried apart from the query. */
function elsewhere(run: Run, endpoint: EndpointId, drawn: number): readonly Wrong[] {
  const token = run.token();
  const name = drawn % 2 === 0 ? 'access_token' : 'token';
  const query = [[name, token]] as const;
  const { cookie: set } = run.facts.credentials;
  const headers = { cookie: [...(set === undefined ? [] : [set]), `${name}=${token}`].join('; ') };
  if (endpoint !== 'list-results')
    return [{ authorization: null, query, headers, differs: 'with the token only in the query and a cookie' }];
  return [
    { authorization: null, query, differs: 'with the token only in the query' },
    { authorization: null, headers, differs: 'with the token only in a cookie' },
  ];
}

const pairs = (query: CallParameters['query'] = []): readonly (readonly [string, string])[] =>
  Array.isArray(query)
    ? (query as readonly (readonly [string, string])[])
    : Object.entries(query).map(([name, value]) => [name, String(value)] as const);

async function isAnsweredAtAll(run: Run, endpoint: EndpointId, parameters: CallParameters): Promise<boolean> {
  try {
    return isAnswered(await run.api.call(endpoint, parameters));
  } catch (error) {
    if (error instanceof UnansweredProbe) return false;
    throw error;
  }
}

interface Wrong extends Pick<CallParameters, 'authorization' | 'headers'> {
  readonly query?: readonly (readonly [string, string])[];
  /** Ends a sentence that begins with "the request". */
  readonly differs: string;
}

function credentialsOf(run: Run, way: Exclude<CredentialFlaw, 'token-elsewhere'>): readonly Wrong[] {
  const token = run.token();
  const bearer = (value: string, differs: string): Wrong => ({ authorization: `Bearer ${value}`, differs });
  switch (way) {
    case 'no-authorization':
      return [{ authorization: null, differs: 'without the Authorization header' }];
    case 'other-scheme':
      return [
        { authorization: `Basic ${token}`, differs: 'with the token under the scheme Basic' },
        { authorization: `Token ${token}`, differs: 'with the token under the scheme Token' },
        { authorization: token, differs: 'with only the token, without a scheme' },
        {
          authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
          differs: 'with the token as the user name of the scheme Basic',
        },
      ];
    case 'empty-token':
      return [bearer('', 'with an empty token')];
    case 'unknown-token':
      return [
        bearer(`agent-contract-unknown-${run.tag}`, 'with a token that was never issued'),
        bearer('undefined', 'with the word undefined as its token'),
        bearer('null', 'with the word null as its token'),
      ];
    case 'similar-token':
      return similarTokens(token).map(({ value, differs }) => bearer(value, differs));
  }
}
