import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { endpointIds, endpoints, type EndpointId } from './ledger.ts';
import { changedAt } from './json-pointer.ts';
import judged from './testing/bodies.json';
import type { BodySchemaName, SchemaError, SchemaName, TypedLocation } from './schema.ts';
import { MAX_SCHEMA_ERRORS, schemas, typedLocations, validate } from './schema.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const readJson = (path: string): Json => JSON.parse(readFileSync(join(__dirname, path), 'utf8'));
const schemaNames = Object.keys(schemas) as SchemaName[];

/** Every example with its schema; examples of refusals have none. */
const examples = readdirSync(join(__dirname, 'examples')).flatMap((file) => {
  const [endpoint = '', part = ''] = file.split('.');
  const row = endpoints[endpoint as EndpointId];
  const schema = part === 'request' ? row?.request : row?.response;
  return schema ? [{ file, endpoint: endpoint as EndpointId, part, schema, data: readJson(`examples/${file}`) }] : [];
});
/** Every object and array in a tree, with its place. */
function* nodesIn(node: unknown, place: string): Generator<[place: string, node: Readonly<Record<string, unknown>>]> {
  if (typeof node !== 'object' || node === null) return;
  yield [place, { ...node }];
  for (const [key, value] of Object.entries(node)) yield* nodesIn(value, `${place}/${key}`);
}
const nodes = schemaNames.flatMap((name) => [...nodesIn(schemas[name], name)]);

describe('schemas', () => {
  it('describe every property, name its section, and allow other properties', () => {
    const section = expect.stringMatching(/^[24]\.\d+$/) as string;
    const documented: unknown = expect.objectContaining({ description: expect.any(String), 'x-section': section });
    for (const [place, { properties, ...rest }] of nodes) {
      expect(rest).not.toHaveProperty('additionalProperties');
      expect(rest).not.toHaveProperty('unevaluatedProperties');
      if (place.startsWith('comparisons-in-full')) continue;
      for (const [name, property] of Object.entries(properties ?? {}))
        expect([place, name, property]).toEqual([place, name, documented]);
    }
  });

  it('close only the four sets of values that the specification closes', () => {
    const closed = new Set(
      nodes.flatMap(([, node]) => (node['enum'] as string[] | undefined)?.join(' ') ?? node['const'] ?? []),
    );
    expect([...closed].toSorted()).toEqual([
      '6',
      'guest read write',
      'today last7Days last30Days monthToDate lastMonth yearToDate allTime',
    ]);
  });
});

describe('examples', () => {
  it.each(examples)('$file is valid', ({ schema, data }) => {
    expect(validate(schema, data)).toEqual([]);
  });

  it('show every documented field of an agent, a published form, a result and the request bodies', () => {
    const shown = /^(?:create-agent|import-agent|create-workspace)-request|^(?:get|list)-.*-response/;
    const bodies = (Object.keys(typedLocations) as BodySchemaName[]).filter((body) => shown.test(body));
    expect(bodies).toHaveLength(6);
    for (const body of bodies) {
      const data = examples.filter(({ schema }) => schema === body).map((example) => example.data);
      const pointers = typedLocations[body].map(({ pointer }) => pointer);
      const missing = pointers.filter((pointer) => !data.some((root) => placesAt(root, pointer).length > 0));
      expect([body, missing]).toEqual([body, []]);
    }
  });
});

interface Row {
  readonly description: string;
  readonly data: unknown;
  readonly valid?: boolean;
  /** What is said of a body that is not valid. */
  readonly errors?: readonly Partial<SchemaError>[];
}
describe.each(Object.entries(judged) as [SchemaName, Row[]][])('of a body for %s', (schema, rows) => {
  it.each(rows)('the judge says what it should: $description', ({ data, valid = false, errors }) => {
    const found = validate(schema, data);
    expect(found.length === 0).toBe(valid);
    if (errors !== undefined) expect(found).toMatchObject(errors);
  });
});

describe('every typed location', () => {
  const wrongFor: Record<TypedLocation['type'], Json> = { string: 1, number: 'x', boolean: '', object: [], array: {} };
  const bodies = Object.keys(typedLocations) as BodySchemaName[];
  const eitherForm = new Set(['import-agent-request', 'get-agent-response', 'get-published-agent-response']);
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  for (const name of schemaNames) ajv.addSchema(schemas[name]);

  it.each(bodies)('of %s is judged in place, as Ajv itself judges it', (body) => {
    const whole = examples.filter(({ schema }) => schema === body).map((example) => example.data);
    for (const location of typedLocations[body]) {
      const template = whole.findLast((root) => placesAt(root, location.pointer).length > 0);
      if (template === undefined) continue;
      const [place = ''] = placesAt(template, location.pointer);
      const changed = (value: Json | undefined) => changedAt<Json>(template, place, () => value);
      const closed = location.enum ? ['no such value'] : [];
      for (const wrong of [wrongFor[location.type], ...closed, ...(location.nullable ? [] : [null])]) {
        const mutant = changed(wrong);
        // Another version makes it the other form, which is open, if both forms are allowed.
        const isOtherForm = eitherForm.has(body) && location.pointer.endsWith('/version') && typeof wrong === 'string';
        expect(validate(body, mutant).map(({ at }) => at)).toEqual(isOtherForm ? [] : [place]);
        expect(ajv.validate(`urn:agent-contract:${body}`, mutant)).toBe(validate(body, mutant).length === 0);
      }
      if (location.nullable) expect(validate(body, changed(null))).toEqual([]);
      if (place === '' || location.pointer.endsWith('*')) continue;
      const missing = validate(body, changed(undefined)).map(({ at, keyword }) => [at, keyword]);
      expect(missing).toEqual(location.required ? [[place, 'required']] : []);
    }
  });

  const comparison = '/agent/settings/messagingApp/startCondition/comparisons/*/value';
  const root = { pointer: '', type: 'object', required: true, nullable: false };
  const title = { pointer: '/agent/groups/*/title', type: 'string', required: false, nullable: false };
  const part = (declared: object): object => expect.objectContaining(declared) as object;
  it.each<[BodySchemaName, string, object | undefined]>([
    ['get-agent-response', '', { ...root, schema: 'get-agent-response', section: '4.3' }],
    ['get-agent-response', title.pointer, { ...title, schema: 'group', section: '2.3' }],
    ['get-agent-response', '/agent/id', part({ required: true, schema: 'agent-v6', section: '2.1' })],
    ['get-agent-response', '/agent/version', part({ required: false, enum: ['6'] })],
    ['list-results-response', '/nextCursor', part({ type: 'string', nullable: true, required: true })],
    ['create-agent-response', '/agent/theme/chat/inputs/border/roundeness', part({ schema: 'style-box' })],
    ['get-agent-response', '/agent/groups/*/blocks/*', undefined],
    ['create-agent-response', comparison, part({ schema: 'comparison', section: '2.7' })],
    ['get-agent-response', comparison, undefined],
  ])('of %s at "%s" names the schema and the section that declare it', (body, pointer, declared) => {
    expect(typedLocations[body].find((location) => location.pointer === pointer)).toEqual(declared);
  });
});

test('an error shows at most 80 printable characters of the value', () => {
  const shown = (name: Json): string => validate('workspace', { name })[0]?.actual ?? '';
  expect(shown([1, { a: 'b', c: [null, true] }])).toBe('[1,{"a":"b","c":[null,true]}]');
  expect(shown([['\u001b[31m\u202e\u0000\n\u2028"\\']])).toBe('[["\\u001b[31m\\u202e\\u0000\\n\\u2028\\"\\\\"]]');
  expect(validate('workspace', undefined)[0]?.actual).toBe('undefined');
  const repeated = ['x'.repeat(1e6), '😀'.repeat(200), '\u202e'.repeat(200), '"'.repeat(200)].map((text) => [text]);
  for (const value of [...repeated, Array(1e6).fill(0), { ['k'.repeat(500)]: 1 }]) {
    const text = shown(value);
    expect(text.length).toBeLessThanOrEqual(80);
    expect(text.length).toBeGreaterThan(72);
    expect(text).toMatch(/^[[{].*…$/);
    expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|\\u[0-9a-f]{0,3}…/);
  }
});

describe('hostile bodies', () => {
  it('with a million errors give a hundred at once', () => {
    const results = Array.from({ length: 1e6 }, (_, i) => (i % 2 ? { id: 1, answers: [1, 2, 3] } : 5));
    const before = process.memoryUsage().heapUsed;
    const errors = validate('list-results-response', { results, nextCursor: 1 });
    expect(errors).toHaveLength(MAX_SCHEMA_ERRORS);
    expect(errors[0]).toMatchObject({ at: '/results/0', expected: 'an object', actual: '5' });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20e6);
  });

  it('with deep nesting are judged', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(validate('group', { blocks: [deep] })).toEqual([]);
    expect(validate('group', { title: deep })).toEqual([expect.objectContaining({ at: '/title' })]);
  });
});

describe('the OpenAPI document', () => {
  interface Operation {
    readonly operationId: string;
    readonly 'x-section': string;
    readonly responses: object;
  }
  const text = readFileSync(join(__dirname, 'generated/openapi.json'), 'utf8');
  const { paths, components } = JSON.parse(text) as {
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly schemas: object; readonly responses: object };
  };

  it('has the operations with their sections, marks our choices, and uses no other dialect of schemas', () => {
    for (const id of endpointIds) {
      const { path, method, section } = endpoints[id];
      const operation = paths[path]?.[method.toLowerCase()];
      expect(operation?.['x-section']).toBe(section);
      expect(operation?.operationId).toBe(id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
      const success = method === 'POST' ? '201' : '200';
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining([success, '401']));
    }
    for (const response of Object.values(components.responses)) expect(response).toMatchObject({ 'x-choice': true });
    expect(text).not.toMatch(/urn:agent-contract:(?!error:)|"\$id"|"\$schema"|"\$defs"/);
  });

  it('uses only keywords that client generators understand', () => {
    const multiple: string[] = [];
    for (const [place, node] of nodesIn(components.schemas, '')) {
      if (place.includes('/dependentSchemas/')) continue;
      const { type, oneOf, discriminator, ...rest } = node;
      const unknown = ['if', 'then', 'else', 'x-full-form', 'anyOf'].filter((keyword) => keyword in node);
      expect([place, unknown]).toEqual([place, []]);
      if (type === 'object')
        expect([place, rest]).toEqual([place, expect.objectContaining({ additionalProperties: true })]);
      expect([place, rest['items']]).not.toEqual([place, true]);
      if (Array.isArray(type)) multiple.push(place);
      if (oneOf === undefined) continue;
      const [form, older] = Object.values((discriminator as { readonly mapping: object }).mapping).toReversed();
      expect(type).toBeUndefined();
      expect(oneOf).toEqual([{ $ref: form, required: ['version'] }, { $ref: older }]);
      expect(rest['x-assumes']).toMatch(/ every form other than 6 the version "5"/);
    }
    expect(multiple).toEqual(['/ListResultsAnswer/properties/nextCursor']);
  });
});

/** The JSON Pointers of all places in `root` that match the template. */
function placesAt(root: Json, template: string): string[] {
  let places = [{ pointer: '', value: root }];
  for (const token of template.split('/').slice(1)) {
    places = places.flatMap(({ pointer, value }) => {
      if (typeof value !== 'object' || value === null) return [];
      const children = Object.entries(value).filter(([key]) => (token === '*' ? Array.isArray(value) : key === token));
      return children.map(([key, child]) => ({ pointer: `${pointer}/${key}`, value: child }));
    });
  }
  return places.map(({ pointer }) => pointer);
}
