import { endpointIds, type EndpointId, type TypedLocation } from '../../spec/index.ts';
import { pointerTokens } from '../../spec/json-pointer.ts';
import { isObject, parseJson, withFields, type Json } from '../../text/json.ts';
import type { Wire } from '../wire/wire.ts';
import type { Fault } from './fault.ts';
import { locationsOf } from './shape.ts';

/** How a documented field of an answer is altered: left out, without content, or with another value of its type. */
export const waysToAlter = ['absent', 'empty', 'other'] as const;
export type WayToAlter = (typeof waysToAlter)[number];

/** Endpoint, place and way: `get-agent:/agent/name=absent`. */
export const alterationId = (endpoint: EndpointId, pointer: string, way: WayToAlter): string =>
  `${endpoint}:${pointer}=${way}`;

/** What alters the accepted answers of an endpoint in every place that a template names; `undefined` for any other id. */
export function alterationNamed(id: string): Fault | undefined {
  // The names of every object in reverse order say the same.
  if (id === 'keys=reversed') return { on: 'every', wire: onBody(reversed) };
  const [, endpoint, pointer = '', way] = /^([^:]+):(.+)=(absent|empty|other)$/.exec(id) ?? [];
  const known = endpointIds.find((one) => one === endpoint);
  const location = known && locationsOf(known).find((one) => one.pointer === pointer);
  if (!known || !location) return undefined;
  const path = pointerTokens(pointer);
  const change = onBody((body) => changed(body, path, (value) => altered(value, location, way as WayToAlter)));
  return { on: [known], wire: change };
}

const onBody =
  (change: (body: Json) => Json | undefined) =>
  (wire: Wire): Wire => {
    const body = parseJson(wire.body);
    if (body === undefined || wire.status > 299) return wire;
    return { ...wire, body: JSON.stringify(change(body)) };
  };

/** `value` with each place on the path changed, or removed if `change` returns `undefined`. */
function changed(value: Json, [name, ...rest]: readonly string[], change: (value: Json) => Json | undefined): Json {
  if (name === undefined) return change(value) ?? null;
  if (name === '*' && Array.isArray(value)) return value.map((item: Json) => changed(item, rest, change));
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  const found = value[name] ?? null;
  return withFields(value, { [name]: rest.length === 0 ? change(found) : changed(found, rest, change) });
}

function altered(value: Json, { enum: closed }: TypedLocation, way: WayToAlter): Json | undefined {
  if (way === 'absent') return undefined;
  if (way === 'empty') return emptied(value);
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return value;
  const other = closed?.find((one) => one !== value);
  if (other !== undefined) return other;
  // A time stays a time, a week earlier.
  if (/^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)))
    return new Date(Date.parse(value) - 604_800_000).toISOString();
  return `${value}x`;
}

function emptied(value: Json): Json {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  if (isObject(value)) return {};
  return value;
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const items = Object.entries(value).map(([key, item]) => [key, reversed(item)]);
  return Object.fromEntries(items.toReversed());
}
