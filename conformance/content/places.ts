import { typedLocations } from '../../spec/index.ts';
import { valueFor } from '../collections.ts';
import { editDistance } from '../../text/nearest.ts';
import { isObject, stringAt, type JsonObject } from '../json.ts';

/** The path to a value: names below the agent, and numbers for indexes. */
export type Path = readonly (string | number)[];

/** The documented places of a sent agent, with `*` for array items. */
const documented: ReadonlySet<string> = new Set(
  [...typedLocations['create-agent-request'], ...typedLocations['import-agent-request']]
    .filter(({ pointer }) => pointer.startsWith('/agent/'))
    .map(({ pointer }) => pointer.slice('/agent/'.length)),
);

/** Below these any name is permitted, so every name counts as documented. */
export const FREE_FORM = /^(?:groups\/\*\/blocks|resultsTablePreferences\/columns(?:Visibility|Width))\//;

/** Whether an absence counts only where the value was lost: an undocumented field may be dropped (section 4.7). */
export const isDocumented = (kind: string): boolean => documented.has(kind) || FREE_FORM.test(kind);

/** Whoever leaves out one of these by habit leaves out the other: no habit tells false from 0. */
const DEFAULTS: readonly Empty[] = ['false', '0'];

/** Whether a server leaves out an empty value of a kind by habit: it shows none there. */
export function isLeftOut(kind: string, empty: Empty, { empties, ownEmpties }: SeenPlaces): boolean {
  if (!kind.includes('/')) return !ownEmpties.has(kind);
  const shown = empties.get(partOf(kind));
  const alike = DEFAULTS.includes(empty) ? DEFAULTS : [empty];
  return !alike.some((one) => shown?.has(one) === true);
}

/** What a server may store in a way of its own: an own field of an agent, or the blocks of its groups. */
const partOf = (kind: string): string => /^groups\/\*\/blocks|^[^/]*/.exec(kind)?.[0] ?? '';

/** Places that any server may hide, set or remove, whatever was sent: secrets, plans, channels. */
export const isFree = (name: string, around: string | number | undefined): boolean =>
  name === 'password' || name === 'isBrandingEnabled' || (name === 'isEnabled' && around === 'messagingApp');

/** Whether a value is a block, which may be of any type, or within one. */
export const isInBlock = (place: Path): boolean => place[0] === 'groups' && place[2] === 'blocks' && place.length > 3;

const BLOCK = /^(groups\/\*\/blocks\/\*)(?::[^/]*)?$/;

/** A name within itself: a server that knows it once knows it at any depth. */
const NESTED = /(\/[^/*]+(?:\/\*)?)\1+(?=\/|$)/g;

/** The kind of a place, equal for all items: `variables/*`/`value`. Blocks of different types are different kinds. */
export function kindOfPlace(place: Path, block?: JsonObject): string {
  return place
    .map((part, i) => {
      if (i === 3 && place[0] === 'groups') return `*${block === undefined ? '' : `:${stringAt(block, 'type') ?? ''}`}`;
      if (i === 2 && place[0] === 'resultsTablePreferences') return '*';
      // A map, whose names are those of whoever sent it.
      if (i > 4 && place[i - 1] === 'headers') return '*';
      if (typeof part === 'number') return '*';
      return part;
    })
    .join('/')
    .replace(NESTED, '$1')
    .replace(BLOCK, '$1');
}

/** Values that mean "empty" in many languages, and that some of them leave out of JSON. */
export type Empty = 'false' | '0' | '""' | '[]';

const EMPTY = new Map<unknown, Empty>([false, 0, ''].map((value) => [value, JSON.stringify(value) as Empty]));

export function emptyOf(value: unknown): Empty | undefined {
  if (Array.isArray(value) && value.length === 0) return '[]';
  return EMPTY.get(value);
}

/** A kind of place, and the kinds below it, so that a name is made once for all agents of a history. */
export interface PlaceKind {
  readonly kind: string;
  readonly place: Path;
  readonly holdsBlocks: boolean;
  readonly below: Map<string | number, PlaceKind>;
}

function kindBelow(around: PlaceKind, name: string | number, block: JsonObject | undefined): PlaceKind {
  const key = around.holdsBlocks && block ? `:${stringAt(block, 'type') ?? ''}` : name;
  const make = (): PlaceKind => {
    const place = [...around.place, name];
    const holdsBlocks = place.length === 3 && name === 'blocks';
    return { kind: kindOfPlace(place, block), place, holdsBlocks, below: new Map() };
  };
  return valueFor(around.below, key, make, 500);
}

/** What a server showed of agents: kinds of places that had a value, and which empty values it shows. */
export type SeenPlaces = ReturnType<typeof createSeenPlaces>;

/** @param whole the whole of an agent, with the kinds below it that are known */
export const createSeenPlaces = (whole: PlaceKind = { kind: '', place: [], holdsBlocks: false, below: new Map() }) => ({
  kinds: new Set<string>(),
  /** Empty values by the part that holds them: a server may keep one as it was sent, whatever it leaves out of another. */
  empties: new Map<string, Set<Empty>>(),
  /** Those own fields of an agent that were shown empty: a server may leave out some, and keep what is within others as it was sent. */
  ownEmpties: new Set<string>(),
  looked: new WeakSet(),
  whole,
});

const [MAX_KINDS, MAX_PARTS] = [5000, 100];

export function noteShown(agent: JsonObject, shown: SeenPlaces): void {
  if (shown.looked.has(agent)) return;
  shown.looked.add(agent);
  eachPlace(agent, shown.whole, (kind, value, isItem) => {
    // Whoever leaves out empty members keeps the items of lists.
    const empty = isItem ? undefined : emptyOf(value);
    if (empty !== undefined) valueFor(shown.empties, partOf(kind), () => new Set<Empty>(), MAX_PARTS).add(empty);
    if (empty !== undefined && !kind.includes('/')) shown.ownEmpties.add(kind);
    if (shown.kinds.size < MAX_KINDS) shown.kinds.add(kind);
  });
}

function eachPlace(
  agent: JsonObject,
  whole: PlaceKind,
  visit: (kind: string, value: unknown, isItem: boolean) => void,
): void {
  const visitOne = (value: unknown, name: string | number, around: PlaceKind, block: JsonObject | undefined): void => {
    if (value === undefined || value === null) return;
    const its = around.holdsBlocks && isObject(value) ? value : block;
    const kind = kindBelow(around, name, its);
    visit(kind.kind, value, typeof name === 'number');
    if (typeof value === 'object') visitAll(value, kind, its);
  };
  const visitAll = (value: object, around: PlaceKind, block?: JsonObject): void => {
    if (Array.isArray(value)) for (const item of value) visitOne(item, 0, around, block);
    else for (const name in value) visitOne((value as JsonObject)[name], name, around, block);
  };
  visitAll(agent, whole);
}

/** Kinds of places with values that were sent, and for how many agents. */
export type SentPlaces = Map<string, number>;

/** Counts an abridged agent that was sent. Empty values do not count, since some servers leave them out. */
export function noteSent(agent: JsonObject, sent: SentPlaces, whole: PlaceKind): void {
  const kinds = new Set<string>();
  eachPlace(agent, whole, (kind, value) => {
    const isEmpty = emptyOf(value) !== undefined || (isObject(value) && Object.keys(value).length === 0);
    if (!isEmpty && kinds.size < MAX_KINDS) kinds.add(kind);
  });
  for (const kind of kinds) if (sent.has(kind) || sent.size < MAX_KINDS) sent.set(kind, (sent.get(kind) ?? 0) + 1);
}

/** Something that was sent so often, and that no answer showed. */
export interface NeverShown {
  readonly kind: string;
  readonly times: number;
  /** An undocumented name that answers show in its place, almost the same. */
  readonly as?: string | undefined;
}

/** So many agents show that it is no accident. */
const OFTEN = 3;

const OF_NO_USE =
  /(?:^|\/)(?:id|password|isPublished|isBrandingEnabled|customHeadCode)$|comparisons|messagingApp\/isEnabled/;

/** Documented places that were sent often and never shown, though what contains them was. */
export function neverShown(sent: SentPlaces, { kinds: shown }: SeenPlaces, often = OFTEN): readonly NeverShown[] {
  if (shown.size === 0) return [];
  const due = [...sent].filter(([kind, times]) => {
    const [around = ''] = /^.*(?=\/)/.exec(kind) ?? [];
    // Of a block of some type its other fields tell that it was shown.
    const isAroundShown =
      around === '' ||
      shown.has(around) ||
      (BLOCK.test(around) && [...shown].some((other) => other.startsWith(`${around}/`)));
    return times >= often && isDocumented(kind) && !OF_NO_USE.test(kind) && isAroundShown && !shown.has(kind);
  });
  return due.map(([kind, times]) => ({ kind, times, as: otherNameFor(kind, shown) }));
}

/** `custom_css` for `customCss`, or `roundness` for `roundeness`. */
function otherNameFor(kind: string, shown: ReadonlySet<string>): string | undefined {
  const around = kind.slice(0, kind.lastIndexOf('/') + 1);
  const letters = (name: string): string =>
    name
      .slice(around.length)
      .toLowerCase()
      .replaceAll(/[^a-z]/g, '');
  const isAlike = (other: string): boolean =>
    other.startsWith(around) &&
    !other.includes('/', around.length) &&
    !isDocumented(other) &&
    editDistance(letters(kind), letters(other)) <= Math.min(2, letters(kind).length / 4);
  return [...shown].find(isAlike)?.slice(around.length);
}

/** Places that make a flow: what edges join, and what leads from a block or from one of its items to an edge. */
export const isStructure = (kind: string): boolean =>
  /^(?:groups|edges|events|variables)$|^groups\/\*\/blocks(?:\/\*)?$|^edges\/\*\/(?:from|to)|outgoingEdgeId$|\/items$/.test(
    kind,
  );
