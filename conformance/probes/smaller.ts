import { emptyParts } from '../../fixtures/requests/index.ts';
import { pointerTo } from '../../spec/json-pointer.ts';
import { onlyOf } from '../collections.ts';
import { idsIn, isObject, leavesOf, stringAt, type JsonObject, type Leaf, type Path } from '../json.ts';
import { isPlainText } from './refused-values.ts';

/** Into more parts than this a body is not cut. */
const MOST_PARTS = 8;
/** A text of so few characters is not cut. */
const FEW = 4;

/**
 * Sends smaller bodies of a creation that still show the same: first with fewer values, then with a shorter text. Each has
 * identifiers that no earlier one had. If one value shows it, resolves with its pointer, what is left of it, and the same
 * body with another value. `shows` is asked `most` times; what is at the JSON Pointer below the agent is tried alone first.
 */
export async function smallerBody(
  body: JsonObject,
  { shows, most, place }: { shows: (body: JsonObject) => Promise<boolean>; most: number; place?: string | undefined },
) {
  let made = 0;
  const bodyWith = (leaves: readonly Leaf[]): JsonObject => withNewIds(bodyOf(body, leaves), ++made);
  const isEnough = async (leaves: readonly Leaf[]): Promise<boolean> =>
    made < most && (await shows(withNewName(bodyWith(leaves), made)));
  const all = leavesIn(body);
  const likely = all.filter(([path]) => `${pointerTo(path.slice(1))}/`.startsWith(`${place ?? 'none'}/`));
  const leaves = await fewer((await isEnough(likely)) ? likely : all, isEnough);
  const only = onlyOf(leaves);
  if (!only) return undefined;
  const [path, whole] = only;
  let value = whole;
  // A part of a colour or of an address is none, and a server may do with it what it does with no other.
  if (typeof whole === 'string' && isPlainText(pointerTo(path), whole)) {
    const shorter = (parts: readonly string[], between: string) =>
      fewer(parts, (some) => isEnough([[path, some.join(between)]]));
    const left = (await shorter(whole.split(' '), ' ')).join(' ');
    const signs = Array.from(left);
    value = left;
    if (signs.length > FEW) value = (await shorter(signs, '')).join('');
  }
  return { pointer: pointerTo(path), value, instead: (other: unknown) => bodyWith([[path, other]]) };
}

/** Fewer items that are still enough, by halves and then by what is left without a part. */
async function fewer<T>(items: readonly T[], isEnough: (items: readonly T[]) => Promise<boolean>) {
  let kept = items;
  for (let parts = 2; parts <= Math.min(MOST_PARTS, kept.length);) {
    const size = Math.ceil(kept.length / parts);
    let found: readonly T[] | undefined;
    for (let at = 0; at < parts * size && !found; at += size) {
      const [part, rest] = [kept.slice(at, at + size), [...kept.slice(0, at), ...kept.slice(at + size)]];
      const some = parts === 2 ? part : rest;
      if (await isEnough(some)) found = some;
    }
    if (found) kept = found;
    else parts *= 2;
  }
  return kept;
}

/** The words of a name that tell creations of a run apart. */
const WORDS = 4;

const leavesIn = (body: JsonObject): readonly Leaf[] =>
  (isObject(body['agent']) ? leavesOf(body['agent'], ['agent']) : leavesOf(body)).filter(
    ([path]) => path.join('/') !== 'agent/version',
  );

/** A body with these values, with the identifiers of their items, and without links that lead nowhere. */
function bodyOf(whole: JsonObject, leaves: readonly Leaf[]): JsonObject {
  const source = isObject(whole['agent']) ? whole['agent'] : whole;
  // What an import has at least.
  const parts = { version: source['version'], events: [], ...emptyParts() };
  const base: Record<string, unknown> = 'version' in source ? parts : {};
  const name = stringAt(source, 'name');
  if (name !== undefined) base['name'] = name.split(' ').slice(0, WORDS).join(' ');
  const made: Record<string, unknown> = source === whole ? base : { ...whole, agent: base };
  for (const [path, value] of [...leaves, ...targetsOf(whole, leaves)]) put(made, whole, path, value);
  return withoutLooseLinks(made);
}

function targetsOf(whole: JsonObject, leaves: readonly Leaf[]): readonly Leaf[] {
  const links = new Set(leaves.filter(([path]) => LINKS.has(path.at(-1) ?? '')).map(([, value]) => value));
  return leavesIn(whole).filter(([path, value]) => path.at(-1) === 'id' && links.has(value));
}

function put(root: Record<string, unknown>, source: unknown, path: Path, value: unknown): void {
  let [at, of]: [Record<string, unknown>, unknown] = [root, source];
  for (const [i, name] of path.entries()) {
    of = Object(of)[name] as unknown;
    if (i === path.length - 1) at[name] = value;
    else at = (at[name] ??= Array.isArray(of) ? [] : { id: stringAt(of, 'id') }) as Record<string, unknown>;
  }
}

const LINKS: ReadonlySet<string> = new Set(['outgoingEdgeId', 'blockId', 'itemId', 'groupId', 'eventId', 'variableId']);

function withoutLooseLinks(body: unknown): JsonObject {
  const ids = idsIn(body);
  const text = JSON.stringify(body, (name, value: unknown) => {
    if (Array.isArray(value)) return value.filter((item) => item !== undefined);
    if (!LINKS.has(name) || ids.has(String(value))) return value;
    return undefined;
  });
  return JSON.parse(text) as JsonObject;
}

/** Names of workspaces may have to differ. */
function withNewName(body: JsonObject, attempt: number): JsonObject {
  const { name, agent } = body;
  if (agent !== undefined || typeof name !== 'string') return body;
  return { ...body, name: `${name} ${attempt.toString(36)}` };
}

/** Names in addresses, which belong to one agent or workspace. */
const PUBLIC: ReadonlySet<string> = new Set(['publicId', 'shareId', 'slug']);

/** The same body with other identifiers, since a server may hold each only once. */
function withNewIds(body: JsonObject, attempt: number): JsonObject {
  const ids = idsIn(body);
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) => {
      if (typeof value !== 'string' || !(ids.has(value) || PUBLIC.has(name))) return value;
      return `${value.slice(0, -2)}${attempt.toString(36).padStart(2, '0')}`;
    }),
  ) as JsonObject;
}
