import type { EndpointId, TriggerId } from '../../spec/index.ts';
import { endpoints, isCreatingAgents, triggerIds, triggers as spec } from '../../spec/index.ts';
import { valueFor } from '../collections.ts';
import { fields, kindsAt, OWN_COLUMNS } from '../../fixtures/requests/fields.ts';
import { kindsOfTypes, type FieldType, type Kind } from '../../fixtures/requests/kinds.ts';
import type { Report } from '../generated/report.ts';
import { isAccepted, isEntitled, ownerOf, queryValue, type Exchange } from '../http/exchange.ts';
import { field, stringAt } from '../json.ts';
import type { Facts } from './facts/facts.ts';

const nothingEarlier = () => ({
  count: 0,
  firstAt: undefined as number | undefined,
  /** The `n` of the first complete exchange that left its connection open. */
  lastOpen: undefined as number | undefined,
  read: new Set<string>(),
  made: new Map<EndpointId, number>(),
  creations: [] as number[],
});

type Known = Pick<Facts, 'agents' | 'workspaces'>;
type Holds = (exchange: Exchange, facts: Known, earlier: ReturnType<typeof nothingEarlier>) => boolean;

const isList = ({ endpoint }: Exchange): boolean => endpoints[endpoint].does === 'lists';
const hasCursor = (exchange: Exchange): boolean => isList(exchange) && queryValue(exchange, 'cursor') !== undefined;
const hasFilter = (exchange: Exchange): boolean => !['allTime', undefined].includes(queryValue(exchange, 'timeFilter'));
const isOf =
  (origin: string): Holds =>
  ({ agentId }, { agents }) =>
    agents.get(agentId)?.origin === origin;

const USUAL_LIMITS: readonly (string | undefined)[] = [undefined, '1', '2', '3', '7', '50', '100'];
const EVERY = 7;

/** When the condition of each trigger holds, as far as a client can see it. */
const conditions: Readonly<Record<TriggerId, Holds>> = {
  'first-page': (exchange) => isList(exchange) && !hasCursor(exchange),
  'later-pages': hasCursor,
  'last-page': (exchange) => isAccepted(exchange) && field(exchange.answer.json, 'nextCursor') === undefined,
  'with-filter': hasFilter,
  'with-filter-later-pages': (exchange) => hasFilter(exchange) && hasCursor(exchange),
  'without-parameters': (exchange) => isList(exchange) && exchange.query.length === 0,
  'cursor-alone': (exchange) => hasCursor(exchange) && exchange.query.length === 1,
  'unusual-limit': (exchange) => isList(exchange) && !USUAL_LIMITS.includes(queryValue(exchange, 'limit')),
  'created-agents': isOf('created'),
  'imported-agents': isOf('imported'),
  'given-agents': isOf('given'),
  'published-agents': ({ agentId }, { agents }) => agents.get(agentId)?.isPublished === true,
  'after-later-creations'({ agentId }, { agents }, { creations }) {
    const { n = Infinity } = agents.creationOf(agentId) ?? {};
    return creations.filter((other) => other > n).length >= 2;
  },
  'second-read': (exchange, _, { read }) => exchange.agentId !== undefined && read.has(readKey(exchange)),
  'read-tokens': ({ caller }) => caller === 'read' || caller === 'guest',
  'second-creation': ({ endpoint, method }, _, { made }) => method === 'POST' && (made.get(endpoint) ?? 0) > 0,
  'new-workspace': ({ sent, agentId }, { agents, workspaces }) =>
    workspaces.created.has(stringAt(sent, 'workspaceId') ?? agents.creationOf(agentId)?.workspaceId ?? ''),
  'non-ascii': ({ excerpt }) => /[^\0-\x7f]/.test(excerpt.request.body ?? ''),
  'in-chunks': ({ excerpt }) => excerpt.request.form?.body === 'chunked',
  'lower-case-percent': ({ excerpt }) => /\?.*%(?:[a-f]|\d[a-f])/.test(excerpt.request.url),
  'cursor-first': ({ query }) => query[0]?.[0] === 'cursor' && query.length > 1,
  'no-codings': ({ excerpt }) => excerpt.request.form?.codings === 'none',
  'first-on-connection': ({ excerpt }, _, { count }) => count === 0 || excerpt.request.form?.connection === 'new',
  'now-and-then': (_exchange, _facts, { count }) => count >= EVERY,
  'while-another-is-under-way': ({ begun, n }) => n - begun > 1,
  'kept-connection': ({ begun, excerpt }, _, { lastOpen = Infinity }) =>
    lastOpen < begun && excerpt.request.form?.connection !== 'new',
  'after-40-requests': (_exchange, _facts, { count }) => count >= 40,
  'after-a-second': ({ sentAt }, _, { firstAt = sentAt }) => sentAt - firstAt >= 1000,
};

const readKey = (exchange: Exchange): string => `${exchange.endpoint} ${ownerOf(exchange)}`;

/** The fields of a type, and the kinds that each has not met. */
type Unmet = Map<string, { readonly type: FieldType; readonly left: Map<string, Kind> }>;

/** What the requests of a history met: conditions under which servers fail, and kinds of values in fields. */
export function createMet(facts: Known) {
  const open = new Set(triggerIds);
  const triggers = new Set<TriggerId>();
  const unmet: Unmet = new Map();
  const earlier = nothingEarlier();

  function noteEarlier(exchange: Exchange): void {
    const { n, sentAt, endpoint, agentId, answer, method } = exchange;
    earlier.count++;
    earlier.firstAt ??= sentAt;
    if (answer?.headers['connection']?.toLowerCase() !== 'close') earlier.lastOpen ??= n;
    if (agentId !== undefined && earlier.read.size < MAX_READ) earlier.read.add(readKey(exchange));
    if (method !== 'POST' || !isAccepted(exchange)) return;
    earlier.made.set(endpoint, (earlier.made.get(endpoint) ?? 0) + 1);
    if (isCreatingAgents(endpoint) && earlier.creations.length < MAX_READ) earlier.creations.push(n);
  }

  return {
    triggers,
    see: (exchange: Exchange): void => {
      if (isEntitled(exchange.caller) || exchange.caller === 'read' || exchange.caller === 'guest')
        for (const trigger of open) {
          const { at } = spec[trigger];
          if (at !== 'every' && !at.includes(exchange.endpoint)) continue;
          if (!conditions[trigger](exchange, facts, earlier)) continue;
          triggers.add(trigger);
          open.delete(trigger);
        }
      noteEarlier(exchange);
      if (exchange.method !== 'POST' || exchange.open || !isAccepted(exchange)) return;
      if (isCreatingAgents(exchange.endpoint)) noteKinds(unmet, '', field(exchange.sent, 'agent'));
      else noteKinds(unmet, '/workspace', exchange.sent);
    },
    kinds: (): NonNullable<Report['met']>['kinds'] =>
      [...new Set([...unmet.values()].map(({ type }) => type))].map((type) => {
        const of = [...unmet].filter(([, one]) => one.type === type);
        return {
          type,
          kinds: Object.keys(kindsOfTypes[type]),
          fields: of.map(([place]) => place),
          unmet: of.flatMap(([place, { left }]) => [...left.keys()].map((kind) => `${place}: ${kind}`)),
        };
      }),
  };
}

const MAX_READ = 5_000;

function noteKinds(unmet: Unmet, made: string, value: unknown, place = ''): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value))
      noteKinds(unmet, made, item, `${place}/${Array.isArray(value) ? '*' : name}`);
    return;
  }
  if (!fields.has(place)) return;
  const type = kindsAt(place, place.endsWith('/columnsOrder/*') ? OWN_COLUMNS[0] : value);
  if (type === undefined) return;
  const name = (made + place).slice(1).replaceAll('/', '.').replaceAll('.*', '[]');
  const { left } = valueFor(unmet, name, () => ({ type, left: new Map(Object.entries<Kind>(kindsOfTypes[type])) }));
  for (const [kind, { is }] of left) if (is(value)) left.delete(kind);
}
