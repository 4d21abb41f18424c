import type { HttpAnswer, HttpRequest } from '../../conformance/index.ts';
import { isObject } from '../../text/json.ts';
import {
  accepting,
  atATime,
  closed,
  jsonOf,
  jsonAnswer,
  makesAgent,
  makesWorkspace,
  readsAgent,
  refusal,
  refusing,
  sentBy,
} from './server.ts';
import type { Permitted, PermittedServers, Wrap } from './server.ts';

const nameIn = (request: HttpRequest): string =>
  (makesAgent(request) && (sentBy(request)['agent'] as { name?: string }).name) || '';

const aboutCreations = /created?-|import|workspace/;

const accepts = (agents: number, workspaces: number, status: number, notJudged: Permitted['notJudged']): Permitted => ({
  wrap(transport) {
    const left: Record<number, number> = { 0: agents, 1: workspaces };
    return async (request, signal) => {
      const kind = [makesAgent, makesWorkspace].findIndex((makes) => makes(request));
      if (left[kind] === 0) return refusal(status);
      const answer = await transport(request, signal);
      if (answer.status < 300) left[kind] = Number(left[kind]) - 1;
      return answer;
    };
  },
  notJudged,
});

/** The titles of the groups of a sent agent, or the names of its variables, a line each. */
function linesIn(request: HttpRequest, list: 'groups' | 'variables'): string {
  const { agent = {} } = sentBy(request) as {
    agent?: Partial<Record<typeof list, { title?: string; name?: string }[]>>;
  };
  return (agent[list] ?? []).map(({ name, title = 'none' }) => `${name ?? title}\n`).join('');
}

/** Refuses agents in workspaces that were created, those that `isRefused` names by their number in the workspace, from 1. */
const refusingInNewWorkspaces =
  (status: number, isRefused: (times: number) => boolean): Wrap =>
  (transport) => {
    const created = new Map<unknown, number>();
    return async (request, signal) => {
      const { workspaceId } = makesAgent(request) ? sentBy(request) : {};
      const times = created.get(workspaceId);
      if (times !== undefined) created.set(workspaceId, times + 1);
      if (times !== undefined && isRefused(times + 1)) return refusal(status);
      const answer = await transport(request, signal);
      const { workspace } = answer.status < 300 && makesWorkspace(request) ? jsonOf(answer) : {};
      if (isObject(workspace)) created.set(workspace['id'], 0);
      return answer;
    };
  };

const acceptsWorkspaces = (
  isRefused: (name: string, slug: string, icon: string | undefined) => boolean,
): Permitted => ({
  wrap: refusing(400, (request) => {
    if (!makesWorkspace(request)) return false;
    const { name = '', slug = '', icon } = sentBy(request) as { name?: string; slug?: string; icon?: string };
    return isRefused(name, slug, icon);
  }),
  notJudged: aboutCreations,
});

/** Does something else after so many requests, once or again and again, until the run has waited so often. */
function outOfOrder(waits: number, instead: () => HttpAnswer, isOut: (count: number) => boolean) {
  let [requests, left] = [0, 0];
  return {
    wrap(transport) {
      [requests, left] = [0, 0];
      return async (request, signal) => {
        if (isOut(++requests)) left = waits;
        return left > 0 ? instead() : transport(request, signal);
      };
    },
    run: { sleep: async () => void left-- },
  } satisfies Permitted;
}

/** What a server may refuse to create: for lack of rights, for a plan, or for its content. */
export const limits: PermittedServers = {
  'answers 411 to a body in chunks': refusing(411, ({ form }) => form?.body === 'chunked'),
  'accepts three agents and one workspace, and answers 400 to more': accepts(3, 1, 400, aboutCreations),
  'accepts three agents and one workspace, and answers 402 to more': accepts(3, 1, 402, aboutCreations),
  'accepts three agents and one workspace, and answers 403 to more': accepts(3, 1, 403, aboutCreations),
  'accepts three agents and one workspace, and answers 409 to more': accepts(3, 1, 409, aboutCreations),
  'accepts three agents and one workspace, and answers 422 to more': accepts(3, 1, 422, aboutCreations),
  'accepts five agents and two workspaces, and answers 401 to more': accepts(5, 2, 401, /^/),
  'accepts five agents and two workspaces, and answers 404 to more': { ...accepts(5, 2, 404, /^/), run: { seed: 49 } },
  'accepts five agents and two workspaces, and answers 429 to more': accepts(5, 2, 429, /^/),
  'accepts no name longer than 30 characters, and no icon that is not an address': acceptsWorkspaces(
    (name, _, icon) => name.length > 30 || icon?.startsWith('https://') === false,
  ),
  'accepts names of agents of up to 100 characters': refusing(400, (request) => nameIn(request).length > 100),
  'accepts names of agents of up to 30 characters': refusing(400, (request) => nameIn(request).length > 30),
  'accepts only letters, digits, spaces and hyphens in names of agents': {
    wrap: refusing(400, (request) => /[^\w -]/.test(nameIn(request))),
    run: { seed: 2 },
  },
  'accepts no hyphens in slugs and in names of workspaces': acceptsWorkspaces((name, slug) =>
    `${name}${slug}`.includes('-'),
  ),
  'accepts only plain characters': {
    wrap: refusing(422, (request) => request.method === 'POST' && /[^\0-\x7f]/.test(request.body ?? '')),
    notJudged: aboutCreations,
  },
  'accepts titles of 1 to 60 plain characters': refusing(
    422,
    (request) => makesAgent(request) && !/^(?:[ -~]{1,60}\n)*$/.test(linesIn(request, 'groups')),
  ),
  'accepts only identifiers as names of variables': {
    wrap: refusing(422, (request) => makesAgent(request) && !/^(?:[a-z_]\w*\n)*$/i.test(linesIn(request, 'variables'))),
    run: { seed: 6 },
  },
  'accepts no blocks, no passwords and no code': refusing(
    400,
    (request) => makesAgent(request) && /"type":"text"|password|customHeadCode/.test(request.body ?? ''),
  ),
  'says that the token may only read, and answers 404 to every write': {
    wrap: accepting((answer, request) => {
      if (request.method === 'POST') return jsonAnswer(404, {});
      const isWriter = request.headers['authorization']?.includes('write') !== false;
      const { currentUserMode, ...rest } = jsonOf(answer);
      if (!readsAgent(request) || !isWriter || currentUserMode !== 'write') return answer;
      return jsonAnswer(200, { ...rest, currentUserMode: 'read' });
    }),
    notJudged: /^(?!list)|^list-results-agents-share-none$/,
  },
  'accepts no agents in new workspaces, since they have no plan': {
    wrap: refusingInNewWorkspaces(402, () => true),
    notJudged: aboutCreations,
  },
  'finds a new workspace only at the third creation in it': refusingInNewWorkspaces(404, (times) => times < 3),
  'finds a new workspace at every second creation in it': refusingInNewWorkspaces(404, (times) => times % 2 === 1),
  'answers one request at a time, and 409 to the others': { wrap: atATime(1, () => refusal(409)), notJudged: /^/ },
  'answers 409 to every fifth creation, since it is busy': {
    wrap: refusing(409, ({ method }, count) => method === 'POST' && count('all') % 5 === 0),
    notJudged: aboutCreations,
  },
  'closes every connection beyond the fourth': atATime(4, closed),
  'answers three requests at a time, and 503 to the others': atATime(3, () => refusal(503)),
  'closes every connection for a while': outOfOrder(2, closed, (count) => count === 151),
  'answers 502 to all for a while, again and again': outOfOrder(
    2,
    () => refusal(502),
    (count) => count % 120 === 0,
  ),
  'redirects every request to the same path with a slash': {
    wrap: (transport) => async (request, signal) => {
      const url = new URL(request.url);
      if (!url.pathname.endsWith('/')) {
        url.pathname += '/';
        return { ...refusal(308), headers: { location: url.href } };
      }
      url.pathname = url.pathname.slice(0, -1);
      return transport({ ...request, url: url.href }, signal);
    },
    notJudged: /^/,
  },
};
