import { abridged } from '../content/abridge.ts';
import { createShown, noteShown, type Shown } from '../content/places.ts';
import { field, isObject, stringAt, type JsonObject } from '../json.ts';
import type { TargetOptions } from '../target-options.ts';
import { isAnswered, type Answered, type Exchange, type Kept } from './exchange.ts';

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
}

/** Agents and workspaces: how each came about, what was sent for it, and what is shown of it. */
export interface Agents {
  see(exchange: Exchange): void;
  get(id: string): AgentFact | undefined;
  readonly all: Iterable<AgentFact>;
  /** Ids of workspaces that requests of this history created. */
  readonly workspaces: ReadonlySet<string>;
  /** Workspaces that are known to exist: created, shown by an agent, or having taken one. */
  readonly knownWorkspaces: ReadonlySet<string>;
  /** Of those, the ones in which an agent was made. */
  readonly usedWorkspaces: ReadonlySet<string>;
  /** What any answer showed of agents, and what Get agent did. */
  readonly shown: Shown;
  readonly read: Shown;
  /** The content of the agent in an accepted answer, abridged; `undefined` if it is of another version than 6. */
  contentOf(exchange: Answered): JsonObject | undefined;
  /** Which modes the token that is judged with was told to have. */
  readonly modes: ReadonlySet<string>;
}

const MAX_AGENTS = 2000;
/** Agents whose content is kept. */
const MAX_CONTENTS = 300;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export function createAgents({ agentId, publishedAgentId, v5AgentId }: TargetOptions): Agents {
  const agents = new Map<string, Writable<AgentFact>>();
  const contents = new WeakMap<object, { readonly content: JsonObject | undefined }>();
  const [workspaces, known, used] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [shown, read] = [createShown(), createShown()];
  const modes = new Set<string>();

  const contentOf = ({ answer: { json } }: Answered): JsonObject | undefined => {
    const agent = field(json, 'agent');
    if (!isObject(agent)) return undefined;
    const kept = contents.get(agent) ?? { content: isVersion6(agent) ? abridged(agent) : undefined };
    contents.set(agent, kept);
    return kept.content;
  };

  const noteGiven = (id: string): Writable<AgentFact> | undefined => {
    const fact = agents.get(id) ?? (agents.size < MAX_AGENTS ? given(id) : undefined);
    if (fact) agents.set(id, fact);
    return fact;
  };
  for (const id of [agentId, publishedAgentId, v5AgentId]) if (id !== undefined) noteGiven(id);

  function seeMade(exchange: Answered): void {
    const { answer, endpoint, sent, n, answeredAt, kept } = exchange;
    const id = stringAt(answer.json, 'agent', 'id');
    const workspaceId = stringAt(sent, 'workspaceId');
    if (workspaceId !== undefined) for (const set of [known, used]) addTo(set, workspaceId);
    const answered = contentOf(exchange);
    if (answered) noteShown(answered, shown);
    const before = id === undefined ? undefined : agents.get(id);
    if (before) before.isAmbiguous = true;
    if (id === undefined || before || agents.size >= MAX_AGENTS) return;
    const agent = field(sent, 'agent');
    const isComparable = agents.size < MAX_CONTENTS && !exchange.open && isObject(agent) && isVersion6(agent);
    agents.set(id, {
      ...given(id),
      origin: endpoint === 'create-agent' ? 'created' : 'imported',
      made: n,
      madeBy: kept,
      madeAt: answeredAt,
      workspaceId,
      sent: isComparable ? abridged(agent) : undefined,
      answered: isComparable ? answered : undefined,
      answeredWorkspaceId: stringAt(answer.json, 'agent', 'workspaceId'),
    });
  }

  function seeRead(exchange: Answered): void {
    const { answer, agentId: asked, caller } = exchange;
    const content = contentOf(exchange);
    if (content) for (const seen of [shown, read]) noteShown(content, seen);
    const workspaceId = stringAt(answer.json, 'agent', 'workspaceId');
    if (workspaceId !== undefined) addTo(known, workspaceId);
    const mode = stringAt(answer.json, 'currentUserMode');
    if (caller === 'valid' && mode !== undefined && modes.size < 5) modes.add(mode);
    if (asked === undefined || stringAt(answer.json, 'agent', 'id') !== asked) return;
    const fact = noteGiven(asked);
    const isPublished = field(answer.json, 'agent', 'isPublished');
    if (fact && typeof isPublished === 'boolean') fact.isPublished = isPublished;
  }

  return {
    see(exchange) {
      if (!isAnswered(exchange) || !exchange.answer.accepted) return;
      const { endpoint, method, answer } = exchange;
      if (endpoint === 'get-agent' && method === 'GET') return seeRead(exchange);
      if (method !== 'POST') return;
      if (endpoint === 'create-agent' || endpoint === 'import-agent') return seeMade(exchange);
      if (endpoint !== 'create-workspace') return;
      const id = stringAt(answer.json, 'workspace', 'id');
      if (id !== undefined) for (const set of [workspaces, known]) addTo(set, id);
    },
    get: (id) => agents.get(id),
    get all() {
      return agents.values();
    },
    workspaces,
    knownWorkspaces: known,
    usedWorkspaces: used,
    shown,
    read,
    contentOf,
    modes,
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
});

/** An agent that shows no version may be one of version 6; one that shows another is compared with nothing. */
export const isVersion6 = (agent: JsonObject): boolean =>
  ['6', undefined].includes(stringAt(agent, 'version')) && typeof field(agent, 'version') !== 'number';

function addTo(set: Set<string>, value: string): void {
  if (set.size < MAX_AGENTS) set.add(value);
}
