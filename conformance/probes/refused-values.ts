import { isDeepStrictEqual } from 'node:util';
import { kindsAt } from '../../fixtures/requests/fields.ts';
import { kindsOfTypes, type FieldType, type Kind } from '../../fixtures/requests/kinds.ts';
import { pointerTo, templateOf } from '../../spec/json-pointer.ts';
import { mapValues, onlyOf } from '../collections.ts';
import { isObject, leavesOf, type JsonObject } from '../json.ts';

/** Values that the target refuses: how later creations of a round leave them out, and which of them it must accept. */

export interface RefusedKind {
  readonly kind: Kind;
  /** Where, below the agent or workspace, with `*` for items; `undefined` for every text. */
  readonly place: string | undefined;
}

/** What makes a body large, at any place. */
export const LONG: RefusedKind = { kind: kindsOfTypes.text.long, place: undefined };

/** Kinds that a place may refuse for its own limits. Whoever refuses another kind of text once does so elsewhere too. */
const LIMITED = ['empty', 'one character', 'long'];

const TEXTS: ReadonlySet<FieldType | undefined> = new Set(['text', 'content', 'tag', 'name']);
const isText = (type: FieldType | undefined): boolean => TEXTS.has(type);

/** Whether a value at a pointer is a text without a format, so that each part of it is one too. */
export const isPlainText = (pointer: string, value: unknown): boolean => isText(kindsAt(placeOf(pointer), value));

/** Where a value is below the agent or workspace, with `*` for items. */
export const placeOf = (pointer: string): string => templateOf(pointer.replace(/^\/agent(?=\/)/, ''));

/** The kinds of a value that was refused at a pointer. */
export function refusedKinds(pointer: string, value: unknown): readonly RefusedKind[] {
  const place = placeOf(pointer);
  const type = kindsAt(place, value);
  const all = Object.entries<Kind>(type ? kindsOfTypes[type] : {}).filter(([, kind]) => kind.is(value));
  const main = all.filter(([name]) => !LIMITED.includes(name));
  if (isText(type) && main.length > 0) return main.map(([, kind]) => ({ kind, place: undefined }));
  if (all.length > 0) return all.map(([, kind]) => ({ kind, place }));
  // Another agent has other identifiers there.
  return [{ kind: { value, is: (other) => place.endsWith('Id') || other === value }, place }];
}

/** A body with every value changed; those that become undefined are left out. */
function mapped(body: JsonObject, change: (value: unknown, place: string) => unknown): JsonObject {
  const map = (value: unknown, pointer: string): unknown => {
    if (Array.isArray(value))
      return value.map((item, i) => map(item, `${pointer}/${i}`)).filter((item) => item !== undefined);
    if (isObject(value)) return mapValues(value, (item, name) => map(item, `${pointer}/${name}`));
    return change(value, placeOf(pointer));
  };
  return JSON.parse(JSON.stringify(map(body, ''))) as JsonObject;
}

/** The same body with a value at a place that nobody refuses for what it is; `undefined` if there is none. */
export function withPlainest(body: JsonObject, place: string): JsonObject | undefined {
  if (place.endsWith('Id')) return undefined;
  const plainest: Readonly<Record<string, unknown>> = { string: 'Check', number: 12, boolean: false };
  return mapped(body, (value, at) => (at === place ? plainest[typeof value] : value));
}

/** The same body without the values of these kinds, and without the parts of texts that are of them. */
export function withoutKinds(body: JsonObject, refused: readonly RefusedKind[]): JsonObject {
  const rest = (value: unknown, place: string): unknown => {
    const isOfText = isText(kindsAt(place, value));
    const here = refused.filter((one) => (one.place === undefined ? isOfText || one === LONG : one.place === place));
    return here.reduce((left, { kind }) => withoutKind(left, kind), value);
  };
  return refused.length > 0 ? mapped(body, rest) : body;
}

function withoutKind(value: unknown, kind: Kind): unknown {
  if (!kind.is(value)) return value;
  if (typeof value !== 'string' || typeof kind.value !== 'string') return undefined;
  const rest = value.replace(kind.value, '').replaceAll('  ', ' ').trim();
  return rest === '' || kind.is(rest) ? undefined : rest;
}

/** Texts that no format, length or alphabet tells from the other, longer one: whoever takes that has to take them. */
const ALIKE: readonly (readonly [refused: string, other: string])[] = [
  // Two letters of one script, of four and of three bytes.
  ['Text 𠮷野', 'Text 吉野野'],
  ['null', 'nuls'],
  ['007', '107'],
];

/** A plain decimal, and a whole number beside it. */
export const OPACITIES = [0.5, 1] as const;

/** Where the specification says that a number is a decimal (sections 2.6 and 2.7). */
const DECIMALS: readonly (readonly [place: RegExp, refused: number, other: number])[] = [
  [/\/opacity$/, ...OPACITIES],
  [/\/(?:delayBetweenBubbles|sessionExpiryTimeout)$/, 1.5, 2],
];

/** The values to compare with each other, to see whether the target had to accept a value. */
export function alikeFor(value: unknown, pointer: string): readonly [refused: unknown, other: unknown] | undefined {
  if (typeof value === 'number' && !Number.isInteger(value))
    return DECIMALS.find(([place]) => place.test(pointer))?.slice(1) as [number, number] | undefined;
  if (typeof value !== 'string') return undefined;
  if (/[\u{10000}-\u{10ffff}]/u.test(value)) return ALIKE[0];
  return ALIKE.find(([refused]) => refused === value);
}

/** The place and texts in which two bodies of one shape differ, if that is all and the target had to accept both. */
export function differenceOfAlike(refused: unknown, accepted: unknown) {
  const [one, other] = [byPointer(refused), byPointer(accepted)];
  const apart = [...new Set([...one.keys(), ...other.keys()])].filter(
    (pointer) => !/(?:Id|\/id)$/.test(pointer) && !isDeepStrictEqual(one.get(pointer), other.get(pointer)),
  );
  const pointer = onlyOf(apart);
  if (pointer === undefined) return undefined;
  const places = DECIMALS.filter(([place]) => place.test(pointer));
  const all = [...ALIKE, ...places.map(([, decimal, whole]) => [decimal, whole] as const)];
  const found = all.find(([value, taken]) => one.get(pointer) === value && other.get(pointer) === taken);
  return found && { pointer, refused: found[0], accepted: found[1] };
}

const byPointer = (body: unknown): ReadonlyMap<string, unknown> =>
  new Map(leavesOf(body).map(([path, value]) => [pointerTo(path), value]));

/** The place whose values a body lacks, if it is the same as another one otherwise. */
export function fieldLeftOut(whole: unknown, rest: unknown): string | undefined {
  const left = byPointer(rest);
  const places = new Set<string>();
  for (const [pointer, value] of byPointer(whole))
    if (!isDeepStrictEqual(left.get(pointer), value)) places.add(left.has(pointer) ? '' : placeOf(pointer));
  return onlyOf(places) || undefined;
}
