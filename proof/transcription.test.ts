import { endpointIds, endpoints, gaps, requirements, typedLocations, type BodySchemaName } from '../spec/index.ts';
import {
  documentedSections,
  transcribedPathParameters,
  transcription,
  type TranscribedField,
  type TranscribedResource,
} from './transcription.ts';

/** A documented place, written the same way whichever source it comes from. */
type Place = string;

const place = (
  pointer: string,
  type: string,
  {
    required = false,
    nullable = false,
    closed,
  }: { required?: boolean; nullable?: boolean; closed?: readonly string[] },
): Place =>
  [pointer, type, required ? 'required' : '', nullable ? 'or null' : '', closed?.join('|') ?? '']
    .filter(Boolean)
    .join(' ');

const isResource = (name: string): name is TranscribedResource =>
  transcription.some(({ resource }) => resource === name);

/** Section 2.7 shows comparisons without fields in some bodies; there, their fields are nobody's promise. */
const shownEmpty = new Set(
  transcription.filter((row) => row.shownEmpty === true).map((row) => `${row.resource}${row.path}`),
);

/**
 * Places that our schemas demand although the text lacks the word "required": an answer described as an object with an
 * agent would not be that object without it (docs/decisions/judging/required-only-where-said.md).
 */
const demandedBeyondTheText = new Set(['create-agent-response/agent', 'import-agent-response/agent']);

function placesOf(body: TranscribedResource, resource: TranscribedResource, prefix: string): readonly Place[] {
  return transcription
    .filter((row) => row.resource === resource)
    .flatMap((row) => {
      const isRefinement = row.shownEmpty === true || (row.resource === body && isBelowShape(row));
      return isRefinement ? [] : placesOfRow(body, row, prefix);
    });
}

/** Whether a row only adds something to a place that a `shape` of the same resource already declares. */
const isBelowShape = ({ resource, path }: TranscribedField): boolean =>
  transcription.some(
    (other) =>
      other.resource === resource &&
      other.shape !== undefined &&
      path.startsWith(`${other.path}/`) &&
      transcription.some((row) => row.resource === other.shape && `${other.path}${row.path}` === path),
  );

function placesOfRow(body: TranscribedResource, row: TranscribedField, prefix: string): readonly Place[] {
  const pointer = prefix + row.path;
  const [type = row.type, orNull] = row.type.split('|');
  const required =
    row.required === true ||
    demandedBeyondTheText.has(`${body}${pointer}`) ||
    transcription.some((r) => r.resource === body && r.path === pointer && r.required === true);
  const own = place(pointer, type, {
    required,
    nullable: orNull !== undefined,
    ...(row.closed ? { closed: row.closed } : {}),
  });
  const { items, shape } = row;
  const item = `${pointer}/*`;
  return [
    own,
    ...(shape ? placesOf(body, shape, pointer) : []),
    ...(items === undefined || items === 'any'
      ? []
      : isResource(items)
        ? [place(item, 'object', {}), ...(shownEmpty.has(body + item) ? [] : placesOf(body, items, item))]
        : [place(item, items, {})]),
  ];
}

const bodies = Object.keys(typedLocations) as (BodySchemaName & TranscribedResource)[];

test.each(bodies)('the schema of %s says what was transcribed from the specification', (body) => {
  const transcribed = placesOf(body, body, '');
  const declared = typedLocations[body]
    .filter(({ pointer }) => pointer !== '')
    .map(({ pointer, type, required, nullable, enum: closed }) =>
      place(pointer, type, { required, nullable, ...(closed ? { closed } : {}) }),
    );
  expect(declared.toSorted()).toEqual(transcribed.toSorted());
});

test('every body that an endpoint names was transcribed', () => {
  const named = endpointIds.flatMap((id) => [endpoints[id].request, endpoints[id].query, endpoints[id].response]);
  expect(named.filter((name) => name !== null).toSorted()).toEqual(bodies.toSorted());
});

test('path parameters are those of the paths', () => {
  const sections = endpointIds
    .filter((id) => endpoints[id].path.includes('{agentId}'))
    .map((id) => endpoints[id].section);
  expect(transcribedPathParameters.map(({ section }) => section).toSorted()).toEqual(sections.toSorted());
});

test('requirements and gaps name sections that exist', () => {
  const known = new Set(documentedSections.map(({ section }) => section));
  const named = [...Object.values(requirements), ...Object.values(gaps)].map(({ section }) => section);
  expect(named.filter((section) => !known.has(section))).toEqual([]);
});
