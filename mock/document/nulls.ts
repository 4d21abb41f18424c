import type { Profile } from '../../spec/index.ts';
import type { OpenApi, Schema } from '../../spec/openapi/document.ts';

/** The resources in answers. A server that writes null for missing values writes it in their fields. */
const RESOURCES = ['AgentV6InResponse', 'PublicAgentV6', 'ConversationResult', 'Workspace'];

/** The document with null wherever a server of this profile writes it. */
export function withNulls(document: OpenApi, profile: Profile): OpenApi {
  const schemas: Record<string, Schema> = { ...document.components.schemas };
  if (profile['absent-values'] === 'null')
    for (const name of RESOURCES) schemas[name] = withOptionalNulls(schemas[name] ?? {});
  if (profile['unpublished-agent'] === 'null')
    schemas['GetPublishedAgentAnswer'] = withNull(schemas['GetPublishedAgentAnswer'] ?? {}, 'publicAgent');
  return { ...document, components: { ...document.components, schemas } };
}

const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;

function withOptionalNulls(schema: Schema): Schema {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.keys(propertiesOf(schema))
    .filter((name) => !required.includes(name))
    .reduce(withNull, schema);
}

/** A schema with one nullable property. */
function withNull(schema: Schema, name: string): Schema {
  const properties = propertiesOf(schema);
  const { description, 'x-section': section, ...shape } = properties[name] ?? {};
  const property = { description, 'x-section': section, anyOf: [shape, { type: 'null' }] };
  return { ...schema, properties: { ...properties, [name]: property } };
}
