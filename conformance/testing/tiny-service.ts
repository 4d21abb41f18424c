import type { AgentV6 } from '../../spec/schema.ts';
import type { HttpRequest, Transport } from '../../http/exchange.ts';

export interface TinyAnswer {
  readonly status: number;
  /** A string is sent as it is, and anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TinyRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly body: { readonly [name: string]: unknown };
}

export interface TinyOptions {
  readonly now: number;
  /** Ages of the results of the agent `main`, in hours, newest first. */
  readonly ages?: readonly number[];
  /** Asked before the service, and answers in its place if it returns something; `answer` asks the service. */
  readonly before?: (
    request: TinyRequest,
    answer: (instead?: TinyRequest) => TinyAnswer,
    wire: HttpRequest,
  ) => TinyAnswer | Promise<TinyAnswer> | undefined;
}

/** For tests: a minimal service that keeps to the contract, written independently of the mock. */
export function tinyService({ now, ages = defaultAges, before }: TinyOptions) {
  const requests: TinyRequest[] = [];
  const wires: HttpRequest[] = [];
  const answer = createAnswer(now, ages);
  const transport: Transport = async (wire) => {
    const url = new URL(wire.url);
    const request: TinyRequest = {
      method: wire.method,
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      authorization: wire.headers['authorization'],
      body: wire.body === undefined ? {} : (JSON.parse(wire.body) as TinyRequest['body']),
    };
    requests.push(request);
    wires.push(wire);
    const own = await before?.(request, (instead = request) => answer(instead), wire);
    const { status, body, headers = {} } = own ?? answer(request);
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
    return { status, headers, body: new TextEncoder().encode(text) };
  };
  return { requests, wires, transport };
}

function publicPart({ name, groups, events, edges, variables, theme, settings }: Partial<AgentV6>): object {
  return { name, groups, events, edges, variables, theme, settings };
}

function createAnswer(now: number, ages: readonly number[]): (request: TinyRequest) => TinyAnswer {
  const agents = new Map<string, object>([['main', { id: 'main', version: '6', name: 'Main', workspaceId: 'w' }]]);
  let made = 0;
  const results = ages.map((hours, i) => ({
    id: `r${i}`,
    createdAt: new Date(now - hours * 3_600_000).toISOString(),
    agentId: 'main',
  }));
  return ({ method, path, body, query, authorization = '' }) => {
    const mode = { 'Bearer good': 'write', 'Bearer reader': 'read' }[authorization];
    if (mode === undefined) return { status: 401, body: { message: 'no' } };
    if (method === 'POST' && path === '/api/v1/workspaces')
      return { status: 201, body: { workspace: { id: `w${++made}`, name: body['name'], icon: body['icon'] } } };
    if (method === 'POST' && (path === '/api/v1/agents' || path === '/api/v1/agents/import')) {
      if (typeof (Object(body['agent']) as { icon?: unknown }).icon === 'number') return { status: 400 };
      const agent = { ...Object(body['agent']), version: '6', id: `a${++made}`, workspaceId: body['workspaceId'] };
      agents.set(agent.id, agent);
      return { status: 200, body: { agent } };
    }
    const [, id = '', rest = ''] = /^\/api\/v1\/agents\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const agent = agents.get(id);
    if (!agent) return { status: 404 };
    if (rest === '/publishedAgent') {
      if (id === 'main' || (agent as { isPublished?: unknown }).isPublished === true)
        return { status: 200, body: { publicAgent: { ...publicPart(agent), id: 'p', agentId: id, version: '6' } } };
      return { status: 404 };
    }
    if (rest === '/results') return list(id === 'main' ? results : [], query, now);
    if (rest === '') return { status: 200, body: { agent, currentUserMode: mode } };
    return { status: 404 };
  };
}

function list(of: readonly { readonly createdAt: string }[], query: URLSearchParams, now: number): TinyAnswer {
  const limit = Number(query.get('limit') ?? 50);
  const span = spanOf(query.get('timeFilter') ?? 'last7Days', now);
  if (!(limit >= 1 && limit <= 100) || !span) return { status: 400 };
  const [from, to] = span;
  const shown = of.filter(({ createdAt }) => Date.parse(createdAt) >= from && Date.parse(createdAt) < to);
  const start = Number(query.get('cursor') ?? 0);
  if (!Number.isInteger(start)) return { status: 400 };
  const end = start + limit;
  return {
    status: 200,
    body: { results: shown.slice(start, end), nextCursor: end < shown.length ? String(end) : null },
  };
}

/** Results from today, the last days, this and the last month, and the year before. */
const defaultAges = Array.from(
  { length: 120 },
  (_, i) => 0.1 + i * 0.9 + (i > 40 ? (i - 40) * 9 : 0) + (i > 90 ? (i - 90) * 400 : 0),
);

function spanOf(filter: string, now: number): readonly [number, number] | undefined {
  const date = new Date(now);
  const midnight = (months: number, day: number): number =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, day);
  const today = date.getUTCDate();
  const spans: Readonly<Record<string, readonly [from: number, to?: number]>> = {
    today: [midnight(0, today)],
    last7Days: [midnight(0, today - 6)],
    last30Days: [midnight(0, today - 29)],
    monthToDate: [midnight(0, 1)],
    lastMonth: [midnight(-1, 1), midnight(0, 1)],
    yearToDate: [Date.UTC(date.getUTCFullYear(), 0, 1)],
    allTime: [-Infinity],
  };
  const [from, to = Infinity] = Object.hasOwn(spans, filter) ? (spans[filter] ?? []) : [];
  if (from === undefined) return undefined;
  return [from, to];
}
