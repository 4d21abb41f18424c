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
  const others = Object.keys(own).filter((name) => own[name] !== schemas[name]);
  return Object.fromEntries(others.map((name) => [name, nullable(own, name)]));
};
const all = (name: string): readonly string[] => Object.keys(schemas[name]?.['properties'] as object);

const optional = {
  AgentV6InResponse: all('AgentV6InResponse').filter((name) => name !== 'id'),
  PublicAgentV6: all('PublicAgentV6'),
  ConversationResult: all('ConversationResult'),
  Workspace: all('Workspace'),
};

test.each<[object, object]>([
  [{}, {}],
  [{ 'absent-values': 'null' }, optional],
  [{ 'unpublished-agent': 'null' }, { GetPublishedAgentAnswer: ['publicAgent'] }],
])('what may be null where the choices are %j', (choices, expected) => {
  expect(changed({ ...AS_IT_IS, ...choices })).toEqual(expected);
});

test('a nullable field keeps its description and section beside its two shapes', () => {
  const own = withNulls(openapi, { ...AS_IT_IS, 'absent-values': 'null' }).components.schemas;
  const { name } = (own['AgentV6InResponse']?.['properties'] ?? {}) as Record<string, Schema>;
  const { name: before } = (schemas['AgentV6InResponse']?.['properties'] ?? {}) as Record<string, Schema>;
  const { description, 'x-section': section, ...shape } = before ?? {};
  expect(name).toEqual({ description, 'x-section': section, anyOf: [shape, { type: 'null' }] });
});
