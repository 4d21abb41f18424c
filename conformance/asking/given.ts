import { createAgentBody, createWorkspaceBody, importAgentBody } from '../../fixtures/index.ts';
import { endpoints, type EndpointId, type TimeFilter } from '../../spec/index.ts';
import type { Answer } from '../history/exchange.ts';
import type { Api, CallParameters } from './api.ts';
import { CannotJudge, Violation, stringAt, type JsonObject } from '../expect.ts';
import { usable, walk, type Walk } from '../results/walk.ts';

/** What the user gave of the target. */
export interface TargetOptions {
  readonly workspaceId?: string | undefined;
  /** An agent that has results. */
  readonly agentId?: string | undefined;
  readonly publishedAgentId?: string | undefined;
  readonly v5AgentId?: string | undefined;
  readonly readToken?: string | undefined;
  readonly guestToken?: string | undefined;
}

export type CreatingEndpoint = 'create-agent' | 'import-agent' | 'create-workspace';
export type NewAgentEndpoint = 'create-agent' | 'import-agent';

/** Bodies from the one that says most to the one that says least. */
const details = ['full', 'plain', 'name-only'] as const;
export type Detail = (typeof details)[number];

/** An accepted creation and what was sent for it. */
export interface Creation {
  readonly answer: Answer;
  readonly sent: JsonObject;
  readonly detail: Detail;
  readonly id: string | undefined;
}

/** Every body that was tried, until one was accepted. */
export interface Attempt {
  readonly answers: readonly Answer[];
  readonly creation: Creation | undefined;
}

/** What checks share. Each thing is made with its first use and once in a run; what is refused is refused for all. */
export interface Given {
  readonly target: TargetOptions;
  /** Distinguishes what this run creates from what others do. */
  readonly tag: string;
  readonly sleep: (ms: number) => Promise<void>;
  /** @throws CannotJudge where none was given. */
  token(): string;
  /** Makes something once in a run, under a key of the caller's. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** A body for a request that creates something, recognisable by its name, which no other has. */
  body(endpoint: CreatingEndpoint, detail: Detail, label: string): Promise<JsonObject>;

  /** The answer to a valid request of an endpoint, accepted or not. @throws CannotJudge without the means for one. */
  valid(endpoint: EndpointId): Promise<Answer>;
  /** The accepted answer to a valid request. @throws CannotJudge */
  accepted(endpoint: EndpointId): Promise<Answer>;
  /** A valid request that may be sent again and again, and its accepted answer. @throws CannotJudge */
  repeatable(endpoint: EndpointId): Promise<{ readonly answer: Answer; again(label: string): Promise<CallParameters> }>;
  /** Whether a refusal may be due to the token, or to an identifier that the user gave. */
  isSlip(answer: Answer): boolean;
  /** Whether the target accepted anything at all, so that base URL and token are known to be right. */
  anythingAccepted(): Promise<boolean>;

  workspaceId(): Promise<string>;
  /** The agent that was given, or one that the run created. @throws CannotJudge */
  agentToRead(): Promise<string>;
  /** @throws CannotJudge with what to supply. */
  need(name: keyof TargetOptions): string;

  attempt(endpoint: NewAgentEndpoint): Promise<Attempt>;
  /** The first agent of the run. @throws CannotJudge where no body was accepted. */
  created(endpoint: NewAgentEndpoint): Promise<Creation>;
  /** A second one, of the same kind. @throws CannotJudge */
  createdSecond(endpoint: NewAgentEndpoint): Promise<Creation>;
  /** What Get agent answers for the first one. @throws CannotJudge where its identifier is unknown. */
  readBack(endpoint: NewAgentEndpoint): Promise<Answer>;
  workspace(detail: 'name-only' | 'full'): Promise<Answer>;

  /** The answer to a request for the results of all time, without limit. */
  allTime(): Promise<Answer>;
  /** A walk through the results of the given agent: whole, or a few pages where they are small. */
  walk(limit: number | undefined, timeFilter: TimeFilter): Promise<Walk>;
  /** The same again, afresh. */
  walkAgain(limit: number | undefined, timeFilter: TimeFilter | undefined): Promise<Walk>;
  /** The whole list in pages of 100. @throws CannotJudge where it could not be read. */
  reference(): Promise<Walk>;
  /** A window in pages of 100, read after the whole list was. @throws CannotJudge where it could not be read. */
  window(timeFilter: TimeFilter): Promise<Walk>;
}

/** How many pages of a size are read: about the first sixty results in small pages, long lists in pages of 100. */
const PAGES_READ: Readonly<Record<number, number>> = { 1: 8, 2: 6, 3: 8, 7: 9, 50: 3, 100: 30 };
/** Limits of less than 100, and none, with which the list is walked. */
export const smallPages = [1, 2, 3, 7, 50, undefined] as const;
const EMPTY_PAGES_FOLLOWED = 20;

const OPTION_NAMES: Readonly<Record<keyof TargetOptions, string>> = {
  workspaceId: '--workspace-id',
  agentId: '--agent-id of an agent with results',
  publishedAgentId: '--published-agent-id',
  v5AgentId: '--v5-agent-id',
  readToken: '--read-token',
  guestToken: '--guest-token',
};

/** Statuses that say that the caller or the identifier is at fault, whichever of them a server uses (section 7). */
const USER_SLIPS: ReadonlySet<number> = new Set([401, 402, 403, 404, 410]);
const CREDENTIALS: ReadonlySet<number> = new Set([401, 402, 403]);

export function createGiven(
  api: Api,
  options: {
    readonly target: TargetOptions;
    readonly token: string | undefined;
    readonly tag: string;
    readonly sleep: (ms: number) => Promise<void>;
  },
): Given {
  const { target, tag, sleep } = options;
  const made = new Map<string, Promise<unknown>>();
  let emptyPages = EMPTY_PAGES_FOLLOWED;

  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(key) as Promise<T> | undefined;
    if (known) return known;
    const fresh = make();
    // Each user of it meets the failure; nobody else must.
    fresh.catch(() => undefined);
    made.set(key, fresh);
    return fresh;
  };

  const need = (option: keyof TargetOptions): string => {
    const value = target[option];
    if (value === undefined) throw new CannotJudge(`It takes ${OPTION_NAMES[option]}.`, OPTION_NAMES[option]);
    return value;
  };

  const workspaceId = (): Promise<string> =>
    once('workspace id', async () => {
      if (target.workspaceId !== undefined) return target.workspaceId;
      const answer = await given.workspace('name-only');
      const id = stringAt(answer.json, 'workspace', 'id');
      if (!answer.accepted || id === undefined)
        throw new CannotJudge('It takes a workspace, and none was given or could be created.', '--workspace-id');
      return id;
    });

  const body = async (endpoint: CreatingEndpoint, detail: Detail, label: string): Promise<JsonObject> => {
    const own = label === '' ? tag : `${tag}-${label}`;
    if (endpoint === 'create-workspace')
      return asJson(createWorkspaceBody({ tag: own, detail: detail === 'full' ? 'full' : 'name-only' }));
    const wanted = { workspaceId: await workspaceId(), tag: own, detail };
    return asJson(endpoint === 'create-agent' ? createAgentBody(wanted) : importAgentBody(wanted));
  };

  const creationOf = (answer: Answer, sent: JsonObject, detail: Detail): Creation => ({
    answer,
    sent,
    detail,
    id: stringAt(answer.json, 'agent', 'id'),
  });

  const walkFor = async (limit: number | undefined, timeFilter: TimeFilter | undefined): Promise<Walk> => {
    const agentId = need('agentId');
    const maxPages = PAGES_READ[limit ?? 50] ?? 10;
    const query = {
      agentId,
      ...(limit === undefined ? {} : { limit }),
      ...(timeFilter === undefined ? {} : { timeFilter }),
    };
    const known = limit !== 100 ? await given.walk(100, 'allTime') : undefined;
    const walked = await walk(api, query, { maxPages, emptyPages, known });
    // One such list is proof enough; the others need not be followed as far.
    if (walked.end === 'empty-pages') emptyPages = 1;
    return walked;
  };

  const needed = (walked: Walk): Walk => {
    const { refusal, pages } = walked;
    if (refusal && pages.length === 0 && USER_SLIPS.has(refusal.status))
      throw new CannotJudge(refusalReason(refusal), slipSupply(refusal, target));
    return usable(walked);
  };

  const given: Given = {
    target,
    tag,
    sleep,
    once,
    body,
    need,
    workspaceId,
    token() {
      if (options.token === undefined) throw new CannotJudge('It takes a token.', '--token');
      return options.token;
    },

    valid: (endpoint) =>
      once(`valid ${endpoint}`, async () => {
        switch (endpoint) {
          case 'create-agent':
          case 'import-agent': {
            const { answers, creation } = await given.attempt(endpoint);
            const answer = creation?.answer ?? answers.at(-1);
            if (!answer) throw new CannotJudge('No request was made.');
            return answer;
          }
          case 'create-workspace':
            return given.workspace('name-only');
          case 'get-published-agent':
            return api.call(endpoint, { agentId: need('publishedAgentId') });
          case 'get-agent':
          case 'list-results':
            return api.call(endpoint, { agentId: await given.agentToRead() });
        }
      }),

    async accepted(endpoint) {
      const answer = await given.valid(endpoint);
      if (!answer.accepted) throw new CannotJudge(refusalReason(answer), slipSupply(answer, target));
      return answer;
    },

    async repeatable(endpoint) {
      if (endpoint === 'create-agent' || endpoint === 'import-agent') {
        const { answer, detail } = await given.createdSecond(endpoint);
        return { answer, again: async (label) => ({ body: await body(endpoint, detail, label) }) };
      }
      const answer = await given.accepted(endpoint);
      if (endpoint === 'create-workspace')
        return { answer, again: async (label) => ({ body: await body(endpoint, 'name-only', label) }) };
      const { agentId } = answer;
      return { answer, again: () => Promise.resolve(agentId === undefined ? {} : { agentId }) };
    },

    isSlip: ({ status }) => CREDENTIALS.has(status),

    async anythingAccepted() {
      for (const endpoint of ['get-agent', 'list-results', 'get-published-agent', 'create-workspace'] as const) {
        if (api.statistics.accepted > 0) return true;
        await given.valid(endpoint).catch((error: unknown) => {
          if (!(error instanceof CannotJudge)) throw error;
        });
      }
      return api.statistics.accepted > 0;
    },

    agentToRead: () =>
      once('agent to read', async () => {
        if (target.agentId !== undefined) return target.agentId;
        const { id } = await given.created('create-agent').catch((error: unknown) => {
          if (error instanceof CannotJudge) throw new CannotJudge(`It takes an agent. ${error.message}`, '--agent-id');
          throw error;
        });
        if (id === undefined) throw new CannotJudge('It takes an agent.', '--agent-id');
        return id;
      }),

    attempt: (endpoint) =>
      once(`attempt ${endpoint}`, async () => {
        const answers: Answer[] = [];
        for (const detail of details) {
          const sent = await body(endpoint, detail, '');
          const answer = await api.call(endpoint, { body: sent });
          answers.push(answer);
          if (answer.accepted) return { answers, creation: creationOf(answer, sent, detail) };
          if (CREDENTIALS.has(answer.status)) break;
        }
        return { answers, creation: undefined };
      }),

    async created(endpoint) {
      const { answers, creation } = await given.attempt(endpoint);
      if (creation) return creation;
      const last = answers.at(-1);
      if (!last) throw new CannotJudge('No request was made.');
      throw new CannotJudge(refusalReason(last), slipSupply(last, target));
    },

    createdSecond: (endpoint) =>
      once(`second ${endpoint}`, async () => {
        const { detail } = await given.created(endpoint);
        const sent = await body(endpoint, detail, '2');
        const answer = await api.call(endpoint, { body: sent });
        if (!answer.accepted) throw new CannotJudge(`A second request of the kind: ${refusalReason(answer)}`);
        return creationOf(answer, sent, detail);
      }),

    readBack: (endpoint) =>
      once(`read back ${endpoint}`, async () => {
        const { id } = await given.created(endpoint);
        if (id === undefined) throw new CannotJudge(`${endpoints[endpoint].title} answered no identifier.`);
        for (const pause of [100, 400]) {
          const answer = await api.call('get-agent', { agentId: id });
          if (answer.accepted) return answer;
          await sleep(pause);
        }
        return api.call('get-agent', { agentId: id });
      }),

    workspace: (detail) =>
      once(`workspace ${detail}`, async () =>
        api.call('create-workspace', { body: await body('create-workspace', detail, detail === 'full' ? '2' : '') }),
      ),

    allTime: () =>
      once('all time', () => api.call('list-results', { agentId: need('agentId'), query: { timeFilter: 'allTime' } })),
    walk: (limit, timeFilter) => once(`walk ${limit ?? ''} ${timeFilter}`, () => walkFor(limit, timeFilter)),
    walkAgain: walkFor,
    reference: async () => needed(await given.walk(100, 'allTime')),
    async window(timeFilter) {
      await given.walk(100, 'allTime');
      return needed(await given.walk(100, timeFilter));
    },
  };
  return given;
}

/** A body is plain JSON; its type names the documented fields alone. */
const asJson = (documented: object): JsonObject => documented as JsonObject;

const shortName = (option: keyof TargetOptions): string => OPTION_NAMES[option].replace(/ of .*/, '');

/** The option that a request to an endpoint depends on. */
const DEPENDS_ON: Readonly<Record<EndpointId, keyof TargetOptions | undefined>> = {
  'create-agent': 'workspaceId',
  'import-agent': 'workspaceId',
  'get-agent': 'agentId',
  'get-published-agent': 'publishedAgentId',
  'list-results': 'agentId',
  'create-workspace': undefined,
};

/** What may mend a refusal for which the user may be the reason. */
export function slipSupply({ status, endpoint }: Answer, target: TargetOptions): string | undefined {
  if (!USER_SLIPS.has(status)) return undefined;
  const option = DEPENDS_ON[endpoint];
  return option === undefined || target[option] === undefined
    ? 'a token that may do this'
    : `another ${shortName(option)}, or a token that may do this`;
}

/** Why a valid request was refused, for those who needed it accepted. */
export function refusalReason(answer: Answer): string {
  const { title } = endpoints[answer.endpoint];
  return `${title} was answered with ${answer.status}, so that nothing further is known.`;
}

/**
 * Judges the answer to a valid request: returns where it was accepted.
 * @throws Violation where the target refuses what it must accept, CannotJudge where the refusal may be due to what the
 * user gave: a token that does not suffice, an identifier that does not exist.
 */
export async function mustBeAccepted(
  answer: Answer,
  given: Given,
  options: { readonly request: string; readonly userGave: readonly (keyof TargetOptions)[] },
): Promise<void> {
  if (answer.accepted) return;
  const { status, exchange } = answer;
  const gave = options.userGave.filter((name) => given.target[name] !== undefined);
  if (gave.length > 0 ? USER_SLIPS.has(status) : CREDENTIALS.has(status)) {
    const names = gave.map((name) => ` and ${shortName(name)}`);
    throw new CannotJudge(
      `${options.request} was answered with ${status}: check the token${names.join('')}.`,
      slipSupply(answer, given.target),
    );
  }
  if (status >= 300 && status < 500 && !(await given.anythingAccepted()))
    throw new CannotJudge(
      `${options.request} was answered with ${status}, and the target accepted nothing else: check base URL and token.`,
    );
  throw new Violation({ expected: `${options.request} is accepted`, actual: `it was answered with ${status}` }, [
    exchange,
  ]);
}
