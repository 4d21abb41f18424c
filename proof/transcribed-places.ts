import type { BodySchemaName } from '../spec/index.ts';
import { transcription, type TranscribedField, type TranscribedResource } from './transcription.ts';

/** A place of a body, as the specification describes it. `*` in the pointer stands for every array item. */
export interface TranscribedPlace {
  readonly pointer: string;
  readonly type: string;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly closed?: readonly string[];
  /** Whether the agent here may also have the undescribed form. */
  readonly hasOtherForm: boolean;
}

export type TranscribedBody = BodySchemaName & TranscribedResource;

const isResource = (name: string): name is TranscribedResource =>
  transcription.some(({ resource }) => resource === name);

/** Section 2.7 shows comparisons without fields in some bodies, so their fields are not promised there. */
const shownEmpty = new Set(
  transcription.filter((row) => row.shownEmpty === true).map((row) => `${row.resource}${row.path}`),
);

/**
 * Places that our schemas require although the text lacks the word "required": an answer described as an object with an
 * agent would not be that object without it (docs/decisions/judging/required-only-where-said.md).
 */
const demandedBeyondTheText = new Set(['create-agent-response/agent', 'import-agent-response/agent']);

/** Every documented place of a body, except the body itself. */
export const transcribedPlaces = (body: TranscribedBody): readonly TranscribedPlace[] => placesOf(body, body, '');

function placesOf(body: TranscribedResource, resource: TranscribedResource, prefix: string): TranscribedPlace[] {
  return transcription
    .filter((row) => row.resource === resource)
    .flatMap((row) => {
      const isRefinement = row.shownEmpty === true || (row.resource === body && isBelowShape(row));
      return isRefinement ? [] : placesOfRow(body, row, prefix);
    });
}

/** Whether a row only adds something to a place that a `shape` of the same resource declares. */
const isBelowShape = ({ resource, path }: TranscribedField): boolean =>
  transcription.some(
    (other) =>
      other.resource === resource &&
      other.shape !== undefined &&
      path.startsWith(`${other.path}/`) &&
      transcription.some((row) => row.resource === other.shape && `${other.path}${row.path}` === path),
  );

function placesOfRow(body: TranscribedResource, row: TranscribedField, prefix: string): TranscribedPlace[] {
  const pointer = prefix + row.path;
  const [type = row.type, orNull] = row.type.split('|');
  const required =
    row.required === true ||
    demandedBeyondTheText.has(`${body}${pointer}`) ||
    transcription.some((r) => r.resource === body && r.path === pointer && r.required === true);
  const { items, shape } = row;
  const item = { pointer: `${pointer}/*`, required: false, nullable: false, hasOtherForm: false };
  return [
    {
      pointer,
      type,
      required,
      nullable: orNull !== undefined,
      ...(row.closed ? { closed: row.closed } : {}),
      hasOtherForm: row.alternative !== undefined,
    },
    ...(shape ? placesOf(body, shape, pointer) : []),
    ...(items === undefined || items === 'any'
      ? []
      : isResource(items)
        ? [
            { ...item, type: 'object' },
            ...(shownEmpty.has(body + item.pointer) ? [] : placesOf(body, items, item.pointer)),
          ]
        : [{ ...item, type: items }]),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const isFields = (value: unknown): value is Fields => typeOf(value) === 'object';

/** Whether a body matches the transcription: a judge that knows nothing of the schemas. It checks no numeric bounds. */
export function permits(places: readonly TranscribedPlace[], body: unknown): boolean {
  if (!isFields(body)) return false;
  // An agent with a version other than "6" has the undescribed form: only its version is known.
  const other = places.find(({ hasOtherForm, pointer }) => hasOtherForm && isOtherForm(body[pointer.slice(1)]));
  return places.every((place) => {
    const isBelow = other !== undefined && place.pointer.startsWith(`${other.pointer}/`);
    if (!isBelow) return valuesAt(body, place).every((value) => isPermitted(place, value));
    return place.pointer !== `${other.pointer}/version` || valuesAt(body, place).every((v) => isAbsentOr('string', v));
  });
}

const isOtherForm = (agent: unknown): boolean => isFields(agent) && agent['version'] !== '6';

const isAbsentOr = (type: string, value: unknown): boolean => value === undefined || typeOf(value) === type;

function isPermitted({ type, required, nullable, closed }: TranscribedPlace, value: unknown): boolean {
  if (value === undefined) return !required;
  if (value === null) return nullable;
  return typeOf(value) === type && (closed === undefined || closed.some((one) => one === value));
}

/** The values at a place: `undefined` if an object lacks it, and none if there is no such object. */
function valuesAt(body: Fields, { pointer }: TranscribedPlace): unknown[] {
  let values: unknown[] = [body];
  for (const name of pointer.split('/').slice(1))
    values = values.flatMap((value) => {
      if (name === '*') return Array.isArray(value) ? (value as unknown[]) : [];
      return isFields(value) ? [Object.hasOwn(value, name) ? value[name] : undefined] : [];
    });
  return values;
}
