import {
  accepting,
  isSuccess,
  isObject,
  jsonAnswer,
  makesAgent,
  mapped,
  bodyOf,
  pathIn,
  readsAgent,
  type Fields,
  type PermittedServers,
  type PermittedRequest,
  type Wrap,
} from './server.ts';

/** Changes the agent in every accepted answer with one. */
const showing = (change: (agent: Fields, request: PermittedRequest) => Fields): Wrap =>
  accepting((answer, request) => {
    if (request.url.includes('/results')) return answer;
    const body = bodyOf(answer);
    const { agent } = body;
    if (isObject(agent)) return jsonAnswer(answer.status, { ...body, agent: change(agent, request) });
    return answer;
  });

type Lists = Readonly<Record<string, (items: readonly Fields[]) => readonly unknown[]>>;

/** Changes the lists of an agent that it has. */
const showingLists = (changes: Lists): Wrap =>
  showing((agent) => {
    const changed = Object.entries(changes).flatMap(([name, change]) => {
      const items = agent[name];
      if (Array.isArray(items)) return [[name, change(items as readonly Fields[])]];
      return [];
    });
    return { ...agent, ...(Object.fromEntries(changed) as Fields) };
  });

const onTexts = (change: (text: string, name: string) => string): Wrap =>
  showing(
    (agent) => mapped(agent, (value, name) => (typeof value === 'string' ? change(value, name) : value)) as Fields,
  );

const without = (value: unknown, isNothing: (value: unknown) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => without(item, isNothing));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (isNothing(item) ? [] : [[name, without(item, isNothing)]])),
  );
};

function withLastBlock(group: Fields): Fields {
  const { id, blocks } = group;
  if (!Array.isArray(blocks)) return group;
  return { ...group, blocks: [...(blocks as unknown[]), { id: `${String(id)}-end`, type: 'end' }] };
}

/** Replaces every identifier in the flow, consistently. */
function renamed(agent: Fields): Fields {
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
    if (typeof value === 'string' && ids.has(value)) return `${value}-anew`;
    return value;
  };
  const { id, ...rest } = agent;
  return { ...(rename(rest) as Fields), id };
}

const COLOUR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

const isContent = (name: string): boolean => name.includes('create') || name.includes('import');

/** What agents may look like, and when they may be readable. */
export const agents: PermittedServers = {
  'replaces every identifier in a flow': showing(renamed),
  'shows groups and variables in another order': showingLists({
    groups: (items) => items.toReversed(),
    variables: (items) => items.toReversed(),
  }),
  'adds a group, an event, an edge, a variable and a tag to every agent': showingLists({
    groups: (items) => [{ id: 'own', title: 'Start', graphCoordinates: { x: 0, y: 0 }, blocks: [] }, ...items],
    events: (items) => [...items, { id: 'own event', type: 'webhook', graphCoordinates: { x: 1, y: 1 } }],
    edges: (items) => [{ id: 'own edge', from: {}, to: { groupId: 'own' } }, ...items],
    variables: (items) => [{ id: 'own variable', name: 'Date' }, ...items],
    tags: (items) => ['new', ...items],
  }),
  'omits empty values, as many languages do': showing(
    (agent) =>
      without(
        agent,
        (one) => one === '' || one === 0 || one === false || (Array.isArray(one) && one.length === 0),
      ) as Fields,
  ),
  'writes colours as rgb()': onTexts((text) =>
    text.replace(COLOUR, (_, ...parts) => {
      const numbers = parts.slice(0, 3).map((part) => Number.parseInt(String(part), 16));
      return `rgb(${numbers.join(', ')})`;
    }),
  ),
  'writes colours in lower case': onTexts((text) => text.replace(COLOUR, (colour) => colour.toLowerCase())),
  'copies icons to its own addresses': onTexts((text, name) =>
    name === 'icon' || name === 'imageUrl' ? 'https://cdn.example.com/1.png' : text,
  ),
  'decomposes texts (NFD)': onTexts((text) => text.normalize('NFD')),
  'titles the page with the name of the agent': showing((agent) => {
    const { settings } = agent;
    if (!isObject(settings) || !isObject(settings['metadata'])) return agent;
    return { ...agent, settings: { ...settings, metadata: { ...settings['metadata'], title: agent['name'] } } };
  }),
  'stores numbers in 32 bits': showing(
    (agent) => mapped(agent, (value) => (typeof value === 'number' ? Math.fround(value) : value)) as Fields,
  ),
  'never shows a password': onTexts((text, name) => (name === 'password' ? '********' : text)),
  'answers creations with only the id': showing((agent, request) =>
    makesAgent(request) ? { id: agent['id'], version: '6' } : agent,
  ),
  'shows no theme and no settings, anywhere': showing(({ theme: _theme, settings: _settings, ...rest }) => rest),
  'writes tags in capitals, in another order': showing((agent) => {
    const { tags } = agent;
    if (!Array.isArray(tags)) return agent;
    return { ...agent, tags: (tags as readonly string[]).map((tag) => tag.toUpperCase()).toReversed() };
  }),
  'shows what was created a moment late': (transport) => {
    const asked = new Map<string, number>();
    const fresh = new Set<string>();
    return async (request, signal) => {
      const answer = await transport(request, signal);
      if (makesAgent(request) && answer.status < 300) {
        const { agent } = bodyOf(answer);
        if (isObject(agent)) fresh.add(String(agent['id']));
      }
      const id = request.url.split('/').at(-1) ?? '';
      const times = (asked.get(id) ?? 0) + 1;
      asked.set(id, times);
      if (readsAgent(request) && answer.status < 300 && fresh.has(id) && times <= 3) return jsonAnswer(404, {});
      return answer;
    };
  },
  'no longer has a published form of the given agent': {
    wrap: (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      if (answer.status < 300 && request.url.endsWith('/publishedAgent')) return jsonAnswer(404, {});
      if (answer.status >= 300 || !readsAgent(request)) return answer;
      const { agent, ...rest } = bodyOf(answer);
      return jsonAnswer(200, { ...rest, agent: isObject(agent) ? { ...agent, isPublished: false } : agent });
    },
    notJudged: (id) => id.includes('published') || isContent(id),
  },
  'trims names and composes them (NFC)': onTexts((text, name) =>
    name === 'name' ? text.normalize('NFC').trim() : text,
  ),
  'keeps one of several variables with the same name': showingLists({
    variables: (items) => [...new Map(items.map((variable) => [variable['name'], variable])).values()],
  }),
  'adds a block to every group, and a theme if there is none': (transport) =>
    showing((agent) => ({ theme: {}, ...agent }))(
      showingLists({ groups: (groups) => groups.map(withLastBlock) })(transport),
    ),
  'shows its own version in agents that are read': {
    wrap: showing((agent, request) => (readsAgent(request) ? { ...agent, version: '6.1' } : agent)),
    notJudged: (id) => id.startsWith('get-agent') || id.includes('read'),
  },
  'omits the theme and the settings from the first read of an agent': (transport) => {
    const read = new Set<unknown>();
    return showing((agent, request) => {
      if (!readsAgent(request) || read.has(agent['id'])) return agent;
      read.add(agent['id']);
      const { theme: _theme, settings: _settings, ...rest } = agent;
      return rest;
    })(transport);
  },
  'shows the published form a moment late': (transport) => {
    const late = new Set<string>();
    return async (request, signal) => {
      const answer = await transport(request, signal);
      if (!isSuccess(answer)) return answer;
      const { agent } = bodyOf(answer);
      if (makesAgent(request) && isObject(agent))
        late.add(pathIn(request).replace(/(?:\/import)?$/, `/${String(agent['id'])}/publishedAgent`));
      if (late.delete(pathIn(request))) return jsonAnswer(404, {});
      return answer;
    };
  },
};
