import type { HttpAnswer, HttpRequest } from '../../conformance/index.ts';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../text/json.ts';
import { proofNow } from '../target.ts';
import {
  accepting,
  answering,
  jsonOf,
  jsonAnswer,
  late,
  makesAgent,
  makesWorkspace,
  mapStrings,
  readsAgent,
  refusal,
  sentBy,
} from './server.ts';
import type { Fields, Permitted, PermittedServers, Wrap } from './server.ts';

/** Changes the agent in every accepted answer with one. */
const showing = (change: (agent: Fields, request: HttpRequest) => Fields): Wrap =>
  accepting((answer, request) => {
    if (request.url.includes('/results')) return answer;
    const body = jsonOf(answer);
    const { agent } = body;
    if (isObject(agent)) return jsonAnswer(answer.status, { ...body, agent: change(agent, request) });
    return answer;
  });

const showingLists = (
  names: readonly string[],
  change: (items: readonly Fields[], name: string) => readonly unknown[],
): Wrap =>
  showing((agent) => {
    const lists = names.filter((name) => Array.isArray(agent[name]));
    const changed = lists.map((name) => [name, change(agent[name] as readonly Fields[], name)] as const);
    return { ...agent, ...Object.fromEntries(changed) };
  });

const OWN: Readonly<Record<string, unknown>> = {
  groups: { id: 'own', title: 'Start', graphCoordinates: { x: 0, y: 0 }, blocks: [] },
  events: { id: 'own event', type: 'webhook', graphCoordinates: { x: 1, y: 1 } },
  edges: { id: 'own edge', from: {}, to: { groupId: 'own' } },
  variables: { id: 'own variable', name: 'Date' },
  tags: 'new',
};

/** Changes the texts, or those of members with such names. */
const showingTexts = (change: (text: string) => string, of = /^/): Wrap =>
  showing((agent) => mapStrings(agent, change, of) as Fields);

const isEmpty = (value: unknown): boolean =>
  value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

/** Whoever leaves out empty members keeps the items of lists. */
const withoutEmptyValues = (agent: Fields, isLeftOut = isEmpty): Fields =>
  JSON.parse(JSON.stringify(agent), function (this: unknown, _, value: unknown) {
    return isLeftOut(value) && !Array.isArray(this) ? undefined : value;
  }) as Fields;

function withOtherIds(agent: Fields): Fields {
  const ids = new Set<string>();
  const { groups, events, edges, variables } = agent;
  JSON.stringify([groups, events, edges, variables], (name, value: unknown) => {
    if (name === 'id' && typeof value === 'string' && value !== agent['id']) ids.add(value);
    return value;
  });
  let text = JSON.stringify(agent);
  for (const id of ids) text = text.replaceAll(JSON.stringify(id), () => JSON.stringify(`${id}-anew`));
  return JSON.parse(text) as Fields;
}

/** Takes an icon that is a number, which the mock refuses, and shows it. */
const keepingNumericIcons: Wrap = (transport) => {
  const icons = new Map<unknown, unknown>();
  const withIcon = showing((agent, { body = '{}' }) => {
    const { agent: sent } = JSON.parse(body) as Fields;
    if (isObject(sent) && typeof sent['icon'] === 'number') icons.set(agent['id'], sent['icon']);
    return { ...agent, icon: icons.get(agent['id']) ?? agent['icon'] };
  });
  return withIcon((request, signal) => {
    if (!makesAgent(request)) return transport(request, signal);
    return transport({ ...request, body: request.body?.replace(/"icon":-?\d+/, '"icon":""') }, signal);
  });
};

function withLastBlock(group: Fields): Fields {
  const { id, blocks } = group;
  if (!Array.isArray(blocks)) return group;
  return { ...group, blocks: [...(blocks as unknown[]), { id: `${String(id)}-end`, type: 'end' }] };
}

function withoutSettings({ theme: _theme, settings: _settings, ...rest }: Fields): Fields {
  return rest;
}

/** Finds each new agent only so many milliseconds after its creation. What it does not find has the given status. */
function lateBy(ms: number, status = 404): Permitted {
  let now = 0;
  const finds = late((_, age) => age < ms, { clock: () => now });
  return {
    run: { sleep: (pause) => Promise.resolve(void (now += pause)) },
    wrap: (transport) =>
      answering((answer) => ([404, 410].includes(answer.status) ? { ...answer, status } : answer))(finds(transport)),
  };
}

/** Somebody edits the given agents, and after a while the first of the new ones with a description that is read again then. */
const editing: Wrap = (transport) => {
  const created = new Map<unknown, number>();
  let chosen: unknown;
  let count = 0;
  return showing((agent, request) => {
    const { id, updatedAt } = agent;
    if (makesAgent(request)) created.set(id, 0);
    // Its edits have times of this form.
    if (!readsAgent(request) || !/^[\d-]+T[\d:.]+Z$/.test(String(updatedAt))) return agent;
    count++;
    const edited = {
      riskLevel: count,
      isClosed: count % 3 === 0,
      updatedAt: new Date(proofNow + count * 1000).toISOString(),
    };
    const reads = created.get(id);
    if (reads === undefined)
      return { ...agent, ...edited, name: `Edited ${count}`, tags: [`edit-${count}`], groups: undefined };
    created.set(id, reads + 1);
    if (count >= 25 && reads > 0 && agent['description']) chosen ??= id;
    if (id !== chosen) return { ...agent, riskLevel: count };
    return { ...agent, ...edited, description: 'Edited', tags: ['edited'] };
  })(transport);
};

/** An import of a body that was imported before answers the agent of then. */
const importingOnce: Wrap = (transport) => {
  const answers = new Map<string, HttpAnswer>();
  return async (request, signal) => {
    if (!request.url.endsWith('/agents/import')) return transport(request, signal);
    const key = `${request.headers['authorization']} ${request.body}`;
    const known = answers.get(key);
    if (known) return known;
    const answer = await transport(request, signal);
    if (answer.status < 300) answers.set(key, answer);
    return answer;
  };
};

const withoutSentPublicIds: Wrap = (transport) => {
  const named = new Set<unknown>();
  return showing((agent, request) => {
    const { agent: sent } = sentBy(request);
    if (isObject(sent) && sent['publicId'] !== undefined) named.add(agent['id']);
    return { ...agent, publicId: named.has(agent['id']) ? undefined : `own-${String(agent['id'])}` };
  })(transport);
};

/** Shows for each slug that is sent another, made of the name. */
const slugs = (slugOf: (name: string) => string | undefined): Permitted => ({
  wrap: accepting((answer, request) => {
    const workspace = { ...Object(jsonOf(answer)['workspace']) } as Fields;
    if (!makesWorkspace(request) || workspace['slug'] === undefined) return answer;
    return jsonAnswer(answer.status, { workspace: { ...workspace, slug: slugOf(String(workspace['name'])) } });
  }),
  strictly: ['create-workspace-keeps-what-was-sent'],
});

const COLOUR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

/** What agents may look like, and when they may be readable. */
export const agents: PermittedServers = {
  'keeps an icon that is a number as it was sent': keepingNumericIcons,
  'finds a new agent only after three seconds': lateBy(3_000),
  'refuses every request with a header that it does not know': (transport) => async (request, signal) =>
    'x-agent-contract-canary' in request.headers ? refusal(400) : transport(request, signal),
  'replaces every identifier in a flow': showing(withOtherIds),
  'shows groups and variables in another order': showingLists(['groups', 'variables'], (items) => items.toReversed()),
  'adds a group, an event, an edge, a variable and a tag to every agent': showingLists(
    Object.keys(OWN),
    (items, name) => [OWN[name], ...items],
  ),
  'omits empty values, as many languages do': showing((agent) => withoutEmptyValues(agent)),
  'omits false and 0, but no empty text and no empty list': showing((agent) =>
    withoutEmptyValues(agent, (value) => value === 0 || value === false),
  ),
  'omits empty values, but keeps settings as they were sent': showing((agent) => ({
    ...withoutEmptyValues(agent),
    settings: agent['settings'],
  })),
  'omits empty values, but not in blocks': showing((agent) => {
    const { groups = [], resultsTablePreferences } = agent as { groups?: Fields[]; resultsTablePreferences?: Fields };
    const kept = groups.map(({ blocks }) => blocks);
    const rest = withoutEmptyValues({ ...agent, groups }) as { groups?: Fields[] };
    return {
      ...rest,
      groups: rest.groups?.map((group, i) => ({ ...group, blocks: kept[i] })),
      resultsTablePreferences,
    };
  }),
  'omits own fields of an agent that are empty': showing((agent) =>
    Object.fromEntries(Object.entries(agent).filter(([, value]) => !isEmpty(value))),
  ),
  'omits own fields of an agent that are empty, unless they make its flow': showing((agent) =>
    Object.fromEntries(
      Object.entries(agent).filter(
        ([name, value]) => /^(?:groups|events|edges|variables)$/.test(name) || !isDeepStrictEqual(value, []),
      ),
    ),
  ),
  'writes colours as rgb()': showingTexts((text) =>
    text.replace(COLOUR, (_, ...parts) => {
      const numbers = parts.slice(0, 3).map((part) => Number.parseInt(String(part), 16));
      return `rgb(${numbers.join(', ')})`;
    }),
  ),
  'writes colours in lower case': showingTexts((text) => text.replace(COLOUR, (colour) => colour.toLowerCase())),
  'copies icons to its own addresses': showingTexts(() => 'https://cdn.example.com/1.png', /^(?:icon|imageUrl)$/),
  'decomposes texts (NFD) and stores numbers in 32 bits, outside of groups': showing(({ groups, ...rest }) => {
    const shown = JSON.parse(JSON.stringify(rest).normalize('NFD'), (_, value: unknown) =>
      typeof value === 'number' ? Math.fround(value) : value,
    ) as Fields;
    return { ...shown, groups };
  }),
  'leaves the markup out of code': showingTexts((text) => text.replaceAll(/<[^>]*>/g, ''), /^customHeadCode$/),
  'shows expiresAt in a zone that it does not name': showingTexts(
    (text) => new Date(Date.parse(text) + 19_800_000).toISOString().slice(0, -1),
    /^expiresAt$/,
  ),
  'titles the page with the name of the agent': showing((agent) => {
    const { settings } = agent;
    if (!isObject(settings) || !isObject(settings['metadata'])) return agent;
    return { ...agent, settings: { ...settings, metadata: { ...settings['metadata'], title: agent['name'] } } };
  }),
  'never shows a password': showingTexts(() => '********', /^password$/),
  'answers creations with only the id': showing((agent, request) =>
    makesAgent(request) ? { id: agent['id'], version: '6' } : agent,
  ),
  'shows no theme and no settings, anywhere': {
    wrap: showing(withoutSettings),
    strictly: ['create-agent-keeps-what-was-sent', 'import-agent-keeps-what-was-sent'],
  },
  'shows no theme in a public form': {
    wrap: accepting((answer, request) => {
      if (!request.url.endsWith('/publishedAgent')) return answer;
      const { publicAgent } = jsonOf(answer);
      return jsonAnswer(answer.status, { publicAgent: { ...Object(publicAgent), theme: undefined } as Fields });
    }),
    strictly: ['get-published-agent-shows-what-was-imported'],
  },
  'shows no slug of a workspace': slugs(() => undefined),
  'makes the slugs of workspaces out of their names': slugs((name) => name.toLowerCase().replaceAll(/[^a-z]+/g, '-')),
  'shows no publicId of an agent that was created with one, and its own of others': {
    wrap: withoutSentPublicIds,
    strictly: ['create-agent-keeps-what-was-sent'],
  },
  'shows null for a description that an agent has not': {
    wrap: showing((agent) => ({ description: null, ...agent })),
    strictly: ['create-agent-answer-shape', 'import-agent-answer-shape', 'get-agent-answer-shape'],
  },
  'writes tags in capitals, in another order': showingLists(['tags'], (tags) =>
    (tags as readonly unknown[] as readonly string[]).map((tag) => tag.toUpperCase()).toReversed(),
  ),
  'shows what was created a moment late': lateBy(2_000),
  'answers 422 for what it does not find, and finds a new agent only after half a second': lateBy(500, 422),
  'no longer has a published form of the given agent': {
    wrap: accepting((answer, request) => {
      if (request.url.endsWith('/publishedAgent')) return jsonAnswer(404, {});
      if (!readsAgent(request)) return answer;
      const { agent, ...rest } = jsonOf(answer);
      return jsonAnswer(200, { ...rest, agent: { ...(agent as Fields), isPublished: false } });
    }),
    notJudged: /published|create|import/,
  },
  'trims names and composes them (NFC)': showingTexts((text) => text.normalize('NFC').trim(), /^name$/),
  'keeps one of several variables with the same name': showingLists(['variables'], (items) => [
    ...new Map(items.map((variable) => [variable['name'], variable])).values(),
  ]),
  'adds a block to every group, and a theme if there is none': (transport) =>
    showing((agent) => ({ theme: {}, ...agent }))(
      showingLists(['groups'], (items) => items.map(withLastBlock))(transport),
    ),
  'shows its own version in agents that are read': {
    wrap: showing((agent, request) => (readsAgent(request) ? { ...agent, version: '6.1' } : agent)),
    notJudged: /^get-agent|read|^creations-/,
  },
  'omits the theme and the settings from the first read of an agent': (transport) => {
    const read = new Set<unknown>();
    return showing((agent, request) => {
      if (!readsAgent(request) || read.has(agent['id'])) return agent;
      read.add(agent['id']);
      return withoutSettings(agent);
    })(transport);
  },
  'shows the published form a moment late': late((reads) => reads <= 1, { below: '/publishedAgent' }),
  'publishes an import seconds later': late((reads) => reads <= 3, { below: '/publishedAgent' }),
  'answers null for the published form until seconds later': late((reads) => reads <= 3, {
    below: '/publishedAgent',
    instead: () => jsonAnswer(200, { publicAgent: null }),
  }),
  'shows a new agent half written at first, with empty lists': late((reads) => reads <= 2, {
    instead: (answer) => {
      const { agent, ...rest } = jsonOf(answer);
      return jsonAnswer(200, { ...rest, agent: { ...(agent as Fields), groups: [], edges: [], variables: [] } });
    },
  }),
  'has an editor who renames agents and adds to them while the run goes on': editing,
  'imports the same body once, and answers the same agent again': importingOnce,
  'gives imports a sharing and a share identifier of their own': showing((agent) => ({
    ...agent,
    sharing: { enabled: false, requirePassword: false, allowExport: false },
    shareId: `own-${String(agent['id'])}`,
  })),
};
