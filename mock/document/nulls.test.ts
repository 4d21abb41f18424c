import { openapi, type Schema } from '../../spec/openapi/document.ts';
import { profiles } from '../profiles/index.ts';
import { withNulls } from './of-profile.ts';

const AS_IT_IS = { ...profiles.default, 'absent-values': 'omitted', 'unpublished-agent': 'refused' } as const;
const { schemas } = openapi.components;

/** The properties of a schema that allow null. */
const nullable = (of: Record<string, Schema>, name: string): readonly string[] =>
  Object.entries((of[name]?.['properties'] ?? {}) as Record<string, Schema>)
    .filter(([, { anyOf = [] }]) => (anyOf as readonly Schema[]).some(({ type }) => type === 'null'))
    .map(([property]) => property);
const changed = (profile: Parameters<typeof withNulls>[1]): Record<string, readonly string[]> => {
  const own = withNulls(openapi, profile).components.schemas;
  return Object.fromEntries(
    Object.keys(own)
      .filter((name) => own[name] !== schemas[name])
      .map((name) => [name, nullable(own, name)]),
  );
};
const all = (name: string): readonly string[] => Object.keys(schemas[name]?.['properties'] as object);

test('nothing may be null if a server omits absent values and refuses unpublished agents', () => {
  expect(changed(AS_IT_IS)).toEqual({});
});

test('every optional field of a resource may be null if a server writes null for absent values', () => {
  expect(schemas['AgentV6InResponse']?.['required']).toEqual(['id']);
  expect(changed({ ...AS_IT_IS, 'absent-values': 'null' })).toEqual({
    AgentV6InResponse: all('AgentV6InResponse').filter((name) => name !== 'id'),
    PublicAgentV6: all('PublicAgentV6'),
    ConversationResult: all('ConversationResult'),
    Workspace: all('Workspace'),
  });
});

test('only the published form of an unpublished agent may be null', () => {
  expect(changed({ ...AS_IT_IS, 'unpublished-agent': 'null' })).toEqual({ GetPublishedAgentAnswer: ['publicAgent'] });
});

test('a nullable field keeps its description and section beside its two shapes', () => {
  const own = withNulls(openapi, { ...AS_IT_IS, 'absent-values': 'null' }).components.schemas;
  const { name } = (own['AgentV6InResponse']?.['properties'] ?? {}) as Record<string, Schema>;
  const { name: before } = (schemas['AgentV6InResponse']?.['properties'] ?? {}) as Record<string, Schema>;
  const { description, 'x-section': section, ...shape } = before ?? {};
  expect(name).toEqual({ description, 'x-section': section, anyOf: [shape, { type: 'null' }] });
});
