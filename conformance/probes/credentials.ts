import { endpoints, isCreating, isCreatingAgents, type CreatingEndpoint, type EndpointId } from '../../spec/index.ts';
import type { AgentOrigin } from '../history/facts/agents.ts';
import { credentialFlaws, type CredentialFlaw } from '../history/facts/credentials.ts';
import type { List } from '../history/facts/lists.ts';
import type { Answered } from '../http/exchange.ts';
import { present } from '../collections.ts';
import { wordOf } from '../history/facts/failures.ts';
import { isObject, stringAt } from '../json.ts';
import { pairsOf, type CallParameters } from './api/request.ts';
import { CannotProbe, UnansweredProbe } from './cannot-probe.ts';
import { acceptedRequest, agentToRead, bodyFor, firstAgent, firstWorkspace } from './prerequisites.ts';
import type { Run } from './probe.ts';
import { waysOf, WITHOUT, type WrongCredentials } from './wrong-credentials.ts';

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

/** So many ways in which an endpoint is used are always tried. */
const NEEDED_USES = 2;

async function tryReadings(run: Run, endpoint: EndpointId, { agentId: first }: Answered): Promise<void> {
  const isOfList = endpoints[endpoint].does === 'lists';
  const all = isOfList ? await listsToRefuse(run) : agentsToRefuse(run, endpoint, first);
  const isAccepted = (use: CallParameters): Promise<boolean> => isStillAccepted(run, endpoint, use);
  const uses: CallParameters[] = [];
  for (const use of all.slice(0, run.hasSpare() ? all.length : NEEDED_USES)) {
    const isUsual = run.facts.credentials.accepted(endpoint, use.agentId) !== undefined;
    if (isUsual || (await isAccepted(use))) uses.push(use);
  }
  const [usual = {}] = uses;
  await tryEveryWay(run, { endpoint, uses, isAccepted, beside: () => isAccepted(usual) });
  // Agents of version 5 may have a way of their own. They need not be published.
  const { v5AgentId: agentId } = run.target;
  const [made = WITHOUT] = waysOf('unknown-token', { run, endpoint, agentId }).spread ?? [];
  if (agentId !== undefined && endpoints[endpoint].mayBeAbsent !== true)
    await Promise.all([WITHOUT, made].map((wrong) => answerTo(run, endpoint, { use: { agentId }, wrong })));
  // What a refusal leaves behind shows in the next answer. A list is one that others are compared with.
  const lists = run.facts.lists.all;
  const known = isOfList && lists.find(({ caller, open, rows }) => caller === 'valid' && !open && rows.length > 0);
  const next = known ? { agentId: known.agentId, query: known.query } : { ...usual, open: true };
  if (!(await run.call(endpoint, next)).answer.accepted) throw lockedOut();
}

/** All these requests send the same body: if one of them has an effect, its name is taken. */
async function tryCreations(run: Run, endpoint: CreatingEndpoint): Promise<void> {
  const body = await bodyToRefuse(run, endpoint);
  const [shown] = run.facts.agents.all;
  const isReadable = async (agentId = shown?.id): Promise<boolean> =>
    agentId === undefined || isStillAccepted(run, 'get-agent', { agentId });
  const isAccepted = async (): Promise<boolean> => {
    const { answer } = await run.call(endpoint, { body: await bodyFor(run, endpoint, 'name-only', 'answered') });
    return answer.accepted;
  };
  await tryEveryWay(run, { endpoint, uses: [{ body }], isAccepted, beside: () => isReadable() });
  const name = stringAt(body, 'slug') ?? stringAt(body, 'agent', 'publicId');
  if (name === undefined) {
    const { id } = await firstAgent(run, 'create-agent');
    if (!(await isReadable(id))) throw lockedOut();
    return;
  }
  // The specification leaves open what happens to a name in use. Only the fact that it is in use shows something.
  const retaken = await run.call(endpoint, { body, open: true });
  if (retaken.answer.accepted) return;
  for (const again of [await bodyFor(run, endpoint, 'full', 'another-name'), body])
    await run.call(endpoint, { body: again, open: true });
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
  return { ...body, workspaceId: fresh ?? body['workspaceId'] };
}

/** An agent of the given origin: one in a workspace of this history, or else the first. */
function agentOf({ facts: { agents, workspaces } }: Run, origin: AgentOrigin): string | undefined {
  const ofOrigin = [...agents.all].filter((agent) => agent.origin === origin);
  return (ofOrigin.find(({ creation }) => workspaces.created.has(creation?.workspaceId ?? '')) ?? ofOrigin[0])?.id;
}

function agentsToRefuse(run: Run, endpoint: EndpointId, first: string | undefined): readonly CallParameters[] {
  const { facts, target } = run;
  const imported = agentOf(run, 'imported');
  let known = [first, target.publishedAgentId ?? target.agentId, agentOf(run, 'created'), imported];
  if (endpoints[endpoint].mayBeAbsent === true)
    known = [first, imported].filter((id) => id === first || facts.credentials.accepted(endpoint, id));
  return present(...new Set(known)).map((agentId) => ({ agentId }));
}

/** A list from its beginning, middle and end, with a filter, and by its cursor alone; and one of a new agent. */
async function listsToRefuse(run: Run): Promise<readonly CallParameters[]> {
  const given = await agentToRead(run);
  const isOfCreated = run.draw('credentials list-results origin', 2) === 0;
  const created = agentOf(run, isOfCreated ? 'created' : 'imported');
  const query = { limit: 13, timeFilter: 'last30Days' };
  const filtered = lastPageOf(run.facts.lists.all) ?? {
    agentId: given,
    query: { ...query, cursor: await cursorOf(run, given, query) },
  };
  const lists = [filtered, await cursorAlone(run, given), { agentId: given }, created && { agentId: created }];
  return lists.filter((list) => typeof list === 'object');
}

const USUAL_LIMITS: ReadonlySet<string | undefined> = new Set([undefined, '1', '2', '3', '7', '50', '100']);

/** How much the last page of a walk tells: most with a filter, then with an unusual page size, then at the end. */
function tellingOf({ query, pages }: List): number {
  const given = new Map(query);
  const isFiltered = given.has('timeFilter') && given.get('timeFilter') !== 'allTime';
  const isUnusual = !USUAL_LIMITS.has(given.get('limit'));
  return Number(isFiltered) * 4 + Number(isUnusual) * 2 + Number(pages.at(-1)?.nextCursor === null);
}

function lastPageOf(lists: readonly List[]): CallParameters | undefined {
  const walked = lists.filter(({ caller, pages }) => caller === 'valid' && pages.length > 1);
  const [best] = walked.toSorted((one, other) => tellingOf(other) - tellingOf(one));
  const query = best?.pages.at(-1)?.query;
  return best && query && { agentId: best.agentId, query };
}

async function cursorAlone(run: Run, given: string): Promise<CallParameters | undefined> {
  for (const { agentId, caller, pages } of run.facts.lists.all)
    for (const { query } of pages)
      if (caller === 'valid' && query.length === 1 && query[0]?.[0] === 'cursor') return { agentId, query };
  const cursor = await cursorOf(run, given);
  if (cursor === undefined || cursor === '') return undefined;
  return { agentId: given, query: { cursor } };
}

async function cursorOf(run: Run, agentId: string, query = {}): Promise<string | undefined> {
  return stringAt((await run.call('list-results', { agentId, query })).answer.json, 'nextCursor');
}

async function isStillAccepted(run: Run, endpoint: EndpointId, parameters: CallParameters): Promise<boolean> {
  return (await run.call(endpoint, { ...parameters, open: true })).answer.accepted;
}

const MANY = 1_000;
/** More would use up the patience of the run with an endpoint that closes connections. */
const TOGETHER = 2;
/** Where no request is to spare, none is sent again that was asked to wait, but so often one of each flaw, which shall be judged. */
const PATIENT = 4;

interface Tried {
  readonly endpoint: EndpointId;
  readonly uses: readonly CallParameters[];
  readonly isAccepted: (use: CallParameters) => Promise<boolean>;
  /** A request with the right token that is sent together with the first ones. */
  readonly beside: () => Promise<boolean>;
}

type Wrong = Readonly<{ use: CallParameters; wrong: WrongCredentials }>;

/** What a round has let in so far, and what each endpoint that is done with was asked. */
const metBy = (run: Run) =>
  run.once('met wrong credentials', () =>
    Promise.resolve({
      letIn: new Set<WrongCredentials>(),
      asked: [] as { readonly endpoint: EndpointId; readonly use: CallParameters; readonly ways: Set<string> }[],
    }),
  );

/** Asks every endpoint in the ways that one of them let in. The rare ways go to some endpoints alone at first. */
async function tryEverywhere(run: Run): Promise<void> {
  const { letIn, asked } = await metBy(run);
  for (const wrong of letIn)
    for (const { endpoint, use, ways } of asked) {
      if (ways.has(wrong.differs) || !run.hasSpare()) continue;
      ways.add(wrong.differs);
      await answerTo(run, endpoint, { use, wrong });
    }
}

/** Sends what was asked to wait again, one of each flaw, until it is judged. */
async function askEachAgain(run: Run, endpoint: EndpointId, waiting: ReadonlyMap<CredentialFlaw, Wrong>) {
  for (const [flaw, one] of waiting) {
    const seen = run.facts.credentials.seen(endpoint, flaw);
    for (let left = PATIENT; seen.refused + seen.unconfirmed.length + seen.served.length === 0; left--) {
      if (left === 0) return;
      await answerTo(run, endpoint, one);
    }
  }
}

/** Sends every wrong credential. What combines several things is taken apart if it is let in. */
async function tryEveryWay(run: Run, tried: Tried): Promise<void> {
  const { endpoint, isAccepted, beside } = tried;
  const all = wrongRequests(run, tried);
  const met = await metBy(run);
  const apart = new Set<string>();
  const waiting = new Map<CredentialFlaw, Wrong>();
  for (let at = 0; at < all.length; at += TOGETHER) {
    const together = all.slice(at, at + TOGETHER).filter(({ wrong }) => wrong.isExtra !== true || run.hasSpare());
    const [answers] = await Promise.all([
      Promise.all(together.map((one) => answerTo(run, endpoint, one))),
      // Never one alone, and once beside one with the right token: a server may mix up callers whose requests overlap.
      (at === 0 || together.length < TOGETHER) && beside(),
    ]);
    // Without an answer between them, those and the next would use up the patience.
    const [first] = together;
    if (together.length > 1 && first && !answers.some(Boolean) && !(await isAccepted(first.use))) throw lockedOut();
    for (const [place, one] of together.entries()) {
      const { use, wrong } = one;
      const answer = answers[place];
      if (answer && wordOf(answer.answer.status) === 'not-now') waiting.set(one.flaw, one);
      if (answer && run.facts.credentials.letIn.has(answer.n) && !apart.has(wrong.differs)) {
        apart.add(wrong.differs);
        for (const part of wrong.parts ?? []) if (run.hasSpare()) await answerTo(run, endpoint, { use, wrong: part });
        if (wrong.headers === undefined && wrong.members === undefined) met.letIn.add(wrong);
      }
      // One closed socket may be an accident. Two, beside an answered request, are the server's answer.
      if (!answer && !(await answerTo(run, endpoint, one)) && !(await isAccepted(use))) throw lockedOut();
    }
  }
  await askEachAgain(run, endpoint, waiting);
  met.asked.push({ endpoint, use: tried.uses[0] ?? {}, ways: new Set(all.map(({ wrong }) => wrong.differs)) });
  await tryEverywhere(run);
}

/** Begins with the flaw that is sent most: what is sent once shall go out on a kept connection, not on a new one. */
const FLAWS = ['other-scheme', ...credentialFlaws.filter((flaw) => flaw !== 'other-scheme')] as const;

/** Every wrong credential once, and one of each flaw in every way to use the endpoint; the seed pairs them. */
function wrongRequests(run: Run, { endpoint, uses }: Tried): readonly (Wrong & { readonly flaw: CredentialFlaw })[] {
  const all = FLAWS.flatMap((flaw) => {
    const drawn = run.draw(`credentials ${endpoint} ${flaw}`, MANY);
    const ways = uses.map(({ agentId }) => waysOf(flaw, { run, endpoint, agentId }));
    const { always = [], spread = [], once = [] } = ways[0] ?? {};
    const times = spread.length && Math.max(uses.length, spread.length);
    return [
      ...uses.flatMap((_, place) => always.map((wrong) => ({ place, wrong }))),
      ...Array.from({ length: times }, (_, i) => ({
        place: i % uses.length,
        wrong: spread[(i + drawn) % spread.length],
      })),
      ...once.map((_, i) => {
        const place = (i + drawn) % uses.length;
        return { place, wrong: ways[place]?.once?.[i] };
      }),
    ].map((one) => ({ ...one, flaw }));
  });
  const inOrder = all.toSorted((one, other) => one.place - other.place);
  return inOrder.flatMap(({ place, wrong, flaw }) => (wrong ? [{ use: uses[place] ?? {}, wrong, flaw }] : []));
}

async function answerTo(run: Run, endpoint: EndpointId, { use, wrong }: Wrong): Promise<Answered | undefined> {
  const { query = [], members, parts: _, isExtra: __, ...rest } = wrong;
  const body = members && isObject(use.body) ? { ...use.body, ...members } : use.body;
  try {
    return await run.call(endpoint, { ...use, ...rest, body, query: [...pairsOf(use.query), ...query] });
  } catch (error) {
    if (error instanceof UnansweredProbe) return undefined;
    throw error;
  }
}
