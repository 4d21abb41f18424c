import { pointerTo } from '../../spec/json-pointer.ts';
import { isObject, stringAt, type JsonObject } from '../json.ts';

/** Whether a body still shows what the whole one showed. */
type Shows = (body: JsonObject) => Promise<boolean>;

type Path = readonly string[];
type Leaf = readonly [path: Path, value: unknown];

/** Into more parts than this a body is not cut. */
const MOST_PARTS = 8;

export interface SmallerOptions {
  readonly shows: Shows;
  /** How often that may be called. */
  readonly most: number;
  /** JSON Pointer below the agent to what is tried alone first. */
  readonly place?: string | undefined;
}

/**
 * A smaller body of a creation that still shows the same: first with fewer values, then with a shorter text. Each body has
 * identifiers that no earlier one had.
 */
export async function smallerBody(body: JsonObject, { shows, most, place }: SmallerOptions): Promise<JsonObject> {
  let left = most;
  let smallest = body;
  const isEnough = async (leaves: readonly Leaf[]): Promise<boolean> => {
    if (left-- <= 0) return false;
    const smaller = withNewIds(bodyOf(body, leaves), most - left);
    const still = await shows(smaller);
    if (still) smallest = smaller;
    return still;
  };
  const all = leavesOf(body['agent']);
  const likely = place === undefined ? [] : all.filter(([path]) => isBelow(pointerTo(path), place));
  const leaves = await fewer((await isEnough(likely)) ? likely : all, isEnough);
  const [only] = leaves;
  if (leaves.length !== 1 || !only || typeof only[1] !== 'string') return smallest;
  const [path, text] = only;
  await fewer(Array.from(text), (signs) => isEnough([[path, signs.join('')]]));
  return smallest;
}

/** Fewer items that are still enough, by halves and then by what is left without a part. */
async function fewer<T>(
  items: readonly T[],
  isEnough: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items;
  for (let parts = 2; parts <= Math.min(MOST_PARTS, kept.length);) {
    const size = Math.ceil(kept.length / parts);
    const cuts = Array.from({ length: parts }, (_, i) => i * size);
    const halves = parts === 2 ? cuts.map((at) => kept.slice(at, at + size)) : [];
    const rests = parts === 2 ? [] : cuts.map((at) => [...kept.slice(0, at), ...kept.slice(at + size)]);
    const found = await firstEnough([...halves, ...rests], isEnough);
    if (found) kept = found;
    else parts *= 2;
  }
  return kept;
}

async function firstEnough<T>(
  all: readonly (readonly T[])[],
  isEnough: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | undefined> {
  for (const items of all) if (await isEnough(items)) return items;
  return undefined;
}

const isBelow = (pointer: string, place: string): boolean => `${pointer}/`.startsWith(`${place}/`);

/** What every body of a creation keeps. */
const KEPT: ReadonlySet<string> = new Set(['name', 'version']);
/** What an import has at least. */
const LISTS = ['events', 'groups', 'edges', 'variables'];
const OBJECTS = ['theme', 'settings'];

function leavesOf(value: unknown, path: Path = []): readonly Leaf[] {
  const isInside = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isInside) return path.length > 1 || !KEPT.has(path[0] ?? '') ? [[path, value]] : [];
  return Object.entries(value).flatMap(([name, item]) => leavesOf(item, [...path, name]));
}

/** A body with these values of an agent, with the identifiers of their items, and without links that lead nowhere. */
function bodyOf(whole: JsonObject, leaves: readonly Leaf[]): JsonObject {
  const source = whole['agent'];
  if (!isObject(source)) return whole;
  const agent: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    if (KEPT.has(name)) agent[name] = value;
    if ('version' in source && LISTS.includes(name)) agent[name] = [];
    if ('version' in source && OBJECTS.includes(name)) agent[name] = {};
  }
  for (const [path, value] of leaves) put(agent, source, path, value);
  return { ...whole, agent: withoutLooseLinks(compact(agent)) };
}

function put(root: Record<string, unknown>, source: unknown, path: Path, value: unknown): void {
  let [at, of]: [Record<string, unknown>, unknown] = [root, source];
  for (const [i, name] of path.entries()) {
    of = Object(of)[name] as unknown;
    if (i === path.length - 1) at[name] = value;
    else {
      at = (at[name] ??= emptyLike(of)) as Record<string, unknown>;
    }
  }
}

function emptyLike(value: unknown): object {
  if (Array.isArray(value)) return [];
  const id = stringAt(value, 'id');
  return id === undefined ? {} : { id };
}

/** Arrays without holes. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(compact);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, compact(item)]));
}

const LINKS: ReadonlySet<string> = new Set(['outgoingEdgeId', 'blockId', 'itemId', 'groupId', 'eventId', 'variableId']);

function withoutLooseLinks(agent: unknown): unknown {
  const ids = new Set(idsIn(agent));
  return JSON.parse(
    JSON.stringify(agent, (name, value: unknown) => (LINKS.has(name) && !ids.has(String(value)) ? undefined : value)),
  ) as unknown;
}

const idsIn = (value: unknown): readonly string[] => {
  const id = stringAt(value, 'id');
  const below = typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : [];
  return id === undefined ? below : [id, ...below];
};

/** The same body with other identifiers, since a server may hold each only once. */
function withNewIds(body: JsonObject, attempt: number): JsonObject {
  const end = attempt.toString(36).padStart(2, '0');
  const ids = new Map(idsIn(body['agent']).map((id) => [id, `${id.slice(0, -2)}${end}`]));
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) => (typeof value === 'string' ? (ids.get(value) ?? value) : value)),
  ) as JsonObject;
}
