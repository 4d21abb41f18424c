import { endpoints, validate } from '../../../spec/index.ts';
import { abridgedAgent } from '../../content/abridge.ts';
import { createSeenPlaces, noteShown, type SeenPlaces } from '../../content/places.ts';
import { field, isObject, stringAt, type JsonObject } from '../../json.ts';
import type { TargetOptions } from '../../target-options.ts';
import { isWhole } from '../../content/whole.ts';
import { isAnswered, isEntitled, ownerOf, type Answered, type Exchange, type Kept } from '../../http/exchange.ts';

/** Where an agent comes from: a request of this history, or it existed before. */
export type AgentOrigin = 'created' | 'imported' | 'given';

/** An agent in the history. */
export interface AgentFact {
  readonly id: string;
  readonly origin: AgentOrigin;
  /** The `n` of the answer that created it; `undefined` for an agent that existed before. */
  readonly made: number | undefined;
  readonly madeBy: Kept | undefined;
  /** When that answer came, in epoch milliseconds by our clock. */
  readonly madeAt: number;
  /** The workspace that the request named. */
  readonly workspaceId: string | undefined;
  /** The sent content, abridged; `undefined` if it is not comparable. */
  readonly sent: JsonObject | undefined;
  /** The content in the answer, abridged. */
  readonly answered: JsonObject | undefined;
  readonly answeredWorkspaceId: string | undefined;
  /** Whether another creation was answered with the same id, so that a reading may show either. */
  readonly isAmbiguous: boolean;
  /** Whether Get agent last showed it as published. */
  readonly isPublished: boolean | undefined;
  /** The `n` of the answer that showed it first; 0 for an agent that the user gave. */
  readonly seen: number;
  /** Its owner: the caller and the credential that created it, in the form that distinguishes lists. */
  readonly madeFor: string | undefined;
  /** `updatedAt` in the answer that created it. */
  readonly revision: string | undefined;
  /** Whether the creating body is known to be of version 6. */
  readonly isVersion6: boolean;
}

/** Agents: where each comes from, what was sent for it, and what answers show of it. */
export interface Agents {
  see(exchange: Exchange): void;
  get(id: string): AgentFact | undefined;
  readonly all: Iterable<AgentFact>;
  /** What any answer showed of agents, and what Get agent showed. */
  readonly shown: SeenPlaces;
  readonly read: SeenPlaces;
  /** The content of the agent in an accepted answer, abridged; `undefined` if its version is not 6. */
  contentOf(exchange: Answered): JsonObject | undefined;
  /** The modes that answers reported for the main token. */
  readonly modes: ReadonlySet<string>;
  /** Whether an answer showed this text as an agent's identifier. */
  isId(id: string): boolean;
  /** Something undocumented was done to an agent: later readings are no longer compared with earlier content. */
  touch(id: string): void;
}

const MAX_AGENTS = 2000;
/** Results of a page that are examined. */
const MAX_ROWS = 200;
/** Most agents whose content is kept. */
const MAX_CONTENTS = 300;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What the history has shown so far. */
interface Known {
  readonly isForeign: boolean;
  readonly ids: Set<string>;
  readonly agents: Map<string, Writable<AgentFact>>;
  readonly shown: SeenPlaces;
  readonly read: SeenPlaces;
  readonly modes: Set<string>;
  readonly contentOf: Agents['contentOf'];
}

export function createAgents(
  { agentId, publishedAgentId, v5AgentId }: TargetOptions,
  { isForeign = false }: { readonly isForeign?: boolean } = {},
): Agents {
  const known: Known = {
    isForeign,
    ids: new Set(),
    agents: new Map(),
    shown: createSeenPlaces(),
    read: createSeenPlaces(),
    modes: new Set(),
    contentOf: createContents(),
  };
  const { ids, agents, shown, read, modes, contentOf } = known;
  for (const id of [agentId, publishedAgentId, v5AgentId]) if (id !== undefined) noteGiven(known, id);
  return {
    see(exchange) {
      if (!isAnswered(exchange) || !exchange.answer.accepted) return;
      const { endpoint, method, answer } = exchange;
      if (endpoint === 'get-agent' && method === 'GET') return seeRead(known, exchange);
      if (endpoint === 'list-results') return noteIds(known, answer.json);
      if (method !== 'POST') return;
      if (endpoint === 'create-agent' || endpoint === 'import-agent') seeMade(known, exchange);
    },
    get: (id) => agents.get(id),
    get all() {
      return agents.values();
    },
    shown,
    read,
    contentOf,
    modes,
    isId: (id) => ids.has(id),
    touch(id) {
      const fact = agents.get(id);
      if (fact) fact.isAmbiguous = true;
    },
  };
}

/** Abridges each agent once, however many facts and checks ask for it. */
function createContents(): Agents['contentOf'] {
  const contents = new WeakMap<object, { readonly content: JsonObject | undefined }>();
  return ({ answer: { json } }) => {
    const agent = field(json, 'agent');
    if (!isObject(agent)) return undefined;
    const kept = contents.get(agent) ?? { content: mayBeVersion6(agent) ? abridgedAgent(agent) : undefined };
    contents.set(agent, kept);
    return kept.content;
  };
}

function noteGiven({ agents }: Known, id: string, seen = 0): Writable<AgentFact> | undefined {
  const fact = agents.get(id) ?? (agents.size < MAX_AGENTS ? { ...given(id), seen } : undefined);
  if (fact) agents.set(id, fact);
  return fact;
}

function seeMade(known: Known, exchange: Answered): void {
  const { ids, agents, shown, contentOf } = known;
  const id = stringAt(exchange.answer.json, 'agent', 'id');
  const answered = contentOf(exchange);
  if (answered) noteShown(answered, shown);
  const before = id === undefined ? undefined : agents.get(id);
  if (before) before.isAmbiguous = true;
  if (id === undefined || before || agents.size >= MAX_AGENTS) return;
  addTo(ids, id);
  agents.set(id, factOf(known, exchange, id, answered));
}

function factOf(
  { isForeign, agents }: Known,
  exchange: Answered,
  id: string,
  answered: JsonObject | undefined,
): AgentFact {
  const { answer, endpoint, sent, n, answeredAt, kept } = exchange;
  const agent = field(sent, 'agent');
  const isKnown = !exchange.open && isObject(agent) && mayBeVersion6(agent);
  const content = isKnown && agents.size < MAX_CONTENTS ? contentSent(exchange, agent, isForeign) : undefined;
  return {
    ...given(id),
    origin: endpoint === 'create-agent' ? 'created' : 'imported',
    made: n,
    madeBy: kept,
    madeAt: answeredAt,
    workspaceId: stringAt(sent, 'workspaceId'),
    sent: content,
    answered: content === undefined ? undefined : answered,
    answeredWorkspaceId: stringAt(answer.json, 'agent', 'workspaceId'),
    seen: n,
    madeFor: ownerOf({ ...exchange, agentId: id }),
    revision: stringAt(answer.json, 'agent', 'updatedAt'),
    isVersion6: isKnown,
  };
}

function seeRead(known: Known, exchange: Answered): void {
  const { ids, shown, read, modes, contentOf } = known;
  const { answer, agentId: asked, caller } = exchange;
  const content = contentOf(exchange);
  if (content) for (const seen of [shown, read]) noteShown(content, seen);
  const mode = stringAt(answer.json, 'currentUserMode');
  if (isEntitled(caller) && mode !== undefined && modes.size < 5) modes.add(mode);
  if (asked === undefined || stringAt(answer.json, 'agent', 'id') !== asked) return;
  addTo(ids, asked);
  const fact = noteGiven(known, asked, exchange.n);
  const isPublished = field(answer.json, 'agent', 'isPublished');
  if (fact && typeof isPublished === 'boolean') fact.isPublished = isPublished;
}

/** Results name their agents, which foreign clients may address by something else. */
function noteIds({ isForeign, ids }: Known, json: unknown): void {
  const results = field(json, 'results');
  if (!isForeign || !Array.isArray(results)) return;
  for (const id of new Set(results.slice(0, MAX_ROWS).map((row) => stringAt(row, 'agentId'))))
    if (id !== undefined) addTo(ids, id);
}

const given = (id: string): AgentFact => ({
  id,
  origin: 'given',
  made: undefined,
  madeBy: undefined,
  madeAt: 0,
  workspaceId: undefined,
  sent: undefined,
  answered: undefined,
  answeredWorkspaceId: undefined,
  isAmbiguous: false,
  isPublished: undefined,
  seen: 0,
  madeFor: undefined,
  revision: undefined,
  isVersion6: false,
});

/**
 * The part of the sent content that must come back. In foreign traffic a server may rightly change some of it: dates
 * and addresses of an exported agent, an agent that breaks its schema, or one whose edges lead nowhere.
 */
function contentSent({ endpoint, sent }: Exchange, agent: JsonObject, isForeign: boolean): JsonObject | undefined {
  if (!isForeign) return abridgedAgent(agent);
  const { request } = endpoints[endpoint];
  if (request === null || validate(request, sent).length > 0 || !isWhole(agent)) return undefined;
  return abridgedAgent(Object.fromEntries(Object.entries(agent).filter(([name]) => KEPT.has(name))));
}

const KEPT: ReadonlySet<string> = new Set([
  'name',
  'icon',
  'description',
  'tags',
  'groups',
  'events',
  'edges',
  'variables',
  'theme',
  'settings',
  'resultsTablePreferences',
]);

/** An agent without a version may be of version 6; one with another version is compared with nothing. */
export const mayBeVersion6 = (agent: JsonObject): boolean =>
  ['6', undefined].includes(stringAt(agent, 'version')) && typeof field(agent, 'version') !== 'number';

function addTo(set: Set<string>, value: string): void {
  if (set.size < MAX_AGENTS) set.add(value);
}
