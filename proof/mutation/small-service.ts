import type { HttpAnswer, HttpRequest, Transport } from '../../http/exchange.ts';

type Fields = Readonly<Record<string, unknown>>;

const DAY = 86_400_000;

/** For tests: a second compliant service, which does what is open otherwise than the tiny one. */
export function smallService(now: number): Transport {
  /** As shown to their owners, and to visitors if they are published. */
  const agents = new Map<string, { readonly shown: Fields; readonly published: Fields | undefined }>();
  const spaces = new Set(['w']);
  const kept: { readonly id: string; readonly agentId: string; readonly createdAt: number }[] = [];
  let serial = 0;

  const name = (kind: string): string => `${kind}_${(++serial * 7919).toString(36).padStart(6, '0')}`;

  function store(agent: Fields, workspaceId: unknown): Fields {
    const id = name('ag');
    const made = new Date(now).toUTCString();
    const shown = { ...agent, version: '6', id, workspaceId, createdAt: made, updatedAt: made };
    const { groups, events, edges, variables, theme, settings } = agent;
    const form = { groups, events, edges, variables, theme, settings, name: agent['name'] };
    const isPublished = agent['isPublished'] === true;
    const published = isPublished ? { ...form, id: name('pub'), version: '6', agentId: id, workspaceId } : undefined;
    agents.set(id, { shown, published });
    return shown;
  }

  const main: Fields = { name: 'Main', groups: [], events: [], edges: [], variables: [], isPublished: true };
  agents.set('main', {
    shown: { ...main, id: 'main', version: '6', workspaceId: 'w' },
    published: { ...main, id: 'pub_main', version: '6', agentId: 'main', workspaceId: 'w' },
  });
  for (let i = 0; i < 230; i++)
    kept.push({
      id: `re_${i}`,
      agentId: 'main',
      createdAt: now - (i < 60 ? i * 0.13 : 8 + (i - 60) * 1.7) * DAY - 60_000,
    });
  kept.sort((one, other) => other.createdAt - one.createdAt);

  function since(filter: string): number | undefined {
    const date = new Date(now);
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    const spans = new Map([
      ['today', now - (now % DAY)],
      ['last7Days', now - 7 * DAY],
      ['last30Days', now - 30 * DAY],
      ['monthToDate', month],
      ['lastMonth', Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)],
      ['yearToDate', Date.UTC(date.getUTCFullYear(), 0)],
      ['allTime', 0],
    ]);
    return spans.get(filter);
  }

  function list(agentId: string, query: URLSearchParams): readonly [number, unknown] {
    const size = query.has('limit') ? Number(query.get('limit')) : 50;
    const filter = query.get('timeFilter') ?? 'last7Days';
    const from = since(filter);
    if (!Number.isInteger(size) || size < 1) return [422, { error: 'limit' }];
    if (from === undefined) return [422, { error: 'timeFilter' }];
    const to = filter === 'lastMonth' ? since('monthToDate') : undefined;
    const own = kept.filter((row) => row.agentId === agentId && row.createdAt >= from);
    const all = to === undefined ? own : own.filter(({ createdAt }) => createdAt < to);
    const after = query.get('cursor');
    const place = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    if (after !== null && place === 0) return [422, { error: 'cursor' }];
    const shown = all.slice(place, place + Math.min(size, 100));
    const isMore = place + shown.length < all.length;
    const results = shown.map((row) => ({
      ...row,
      createdAt: new Date(row.createdAt).toUTCString(),
      workspaceId: 'w',
    }));
    return [200, { results, nextCursor: isMore ? (shown.at(-1)?.id ?? null) : null }];
  }

  function create(path: string, body: Fields): readonly [number, unknown] {
    if (path === '/workspaces') {
      if (typeof body['name'] !== 'string') return [422, { error: 'name' }];
      const id = name('ws');
      spaces.add(id);
      return [201, { workspace: { id, name: body['name'], icon: body['icon'], slug: body['slug'] } }];
    }
    const agent = body['agent'];
    if (typeof agent !== 'object' || agent === null || !spaces.has(String(body['workspaceId'])))
      return [422, { error: 'agent or workspaceId' }];
    const { name: title, icon = '' } = agent as Fields;
    if (typeof title !== 'string' || typeof icon !== 'string') return [422, { error: 'agent.name or icon' }];
    if (path === '/agents') return [201, { agent: store({ ...agent, isPublished: false }, body['workspaceId']) }];
    if (path === '/agents/import') return [201, { agent: store(agent as Fields, body['workspaceId']) }];
    return [404, { error: 'path' }];
  }

  function read(path: string, query: URLSearchParams, mode: string): readonly [number, unknown] {
    const [, id = '', part = ''] = /^\/agents\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    const stored = agents.get(decodeURIComponent(id));
    if (!stored) return [404, { error: 'agent' }];
    if (part === '') return [200, { agent: stored.shown, currentUserMode: mode }];
    if (part === 'results') return list(id, query);
    if (part === 'publishedAgent' && stored.published) return [200, { publicAgent: stored.published }];
    return [404, { error: 'published' }];
  }

  function answer({ method, url, headers, body = 'null' }: HttpRequest): readonly [number, unknown] {
    const { pathname, searchParams } = new URL(url);
    const [scheme = '', token = '', ...more] = (headers['authorization'] ?? '').split(' ');
    const mode = { good: 'write', reader: 'read', visitor: 'guest' }[token];
    if (scheme.toLowerCase() !== 'bearer' || mode === undefined || more.length > 0) return [401, { error: 'token' }];
    if (!pathname.startsWith('/api/v1/')) return [404, { error: 'path' }];
    const path = pathname.slice('/api/v1'.length);
    if (method === 'GET') return read(path, searchParams, mode);
    if (method !== 'POST') return [405, { error: 'method' }];
    if (mode !== 'write') return [403, { error: 'mode' }];
    return create(path, Object(JSON.parse(body)) as Fields);
  }

  return (request): Promise<HttpAnswer> => {
    const [status, body] = answer(request);
    const headers = { 'content-type': 'application/json' };
    return Promise.resolve({ status, headers, body: new TextEncoder().encode(JSON.stringify(body)) });
  };
}
