import { endpoints, validate } from '../../../spec/index.ts';
import { abridged } from '../../content/abridge.ts';
import { createShown, noteShown, type Shown } from '../../content/places.ts';
import { field, isObject, stringAt, type JsonObject } from '../../json.ts';
import type { TargetOptions } from '../../target-options.ts';
import { isWhole } from '../../content/whole.ts';
import { isAnswered, isEntitled, ownerOf, type Answered, type Exchange, type Kept } from '../exchange.ts';

/** How an agent came about: by a request of this history, or it was there before. */
export type Origin = 'created' | 'imported' | 'given';

/** An agent of which the history tells. */
export interface AgentFact {
  readonly id: string;
  readonly origin: Origin;
  /** The `n` of the answer that made it; `undefined` for one that was there before. */
  readonly made: number | undefined;
  readonly madeBy: Kept | undefined;
  /** When that answer came, in epoch milliseconds by our clock. */
  readonly madeAt: number;
  /** The workspace that was named for it. */
  readonly workspaceId: string | undefined;
  /** Its content as it was sent, abridged; `undefined` if it is not comparable. */
  readonly sent: JsonObject | undefined;
  /** Its content as it was answered, abridged. */
  readonly answered: JsonObject | undefined;
  readonly answeredWorkspaceId: string | undefined;
  /** Whether another creation was answered with the same id, so that nobody knows which of them is read. */
  readonly isAmbiguous: boolean;
  /** What Get agent showed last of whether it is published. */
  readonly isPublished: boolean | undefined;
  /** The `n` of the answer that showed it first; 0 for one that the user gave. */
  readonly seen: number;
  /** Whose it is: the caller and the credential that made it, as lists are told apart. */
  readonly madeFor: string | undefined;
  /** `updatedAt` in the answer that made it. */
  readonly revision: string | undefined;
  /** Whether the body that made it is known to be of version 6. */
  readonly isVersion6: boolean;
}

/** Agents: how each came about, what was sent for it, and what is shown of it. */
export interface Agents {
  see(exchange: Exchange): void;
  get(id: string): AgentFact | undefined;
  readonly all: Iterable<AgentFact>;
  /** What any answer showed of agents, and what Get agent did. */
  readonly shown: Shown;
  readonly read: Shown;
  /** The content of the agent in an accepted answer, abridged; `undefined` if it is of another version than 6. */
  contentOf(exchange: Answered): JsonObject | undefined;
  /** Which modes the token that is judged with was told to have. */
  readonly modes: ReadonlySet<string>;
  /** Whether an answer showed this text as the identifier of an agent. */
  isId(id: string): boolean;
  /** Something undocumented was done to an agent: nothing that it shows from now on is compared with what it was. */
  touch(id: string): void;
}

const MAX_AGENTS = 2000;
/** Results of a page that are looked at. */
const MAX_ROWS = 200;
/** Agents whose content is kept. */
const MAX_CONTENTS = 300;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export function createAgents(
  { agentId, publishedAgentId, v5AgentId }: TargetOptions,
  { isForeign = false }: { readonly isForeign?: boolean } = {},
): Agents {
  const ids = new Set<string>();
  const agents = new Map<string, Writable<AgentFact>>();
  const contents = new WeakMap<object, { readonly content: JsonObject | undefined }>();
  const [shown, read] = [createShown(), createShown()];
  const modes = new Set<string>();

  const contentOf = ({ answer: { json } }: Answered): JsonObject | undefined => {
    const agent = field(json, 'agent');
    if (!isObject(agent)) return undefined;
    const kept = contents.get(agent) ?? { content: isVersion6(agent) ? abridged(agent) : undefined };
    contents.set(agent, kept);
    return kept.content;
  };

  const noteGiven = (id: string, seen = 0): Writable<AgentFact> | undefined => {
    const fact = agents.get(id) ?? (agents.size < MAX_AGENTS ? { ...given(id), seen } : undefined);
    if (fact) agents.set(id, fact);
    return fact;
  };
  for (const id of [agentId, publishedAgentId, v5AgentId]) if (id !== undefined) noteGiven(id);

  function seeMade(exchange: Answered): void {
    const { answer, endpoint, sent, n, answeredAt, kept } = exchange;
    const id = stringAt(answer.json, 'agent', 'id');
    const workspaceId = stringAt(sent, 'workspaceId');
    const answered = contentOf(exchange);
    if (answered) noteShown(answered, shown);
    const before = id === undefined ? undefined : agents.get(id);
    if (before) before.isAmbiguous = true;
    if (id === undefined || before || agents.size >= MAX_AGENTS) return;
    addTo(ids, id);
    const agent = field(sent, 'agent');
    const isKnown = !exchange.open && isObject(agent) && isVersion6(agent);
    const content = isKnown && agents.size < MAX_CONTENTS ? contentSent(exchange, agent, isForeign) : undefined;
    const isComparable = content !== undefined;
    agents.set(id, {
      ...given(id),
      origin: endpoint === 'create-agent' ? 'created' : 'imported',
      made: n,
      madeBy: kept,
      madeAt: answeredAt,
      workspaceId,
      sent: content,
      answered: isComparable ? answered : undefined,
      answeredWorkspaceId: stringAt(answer.json, 'agent', 'workspaceId'),
      seen: n,
      madeFor: ownerOf({ ...exchange, agentId: id }),
      revision: stringAt(answer.json, 'agent', 'updatedAt'),
      isVersion6: isKnown,
    });
  }

  function seeRead(exchange: Answered): void {
    const { answer, agentId: asked, caller } = exchange;
    const content = contentOf(exchange);
    if (content) for (const seen of [shown, read]) noteShown(content, seen);
    const mode = stringAt(answer.json, 'currentUserMode');
    if (isEntitled(caller) && mode !== undefined && modes.size < 5) modes.add(mode);
    if (asked === undefined || stringAt(answer.json, 'agent', 'id') !== asked) return;
    addTo(ids, asked);
    const fact = noteGiven(asked, exchange.n);
    const isPublished = field(answer.json, 'agent', 'isPublished');
    if (fact && typeof isPublished === 'boolean') fact.isPublished = isPublished;
  }

  function noteIds(json: unknown): void {
    const results = field(json, 'results');
    if (!isForeign || !Array.isArray(results)) return;
    for (const id of new Set(results.slice(0, MAX_ROWS).map((row) => stringAt(row, 'agentId'))))
      if (id !== undefined) addTo(ids, id);
  }

  return {
    see(exchange) {
      if (!isAnswered(exchange) || !exchange.answer.accepted) return;
      const { endpoint, method, answer } = exchange;
      if (endpoint === 'get-agent' && method === 'GET') return seeRead(exchange);
      if (endpoint === 'list-results') return noteIds(answer.json);
      if (method !== 'POST') return;
      if (endpoint === 'create-agent' || endpoint === 'import-agent') seeMade(exchange);
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
 * What was sent, as far as it must be kept. Others than we send what a server may rightly change: an agent that was
 * exported, with the dates and addresses that it had; one that does not keep to its schema; one whose edges lead nowhere.
 */
function contentSent({ endpoint, sent }: Exchange, agent: JsonObject, isForeign: boolean): JsonObject | undefined {
  if (!isForeign) return abridged(agent);
  const { request } = endpoints[endpoint];
  if (request === null || validate(request, sent).length > 0 || !isWhole(agent)) return undefined;
  return abridged(Object.fromEntries(Object.entries(agent).filter(([name]) => KEPT.has(name))));
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

/** An agent that shows no version may be one of version 6; one that shows another is compared with nothing. */
export const isVersion6 = (agent: JsonObject): boolean =>
  ['6', undefined].includes(stringAt(agent, 'version')) && typeof field(agent, 'version') !== 'number';

function addTo(set: Set<string>, value: string): void {
  if (set.size < MAX_AGENTS) set.add(value);
}
