import { createAgentBody, createWorkspaceBody, importAgentBody } from '../../fixtures/index.ts';
import { oddParts } from '../../fixtures/requests/index.ts';
import { defined } from '../../fixtures/universe/defined.ts';
import { textWord } from '../../fixtures/universe/chance/hash.ts';
import { endpoints, timeFilters, type EndpointId, type TriggerId } from '../../spec/index.ts';
import { answer, circumstancesFor, readCall, type Incoming } from '../answer.ts';
import { isAccepted, type Mode } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { listResults } from '../endpoints/list-results.ts';
import { profiles } from '../profiles/index.ts';
import { readQuery, route } from '../service/route.ts';
import { createUniverses } from '../store/universes.ts';
import { createStore, type Store } from '../store/store.ts';
import { createMemory } from '../circumstances.ts';
import type { Fault } from '../faults/fault.ts';
import { triggersHeld } from '../faults/triggers/triggers.ts';

/** A request of a session that keeps the contract, with everything needed to answer it again. */
export interface SessionStep {
  readonly endpoint: EndpointId;
  readonly held: readonly TriggerId[];
  /** The answer without a fault. */
  readonly wire: Wire;
  /** Answers the same request with a fault; `turns` is the memory of the fault. */
  again(fault: Fault, turns: Map<string, number>): Wire;
}

const tokens: ReadonlyMap<string, Mode> = new Map([
  ['write-token', 'write'],
  ['read-token', 'read'],
]);

const profile = profiles.default;
const format = 'cuid';
const start = Date.UTC(2026, 4, 20, 15, 30);

type Query = Readonly<Record<string, string | undefined>>;

interface Request {
  readonly agentId?: string;
  readonly query?: Query;
  readonly body?: object;
}

const authorizations: readonly (string | undefined)[] = [
  'Bearer read-token',
  undefined,
  'Basic d3JpdGU6dG9rZW4=',
  'Bearer ',
  'Bearer never-issued',
  'Bearer write-tokem',
];

/** Headers that some servers take for credentials. */
const odd = { 'x-api-key': 'write-token', 'x-forwarded-for': '127.0.0.1', accept: 'text/html' };

const inOtherForm = (search: string): string =>
  search
    .split('&')
    .toReversed()
    .join('&')
    .replace(/[j-oz](?=[^=&]*(?:&|$))/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** A session that meets every trigger with every kind of request, each in several ways. Used by tests only. */
export function scriptedSession(): readonly SessionStep[] {
  const universe = createUniverses()({ seed: 1, now: start, identifiers: format, persona: 'demo' });
  const store = createStore(universe, format);
  const memory = createMemory();
  const steps: SessionStep[] = [];
  let now = start;

  const once = (
    endpoint: EndpointId,
    request: Request,
    authorization: string | undefined,
    busy: boolean,
    isOdd = false,
  ): Wire => {
    now += 30;
    const { method, path } = endpoints[endpoint];
    // Half of the valid requests go out in another form.
    const isOtherForm = !busy && authorization === 'Bearer write-token';
    const usual = new URLSearchParams(pairsOf(request.query)).toString();
    const search = isOtherForm ? inOtherForm(usual) : usual;
    const form = isOtherForm ? { 'transfer-encoding': request.body && 'chunked' } : { 'accept-encoding': 'gzip' };
    const plain = path.replace('{agentId}', request.agentId ?? '');
    const [target, more, httpVersion] = isOdd ? [plain.replace('/v1', '/%761'), odd, '1.0'] : [plain, {}];
    const incoming: Incoming = {
      request: {
        method,
        target: search === '' ? target : `${target}?${search}`,
        headers: { authorization, ...form, ...more, 'content-type': request.body && 'application/json' },
        body: request.body && new TextEncoder().encode(JSON.stringify(request.body)),
        underWay: Number(busy),
        keptConnection: busy,
        httpVersion,
      },
      found: route(method, target),
      query: readQuery(search),
    };
    const context = { store, tokens, profile, faults: [], now, requestNumber: steps.length + 1, memory };
    const call = readCall(incoming, context);
    if ('kind' in call) throw new Error(`${method} ${target} belongs to no endpoint`);
    const held = triggersHeld(call, store, circumstancesFor(call, incoming.request, context));
    const before = { overlay: store.overlay(), memory: structuredClone(memory) };
    const wire = answer(call, incoming.request, context);
    const at = now;
    const again = (fault: Fault, turns: Map<string, number>): Wire =>
      answer(call, incoming.request, {
        ...context,
        now: at,
        store: createStore(universe, format, undefined, before.overlay),
        memory: { ...structuredClone(before.memory), turns },
        faults: [fault],
      });
    steps.push({ endpoint, held, wire, again });
    return wire;
  };
  /** Sends the request as every kind of caller, and then twice. Returns the last answer. */
  const ask: Ask = (endpoint, request, byAll = true) => {
    for (const authorization of byAll ? authorizations : [])
      for (const busy of [false, true]) once(endpoint, request, authorization, busy);
    const inQuery = { ...request, query: { ...request.query, token: 'write-token' } };
    if (byAll) for (const busy of [false, true]) once(endpoint, inQuery, undefined, busy);
    if (byAll) once(endpoint, request, undefined, true, true);
    once(endpoint, request, 'Bearer write-token', false);
    return once(endpoint, request, 'Bearer write-token', true);
  };
  play(ask, store);
  return steps;
}

type Ask = (endpoint: EndpointId, request: Request, byAll?: boolean) => Wire;

function play(ask: Ask, store: Store): void {
  const main = store.agentId(0);
  readLists(ask, store, main);
  readSpans(ask, store, main);
  const workspaceId = store.universe.workspace(0).id ?? '';
  const made: string[] = [];
  for (const tag of ['plain', 'Größe 日本 🦜']) {
    for (const detail of ['name-only', 'full'] as const) {
      const workspace = idIn(ask('create-workspace', { body: createWorkspaceBody({ tag, detail }) }), 'workspace');
      for (const home of [workspaceId, workspace]) {
        const number = NUMBERS[made.length / 2];
        const variation = number && { number, first: 1, draw: (label: string, of: number) => textWord(label) % of };
        const wanted = { workspaceId: home, tag, detail: 'full', variation } as const;
        made.push(
          idIn(ask('create-agent', { body: createAgentBody(wanted) }), 'agent'),
          idIn(ask('import-agent', { body: importAgentBody({ ...wanted, isPublished: made.length !== 6 }) }), 'agent'),
        );
        if (detail === 'full') ask('create-agent', { body: createAgentBody({ ...wanted, detail: 'name-only' }) });
      }
    }
  }
  // Named as the first import, which is published.
  ask('import-agent', { body: importAgentBody({ workspaceId, tag: 'plain', detail: 'name-only' }) }, false);
  for (let turn = 0; turn < 3; turn++) askWithOddParts(ask, { workspaceId, tag: 'events', detail: 'full' });
  for (const agentId of [main, store.agentId(1), ...made]) {
    ask('get-agent', { agentId });
    if (agentId === main) ask('get-agent', { agentId: agentId.slice(0, -4) });
    ask('get-published-agent', { agentId });
    ask('list-results', { agentId });
    for (const timeFilter of timeFilters) ask('list-results', { agentId, query: { timeFilter } }, false);
    for (const limit of ['1', '10', '100']) ask('list-results', { agentId, query: { limit } }, false);
  }
  // Late, from a client that sends no optional parameter.
  for (let turn = 0; turn < 4; turn++)
    for (const cursor of cursorsOf(store, main, {}).slice(0, 3))
      ask('list-results', { agentId: main, query: { cursor } }, false);
}

function askWithOddParts(ask: Ask, wanted: Parameters<typeof importAgentBody>[0]): void {
  const parts = oddParts(wanted.tag, 'session');
  for (const endpoint of ['create-agent', 'import-agent'] as const) {
    const { agent, ...body } = endpoint === 'create-agent' ? createAgentBody(wanted) : importAgentBody(wanted);
    ask(endpoint, { body: { ...body, agent: { ...agent, ...parts } } }, false);
  }
  const { events: _, ...agent } = importAgentBody(wanted).agent as Readonly<Record<string, unknown>>;
  ask('import-agent', { body: { workspaceId: wanted.workspaceId, agent } }, false);
}

/** Which document of the plan of values is created in turn; the first has the usual values. */
const NUMBERS = [undefined, 2, 3, 4, 6, 1, 7, 5] as const;

/** Lists of all sizes and time spans: the first two pages and the last two of each. */
function readLists(ask: Ask, store: Store, agentId: string): void {
  for (const timeFilter of [undefined, ...timeFilters])
    for (const limit of [undefined, '0', '1', '10', '25', '50', '100', '101']) {
      const query = { limit, timeFilter };
      const cursors = cursorsOf(store, agentId, query);
      for (const [page, cursor] of cursors.entries()) {
        if (page > 1 && page !== 9 && page < cursors.length - 2) continue;
        const next = { ...query, cursor };
        ask('list-results', { agentId, query: next }, page === 0 || limit === '10' || timeFilter === undefined);
        if (limit !== '50' || page !== 1) continue;
        for (const beyond of ['0', '101']) ask('list-results', { agentId, query: { ...next, limit: beyond } });
      }
    }
}

/** As a run asks for a span that ends days before the newest result, for an end alone, and for a list in a time zone. */
function readSpans(ask: Ask, store: Store, agentId: string): void {
  const query = { limit: '100', timeFilter: 'allTime', end: '2026-05-17T12:00:00.000Z' };
  ask('list-results', { agentId, query: { ...query, start: '2026-05-16T12:00:00.000Z' } }, false);
  ask('list-results', { agentId, query }, false);
  const zoned = { limit: '60', timeFilter: 'last30Days', timeZone: 'Asia/Kolkata' };
  for (const cursor of cursorsOf(store, agentId, zoned).slice(0, 9))
    ask('list-results', { agentId, query: { ...zoned, cursor } }, false);
}

const pairsOf = (query: Query = {}): [string, string][] => Object.entries(defined(query)) as [string, string][];

/** The cursors that fetch the pages of a list; the first page has none. */
function cursorsOf(store: Store, agentId: string, query: Query): readonly (string | undefined)[] {
  const cursors: (string | undefined)[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    cursors.push(cursor);
    const request = { method: 'GET', target: '', headers: {} };
    const found = { endpoint: 'list-results', agentId } as const;
    const incoming = { request, found, query: pairsOf({ ...query, cursor }) };
    const call = readCall(incoming, { profile, now: start, tokens, full: undefined });
    const reply = 'kind' in call ? call : listResults({ ...call, mode: 'write' }, store);
    cursor = isAccepted(reply) ? (reply.body['nextCursor'] as string | null) : null;
  }
  return cursors;
}

const idIn = (wire: Wire, kind: 'agent' | 'workspace'): string =>
  (JSON.parse(wire.body) as Record<string, { readonly id: string }>)[kind]?.id ?? '';
