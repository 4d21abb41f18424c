import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { endpointIds, endpoints, type EndpointId } from './ledger.ts';
import { changedAt } from './json-pointer.ts';
import type { BodySchemaName, SchemaName, TypedLocation } from './schema.ts';
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
const exampleOf = (file: string): Json => {
  const found = examples.find((example) => example.file === `${file}.json`);
  if (found === undefined) throw new Error(`No example ${file}`);
  return structuredClone(found.data);
};

describe('schemas', () => {
  it('describe every property, name its section, and allow other properties', () => {
    const section = expect.stringMatching(/^[24]\.\d+$/) as string;
    const documented: unknown = expect.objectContaining({ description: expect.any(String), 'x-section': section });
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties = {}, ...rest } = node as { properties?: Record<string, Record<string, unknown>> };
      expect(rest).not.toHaveProperty('additionalProperties');
      expect(rest).not.toHaveProperty('unevaluatedProperties');
      for (const [name, property] of Object.entries(properties)) {
        const place = `${path}/${name}`;
        if (!path.startsWith('comparisons-in-full')) expect([place, property]).toEqual([place, documented]);
        visit(property, place);
      }
      for (const [keyword, value] of Object.entries(rest)) visit(value, `${path}/${keyword}`);
    };
    for (const name of schemaNames) visit(schemas[name], name);
  });

  it('close only the four sets of values that the specification closes', () => {
    const closed = new Set<string>();
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [keyword, value] of Object.entries(node)) {
        if (keyword === 'enum') closed.add(value.join(' '));
        else if (keyword === 'const') closed.add(value);
        else visit(value);
      }
    };
    for (const name of schemaNames) visit(schemas[name]);
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

const v6 = { version: '6', id: 'a' };
/** An agent as an answer shows it. */
const readable = (agent: Json): { [key: string]: Json } => ({ agent, currentUserMode: 'read' });
const withComparisons = (item: Json): { [key: string]: Json } => ({
  ...v6,
  settings: { messagingApp: { startCondition: { comparisons: [item] } } },
});
const edges = [{ from: {}, x: null }];
const groups = [{ blocks: [1, null, 'x', [], {}] }];

describe.each<{ schema: SchemaName; rows: readonly (readonly [description: string, isValid: boolean, body: Json])[] }>([
  {
    schema: 'get-agent-response',
    rows: [
      ['version 6 with an id', true, readable(v6)],
      ['version 6 without an id', false, readable({ version: '6' })],
      ['a broken version 6, which is not a version 5', false, readable({ ...v6, groups: {} })],
      ['version 5 with its own shape', true, readable({ version: '5', groups: {}, id: 5 })],
      ['no version', true, readable({ groups: {} })],
      ['a numeric version', false, readable({ ...v6, version: 6 })],
      ['an agent that is text', false, readable('6')],
      ['extra fields everywhere', true, { ...readable({ ...v6, folderId: 1, edges }), y: 1 }],
      // They are empty objects when an agent is read, so their fields are open there.
      ['a comparison without fields', true, readable(withComparisons({}))],
      ['a comparison of any shape', true, readable(withComparisons({ value: 5 }))],
      ['a comparison that is not an object', false, readable(withComparisons('x'))],
    ],
  },
  {
    schema: 'import-agent-response',
    rows: [
      ['a full agent', true, { agent: v6 }],
      ['an agent without a version', true, { agent: { id: 'a' } }],
      ['version 5, which nothing imported has', false, { agent: { version: '5', id: 'a' } }],
      ['an agent without an id', false, { agent: { version: '6' } }],
      ['a comparison in full', true, { agent: withComparisons({ id: 'c', value: 'x' }) }],
      ['a comparison of another shape', false, { agent: withComparisons({ value: 5 }) }],
    ],
  },
  {
    schema: 'get-published-agent-response',
    rows: [
      ['a broken version 6', false, { publicAgent: { version: '6', domain: 5 } }],
      ['version 5', true, { publicAgent: { version: '5', domain: 5 } }],
      ['a version that is not a string', false, { publicAgent: { version: 5 } }],
    ],
  },
  {
    schema: 'import-agent-request',
    rows: [
      ['nothing', true, {}],
      ['version 6', true, { workspaceId: 'w', agent: { version: '6', tags: ['a'] } }],
      ['a broken version 6', false, { workspaceId: 'w', agent: { version: '6', tags: [1] } }],
      ['fields that an import does not list', true, { workspaceId: 'w', agent: { version: '6', riskLevel: 'x' } }],
      ['version 5', true, { workspaceId: 'w', agent: { version: '5', groups: {} } }],
    ],
  },
  { schema: 'create-agent-request', rows: [['blocks of any shape', true, { agent: { groups } }]] },
  {
    schema: 'list-results-query',
    rows: [
      ['nothing', true, {}],
      ['the smallest limit', true, { limit: 1 }],
      ['the largest limit', true, { limit: 100 }],
      ['a number that need not be whole', true, { limit: 1.5 }],
      ['a limit that is too small', false, { limit: 0 }],
      ['a limit that is too large', false, { limit: 101 }],
      ['a window', true, { timeFilter: 'yearToDate' }],
      ['an unknown window', false, { timeFilter: 'last8Days' }],
    ],
  },
])('$schema', ({ schema, rows }) => {
  it.each(rows)('of %s is valid: %s', (_, isValid, body) => {
    expect(validate(schema, body).length === 0).toBe(isValid);
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

describe('an error', () => {
  it('says where it is, what was expected and what was found', () => {
    const data = exampleOf('get-agent.response.version-6') as unknown as { agent: { [key: string]: Json } };
    const agent = { ...data.agent, groups: [{ title: 12 }], tags: 'x', isClosed: 'no', theme: [1, 2] };
    const errors = validate('get-agent-response', { agent, currentUserMode: 5 });
    const rows = [
      ['/agent/groups/0/title', 'type', 'a string', '12', 'group#/properties/title/type'],
      ['/agent/theme', 'type', 'an object', '[1,2]', 'theme#/type'],
      ['/agent/isClosed', 'type', 'true or false', '"no"', 'agent-v6#/properties/isClosed/type'],
      ['/agent/tags', 'type', 'an array', '"x"', 'agent-v6#/properties/tags/type'],
      [
        '/currentUserMode',
        'enum',
        'one of guest, read, write',
        '5',
        'get-agent-response#/properties/currentUserMode/enum',
      ],
    ];
    expect(errors).toEqual(
      rows.map(([at, keyword, expected, actual, path]) => ({
        at,
        keyword,
        expected,
        actual,
        schemaPath: `urn:agent-contract:${path}`,
      })),
    );
  });

  it('about a missing value points to where it should be', () => {
    expect(validate('get-agent-response', readable({ version: '6' }))).toEqual([
      {
        at: '/agent/id',
        keyword: 'required',
        expected: 'the property id',
        actual: 'nothing',
        schemaPath: 'urn:agent-contract:agent-v6-in-response#/required',
      },
    ]);
    expect(validate('list-results-response', {}).map(({ at }) => at)).toEqual(['/results', '/nextCursor']);
  });

  it.each([
    ['list-results-query', { limit: 0 }, '/limit', 'a number of at least 1', '0'],
    ['list-results-query', { limit: 500 }, '/limit', 'a number of at most 100', '500'],
    ['list-results-response', { results: [], nextCursor: 7 }, '/nextCursor', 'a string or null', '7'],
    ['import-agent-response', { agent: { ...v6, version: '5' } }, '/agent/version', 'the value "6"', '"5"'],
    ['agent-v5', { version: '6' }, '/version', 'a version other than "6"', '"6"'],
    ['workspace', null, '', 'an object', 'null'],
    ['workspace', undefined, '', 'an object', 'undefined'],
  ] as const)('of %s with %j reads well', (schema, data, at, expected, actual) => {
    expect(validate(schema, data)).toEqual([expect.objectContaining({ at, expected, actual })]);
  });

  it('shows at most 80 printable characters of the value', () => {
    const shown = (name: Json): string => validate('workspace', { name })[0]?.actual ?? '';
    expect(shown([1, { a: 'b', c: [null, true] }])).toBe('[1,{"a":"b","c":[null,true]}]');
    expect(shown([['\u001b[31m\u202e\u0000\n\u2028"\\']])).toBe('[["\\u001b[31m\\u202e\\u0000\\n\\u2028\\"\\\\"]]');
    for (const value of [
      ['x'.repeat(1e6)],
      ['😀'.repeat(200)],
      ['\u202e'.repeat(200)],
      ['"'.repeat(200)],
      Array(1e6).fill(0),
      { ['k'.repeat(500)]: 1 },
    ]) {
      const text = shown(value);
      expect(text.length).toBeLessThanOrEqual(80);
      expect(text.length).toBeGreaterThan(72);
      expect(text).toMatch(/^[[{].*…$/);
      expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|\\u[0-9a-f]{0,3}…/);
    }
  });
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

  it('with keys such as __proto__ are judged by their own fields', () => {
    expect(validate('get-published-agent-response', JSON.parse('{"__proto__":{"publicAgent":{}}}'))).toHaveLength(1);
    expect(validate('agent', JSON.parse('{"__proto__":{"version":"6"},"constructor":1,"id":5}'))).toEqual([]);
    const title = '{"__proto__":1,"toString":2}';
    expect(validate('group', JSON.parse(`{"title":${title}}`))[0]?.actual).toBe(title);
  });
});

describe('the OpenAPI document', () => {
  interface Operation {
    readonly operationId: string;
    readonly 'x-section': string;
    readonly responses: Record<string, unknown>;
  }
  interface Document {
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: {
      readonly schemas: Record<string, unknown>;
      readonly responses: Record<string, Record<string, unknown>>;
    };
  }
  const text = readFileSync(join(__dirname, 'generated/openapi.json'), 'utf8');
  const document = (): Document => JSON.parse(text);

  it('has the operations with their sections, marks our choices, and uses no other dialect of schemas', () => {
    for (const id of endpointIds) {
      const { path, method, section } = endpoints[id];
      const operation = document().paths[path]?.[method.toLowerCase()];
      expect(operation?.['x-section']).toBe(section);
      expect(operation?.operationId).toBe(id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
      const success = method === 'POST' ? '201' : '200';
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining([success, '401']));
    }
    for (const response of Object.values(document().components.responses))
      expect(response).toMatchObject({ 'x-choice': true });
    expect(text).not.toMatch(/urn:agent-contract:(?!error:)|"\$id"|"\$schema"|"\$defs"/);
  });

  it('uses only keywords that client generators understand', () => {
    const multiple: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const keyword of ['if', 'then', 'else', 'x-full-form', 'anyOf'])
        expect([path, Object.keys(node)]).toEqual([path, expect.not.arrayContaining([keyword])]);
      const { type, oneOf, discriminator, ...rest } = node as Readonly<Record<string, unknown>>;
      if (type === 'object')
        expect([path, rest]).toEqual([path, expect.objectContaining({ additionalProperties: true })]);
      expect([path, rest]).not.toEqual([path, expect.objectContaining({ items: true })]);
      if (Array.isArray(type)) multiple.push(path);
      if (oneOf !== undefined) {
        const [form, older] = Object.values((discriminator as { readonly mapping: object }).mapping).toReversed();
        expect(type).toBeUndefined();
        expect(oneOf).toEqual([{ $ref: form, required: ['version'] }, { $ref: older }]);
        expect(rest['x-assumes']).toMatch(/ every form other than 6 the version "5"/);
      }
      for (const [key, value] of Object.entries(node)) if (key !== 'dependentSchemas') visit(value, `${path}/${key}`);
    };
    visit(document().components.schemas, '');
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
