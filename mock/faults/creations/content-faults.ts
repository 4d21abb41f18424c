import type { NewAgentEndpoint } from '../../../spec/index.ts';
import { isObject, mapped, textOf, withFields, type Json, type JsonObject } from '../../../text/json.ts';
import { bodyOf, type Call } from '../../call.ts';
import { originOf } from '../../store/overlay.ts';
import type { Store } from '../../store/store.ts';
import { blankFlow, itemsIn } from '../../store/agent-forms.ts';
import { idsBy, ofOrigin, onBody, onlyFor, onResource, type Fault } from '../fault.ts';

export type Change = (agent: JsonObject, store: Store) => JsonObject;
type Part = (part: JsonObject) => JsonObject;

export const onSent = (on: readonly NewAgentEndpoint[], change: Change): Fault =>
  onBody(on, (body, store) => (isObject(body['agent']) ? { ...body, agent: change(body['agent'], store) } : body));

/** Whether a request sends such an agent. */
export const sends =
  (isMeant: (agent: JsonObject) => boolean) =>
  (call: Call): boolean => {
    const { agent } = Object(bodyOf(call)) as JsonObject;
    return isObject(agent) && isMeant(agent);
  };

/** Another value of a field, where there is one. */
const field =
  (name: string, change: (part: JsonObject) => Json): Part =>
  (part) =>
    name in part ? { ...part, [name]: change(part) } : part;

const having =
  (fields: JsonObject): Part =>
  (part) => ({ ...part, ...fields });

export const blanked = (name: string): Part => field(name, () => blankFlow('')[name] ?? null);

/** Changes those that are `which`, or for which it holds; without it all. */
export function values(
  change: (value: Json, name: string) => Json,
  which?: boolean | string | ((value: Json) => boolean),
): Part {
  const isMeant = typeof which === 'function' ? which : (value: Json) => which === undefined || value === which;
  return (part) => mapped(part, (value, name) => (isMeant(value) ? change(value, name) : value)) as JsonObject;
}

export const texts = (change: (text: string) => string, which = /^/): Part =>
  values(
    (value) => change(textOf(value)),
    (value) => typeof value === 'string' && which.test(value),
  );

/** Another list of such items, where there is one, without those that are no objects. */
export const list = (name: string, change: (all: readonly JsonObject[]) => readonly JsonObject[]): Part =>
  field(name, (part) => [...change(itemsIn(part, name))]);

export const each = (name: string, change: Part): Part =>
  field(name, (part) => [part[name] ?? []].flat().map((one) => (isObject(one) ? change(one) : one)));

/** Shows null for a sent value, and for no list that the server adds, in the answer to the creation and in each reading. */
function asNull(on: NewAgentEndpoint, isNothing: (value: Json) => boolean): Fault {
  const isMade = ofOrigin(originOf(on));
  return onResource([on, 'get-agent'], (agent, call, store) => {
    if (call.endpoint === 'get-agent' && !isMade(call, store)) return agent;
    const { theme, settings } = agent;
    const change = values(() => null, isNothing);
    return each('variables', change)({ ...agent, ...change(withFields({}, { theme, settings })) });
  });
}

const written = ['name', 'groups', 'events', 'edges', 'variables', 'theme', 'settings'];

export function contentOf(store: Store, id: string | undefined): JsonObject {
  const { agent } = store.agent(id ?? '') ?? {};
  return Object.fromEntries(
    written.map((name) => [name, agent?.[name] ?? null] as const).filter(([name]) => agent?.[name] !== undefined),
  );
}

const losses = {
  // These are replaced, not left out: a server may require them, or add a start event when there is none.
  groups: blanked('groups'),
  edges: blanked('edges'),
  variables: blanked('variables'),
  theme: blanked('theme'),
  settings: blanked('settings'),
  events: field('events', () => []),
  name: field('name', () => 'Untitled'),
  blocks: each('groups', having({ blocks: [] })),
  positions: each('groups', having({ graphCoordinates: { x: 0, y: 0 } })),
  'variable-values': each('variables', having({ value: '' })),
  'long-values': texts((text) => text.slice(0, 255)),
  'leading-zeros': texts((text) => String(Number(text)), /^0\d+$/),
} satisfies Record<string, Part>;

const manglings = {
  'rejoins-edges': (agent) => {
    const [first] = itemsIn(agent, 'groups');
    return each('edges', (edge) => ({ ...edge, to: withFields({}, { groupId: first?.['id'] }) }))(agent);
  },
  'breaks-references': each('groups', (group) => {
    const { id } = group;
    return { ...group, id: typeof id === 'string' ? `${id}x` : '' };
  }),
  'escapes-non-ascii': texts((text) =>
    text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ),
  'escapes-markup': texts((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  'replaces-four-byte-characters': texts((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  'turns-false-to-true': values(() => true, false),
} satisfies Record<string, Part>;

export function contentFaults<E extends NewAgentEndpoint>(endpoint: E) {
  const sent = [
    ...Object.entries<Part>(losses).map(([name, change]) => [`loses-${name}`, change] as const),
    ...Object.entries<Part>(manglings),
  ].map(([name, change]) => [`${endpoint}-${name}`, onSent([endpoint], change)]);
  const others = {
    [`${endpoint}-repeats-content`]: onlyFor((_, store) => idsBy(endpoint, store).length > 0)(
      onSent([endpoint], (agent, store) => ({ ...agent, ...contentOf(store, idsBy(endpoint, store)[0]) })),
    ),
    [`${endpoint}-turns-zero-to-null`]: asNull(endpoint, (value) => value === 0),
    [`${endpoint}-turns-empty-to-null`]: asNull(
      endpoint,
      (value) => value === '' || (Array.isArray(value) && value.length === 0),
    ),
  } as Record<`${E}-${'repeats-content' | 'turns-zero-to-null' | 'turns-empty-to-null'}`, Fault>;
  type Names = `loses-${keyof typeof losses}` | keyof typeof manglings;
  return { ...(Object.fromEntries(sent) as Record<`${E}-${Names}`, Fault>), ...others };
}
