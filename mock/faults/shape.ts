import type { EndpointId, TypedLocation } from '../../spec/index.ts';
import { endpointIds, endpoints, schemas, typedLocations } from '../../spec/index.ts';
import { pointerTokens } from '../../spec/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../text/json.ts';
import type { Wire } from '../wire/wire.ts';
import { notJson, onWire, refuseValid, type Fault } from './fault.ts';

export type ShapeMutation = 'wrong-type' | 'null' | 'missing' | 'outside-closed-set';

/** One broken shape: one place in the answers of one endpoint, broken in one way. */
export interface ShapeMutant {
  /** `get-agent-answer-misshapen:/agent/name=wrong-type` */
  readonly id: string;
  readonly endpoint: EndpointId;
  readonly pointer: string;
  readonly mutation: ShapeMutation;
  readonly fault: Fault;
}

/**
 * All broken shapes of an endpoint's answers, generated from the documented places of its response schema: a wrong type
 * everywhere, null or nothing for something required, null for an item of an array, and a value outside each closed
 * set.
 */
export function shapeMutants(endpoint: EndpointId): readonly ShapeMutant[] {
  return locationsOf(endpoint).flatMap((location) =>
    mutationsOf(endpoint, location).map((mutation) => ({
      id: `${endpoint}-answer-misshapen:${location.pointer}=${mutation}`,
      endpoint,
      pointer: location.pointer,
      mutation,
      fault: misshapen(endpoint, location.pointer, mutation),
    })),
  );
}

/** A fault that breaks the place at `pointer` (with `*` for the last item of an array) of an endpoint's answers. */
export function misshapen(endpoint: EndpointId, pointer: string, mutation: ShapeMutation): Fault {
  const location = locationsOf(endpoint).find((l) => l.pointer === pointer);
  if (!location) throw new Error(`${pointer} is not a documented place in the answers of ${endpoint}`);
  return onWire(endpoint, (wire) => {
    const path = pointerTokens(pointer);
    const body = changed(JSON.parse(wire.body), path, (value) => broken(value, location, mutation));
    return { ...wire, body: JSON.stringify(body) };
  });
}

/** The documented places in the accepted answers of an endpoint. */
export const locationsOf = (endpoint: EndpointId): readonly TypedLocation[] =>
  typedLocations[endpoints[endpoint].response as keyof typeof typedLocations];

function mutationsOf(endpoint: EndpointId, location: TypedLocation): readonly ShapeMutation[] {
  const { pointer, required, nullable } = location;
  const { holds, mayBeVersion5 } = endpoints[endpoint];
  const mutations: ShapeMutation[] = ['wrong-type'];
  if ((required || pointer.endsWith('/*')) && !nullable) mutations.push('null');
  if (required && pointer !== '') mutations.push('missing');
  // Where the other form is allowed, a version other than "6" is not a broken shape: it declares that form.
  const declaresForm = mayBeVersion5 === true && pointer === `/${holds}/version`;
  if (location.enum && !declaresForm) mutations.push('outside-closed-set');
  return mutations;
}

const absent = Symbol('absent');

function broken(value: unknown, { type }: TypedLocation, mutation: ShapeMutation): unknown {
  const scalar = typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'yes';
  const wrongType = { string: 42, number: scalar, boolean: scalar, object: 'an object', array: { length: 0 } };
  return { null: null, missing: absent, 'outside-closed-set': 'outside', 'wrong-type': wrongType[type] }[mutation];
}

/** `value` with the place at `path` replaced; missing objects and items on the way are created. */
function changed(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (key === '*') {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return [...items.slice(0, -1), changed(items.at(-1), rest, change)];
  }
  const object = (isObject(value) && value) || {};
  const next = changed(Object.getOwnPropertyDescriptor(object, key)?.value, rest, change);
  const { [key]: _, ...others } = object as Record<string, unknown>;
  if (next === absent) return others;
  return { ...object, [key]: next };
}

/** A name in the answer, of its cursor or of its resource, and a similar name. */
function misnamed(endpoint: EndpointId): readonly [name: string, like: string] {
  const { holds, response } = endpoints[endpoint];
  const name = Object.keys(schemas[response].properties ?? {}).find((one) => one === 'nextCursor') ?? holds;
  const like = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [name, like === name ? `${name}s` : like];
}

export const ofBody = (endpoint: EndpointId, change: (body: JsonObject) => Json): Fault =>
  onWire(endpoint, (wire) => {
    const body = JSON.parse(wire.body) as Json;
    if (isObject(body)) return { ...wire, body: JSON.stringify(change(body)) };
    return wire;
  });

const ofBytes = (endpoint: EndpointId, change: (body: string) => Pick<Wire, 'body' | 'encoding'>): Fault =>
  onWire(endpoint, (wire) => ({ ...wire, ...change(wire.body) }));

const answerFaultsOf = {
  'answer-misshapen': (endpoint) => misshapen(endpoint, `/${endpoints[endpoint].holds}`, 'wrong-type'),
  'answer-not-json': notJson,
  'answer-not-quite-json': (endpoint) => ofBytes(endpoint, (body) => ({ body: `${body}\n{"took": NaN}` })),
  'answer-not-utf8': (endpoint) =>
    ofBytes(endpoint, (body) => ({ body: body.replace(/\}$/, ',"note":"caf\u00e9"}'), encoding: 'latin1' })),
  'answer-after-byte-order-mark': (endpoint) => ofBytes(endpoint, (body) => ({ body: `\ufeff${body}` })),
  'answer-wrapped': (endpoint) => ofBody(endpoint, (body) => ({ data: body })),
  'answer-misnamed': (endpoint) => {
    const [name, like] = misnamed(endpoint);
    const names: Readonly<Record<string, string>> = { [name]: like };
    return ofBody(endpoint, (body) =>
      Object.fromEntries(Object.entries(body).map(([key, value]) => [names[key] ?? key, value])),
    );
  },
  'answer-is-an-error': (endpoint) => ofBody(endpoint, () => ({ error: 'Something went wrong.' })),
  refused: refuseValid,
  crashes: (endpoint) => onWire(endpoint, (wire) => ({ ...wire, status: 500, body: '{"error":"internal error"}' })),
} satisfies Record<string, (endpoint: EndpointId) => Fault>;

/** Answers that replace the documented one completely, or nearly. */
export const answerFaults = Object.fromEntries(
  endpointIds.flatMap((endpoint) =>
    Object.entries(answerFaultsOf).map(([name, fault]) => [`${endpoint}-${name}`, fault(endpoint)]),
  ),
) as Record<`${EndpointId}-${keyof typeof answerFaultsOf}`, Fault>;
