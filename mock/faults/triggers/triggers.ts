import { endpoints, triggers, type TriggerId } from '../../../spec/index.ts';
import { bodyOf, type Call } from '../../call.ts';
import type { Json, JsonObject } from '../../../text/json.ts';
import { isLastPage } from '../../endpoints/list-results.ts';
import type { Store } from '../../store/store.ts';
import type { Circumstances } from '../../circumstances.ts';
import { inMode, type Fault, hasCursor, hasMadeOne, madeAfter, ofOrigin, queryParameter } from '../fault.ts';

type Holds = (call: Call, store: Store, met: Circumstances) => boolean;

const usualLimits: readonly (string | undefined)[] = [undefined, '1', '2', '3', '7', '50', '100'];

/** One in this many requests triggers; the seed decides which. */
const EVERY = 7;

const hasFilter = (call: Call): boolean => !['allTime', undefined].includes(queryParameter(call, 'timeFilter'));

const names = (call: Call): readonly string[] =>
  call.query.map(([name]) => name).filter((name) => !name.startsWith('__'));

function contentOf(call: Call, store: Store): Json {
  if (call.body) return bodyOf(call) ?? null;
  if (endpoints[call.endpoint].holds === 'publicAgent') return store.publishedAgent(call.agentId) ?? null;
  return store.agent(call.agentId)?.agent ?? null;
}

function workspaceOf(call: Call, store: Store): Json | undefined {
  const { workspaceId } = Object(bodyOf(call) ?? store.agent(call.agentId)?.agent) as JsonObject;
  return workspaceId;
}

const holds: Readonly<Record<Exclude<TriggerId, 'now-and-then'>, Holds>> = {
  'first-page': (call) => !hasCursor(call),
  'later-pages': hasCursor,
  'last-page': isLastPage,
  'with-filter': hasFilter,
  'with-filter-later-pages': (call) => hasFilter(call) && hasCursor(call),
  'without-parameters': (call) => names(call).length === 0,
  'cursor-alone': (call) => names(call).join() === 'cursor',
  'unusual-limit': (call) => !usualLimits.includes(queryParameter(call, 'limit')),
  'created-agents': ofOrigin('create'),
  'imported-agents': ofOrigin('import'),
  'given-agents': ofOrigin('universe', 'seed'),
  'published-agents': (call, store) => store.publishedAgent(call.agentId) !== undefined,
  'after-later-creations': ({ agentId }, store) => madeAfter(store, agentId).length >= 2,
  'second-read': (_call, _store, { wasRead }) => wasRead,
  'read-tokens': inMode('read', 'guest'),
  'second-creation': hasMadeOne,
  'new-workspace': (call, store) => store.created().workspaces.some((id) => id === workspaceOf(call, store)),
  'non-ascii': (call, store) => /[^\0-\x7f]/.test(JSON.stringify(contentOf(call, store))),
  'in-chunks': ({ visit }) => visit.headers['transfer-encoding'] === 'chunked',
  'lower-case-percent': ({ visit }) => /\?.*%(?:[a-f]|\d[a-f])/.test(visit.target),
  'cursor-first': (call) => names(call)[0] === 'cursor' && names(call).length > 1,
  'no-codings': ({ visit }) => visit.headers['accept-encoding'] === undefined,
  'first-on-connection': (_call, _store, { keptConnection }) => !keptConnection,
  'while-another-is-under-way': (_call, _store, { underWay }) => underWay > 0,
  'kept-connection': (_call, _store, { keptConnection }) => keptConnection,
  'after-40-requests': (_call, _store, { requestsBefore }) => requestsBefore >= 40,
  'after-a-second': (_call, _store, { sinceFirst }) => sinceFirst >= 1000,
};

/** The fault named `id`, committed only if the trigger holds. */
export function under(fault: Fault, trigger: TriggerId, id: string): Fault {
  const { on, about, wire, piecemeal: { request, reply } = fault } = fault;
  return { on, about, wire, request, reply, trigger, when: isMet(trigger, fault, id) };
}

const isMet =
  (trigger: TriggerId, { about }: Fault, id: string): Holds =>
  (call, store, met) => {
    const { at } = triggers[trigger];
    if (at !== 'every' && !at.includes(call.endpoint)) return false;
    if (about && !about(call, store, met)) return false;
    if (trigger !== 'now-and-then') return holds[trigger](call, store, met);
    return met.turn(id) % EVERY === store.universe.seed % EVERY;
  };

/** The triggers that hold for a request; now-and-then counts this request for the endpoint. */
export const triggersHeld = (call: Call, store: Store, met: Circumstances): readonly TriggerId[] =>
  (Object.keys(triggers) as TriggerId[]).filter((trigger) =>
    isMet(trigger, { on: 'every' }, call.endpoint)(call, store, met),
  );
