import { isDeepStrictEqual } from 'node:util';
import { endpoints, isCreatingAgents, isReadingAgent, typedLocations, validate } from '../../../spec/index.ts';
import { abridgedAgent, ASSIGNED } from '../../content/abridge.ts';
import { compareAgents } from '../../content/content.ts';
import { oncePer } from '../../collections.ts';
import { createSeenPlaces, neverShown, noteSent, noteShown, type SentPlaces } from '../../content/places.ts';
import { isAccepted, isEntitled, ownerOf, type Answered, type Exchange } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import { field, isObject, stringAt, type JsonObject, arrayAt } from '../../json.ts';
import type { TargetOptions } from '../../target-options.ts';
import { ownTraffic, type Policy } from '../policy.ts';

/** Where an agent comes from: a request of this history, or it existed before. */
export type AgentOrigin = 'created' | 'imported' | 'given';

export interface AgentFact {
  readonly id: string;
  readonly origin: AgentOrigin;
  /** The request that created it; `undefined` for an agent that existed before. */
  readonly creation: AgentCreation | undefined;
  /** Whether another creation was answered with the same id, so that a reading may show either. */
  readonly isAmbiguous: boolean;
  readonly isPublished: boolean | undefined;
  readonly shown?: JsonObject | undefined;
}

export type AgentCreation = ReturnType<typeof creationBy>;

const MAX_AGENTS = 2000;
const MAX_CONTENTS = 300;

/** Agents: where each comes from, what was sent for it, and what answers show of it. */
export type Agents = ReturnType<typeof createAgents>;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export function createAgents(target: TargetOptions, policy: Policy = ownTraffic) {
  const [ids, modes] = [new Set<string>(), new Set<string>()];
  const agents = new Map<string, Writable<AgentFact>>();
  const shown = createSeenPlaces();
  const places = () => createSeenPlaces(shown.whole);
  /** The empty values that readings show; what an answer to a creation shows must be read too. */
  const read = { ...places(), kinds: shown.kinds };
  const sent: Readonly<Record<AgentOrigin, SentPlaces>> = { created: new Map(), imported: new Map(), given: new Map() };
  const shownOf = { created: places(), imported: places(), given: places() };
  /** Of what a server assigns, what answers show of agents for which it was sent. */
  const kept: Readonly<Record<AgentOrigin, Set<string>>> = {
    created: new Set(),
    imported: new Set(),
    given: new Set(),
  };
  const uncompared = new Map<string, number>();
  /** New agents that were not read yet, and how long after its creation each was denied last, in milliseconds. */
  const waiting = new Map<string, number>();
  let longestLag: { readonly deniedMs: number; readonly readMs: number } | undefined;
  const contentOf = createContents();
  const comparing = oncePer((one: JsonObject) => oncePer((other: JsonObject) => compareAgents(one, other)));

  function noteGiven(id: string): Writable<AgentFact> | undefined {
    const known = agents.get(id);
    if (known || agents.size >= MAX_AGENTS) return known;
    const fact: AgentFact = { id, origin: 'given', creation: undefined, isAmbiguous: false, isPublished: undefined };
    agents.set(id, fact);
    return fact;
  }

  function seeCreation(exchange: Answered): void {
    const id = stringAt(exchange.answer.json, 'agent', 'id');
    const answered = contentOf(exchange);
    if (answered) noteShown(answered, shown);
    if (id === undefined) return;
    const before = agents.get(id);
    if (before && !isSameImport(before.creation, exchange)) before.isAmbiguous = true;
    if (before || agents.size >= MAX_AGENTS) return;
    addTo(ids, id);
    const origin = endpoints[exchange.endpoint].does === 'imports' ? 'imported' : 'created';
    const creation = creationBy(exchange, id, comparableIn(exchange), answered);
    agents.set(id, { id, origin, creation, isAmbiguous: false, isPublished: undefined });
    waiting.set(id, -Infinity);
    const assigned = [...ASSIGNED].map((name) => [name, field(exchange.sent, 'agent', name)] as const);
    if (answered) noteOf(origin, creation, answered);
    if (creation.sent) noteSent({ ...creation.sent, ...Object.fromEntries(assigned) }, sent[origin], shown.whole);
  }

  function noteOf(origin: AgentOrigin, creation: AgentCreation | undefined, content: JsonObject): void {
    noteShown(content, shownOf[origin]);
    for (const name of creation?.assigned ?? []) if ((content[name] ?? undefined) !== undefined) kept[origin].add(name);
  }

  /** The sent content, abridged; `undefined` if it is not comparable. */
  function comparableIn(exchange: Answered): JsonObject | undefined {
    const agent = field(exchange.sent, 'agent');
    const isKept = isOfVersion6(exchange) && isObject(agent) && agents.size < MAX_CONTENTS;
    const part = isKept ? contentSent(exchange, agent, policy) : 'are of another version';
    if (typeof part !== 'string') return part;
    uncompared.set(part, (uncompared.get(part) ?? 0) + 1);
    return undefined;
  }

  function seeReading(exchange: Answered): void {
    const { answer, agentId, caller } = exchange;
    const content = contentOf(exchange);
    if (content) for (const one of [shown, read]) noteShown(content, one);
    const mode = stringAt(answer.json, 'currentUserMode');
    if (isEntitled(caller) && mode !== undefined && modes.size < 5) modes.add(mode);
    if (agentId === undefined || stringAt(answer.json, 'agent', 'id') !== agentId) return;
    addTo(ids, agentId);
    const fact = noteGiven(agentId);
    if (fact && content) noteOf(fact.origin, fact.creation, content);
    const isPublished = field(answer.json, 'agent', 'isPublished');
    if (fact && typeof isPublished === 'boolean') fact.isPublished = isPublished;
    if (fact?.creation?.sent && content) fact.shown = content;
  }

  /** An agent that disappears after a reading is lost, not late. */
  function noteLateness({ caller, agentId = '', sentAt, answer }: Exchange): void {
    const creation = agents.get(agentId)?.creation;
    const deniedMs = waiting.get(agentId);
    if (!creation || !answer || deniedMs === undefined || caller !== 'valid') return;
    const ms = Math.round(sentAt - creation.answeredAt);
    if (GONE.has(answer.status)) waiting.set(agentId, ms);
    if (!answer.accepted) return;
    waiting.delete(agentId);
    // A stopped clock measures nothing.
    if (ms > 0 && deniedMs >= (longestLag?.deniedMs ?? 0)) longestLag = { deniedMs, readMs: ms };
  }

  /** Results name their agents, which a path may name by something else. */
  function noteIds(json: unknown): void {
    const results = field(json, 'results');
    if (policy.pathsHoldIds || !Array.isArray(results)) return;
    for (const id of new Set(results.slice(0, 200).map((row) => stringAt(row, 'agentId'))))
      if (id !== undefined) addTo(ids, id);
  }

  for (const id of [target.agentId, target.publishedAgentId, target.v5AgentId]) if (id !== undefined) noteGiven(id);
  return {
    see(exchange: Exchange): void {
      if (isReadingAgent(exchange.endpoint)) noteLateness(exchange);
      if (!isAccepted(exchange)) return;
      const { endpoint, answer } = exchange;
      if (isReadingAgent(endpoint)) seeReading(exchange);
      else if (endpoints[endpoint].does === 'lists') noteIds(answer.json);
      else if (isCreatingAgents(endpoint)) seeCreation(exchange);
    },
    get: (id = ''): AgentFact | undefined => agents.get(id),
    creationOf: (id = '') => agents.get(id)?.creation,
    get all(): Iterable<AgentFact> {
      return agents.values();
    },
    /** The longest time for which a new agent could not be read: between its last denial and its first reading. */
    get longestLag() {
      return longestLag;
    },
    shown,
    read,
    sent,
    /** What was sent often, and shown by no answer; of what a server assigns, by none about agents for which it was sent. */
    neverShown(origin: AgentOrigin) {
      const kinds = new Set([...shownOf[origin].kinds].filter((kind) => !ASSIGNED.has(kind) || kept[origin].has(kind)));
      const never = neverShown(sent[origin], { ...shownOf[origin], kinds });
      return never.filter(({ kind }) => ASSIGNED.has(kind) || !shown.kinds.has(kind));
    },
    /** How many agents were sent whose content is compared with nothing, by the reason. */
    uncompared: uncompared as ReadonlyMap<string, number>,
    contentOf,
    /** What of one content is not in another: see {@link compareAgents}. */
    compare: (sentOne: JsonObject, shownOne: JsonObject) => comparing(sentOne)(shownOne),
    modes: modes as ReadonlySet<string>,
    isId: (id: string) => policy.pathsHoldIds || ids.has(id),
    /** Whether a reading can show the agent as it was created: where others may change it, `updatedAt` says so. */
    isUnchanged: ({ answer }: Answered, { revision }: AgentCreation): boolean =>
      !policy.isShared || (revision !== undefined && stringAt(answer.json, 'agent', 'updatedAt') === revision),
    /** Something undocumented was done to an agent: later readings are no longer compared with earlier content. */
    touch(id: string): void {
      const fact = agents.get(id);
      if (fact) fact.isAmbiguous = true;
    },
  };
}

function creationBy(exchange: Answered, id: string, sent: JsonObject | undefined, answered: JsonObject | undefined) {
  const { answer, n, answeredAt, excerpt } = exchange;
  return {
    n,
    excerpt,
    answeredAt,
    /** The caller and the credential, in the form that distinguishes lists. */
    owner: ownerOf({ ...exchange, agentId: id }),
    workspaceId: stringAt(exchange.sent, 'workspaceId'),
    sent,
    /** The fields that a server assigns and that were sent all the same. */
    assigned: [...ASSIGNED].filter((name) => (field(exchange.sent, 'agent', name) ?? undefined) !== undefined),
    answered: sent && answered,
    answeredWorkspaceId: stringAt(answer.json, 'agent', 'workspaceId'),
    revision: stringAt(answer.json, 'agent', 'updatedAt'),
    isVersion6: isOfVersion6(exchange),
    /** Whether the request asked for something that the specification leaves open, such as a value of a wrong type. */
    isProvoked: exchange.open,
  };
}

const isOfVersion6 = ({ open, sent }: Exchange): boolean => !open && mayBeVersion6(field(sent, 'agent'));

/** The abridged content of an accepted answer of version 6; one object, compared once, while the agent is unchanged. */
function createContents() {
  const latest = new Map<string, JsonObject>();
  const contentOf = oncePer((agent: JsonObject): JsonObject | undefined => {
    const content = abridgedAgent(agent);
    const id = stringAt(agent, 'id') ?? '';
    const before = latest.get(id);
    if (!content || (before && isDeepStrictEqual(before, content))) return content && before;
    if (before || latest.size < MAX_CONTENTS) latest.set(id, content);
    return content;
  });
  return ({ answer: { json } }: Answered): JsonObject | undefined => {
    const agent = field(json, 'agent');
    if (!mayBeVersion6(agent)) return undefined;
    return contentOf(agent);
  };
}

/** The sent content that must come back, or why none: exports may change, and what is invalid or leads nowhere. */
function contentSent({ endpoint, sent }: Exchange, agent: JsonObject, { isWilful }: Policy) {
  const request = isCreatingAgents(endpoint) && (`${endpoint}-request` as const);
  const isValid = request && (!isWilful || validate(request, sent).length === 0);
  if (!isValid) return 'break the schema of a request';
  if (isWilful && !isWhole(agent)) return 'have edges that lead nowhere, or an identifier twice';
  // An import has more fields than a creation, from which a server may drop them.
  const documented = new Set<string>(typedLocations[request].map(({ pointer }) => pointer));
  const kept = Object.entries(agent).filter(([name]) => documented.has(`/agent/${name}`) && !ASSIGNED.has(name));
  return abridgedAgent(Object.fromEntries(kept));
}

/** An agent without a version may be of version 6; one with another version is compared with nothing. */
export const mayBeVersion6 = (agent: unknown): agent is JsonObject =>
  isObject(agent) && ['6', undefined].includes(stringAt(agent, 'version')) && typeof agent['version'] !== 'number';

/** Whether an import repeats another: it may make a second agent, or answer with the first. */
export const isSameImport = (
  creation: Pick<AgentCreation, 'excerpt'> | undefined,
  { endpoint, excerpt }: Pick<Exchange, 'endpoint' | 'excerpt'>,
): boolean =>
  endpoints[endpoint].does === 'imports' &&
  excerpt.request.body !== undefined &&
  creation?.excerpt.request.body === excerpt.request.body;

function addTo(set: Set<string>, value: string): void {
  if (set.size < MAX_AGENTS) set.add(value);
}

/** Where an agent refers to parts of its own, and to which. */
const LINKS = [
  ['edges', 'from.blockId', 'blocks'],
  ['edges', 'from.eventId', 'events'],
  ['edges', 'to.groupId', 'groups'],
  ['edges', 'to.blockId', 'blocks'],
  ['events', 'outgoingEdgeId', 'edges'],
  ['blocks', 'outgoingEdgeId', 'edges'],
] as const;

/** Whether an agent refers only to its own parts and reuses no identifier; what else becomes of it is not specified. */
function isWhole(agent: JsonObject): boolean {
  const blocks = arrayAt(agent, 'groups').flatMap((group) => arrayAt(group, 'blocks'));
  const parts = { ...agent, blocks };
  const namesIn = (part: string, path: string): readonly string[] =>
    arrayAt(parts, part).flatMap((one) => stringAt(one, ...path.split('.')) ?? []);
  const ids = ['groups', 'blocks', 'events', 'edges', 'variables'].map((part) => namesIn(part, 'id'));
  return (
    [...ids, namesIn('variables', 'name')].every((names) => new Set(names).size === names.length) &&
    LINKS.every(([part, path, to]) => {
      const there = new Set(namesIn(to, 'id'));
      return namesIn(part, path).every((id) => there.has(id));
    })
  );
}
