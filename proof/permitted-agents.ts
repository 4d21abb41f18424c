import type { Transport } from '../conformance/index.ts';

type Request = Parameters<Transport>[0];
type Response = Awaited<ReturnType<Transport>>;
type Json = Record<string, unknown>;

/** A server that a reasonable reader calls compliant, made from another by what lies between. */
export interface PermittedWithAgents {
  /** Follows "a server that". */
  readonly does: string;
  readonly wrap: (transport: Transport) => Transport;
  /** Whether a check may say that it cannot judge it. None may fail. */
  readonly notJudged?: (checkId: string) => boolean;
}

const json = (status: number, body: unknown): Response => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode(JSON.stringify(body)),
});
const parsed = ({ body }: Response): Json => JSON.parse(new TextDecoder().decode(body)) as Json;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const makesAgent = ({ method, url }: Request): boolean => method === 'POST' && /\/agents(?:\/import)?$/.test(url);
const makesWorkspace = ({ method, url }: Request): boolean => method === 'POST' && url.endsWith('/workspaces');
const readsAgent = ({ method, url }: Request): boolean => method === 'GET' && /\/agents\/[^/]+$/.test(url);
const sentBy = ({ body }: Request): Json => JSON.parse(body ?? '{}') as Json;

/** Changes the agent in every accepted answer that holds one. */
const showing =
  (change: (agent: Json, request: Request) => Json): PermittedWithAgents['wrap'] =>
  (transport) =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    if (answer.status >= 300 || request.url.includes('/results')) return answer;
    const body = parsed(answer);
    const { agent } = body;
    return isObject(agent) ? json(answer.status, { ...body, agent: change(agent, request) }) : answer;
  };

/** `value` with every value in it changed that is no object and no array. */
function mapped(value: unknown, change: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, name));
  if (!isObject(value)) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, change, key)]));
}

const onTexts = (change: (text: string, name: string) => string): PermittedWithAgents['wrap'] =>
  showing((agent) => mapped(agent, (value, name) => (typeof value === 'string' ? change(value, name) : value)) as Json);

/** Refuses some requests before they reach the server. */
const refusing =
  (
    status: number,
    isRefused: (request: Request, count: (of: string) => number) => boolean,
  ): PermittedWithAgents['wrap'] =>
  (transport) => {
    const counts = new Map<string, number>();
    const count = (of: string): number => {
      const next = (counts.get(of) ?? 0) + 1;
      counts.set(of, next);
      return next;
    };
    return async (request, signal) =>
      // Only those whose credentials are known are told what they may not do.
      isRefused(request, count) &&
      (await transport({ ...request, method: 'GET', url: request.url }, signal)).status !== 401
        ? json(status, { message: 'no' })
        : transport(request, signal);
  };

const without = (value: unknown, isNothing: (value: unknown) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => without(item, isNothing));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (isNothing(item) ? [] : [[name, without(item, isNothing)]])),
  );
};

const list = (agent: Json, name: string): readonly Json[] => {
  const found = agent[name];
  return Array.isArray(found) ? found.filter(isObject) : [];
};

/** Gives every identifier in the flow anew, everywhere alike. */
function renamed(agent: Json): Json {
  const ids = new Set<string>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    if (!isObject(value)) return;
    if (typeof value['id'] === 'string') ids.add(value['id']);
    Object.values(value).forEach(collect);
  };
  for (const name of ['groups', 'events', 'edges', 'variables']) collect(agent[name]);
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [String(rename(name)), rename(item)]));
    return typeof value === 'string' && ids.has(value) ? `${value}-anew` : value;
  };
  const { id, ...rest } = agent;
  return { ...(rename(rest) as Json), ...(id === undefined ? {} : { id }) };
}

const isContent = (name: string): boolean => name.includes('create') || name.includes('import');
const anyMade = (id: string): boolean => /created?-|import|workspace/.test(id);

/** What a compliant server may do with agents and workspaces that has blamed one, or may. Nothing fails on any of them. */
export const permittedWithAgents: readonly PermittedWithAgents[] = [
  { does: 'gives every identifier in a flow anew', wrap: showing(renamed) },
  {
    does: 'shows groups and variables in another order',
    wrap: showing((agent) => ({
      ...agent,
      ...(Array.isArray(agent['groups']) ? { groups: agent['groups'].toReversed() } : {}),
      ...(Array.isArray(agent['variables']) ? { variables: agent['variables'].toReversed() } : {}),
    })),
  },
  {
    does: 'gives every agent a group, an event, an edge, a variable and a tag of its own',
    wrap: showing((agent) => ({
      ...agent,
      ...(Array.isArray(agent['groups'])
        ? {
            groups: [
              { id: 'own', title: 'Start', graphCoordinates: { x: 0, y: 0 }, blocks: [] },
              ...list(agent, 'groups'),
            ],
          }
        : {}),
      ...(Array.isArray(agent['events'])
        ? { events: [...list(agent, 'events'), { id: 'own event', type: 'webhook', graphCoordinates: { x: 1, y: 1 } }] }
        : {}),
      ...(Array.isArray(agent['edges'])
        ? { edges: [{ id: 'own edge', from: {}, to: { groupId: 'own' } }, ...list(agent, 'edges')] }
        : {}),
      ...(Array.isArray(agent['variables'])
        ? { variables: [{ id: 'own variable', name: 'Date' }, ...list(agent, 'variables')] }
        : {}),
      ...(Array.isArray(agent['tags']) ? { tags: ['new', ...(agent['tags'] as unknown[])] } : {}),
    })),
  },
  {
    does: 'leaves out what is empty, as many languages do',
    wrap: showing(
      (agent) =>
        without(
          agent,
          (one) => one === '' || one === 0 || one === false || (Array.isArray(one) && one.length === 0),
        ) as Json,
    ),
  },
  {
    does: 'writes colours as rgb()',
    wrap: onTexts((text) =>
      /^#[0-9a-f]{6}$/i.test(text)
        ? `rgb(${[1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)).join(', ')})`
        : text,
    ),
  },
  {
    does: 'writes colours in lower case',
    wrap: onTexts((text) => (/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : text)),
  },
  {
    does: 'copies icons to addresses of its own',
    wrap: onTexts((text, name) => (name === 'icon' || name === 'imageUrl' ? 'https://cdn.example.com/1.png' : text)),
  },
  { does: 'decomposes texts (NFD)', wrap: onTexts((text) => text.normalize('NFD')) },
  {
    does: 'calls the page what the agent is called',
    wrap: showing((agent) => {
      const { settings } = agent;
      return isObject(settings) && isObject(settings['metadata'])
        ? { ...agent, settings: { ...settings, metadata: { ...settings['metadata'], title: agent['name'] } } }
        : agent;
    }),
  },
  {
    does: 'keeps numbers in 32 bits',
    wrap: showing(
      (agent) => mapped(agent, (value) => (typeof value === 'number' ? Math.fround(value) : value)) as Json,
    ),
  },
  { does: 'never shows a password', wrap: onTexts((text, name) => (name === 'password' ? '********' : text)) },
  {
    does: 'answers creations with the id alone',
    wrap: showing((agent, request) => (makesAgent(request) ? { id: agent['id'], version: '6' } : agent)),
  },
  {
    does: 'shows no theme and no settings, anywhere',
    wrap: showing(({ theme: _theme, settings: _settings, ...rest }) => rest),
  },
  {
    does: 'writes tags in capitals, in another order',
    wrap: showing((agent) => ({
      ...agent,
      ...(Array.isArray(agent['tags'])
        ? { tags: (agent['tags'] as string[]).map((tag) => tag.toUpperCase()).toReversed() }
        : {}),
    })),
  },
  {
    does: 'shows what was made a moment late',
    wrap: (transport) => {
      const asked = new Map<string, number>();
      const fresh = new Set<string>();
      return async (request, signal) => {
        const answer = await transport(request, signal);
        if (makesAgent(request) && answer.status < 300) {
          const { agent } = parsed(answer);
          if (isObject(agent)) fresh.add(String(agent['id']));
        }
        const id = request.url.split('/').at(-1) ?? '';
        const times = (asked.get(id) ?? 0) + 1;
        asked.set(id, times);
        return readsAgent(request) && answer.status < 300 && fresh.has(id) && times <= 3 ? json(404, {}) : answer;
      };
    },
  },
  ...[400, 402, 403, 409, 422].map((status): PermittedWithAgents => ({
    does: `takes three agents and one workspace, and answers ${status} to more`,
    wrap: refusing(
      status,
      (request, count) =>
        (makesAgent(request) && count('agents') > 3) || (makesWorkspace(request) && count('workspaces') > 1),
    ),
    notJudged: anyMade,
  })),
  {
    does: 'takes no name longer than 30 characters, and no icon that is no address',
    wrap: refusing(400, (request) => {
      const { name = '', icon } = (makesWorkspace(request) ? sentBy(request) : {}) as { name?: string; icon?: string };
      return name.length > 30 || (icon !== undefined && !icon.startsWith('https://'));
    }),
    notJudged: anyMade,
  },
  {
    does: 'takes only plain characters',
    wrap: refusing(422, (request) => request.method === 'POST' && /[^\0-\x7f]/.test(request.body ?? '')),
    notJudged: anyMade,
  },
  {
    does: 'takes no blocks, no passwords and no code',
    wrap: refusing(
      400,
      (request) => makesAgent(request) && /"type":"text"|password|customHeadCode/.test(request.body ?? ''),
    ),
  },
  {
    does: 'says that the token only reads, and answers 404 to all that writes',
    wrap: (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      if (request.method === 'POST' && answer.status < 300) return json(404, {});
      return readsAgent(request) && answer.status < 300 && request.headers['authorization']?.includes('write') !== false
        ? json(200, {
            ...parsed(answer),
            currentUserMode: parsed(answer)['currentUserMode'] === 'write' ? 'read' : parsed(answer)['currentUserMode'],
          })
        : answer;
    },
    notJudged: (id) => !id.startsWith('list'),
  },
  {
    does: 'has no published form any more of the agent that was given',
    wrap: (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      if (answer.status < 300 && request.url.endsWith('/publishedAgent')) return json(404, {});
      if (answer.status >= 300 || !readsAgent(request)) return answer;
      const { agent, ...rest } = parsed(answer);
      return json(200, { ...rest, agent: isObject(agent) ? { ...agent, isPublished: false } : agent });
    },
    notJudged: (id) => id.includes('published') || isContent(id),
  },
];
