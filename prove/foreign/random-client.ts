import { importAgentBody } from '../../fixtures/index.ts';
import { fraction, seedWord } from '../../fixtures/universe/chance/hash.ts';
import type { Mock } from '../../mock/index.ts';
import { endpointIds, endpoints, timeFilters } from '../../spec/index.ts';
import { tried, type Program, type Work } from './typed-client.ts';

const TOKENS = [
  'mock-write-token',
  'mock-write-token',
  'mock-read-token',
  'mock-guest-token',
  'no-token-of-theirs',
  '',
];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '2', '10', '50', '100', '101', '-1', 'x'],
  timeFilter: [...timeFilters, 'never'],
  cursor: ['x', 'cursor'],
  timeZone: ['UTC', 'Europe/Berlin'],
  x: ['1'],
};
const BODIES: readonly unknown[] = [
  {},
  [],
  'text',
  { name: '' },
  { name: 'Somebody' },
  { agent: { name: 'Nowhere' } },
  { workspaceId: 'none', agent: { version: '6', name: 'N', groups: 3 } },
  { workspaceId: 'none', agent: { version: '5' } },
];
const BEHIND = ['publish', 'unpublish', 'results', 'edit', 'reset', 'advance'] as const;

/** Draws from a seed, as often as needed. */
interface Draw {
  below(count: number): number;
  of<T>(items: readonly [T, ...T[]] | readonly T[]): T;
}

function drawing(seed: number): Draw {
  const word = seedWord(seed);
  let drawn = 0;
  const below = (count: number): number => Math.floor(fraction(word, ++drawn, 0x3a71) * count);
  return { below, of: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** What the client knows so far. */
interface Memory {
  readonly ids: string[];
  readonly asked: { readonly url: string; readonly init: RequestInit }[];
  next: { readonly url: string; readonly init: RequestInit } | undefined;
}

/**
 * A client with random requests, valid and invalid, with any token, while others change the data. Everything is drawn
 * from a seed.
 */
export const randomClient =
  (seed: number, steps = 120): Program =>
  async (work) => {
    const { agentId, publishedAgentId } = work.mock.target;
    const draw = drawing(seed);
    const memory: Memory = { ids: [agentId, publishedAgentId, 'none'], asked: [], next: undefined };
    for (let step = 0; step < steps; step++) await doOne(work, draw, memory);
  };

async function doOne(work: Work, draw: Draw, memory: Memory): Promise<void> {
  const kind = draw.below(19);
  if (kind < 8) return call(work, draw, memory);
  if (kind < 10)
    return send(work, memory, `${work.baseUrl}${endpoints[draw.of(endpointIds)].path}`, posted(draw.of(BODIES)));
  if (kind < 14) return memory.next && send(work, memory, memory.next.url, memory.next.init);
  if (kind < 16) return behind(work.mock, draw.of(BEHIND), draw.of(memory.ids));
  const before = memory.asked.length === 0 ? undefined : draw.of(memory.asked);
  if (!before) return;
  const again = send(work, memory, before.url, before.init);
  await (kind < 18 ? again : Promise.all([again, call(work, draw, memory)]));
}

const posted = (body: unknown, headers: Readonly<Record<string, string>> = authorized(TOKENS[0])): RequestInit => ({
  method: 'POST',
  headers,
  body: JSON.stringify(body),
});

const authorized = (token = ''): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

async function call(work: Work, draw: Draw, memory: Memory): Promise<void> {
  const endpoint = draw.of(endpointIds);
  const { method, path } = endpoints[endpoint];
  const headers = draw.below(30) === 0 ? { 'content-type': 'application/json' } : authorized(draw.of(TOKENS));
  const { workspaceId } = work.mock.target;
  const tag = `r${draw.below(5)}`;
  if (method === 'POST') {
    const body =
      endpoint === 'create-workspace' ? { name: tag } : importAgentBody({ workspaceId, tag, detail: 'plain' });
    return send(work, memory, work.baseUrl + path, posted(body, headers));
  }
  const query = new URLSearchParams();
  for (let n = draw.below(3); n > 0; n--) {
    const name = draw.of(Object.keys(VALUES));
    query.set(name, draw.of(VALUES[name] ?? []));
  }
  const own = path.replace('{agentId}', encodeURIComponent(draw.of(memory.ids)));
  return send(work, memory, `${work.baseUrl}${own}${query.size === 0 ? '' : `?${query.toString()}`}`, {
    method,
    headers,
  });
}

async function send({ fetch }: Work, memory: Memory, url: string, init: RequestInit): Promise<void> {
  memory.asked.push({ url, init });
  await tried(async () => {
    const json = (await (await fetch(url, init)).json()) as { agent?: { id?: unknown }; nextCursor?: unknown } | null;
    if (typeof json?.agent?.id === 'string') memory.ids.push(json.agent.id);
    if (typeof json?.nextCursor !== 'string') return;
    const next = new URL(url);
    next.searchParams.set('cursor', json.nextCursor);
    memory.next = { url: next.href, init };
  });
}

/** Changes to the data without a request to the service. */
async function behind(mock: Mock, does: (typeof BEHIND)[number], id: string): Promise<void> {
  const admin = (method: string, path: string, body?: unknown): Promise<Response> =>
    mock.fetch(`http://mock/__admin${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const of = `/agents/${encodeURIComponent(id)}`;
  if (does === 'advance') mock.clock.advance(7_200_000);
  else if (does === 'reset') await admin('POST', '/reset');
  else if (does === 'results') await admin('POST', `${of}/results`, { count: 2 });
  else if (does === 'edit') await admin('PATCH', of, { name: 'Edited behind', groups: [] });
  else await admin('POST', `${of}/${does}`);
}
