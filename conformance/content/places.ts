import { typedLocations } from '../../spec/index.ts';
import { isObject, stringAt, type JsonObject } from '../json.ts';
import type { Path } from './values.ts';

/** The documented places of a sent agent, with `*` for array items. */
const documented: ReadonlySet<string> = new Set(
  (['create-agent-request', 'import-agent-request'] as const).flatMap((schema) =>
    typedLocations[schema].flatMap(({ pointer }) =>
      pointer.startsWith('/agent/') ? [pointer.slice('/agent/'.length)] : [],
    ),
  ),
);

/** Below these any name is permitted, so every name counts as documented. */
const FREE_FORM = /^(?:groups\/\*\/blocks|resultsTablePreferences\/columns(?:Visibility|Width))\//;

/** Whether an absence counts only where the value was lost: an undocumented field may be dropped (section 4.7). */
export const isDocumented = (kind: string): boolean => documented.has(kind) || FREE_FORM.test(kind);

/** Places that any server may hide, set or remove, whatever was sent: secrets, plans, channels, code. */
export const isFree = (place: Path): boolean =>
  place.at(-1) === 'password' ||
  place.at(-1) === 'isBrandingEnabled' ||
  place.at(-1) === 'customHeadCode' ||
  (place.at(-1) === 'isEnabled' && place.at(-2) === 'messagingApp');

export const isInBlock = (place: Path): boolean => place[0] === 'groups' && place[2] === 'blocks' && place.length > 4;

/** A block as a whole, whatever its type. */
const BLOCK = /^(groups\/\*\/blocks\/\*)(?::[^/]*)?$/;

/** The kind of a place, equal for all items: `variables/*`/`value`. Blocks of different types are different kinds. */
export function kindOfPlace(place: Path, block?: JsonObject): string {
  return place
    .map((part, i) => {
      if (i === 3 && place[0] === 'groups') return `*${block === undefined ? '' : `:${stringAt(block, 'type') ?? ''}`}`;
      if (i === 2 && place[0] === 'resultsTablePreferences') return '*';
      if (typeof part === 'number') return '*';
      return part;
    })
    .join('/')
    .replace(BLOCK, '$1');
}

/** Values that mean "empty" in many languages, and that some of them leave out of JSON. */
export type Empty = 'false' | '0' | '""' | '[]';

export function emptyOf(value: unknown): Empty | undefined {
  if (value === false) return 'false';
  if (value === 0) return '0';
  if (value === '') return '""';
  if (Array.isArray(value) && value.length === 0) return '[]';
  return undefined;
}

/** What a server showed of agents: kinds of places that had a value, and which empty values it shows. */
export interface SeenPlaces {
  readonly kinds: Set<string>;
  readonly empties: Set<Empty>;
  /** The number of agents seen. */
  readonly looked: WeakSet<object>;
}

export const createSeenPlaces = (): SeenPlaces => ({ kinds: new Set(), empties: new Set(), looked: new WeakSet() });

const MAX_KINDS = 5000;

/** Notes what an abridged agent shows. */
export function noteShown(agent: JsonObject, shown: SeenPlaces): void {
  if (shown.looked.has(agent)) return;
  shown.looked.add(agent);
  const walk = (value: unknown, place: Path, block?: JsonObject): void => {
    if (value === undefined || value === null) return;
    const empty = emptyOf(value);
    if (empty !== undefined) shown.empties.add(empty);
    if (place.length > 0 && shown.kinds.size < MAX_KINDS) shown.kinds.add(kindOfPlace(place, block));
    if (typeof value !== 'object') return;
    const isOfBlocks = place.length === 3 && place[2] === 'blocks';
    for (const [name, item] of Object.entries(value)) {
      const below = [...place, Array.isArray(value) ? Number(name) : name];
      walk(item, below, isOfBlocks && isObject(item) ? item : block);
    }
  };
  walk(agent, []);
}
