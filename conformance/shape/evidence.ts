import { typedLocations, type BodySchemaName, type SchemaName, type TypedLocation } from '../../spec/index.ts';
import { valueFor } from '../collections.ts';
import type { Evidence } from '../generated/report.ts';
import { isObject, type JsonObject } from '../json.ts';

interface Place {
  readonly location: TypedLocation;
  readonly index: number;
  readonly properties: readonly (readonly [name: string, place: Place])[];
  readonly names: ReadonlySet<string>;
  readonly item: Place | undefined;
}

/** How often each documented place of a body had a value of its type, and how often null. */
export type Coverage = ReturnType<typeof createCoverage>;

export interface Looking {
  readonly strict: boolean;
  readonly skipsAgent: boolean;
  /** What is found beside values: null in optional fields, and an undocumented field of a resource. */
  readonly found: { nulls: number; extraField: string | undefined };
}

/** Counts values at documented places. Returns the answer, or a copy without optional nulls unless `strict`. */
export function lookAt(value: unknown, coverage: Coverage, how: Looking, place = coverage.root): unknown {
  if (!hasType(value, place.location)) return value;
  coverage.valid[place.index] = (coverage.valid[place.index] ?? 0) + 1;
  if (isObject(value)) return lookAtProperties(value, place, coverage, how);
  if (!Array.isArray(value) || !place.item) return value;
  let copy: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const looked = lookAt(item, coverage, how, place.item);
    if (looked !== item) (copy ??= [...(value as unknown[])])[index] = looked;
  }
  return copy ?? value;
}

function lookAtProperties(object: JsonObject, place: Place, coverage: Coverage, how: Looking): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const [name, property] of place.properties) {
    const found = object[name];
    if (found === undefined || (how.skipsAgent && AGENTS.has(property.location.pointer))) continue;
    if (found !== null || property.location.nullable) {
      const looked = lookAt(found, coverage, how, property);
      if (looked !== found) (copy ??= { ...object })[name] = looked;
      continue;
    }
    if (property.location.required) continue;
    coverage.nulls[property.index] = (coverage.nulls[property.index] ?? 0) + 1;
    if (how.strict) continue;
    how.found.nulls++;
    // The validator treats an undefined property as absent, and this is cheaper than deleting it.
    (copy ??= { ...object })[name] = undefined;
  }
  if (RESOURCES.has(place.location.pointer) && !how.skipsAgent)
    for (const name in object)
      if (!place.names.has(name) && object[name] !== undefined) {
        how.found.extraField ??= name;
        break;
      }
  return copy ?? object;
}

const AGENTS: ReadonlySet<string> = new Set(['/agent', '/publicAgent']);
const RESOURCES: ReadonlySet<string> = new Set(['/results/*', '/workspace', '/publicAgent']);

function hasType(value: unknown, { type, nullable }: TypedLocation): boolean {
  if (value === null) return nullable;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === type;
}

export function createCoverage(schema: BodySchemaName) {
  const locations = typedLocations[schema];
  return {
    root: treeOf(schema, locations),
    locations,
    valid: new Uint32Array(locations.length),
    nulls: new Uint32Array(locations.length),
  };
}

export function evidenceOf(schema: SchemaName, { locations, valid, nulls }: Coverage): Evidence {
  return {
    schema,
    typed: locations.length,
    seenValid: valid.filter((n) => n > 0).length,
    seenNull: nulls.filter((n) => n > 0).length,
    neverSeen: locations.filter((_, i) => valid[i] === 0 && nulls[i] === 0).map(({ pointer }) => pointer),
  };
}

function treeOf(schema: BodySchemaName, locations: readonly TypedLocation[]): Place {
  const below = new Map<string, number[]>();
  locations.forEach(({ pointer }, index) => {
    if (pointer === '') return;
    valueFor(below, pointer.slice(0, pointer.lastIndexOf('/')), () => []).push(index);
  });
  const build = (index: number, location: TypedLocation): Place => {
    const properties: (readonly [string, Place])[] = [];
    let item: Place | undefined;
    for (const child of below.get(location.pointer) ?? []) {
      const at = locations[child];
      if (!at) continue;
      const name = at.pointer.slice(location.pointer.length + 1);
      if (name === '*' && location.type === 'array') item = build(child, at);
      else properties.push([name, build(child, at)]);
    }
    return { location, index, properties, names: new Set(properties.map(([name]) => name)), item };
  };
  const [first] = locations;
  if (!first) throw new Error(`${schema} has no typed locations`);
  return build(0, first);
}
