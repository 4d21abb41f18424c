import {
  isAccepted,
  isObject,
  json,
  makesAgent,
  mapped,
  parsed,
  pathOf,
  readsAgent,
  type Json,
  type Permitted,
  type Request,
  type Wrap,
} from './server.ts';

/** Changes the agent in every accepted answer with one. */
export const showing =
  (change: (agent: Json, request: Request) => Json): Wrap =>
  (transport) =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    if (answer.status >= 300 || request.url.includes('/results')) return answer;
    const body = parsed(answer);
    const { agent } = body;
    return isObject(agent) ? json(answer.status, { ...body, agent: change(agent, request) }) : answer;
  };

const onTexts = (change: (text: string, name: string) => string): Wrap =>
  showing((agent) => mapped(agent, (value, name) => (typeof value === 'string' ? change(value, name) : value)) as Json);

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

/** Replaces every identifier in the flow, consistently. */
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
  return { ...(rename(rest) as Json), id };
}

const isContent = (name: string): boolean => name.includes('create') || name.includes('import');

/** What agents may look like, and when they may be readable. */
export const agents: readonly Permitted[] = [
  { does: 'replaces every identifier in a flow', wrap: showing(renamed) },
  {
    does: 'shows groups and variables in another order',
    wrap: showing((agent) => ({
      ...agent,
      ...(Array.isArray(agent['groups']) ? { groups: agent['groups'].toReversed() } : {}),
      ...(Array.isArray(agent['variables']) ? { variables: agent['variables'].toReversed() } : {}),
    })),
  },
  {
    does: 'adds a group, an event, an edge, a variable and a tag to every agent',
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
    does: 'omits empty values, as many languages do',
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
    does: 'copies icons to its own addresses',
    wrap: onTexts((text, name) => (name === 'icon' || name === 'imageUrl' ? 'https://cdn.example.com/1.png' : text)),
  },
  { does: 'decomposes texts (NFD)', wrap: onTexts((text) => text.normalize('NFD')) },
  {
    does: 'titles the page with the name of the agent',
    wrap: showing((agent) => {
      const { settings } = agent;
      return isObject(settings) && isObject(settings['metadata'])
        ? { ...agent, settings: { ...settings, metadata: { ...settings['metadata'], title: agent['name'] } } }
        : agent;
    }),
  },
  {
    does: 'stores numbers in 32 bits',
    wrap: showing(
      (agent) => mapped(agent, (value) => (typeof value === 'number' ? Math.fround(value) : value)) as Json,
    ),
  },
  { does: 'never shows a password', wrap: onTexts((text, name) => (name === 'password' ? '********' : text)) },
  {
    does: 'answers creations with only the id',
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
    does: 'shows what was created a moment late',
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
  {
    does: 'no longer has a published form of the given agent',
    wrap: (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      if (answer.status < 300 && request.url.endsWith('/publishedAgent')) return json(404, {});
      if (answer.status >= 300 || !readsAgent(request)) return answer;
      const { agent, ...rest } = parsed(answer);
      return json(200, { ...rest, agent: isObject(agent) ? { ...agent, isPublished: false } : agent });
    },
    notJudged: (id) => id.includes('published') || isContent(id),
  },

  {
    does: 'trims names and composes them (NFC)',
    wrap: onTexts((text, name) => (name === 'name' ? text.normalize('NFC').trim() : text)),
  },
  {
    does: 'keeps one of several variables with the same name',
    wrap: showing((agent) =>
      Array.isArray(agent['variables'])
        ? {
            ...agent,
            variables: [...new Map(list(agent, 'variables').map((one) => [one['name'], one])).values()],
          }
        : agent,
    ),
  },
  {
    does: 'adds a block to every group, and a theme if there is none',
    wrap: showing((agent) => ({
      theme: {},
      ...agent,
      ...(Array.isArray(agent['groups'])
        ? {
            groups: list(agent, 'groups').map((group) => ({
              ...group,
              ...(Array.isArray(group['blocks'])
                ? { blocks: [...(group['blocks'] as unknown[]), { id: `${String(group['id'])}-end`, type: 'end' }] }
                : {}),
            })),
          }
        : {}),
    })),
  },
  {
    does: 'shows its own version in agents that are read',
    wrap: showing((agent, request) => (readsAgent(request) ? { ...agent, version: '6.1' } : agent)),
    notJudged: (id) => id.startsWith('get-agent') || id.includes('read'),
  },
  {
    does: 'omits the theme and the settings from the first read of an agent',
    wrap: (transport) => {
      const read = new Set<unknown>();
      return showing((agent, request) => {
        if (!readsAgent(request) || read.has(agent['id'])) return agent;
        read.add(agent['id']);
        const { theme: _theme, settings: _settings, ...rest } = agent;
        return rest;
      })(transport);
    },
  },
  {
    does: 'shows the published form a moment late',
    wrap: (transport) => {
      const late = new Set<string>();
      return async (request, signal) => {
        const answer = await transport(request, signal);
        if (!isAccepted(answer)) return answer;
        const { agent } = parsed(answer);
        if (makesAgent(request) && isObject(agent))
          late.add(pathOf(request).replace(/(?:\/import)?$/, `/${String(agent['id'])}/publishedAgent`));
        return late.delete(pathOf(request)) ? json(404, {}) : answer;
      };
    },
  },
];
