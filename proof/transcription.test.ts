import { endpointIds, endpoints, gaps, requirements, typedLocations, type BodySchemaName } from '../spec/index.ts';
import { documentedSections, sectionsWithPathParameter, transcribedPlaces } from './transcription.ts';

/** A documented place, written in the same way for both sources. */
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

const bodies = Object.keys(typedLocations) as BodySchemaName[];

test.each(bodies)('the schema of %s agrees with the transcription of the specification', (body) => {
  const transcribed = transcribedPlaces(body).map(({ pointer, type, ...rest }) => place(pointer, type, rest));
  const declared = typedLocations[body]
    .filter(({ pointer }) => pointer !== '')
    .map(({ pointer, type, required, nullable, enum: closed }) => place(pointer, type, { required, nullable, closed }));
  expect(declared.toSorted()).toEqual(transcribed.toSorted());
});

test('every body of an endpoint is transcribed', () => {
  const named = endpointIds.flatMap((id) => [endpoints[id].request, endpoints[id].query, endpoints[id].response]);
  expect(named.filter((name) => name !== null).toSorted()).toEqual(bodies.toSorted());
});

test('path parameters agree with the paths', () => {
  const sections = endpointIds
    .filter((id) => endpoints[id].path.includes('{agentId}'))
    .map((id) => endpoints[id].section);
  expect(sectionsWithPathParameter.toSorted()).toEqual(sections.toSorted());
});

test('requirements and gaps name existing sections', () => {
  const named = [...Object.values(requirements), ...Object.values(gaps)].map(({ section }) => section);
  expect(named.filter((section) => !documentedSections.includes(section))).toEqual([]);
});
