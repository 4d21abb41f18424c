import { isObject, type JsonObject } from '../text/json.ts';
import transcription from './transcription.json';

/** A place of a body, as the specification describes it. `*` in the pointer stands for every array item. */
export interface TranscribedPlace {
  readonly pointer: string;
  readonly type: string;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly closed: readonly string[] | undefined;
  /** Whether the agent here may also have the undescribed form. */
  readonly hasOtherForm: boolean;
}

export const documentedSections: readonly string[] = transcription.sections.map((line) => line.split(' ', 1)[0] ?? '');

export const sectionsWithPathParameter: readonly string[] = transcription.pathParameters.parameters.map(
  ({ section }) => section,
);

const resources: ReadonlySet<string> = new Set(transcription.resources.map(({ resource }) => resource));
const fields = transcription.resources.flatMap(({ resource, fields: described }) =>
  Object.entries(described).map(([path, text]) => fieldOf(resource, path, String(text))),
);

type Field = ReturnType<typeof fieldOf>;

/** Reads a description such as `required event[]`, as the table explains it. */
function fieldOf(resource: string, path: string, text: string) {
  const [kind = '', ...notes] = text.replace(/^(?:required|optional) /, '').split(', ');
  const [form = '', otherForm] = kind.split(' or ');
  const shape = form.replace('[]', '');
  const field = {
    resource,
    path,
    /** The object, or each item of the array, has the fields of this resource. */
    shape: resources.has(shape) ? shape : undefined,
    required: text.startsWith('required '),
    /** The whole set of values. */
    closed: form.startsWith("'") ? form.split(' | ').map((value) => value.slice(1, -1)) : undefined,
    /** Whether the text shows the object without fields here, although it has a shape elsewhere. */
    isShownEmpty: notes.includes('shown empty'),
    hasOtherForm: otherForm !== undefined,
  };
  if (form === 'decimal' || form === 'integer-like') return { ...field, type: 'number' };
  if (form.endsWith('[]')) return { ...field, type: form };
  if (field.closed) return { ...field, type: 'string' };
  return { ...field, type: field.shape === undefined ? form : 'object' };
}

/** Required by our schemas without the word in the text (docs/decisions/judging/required-only-where-said.md). */
const demandedBeyondTheText = new Set(['create-agent-response/agent', 'import-agent-response/agent']);

/** Section 2.7 shows comparisons without fields in some bodies, so their fields are not promised there. */
const shownEmpty = new Set(fields.filter(({ isShownEmpty }) => isShownEmpty).map((row) => row.resource + row.path));

/** Every documented place of a body, except the body itself, or of a resource that stands in it at `prefix`. */
export function transcribedPlaces(body: string, resource = body, prefix = ''): TranscribedPlace[] {
  return fields
    .filter((field) => field.resource === resource && !field.isShownEmpty)
    .filter((field) => resource !== body || !isBelowShape(field))
    .flatMap((field) => placesOfField(body, field, prefix + field.path));
}

/** Whether a field only adds something to a place of a resource that its own resource names. */
const isBelowShape = ({ resource, path }: Field): boolean =>
  fields.some(
    (other) =>
      other.resource === resource &&
      other.type === 'object' &&
      fields.some((field) => field.resource === other.shape && other.path + field.path === path),
  );

function placesOfField(body: string, field: Field, pointer: string): TranscribedPlace[] {
  const { closed, hasOtherForm, shape } = field;
  const [type = '', orNull] = field.type.split('|');
  const required =
    field.required ||
    demandedBeyondTheText.has(body + pointer) ||
    fields.some((row) => row.resource === body && row.path === pointer && row.required);
  const place = { pointer, type, required, nullable: orNull !== undefined, closed, hasOtherForm };
  if (!type.endsWith('[]')) return [place, ...(shape === undefined ? [] : transcribedPlaces(body, shape, pointer))];
  return [{ ...place, type: 'array' }, ...placesOfItems(body, field, `${pointer}/*`)];
}

function placesOfItems(body: string, { type, shape }: Field, pointer: string): TranscribedPlace[] {
  const item = { pointer, required: false, nullable: false, closed: undefined, hasOtherForm: false };
  if (type === 'any[]') return [];
  if (shape === undefined) return [{ ...item, type: type.replace('[]', '') }];
  const inner = shownEmpty.has(body + pointer) ? [] : transcribedPlaces(body, shape, pointer);
  return [{ ...item, type: 'object' }, ...inner];
}

/** Whether a body matches the transcription: a judge that knows nothing of the schemas. It checks no numeric bounds. */
export function permits(places: readonly TranscribedPlace[], body: unknown): boolean {
  if (!isObject(body)) return false;
  // An agent with a version other than "6" has the undescribed form: only its version is known.
  const other = places.find(({ hasOtherForm, pointer }) => {
    const agent = hasOtherForm && body[pointer.slice(1)];
    return isObject(agent) && agent['version'] !== '6';
  });
  return places.every((place) => {
    const isBelow = other !== undefined && place.pointer.startsWith(`${other.pointer}/`);
    if (!isBelow) return valuesAt(body, place).every((value) => isPermitted(place, value));
    if (place.pointer !== `${other.pointer}/version`) return true;
    return valuesAt(body, place).every((value) => value === undefined || typeof value === 'string');
  });
}

function isPermitted({ type, required, nullable, closed }: TranscribedPlace, value: unknown): boolean {
  if (value === undefined) return !required;
  if (value === null) return nullable;
  const found = Array.isArray(value) ? 'array' : typeof value;
  return found === type && (closed === undefined || closed.some((one) => one === value));
}

/** The values at a place: `undefined` if an object lacks it, and none if there is no such object. */
function valuesAt(body: JsonObject, { pointer }: TranscribedPlace): unknown[] {
  let values: unknown[] = [body];
  for (const name of pointer.split('/').slice(1)) {
    if (name === '*') values = values.filter(Array.isArray).flat();
    else values = values.filter(isObject).map((value) => (Object.hasOwn(value, name) ? value[name] : undefined));
  }
  return values;
}
