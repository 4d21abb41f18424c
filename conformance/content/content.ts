import { pointerTo } from '../../spec/json-pointer.ts';
import { present } from '../collections.ts';
import { arrayAt, field, isObject, stringAt, type JsonObject } from '../json.ts';
import { show } from '../show.ts';
import { ASSIGNED, lengthOf } from './abridge.ts';
import { pairItems, renamingOf } from './pairs.ts';
import type { Empty, Path, SeenPlaces } from './places.ts';
import { emptyOf, FREE_FORM, isDocumented, isFree, isInBlock, isLeftOut, kindOfPlace } from './places.ts';
import { addressOf, isSameValue, tagOf } from './values.ts';

/** A sent value that differs from the shown one. */
export interface Difference {
  /** `absent` if nothing is shown in its place, which alone proves no loss. */
  readonly is: 'another' | 'absent';
  /** JSON Pointer below the sent agent: the same for one place in every comparison. */
  readonly place: string;
  /** The kind of the place, which tells whether the server shows such things elsewhere. */
  readonly kind: string;
  /** JSON Pointer below the shown agent. */
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
  /** The sent value, if it is an empty one that some servers leave out. */
  readonly empty: Empty | undefined;
}

const MAX_DIFFERENCES = 25;

/** Compares every sent value with what is shown, both abridged; more values, new identifiers and orders are right. */
export function compareAgents(sent: JsonObject, shown: JsonObject) {
  const to = comparing(sent, shown);
  compareObjects(to, sent, shown, { place: [], shownAt: [], block: undefined });
  const { differences, compared, isRewritten } = to;
  return { differences: differences.slice(0, MAX_DIFFERENCES), compared, isRewritten };
}

type Comparing = ReturnType<typeof comparing>;

const comparing = (sent: JsonObject, shown: JsonObject) => ({
  renaming: renamingOf(sent, shown),
  name: shown['name'],
  /** Of variables. */
  names: new Set(arrayAt(sent, 'variables').map((variable) => stringAt(variable, 'name'))),
  differences: [] as Difference[],
  /** Values that were sent and are shown, changed or not. */
  compared: 0,
  /** Whether a value is shown in another notation, which means the same. */
  isRewritten: false,
});

interface Spot {
  readonly place: Path;
  readonly shownAt: Path;
  /** The sent block that contains the value. */
  readonly block: JsonObject | undefined;
}

const below = ({ place, shownAt, block }: Spot, one: string | number, other: string | number = one): Spot => ({
  place: [...place, one],
  shownAt: [...shownAt, other],
  block,
});

function compareObjects(to: Comparing, sent: JsonObject, shown: JsonObject, spot: Spot): void {
  for (const name of Object.keys(sent)) {
    // Names that are identifiers change with them.
    const became = to.renaming.became.get(name);
    const its = became !== undefined && Object.hasOwn(shown, became) ? became : name;
    // A block may get another identifier, but not lose it.
    const isCompared = name === 'id' ? spot.block && (shown[name] ?? null) === null : !isFree(name, spot.place.at(-1));
    if (isCompared) compareBelow(to, sent[name], Object.hasOwn(shown, its) ? shown[its] : undefined, spot, name, its);
  }
}

/** Most values are as they were sent, and the place of such a value does not matter. */
function compareBelow(
  to: Comparing,
  sent: unknown,
  shown: unknown,
  spot: Spot,
  one: string | number,
  other: string | number,
): void {
  const isKept = sent === shown && typeof sent !== 'object' && sent !== undefined;
  if (isKept && (typeof sent !== 'string' || !to.renaming.sent.has(sent))) to.compared++;
  else compareValues(to, sent, shown, below(spot, one, other));
}

function compareValues(to: Comparing, sent: unknown, shown: unknown, spot: Spot): void {
  if (sent === undefined || sent === null) return;
  // Some documented answers show comparisons without their fields, which others fill with an empty text.
  const isUnfilled = shown === '' && spot.place.includes('comparisons');
  if (shown === undefined || shown === null || isUnfilled) return noteAbsence(to, sent, shown, spot);
  if (Array.isArray(sent)) {
    if (Array.isArray(shown)) return compareArrays(to, sent, shown, spot);
  } else if (isObject(sent)) {
    if (isObject(shown)) return compareObjects(to, sent, shown, spot);
  } else if (typeof sent === typeof shown) {
    to.compared++;
    if (!isSame(to, sent, shown, spot.place)) note(to, spot, 'another', sent, shown);
    return;
  }
  // The shape check judges a changed type, but what is free has no documented shape.
  if (FREE_FORM.test(kindOfPlace(spot.place))) note(to, spot, 'another', sent, shown);
}

function isSame(to: Comparing, sent: unknown, shown: unknown, place: Path): boolean {
  const { renaming, name } = to;
  if (typeof sent === 'string' && renaming.sent.has(sent)) {
    const became = renaming.became.get(sent);
    if (became === undefined || became === shown) return true;
    // An undocumented field is kept as it was sent: a server need not know that it is a reference.
    return sent === shown && !isInBlock(place) && !isDocumented(kindOfPlace(place));
  }
  const isSameHere = isSameValue(place, sent, shown, name);
  if (isSameHere && sent !== shown && typeof sent !== 'boolean') to.isRewritten = true;
  return isSameHere;
}

function noteAbsence(to: Comparing, sent: unknown, shown: unknown, spot: Spot): void {
  if (isObject(sent) && Object.keys(sent).length === 0) return;
  // The server sets these, perhaps later.
  const [first = ''] = spot.place;
  if (first === 'isPublished' || ASSIGNED.has(String(first))) return;
  // Code may be removed as a whole.
  if (spot.place.includes('comparisons') || spot.place.includes('customHeadCode')) return;
  if (isDocumented(kindOfPlace(spot.place))) note(to, spot, 'absent', sent, shown);
}

function note(to: Comparing, spot: Spot, is: Difference['is'], sent: unknown, shown: unknown): void {
  if (to.differences.length > MAX_DIFFERENCES * 4) return;
  to.differences.push({
    is,
    place: pointerTo(spot.place),
    kind: kindOfPlace(spot.place, spot.block),
    at: pointerTo(spot.shownAt),
    expected: describe(sent),
    actual: describe(shown),
    // A server that writes null does not leave the field out.
    empty: shown === null ? undefined : emptyOf(sent),
  });
}

/** Arrays whose items are documented as objects (section 2.1). */
const LISTS_OF_OBJECTS = new Set(['events', 'groups', 'edges', 'variables', 'comparisons']);

function compareArrays(to: Comparing, sent: readonly unknown[], shown: readonly unknown[], spot: Spot): void {
  const last = spot.place.at(-1);
  if (!isInBlock(spot.place) && LISTS_OF_OBJECTS.has(String(last)) && !sent.every(isObject)) return;
  // The shape check judges items of an undocumented type, which may stand for any of the sent items.
  const isLike = (item: unknown): boolean =>
    item !== null && sent.every((one) => typeof one === typeof item && Array.isArray(one) === Array.isArray(item));
  if (!isInBlock(spot.place) && last !== 'blocks' && !shown.every(isLike)) return;
  if (spot.place[0] === 'tags') return compareSets(to, sent, shown, spot, tagOf);
  if (last === 'allowedOrigins') return compareOrigins(to, sent, shown, spot);
  if (last === 'columnsOrder') return compareColumns(to, sent, shown, spot);
  if (last === 'comparisons' && shown.length < sent.length) return;
  const pairs = pairItems(spot.place, sent, shown, to.renaming);
  for (const [i, item] of sent.entries()) {
    const index = pairs[i];
    if (index === undefined) note(to, { ...below(spot, i), shownAt: spot.shownAt }, 'another', item, undefined);
    else if (item === null && isInBlock(spot.place) && shown[index] !== null)
      note(to, below(spot, i, index), 'another', null, shown[index]);
    else if (last === 'blocks' && isObject(item))
      compareBlocks(to, item, shown[index], { ...below(spot, i, index), block: item });
    else compareBelow(to, item, shown[index], spot, i, index);
  }
  const copy = copyIn(shown, new Set(pairs));
  if (copy >= 0) note(to, { ...spot, shownAt: [...spot.shownAt, copy] }, 'another', ONCE, shown[copy]);
  // Blocks have an order, and so does whatever they list: choices, paragraphs.
  const isOrdered = last === 'blocks' || isInBlock(spot.place);
  if (isOrdered && !isAscending(pairs.filter((index) => index !== undefined))) {
    const what = last === 'blocks' ? 'blocks' : 'items';
    note(to, spot, 'another', `the ${what} in their order`, `the ${what} in another order`);
  }
}

const ONCE = 'each item once, as it was sent';

/** The index of an item beside those that were sent which is one of them once more: by its identifier, or by its content. */
function copyIn(shown: readonly unknown[], sent: ReadonlySet<number | undefined>): number {
  if (shown.length === sent.size) return -1;
  const keysOf = (item: unknown): readonly unknown[] => (isObject(item) ? present(item['id'], withoutIds(item)) : []);
  const known = new Set(shown.flatMap((item, index) => (sent.has(index) ? keysOf(item) : [])));
  return shown.findIndex((item, index) => !sent.has(index) && keysOf(item).some((key) => known.has(key)));
}

/** What tells an item from what a server adds by itself, without identifiers: blocks, a name, two ends. */
function withoutIds({ blocks, name, from, to }: JsonObject): string | undefined {
  const isTelling = (Array.isArray(blocks) && blocks.length > 0) || name !== undefined || (from && to);
  if (!isTelling) return undefined;
  return JSON.stringify([blocks, name, from, to], (key, value: unknown) => (key === 'id' ? undefined : value));
}

/** Where an agent shows an item that is none of its own, and that another was sent: by identifier, or by content that tells. */
export function takenFrom(other: JsonObject, owned: readonly JsonObject[], shown: JsonObject): Path | undefined {
  for (const part of [...LISTS_OF_OBJECTS, 'tags']) {
    const [all, theirs] = [arrayAt(shown, part), arrayAt(other, part)];
    const its = owned.map((agent) => arrayAt(agent, part));
    if (theirs.length === 0 || its.some(({ length }) => all.length <= length)) continue;
    const [own, foreign] = [new Set(its.flat().flatMap(marksOf)), new Set(theirs.flatMap(marksOf))];
    const index = all.findIndex((item) => {
      const marks = marksOf(item);
      return marks.some((mark) => foreign.has(mark)) && !marks.some((mark) => own.has(mark));
    });
    if (index >= 0) return [part, index];
  }
  return undefined;
}

/** What tells whose an item is. A server may give every agent a variable of some name, but not with a value that was sent. */
function marksOf(item: unknown): readonly string[] {
  if (typeof item === 'string') return [tagOf(item)];
  if (!isObject(item)) return [];
  const content = item['name'] === undefined || item['value'] ? withoutIds(item) : undefined;
  return present(stringAt(item, 'id'), content && JSON.stringify([content, item['value']]));
}

/** A block without any of its fields is lost, though nobody knows which fields a server must know. */
function compareBlocks(to: Comparing, sent: JsonObject, shown: unknown, spot: Spot): void {
  const [compared, differences] = [to.compared, to.differences.length];
  compareValues(to, sent, shown, spot);
  if (to.compared > compared || to.differences.length === differences) return;
  to.differences.length = differences;
  note(to, spot, 'another', sent, undefined);
}

/** A name with signs or spaces is no column that a server has by itself, unlike a plain one. */
const [NOT_PLAIN, PLAIN] = [/[^\w-]/, /^\w+$/];

/** A server may leave out columns that belong to nothing in the flow, unless it keeps others that belong to nothing. */
function compareColumns(to: Comparing, sent: readonly unknown[], shown: readonly unknown[], spot: Spot): void {
  const { became, sent: ids } = to.renaming;
  const isOfNothing = (id: unknown): id is string => typeof id === 'string' && !ids.has(id) && !to.names.has(id);
  const keepsOthers = sent.some((id) => isOfNothing(id) && NOT_PLAIN.test(id) && shown.includes(id));
  const isDue = (id: unknown): boolean =>
    shown.length >= sent.length || ids.has(String(id)) || (keepsOthers && isOfNothing(id) && PLAIN.test(id));
  const due = sent.filter(isDue);
  compareSets(to, due, shown, spot, (id) => became.get(id) ?? id);
  const places = due.map((id) =>
    shown.findIndex((one) => one === id || (typeof id === 'string' && one === became.get(id))),
  );
  const found = places.filter((place) => place >= 0);
  if (!isAscending(found)) note(to, spot, 'another', 'the columns in their order', 'the columns in another order');
}

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => number >= (numbers[i - 1] ?? number));

function compareSets(
  to: Comparing,
  sent: readonly unknown[],
  shown: readonly unknown[],
  spot: Spot,
  normal: (text: string) => string,
): void {
  const there = new Set(shown.map((item) => (typeof item === 'string' ? normal(item) : undefined)));
  to.compared++;
  for (const [i, item] of sent.entries()) {
    if (typeof item !== 'string') continue;
    // A tag in other letters is the same tag, which is an excuse and counts as one.
    if (there.has(normal(item)) || there.has(item)) to.isRewritten ||= normal === tagOf && !shown.includes(item);
    else note(to, { ...below(spot, i), shownAt: spot.shownAt }, 'another', item, undefined);
  }
}

const NO_OTHERS = 'the origins that were sent, and none that lets in more';
const ANY = /^(?:null|(?:[a-z]+:\/\/|\*:\/\/)?\*)$/i;

/** A server may add origins of its own, but not any one, nor a sent one without encryption. */
function compareOrigins(to: Comparing, sent: readonly unknown[], shown: readonly unknown[], spot: Spot): void {
  compareSets(to, sent, shown, spot, addressOf);
  const closed = sent.map((origin) => addressOf(String(origin)));
  if (!closed[0] || closed.includes('*')) return;
  const index = shown.findIndex((item) => {
    const origin = addressOf(String(item));
    return !closed.includes(origin) && (ANY.test(origin) || closed.includes(origin.replace(/^http:/, 'https:')));
  });
  if (index >= 0) note(to, { ...spot, shownAt: [...spot.shownAt, index] }, 'another', NO_OTHERS, shown[index]);
}

/** A value in a few words; a long text with its length, because its end gets lost. */
function describe(value: unknown): string {
  if (typeof value === 'string' && value.length > 60)
    return `${show(value.slice(0, 40))} and so on, ${lengthOf(value)} characters`;
  if (!isObject(value)) return show(value);
  const name = ['title', 'name', 'type'].find((one) => typeof field(value, one) === 'string');
  if (name === undefined) return 'an object';
  return `an object whose ${name} is ${show(field(value, name))}`;
}

/** Whether an absence is a loss: the server shows such a thing elsewhere, omits no empty values, and wrote no null. */
export function isLoss({ kind, empty }: Difference, shown: SeenPlaces): boolean {
  return shown.kinds.has(kind) && (empty === undefined || !isLeftOut(kind, empty, shown));
}
