import {
  accepting,
  isSuccess,
  isObject,
  jsonAnswer,
  makesAgent,
  makesWorkspace,
  bodyOf,
  readsAgent,
  refusal,
  refusing,
  sentBy,
  type PermittedServers,
} from './server.ts';

const anyMade = (id: string): boolean => /created?-|import|workspace/.test(id);

/** What a server may refuse to create: for lack of rights, for a plan, or for its content. */
export const limits: PermittedServers = {
  ...Object.fromEntries(
    [400, 402, 403, 409, 422].map((status) => [
      `accepts three agents and one workspace, and answers ${status} to more`,
      {
        wrap: refusing(
          status,
          (request, count) =>
            (makesAgent(request) && count('agents') > 3) || (makesWorkspace(request) && count('workspaces') > 1),
        ),
        notJudged: anyMade,
      },
    ]),
  ),
  'accepts no name longer than 30 characters, and no icon that is not an address': {
    wrap: refusing(400, (request) => {
      const { name = '', icon } = (makesWorkspace(request) ? sentBy(request) : {}) as { name?: string; icon?: string };
      return name.length > 30 || (icon !== undefined && !icon.startsWith('https://'));
    }),
    notJudged: anyMade,
  },
  'accepts only plain characters': {
    wrap: refusing(422, (request) => request.method === 'POST' && /[^\0-\x7f]/.test(request.body ?? '')),
    notJudged: anyMade,
  },
  'accepts no blocks, no passwords and no code': refusing(
    400,
    (request) => makesAgent(request) && /"type":"text"|password|customHeadCode/.test(request.body ?? ''),
  ),
  'says that the token may only read, and answers 404 to every write': {
    wrap: accepting((answer, request) => {
      if (request.method === 'POST') return jsonAnswer(404, {});
      const isWriter = request.headers['authorization']?.includes('write') !== false;
      const { currentUserMode, ...rest } = bodyOf(answer);
      if (!readsAgent(request) || !isWriter || currentUserMode !== 'write') return answer;
      return jsonAnswer(200, { ...rest, currentUserMode: 'read' });
    }),
    notJudged: (id) => !id.startsWith('list') || id === 'list-results-agents-share-none',
  },
  ...Object.fromEntries(
    [401, 404, 429].map((status) => [
      `accepts five agents and two workspaces, and answers ${status} to more`,
      {
        wrap: refusing(
          status,
          (request, count) =>
            (makesAgent(request) && count('agents') > 5) || (makesWorkspace(request) && count('workspaces') > 2),
        ),
        notJudged: () => true,
      },
    ]),
  ),
  'accepts no hyphens in slugs and in names of workspaces': {
    wrap: refusing(400, (request) => {
      const { name = '', slug = '' } = (makesWorkspace(request) ? sentBy(request) : {}) as {
        name?: string;
        slug?: string;
      };
      return `${name}${slug}`.includes('-');
    }),
    notJudged: anyMade,
  },
  'accepts no agents in new workspaces, since they have no plan': {
    wrap: (transport) => {
      const made = new Set<unknown>();
      return async (request, signal) => {
        if (makesAgent(request) && made.has(sentBy(request)['workspaceId'])) return refusal(402);
        const answer = await transport(request, signal);
        const { workspace } = isSuccess(answer) && makesWorkspace(request) ? bodyOf(answer) : {};
        if (isObject(workspace)) made.add(workspace['id']);
        return answer;
      };
    },
    notJudged: anyMade,
  },
  'answers one request at a time, and 409 to the others': {
    wrap: (transport) => {
      let busy = false;
      return async (request, signal) => {
        if (busy) return refusal(409);
        busy = true;
        return transport(request, signal).finally(() => (busy = false));
      };
    },
    notJudged: () => true,
  },
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
    notJudged: () => true,
  },
};
