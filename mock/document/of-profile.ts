import { statusOfChoice, type Profile } from '../../spec/index.ts';
import type { MediaType, OpenApi, Operation, Response, Schema } from '../../spec/openapi/document.ts';
import { isSuccess, openapi, withOperations } from '../../spec/openapi/document.ts';
import { parseJson } from '../../text/json.ts';
import type { Refusal } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { render } from '../service/render.ts';
import otherErrors from './error-schemas.json';

/** The answers of a server with this profile, as an OpenAPI document: statuses, errors, content types and nulls. */
export function documentOf(profile: Profile): OpenApi {
  const schemas = Object.fromEntries(Object.entries(openapi.components.schemas).filter(([name]) => name !== 'Problem'));
  const own = withOperations(openapi, (operation) => operationOf(operation, profile));
  const { responses: _responses, ...others } = openapi.components;
  const description = own.info.description.replace(INTRODUCTION, BY_PROFILE);
  const info = { ...own.info, description, 'x-profile': profile };
  const components = { ...others, schemas: { ...schemas, ...errorSchemas[profile['error-body']] } };
  return withNulls({ ...own, info, components }, profile);
}

/** The body of a refusal for each choice of `error-body`, by component name; none if the choice has no body. */
const errorSchemas: Readonly<Record<Profile['error-body'], Readonly<Record<string, Schema>>>> = {
  'problem-json': { Problem: openapi.components.schemas['Problem'] ?? {} },
  ...otherErrors,
};

const INTRODUCTION = /It is what the\s+mock server of agent-contract answers by default/;
const BY_PROFILE = 'It is what a\n  server with the choices in `x-profile` answers';

function operationOf(operation: Operation, profile: Profile): Operation {
  const accepted = Object.entries(operation.responses).filter(([status]) => isSuccess(status));
  const refused = Object.entries(operation.responses).flatMap(([, { $ref = '' }]) => {
    const kind = kinds[$ref.slice($ref.lastIndexOf('/') + 1)];
    return (kind && asAnswered(kind, operation, profile)) ?? [];
  });
  if (profile['rate-limit'] !== 'none') refused.push('rate-limited');
  const byStatus = new Map<number, Kind[]>();
  for (const kind of new Set(refused)) {
    const { status } = rendered(kind, undefined, profile);
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind]);
  }
  const responses = [
    ...accepted.map(([status, response]) => acceptedAs(status, response, profile)),
    ...Array.from(byStatus, ([status, all]) => [String(status), refusalOf(all, profile)] as const),
  ];
  return { ...operation, responses: Object.fromEntries(responses) };
}

function acceptedAs(status: string, response: Response, profile: Profile): readonly [string, Response] {
  const [type = ''] = chosen(profile, 'answer-content-type').split(';');
  const content = Object.fromEntries(Object.values(response.content ?? {}).map((media) => [type, media]));
  const created = statusOfChoice['success-status'][profile['success-status']];
  return [status === '201' ? String(created) : status, { ...response, content }];
}

type Kind = Refusal['kind'];

const kinds: Readonly<Record<string, Kind>> = {
  Invalid: 'invalid',
  Unauthorized: 'unauthorized',
  Forbidden: 'forbidden',
  NotFound: 'not-found',
  TooLarge: 'too-large',
  UnsupportedContentType: 'content-type',
};

/** The status of a refusal under a profile; `undefined` if the profile does not refuse such a request. */
function asAnswered(kind: Kind, { operationId }: Operation, profile: Profile): Kind | undefined {
  if (kind === 'forbidden' && profile['mode-permissions'] === 'reported-only') return undefined;
  if (kind === 'content-type' && profile['content-type'] === 'read') return undefined;
  if (kind === 'content-type' && profile['content-type'] === 'refused-as-invalid') return 'invalid';
  if (kind !== 'not-found') return kind;
  const isListed = operationId === 'listResults' && profile['results-of-unknown-agent'] === 'refused';
  const isMade = /^(?:create|import)/.test(operationId) && profile['unknown-workspace'] === 'refused';
  if (operationId.startsWith('get') || isListed || isMade) return kind;
  return undefined;
}

function refusalOf(all: readonly Kind[], profile: Profile): Response {
  const examples: Record<string, { summary: string; value: unknown }> = {};
  let type: string | undefined;
  for (const kind of all) {
    const documented = Object.keys(kinds).find((name) => kinds[name] === kind) ?? '';
    const known = openapi.components.responses?.[documented]?.content?.['application/problem+json'];
    for (const [name, summary, problem] of problemsOf(kind, known)) {
      const { headers, body } = rendered(kind, problem, profile);
      [type] = headers['content-type']?.split(';') ?? [];
      if (body !== '') examples[name] = { summary, value: parseJson(body) ?? body };
    }
  }
  const description = `${all.map((kind) => meanings[kind] ?? '').join(' Or: ')} This is a choice of the server; the specification does not show it.`;
  const [schema] = Object.keys(errorSchemas[profile['error-body']]);
  const shape: Schema = { $ref: `#/components/schemas/${schema ?? ''}` };
  const response = { description, 'x-choice': true };
  if (type === undefined || schema === undefined) return response;
  return { ...response, content: { [type]: { schema: shape, examples } } };
}

const described = Object.entries(kinds).map(([name, kind]) => {
  const { description = '' } = openapi.components.responses?.[name] ?? {};
  return [kind, description.replace(/ This is our choice.*$/, '')];
});
const meanings: Readonly<Partial<Record<Kind, string>>> = {
  ...Object.fromEntries(described),
  'rate-limited': 'Too many requests came at once; Retry-After says when to ask again.',
};

function problemsOf(kind: Kind, known: MediaType | undefined): (readonly [string, string, Refusal])[] {
  const given = Object.entries(known?.examples ?? {}).map(
    ([name, { summary, value }]) => [name, summary, { ...(value as Refusal), kind }] as const,
  );
  const [plain] = given;
  if (plain === undefined) return [['refused', 'Refused', { kind, detail: meanings[kind] ?? '', errors: [] }]];
  return given.map(([name, summary, { status: _status, ...refusal }]) => [name, summary, refusal]);
}

const rendered = (kind: Kind, refusal: Refusal | undefined, profile: Profile): ReturnType<typeof render> =>
  render(refusal ?? { kind, detail: '', errors: [] }, profile);

/** The resources in answers. A server that writes null for missing values writes it in their fields. */
const RESOURCES = ['AgentV6InResponse', 'PublicAgentV6', 'ConversationResult', 'Workspace'];

/** The document with null wherever a server of this profile writes it. */
export function withNulls(document: OpenApi, profile: Profile): OpenApi {
  const schemas: Record<string, Schema> = { ...document.components.schemas };
  if (profile['absent-values'] === 'null')
    for (const name of RESOURCES) {
      const { properties = {}, required = [] } = schemas[name] as Schema & { properties?: object; required?: string[] };
      const optional = Object.keys(properties).filter((one) => !required.includes(one));
      schemas[name] = optional.reduce(withNull, schemas[name] ?? {});
    }
  if (profile['unpublished-agent'] === 'null')
    schemas['GetPublishedAgentAnswer'] = withNull(schemas['GetPublishedAgentAnswer'] ?? {}, 'publicAgent');
  return { ...document, components: { ...document.components, schemas } };
}

function withNull(schema: Schema, name: string): Schema {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const { description, 'x-section': section, ...shape } = properties[name] ?? {};
  const property = { description, 'x-section': section, anyOf: [shape, { type: 'null' }] };
  return { ...schema, properties: { ...properties, [name]: property } };
}
