import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as E from 'fp-ts/Either';
import { endpointIds, endpoints, type EndpointId } from './ledger.ts';
import {
  MAX_SCHEMA_ERRORS,
  schemas,
  typedLocations,
  validate,
  type BodySchemaName,
  type GetAgentResponse,
  type SchemaName,
  type TypedLocation,
} from './schema.ts';

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
  it('are one per file, and compile in the strictest mode of Ajv', () => {
    const files = readdirSync(join(__dirname, 'schemas'));
    expect(schemaNames.map((name) => `${name}.schema.json`).toSorted()).toEqual(files.toSorted());
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
    ajv.addVocabulary(['x-section', 'x-full-form']);
    for (const name of schemaNames) {
      expect(schemas[name].$id).toBe(`urn:agent-contract:${name}`);
      expect(schemas[name]).toEqual(readJson(`schemas/${name}.schema.json`));
      ajv.addSchema(schemas[name]);
    }
    for (const name of schemaNames) expect(ajv.getSchema(schemas[name].$id)).toBeInstanceOf(Function);
  });

  it('describe every property, name its section, and allow other properties', () => {
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties = {}, ...rest } = node as { properties?: Record<string, Record<string, unknown>> };
      expect(rest).not.toHaveProperty('additionalProperties');
      expect(rest).not.toHaveProperty('unevaluatedProperties');
      for (const [name, property] of Object.entries(properties)) {
        const isDocumented = !path.startsWith('comparisons-in-full');
        if (isDocumented) {
          expect([`${path}/${name}`, property]).toEqual([
            `${path}/${name}`,
            expect.objectContaining({
              description: expect.any(String),
              'x-section': expect.stringMatching(/^[24]\.\d+$/),
            }),
          ]);
        }
        visit(property, `${path}/${name}`);
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

describe('generated files', () => {
  it('are up to date with their sources', () => {
    const run = spawnSync(process.execPath, [join(__dirname, 'generate.mjs'), '--check'], { encoding: 'utf8' });
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('examples', () => {
  it.each(examples)('$file is valid', ({ schema, data }) => {
    expect(validate(schema, data)).toEqual([]);
  });

  it('show every documented field of an agent, a published form, a result and the request bodies', () => {
    const bodies: BodySchemaName[] = [
      'create-agent-request',
      'import-agent-request',
      'get-agent-response',
      'get-published-agent-response',
      'list-results-response',
      'create-workspace-request',
    ];
    for (const body of bodies) {
      const data = examples.filter(({ schema }) => schema === body).map((example) => example.data);
      const missing = typedLocations[body].filter(
        ({ pointer }) => !data.some((root) => placesAt(root, pointer).length > 0),
      );
      expect([body, missing.map(({ pointer }) => pointer)]).toEqual([body, []]);
    }
  });
});

interface Suite {
  readonly description: string;
  readonly schema: SchemaName;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

const v6 = { version: '6', id: 'a' };

/** In the format of JSON-Schema-Test-Suite. */
const suites: Suite[] = [
  {
    description: 'the version decides on the form of an agent',
    schema: 'get-agent-response',
    tests: [
      { description: 'version 6 with an id', data: { agent: v6, currentUserMode: 'read' }, valid: true },
      {
        description: 'version 6 without an id',
        data: { agent: { version: '6' }, currentUserMode: 'read' },
        valid: false,
      },
      {
        description: 'a broken version 6 is not a version 5',
        data: { agent: { ...v6, groups: {} }, currentUserMode: 'read' },
        valid: false,
      },
      {
        description: 'version 5 with its own shape',
        data: { agent: { version: '5', groups: {}, id: 5 }, currentUserMode: 'read' },
        valid: true,
      },
      { description: 'no version', data: { agent: { groups: {} }, currentUserMode: 'read' }, valid: true },
      {
        description: 'a numeric version',
        data: { agent: { ...v6, version: 6 }, currentUserMode: 'read' },
        valid: false,
      },
      { description: 'an agent that is text', data: { agent: '6', currentUserMode: 'read' }, valid: false },
      { description: 'an agent that is a list', data: { agent: [], currentUserMode: 'read' }, valid: false },
      { description: 'no agent', data: { currentUserMode: 'read' }, valid: false },
      { description: 'no mode', data: { agent: v6 }, valid: false },
      { description: 'another mode', data: { agent: v6, currentUserMode: 'admin' }, valid: false },
      {
        description: 'extra fields everywhere',
        data: {
          agent: { ...v6, folderId: 1, edges: [{ from: { eventId: 'e' }, x: null }] },
          currentUserMode: 'guest',
          y: 1,
        },
        valid: true,
      },
    ],
  },
  {
    description: 'an agent that was created or imported has version 6',
    schema: 'import-agent-response',
    tests: [
      { description: 'a full agent', data: { agent: v6 }, valid: true },
      { description: 'without a version', data: { agent: { id: 'a' } }, valid: true },
      { description: 'version 5', data: { agent: { version: '5', id: 'a' } }, valid: false },
      { description: 'without an id', data: { agent: { version: '6' } }, valid: false },
      { description: 'without an agent', data: {}, valid: false },
      { description: 'a comparison in full', data: { agent: withComparisons({ id: 'c', value: 'x' }) }, valid: true },
      { description: 'a comparison of another shape', data: { agent: withComparisons({ value: 5 }) }, valid: false },
    ],
  },
  {
    description: 'comparisons are empty objects when an agent is read, so their fields are open there',
    schema: 'get-agent-response',
    tests: [
      { description: 'an empty object', data: { agent: withComparisons({}), currentUserMode: 'read' }, valid: true },
      {
        description: 'an object of any shape',
        data: { agent: withComparisons({ value: 5 }), currentUserMode: 'read' },
        valid: true,
      },
      { description: 'not an object', data: { agent: withComparisons('x'), currentUserMode: 'read' }, valid: false },
    ],
  },
  {
    description: 'the version decides on the form of a published agent',
    schema: 'get-published-agent-response',
    tests: [
      { description: 'version 6, nothing required', data: { publicAgent: { version: '6' } }, valid: true },
      { description: 'a broken version 6', data: { publicAgent: { version: '6', domain: 5 } }, valid: false },
      { description: 'version 5', data: { publicAgent: { version: '5', domain: 5 } }, valid: true },
      { description: 'a version that is not a string', data: { publicAgent: { version: 5 } }, valid: false },
      { description: 'null', data: { publicAgent: null }, valid: false },
      { description: 'nothing', data: {}, valid: false },
    ],
  },
  {
    description: 'a request to import',
    schema: 'import-agent-request',
    tests: [
      { description: 'nothing is required', data: {}, valid: true },
      { description: 'version 6', data: { workspaceId: 'w', agent: { version: '6', tags: ['a'] } }, valid: true },
      {
        description: 'a broken version 6',
        data: { workspaceId: 'w', agent: { version: '6', tags: [1] } },
        valid: false,
      },
      {
        description: 'fields that an import does not list',
        data: { workspaceId: 'w', agent: { version: '6', riskLevel: 'x' } },
        valid: true,
      },
      { description: 'version 5', data: { workspaceId: 'w', agent: { version: '5', groups: {} } }, valid: true },
      { description: 'an agent that is not an object', data: { workspaceId: 'w', agent: 'x' }, valid: false },
    ],
  },
  {
    description: 'a request to create an agent',
    schema: 'create-agent-request',
    tests: [
      { description: 'nothing is required', data: {}, valid: true },
      {
        description: 'blocks of any shape',
        data: { agent: { groups: [{ blocks: [1, null, 'x', [], {}] }] } },
        valid: true,
      },
      { description: 'a numeric name', data: { agent: { name: 1 } }, valid: false },
      { description: 'a broken comparison', data: { agent: withComparisons({ id: 1 }) }, valid: false },
      { description: 'values beyond the known ones', data: { agent: { events: [{ type: 'webhook' }] } }, valid: true },
    ],
  },
  {
    description: 'a page of results',
    schema: 'list-results-response',
    tests: [
      { description: 'the last page', data: { results: [], nextCursor: null }, valid: true },
      { description: 'a page before it', data: { results: [{}], nextCursor: 'x' }, valid: true },
      { description: 'a numeric cursor', data: { results: [], nextCursor: 1 }, valid: false },
      { description: 'no cursor', data: { results: [] }, valid: false },
      { description: 'no results', data: { nextCursor: null }, valid: false },
      {
        description: 'an answer whose files are one text',
        data: { results: [{ answers: [{ attachedFileUrls: 'x' }] }], nextCursor: null },
        valid: false,
      },
    ],
  },
  {
    description: 'a query',
    schema: 'list-results-query',
    tests: [
      { description: 'nothing', data: {}, valid: true },
      { description: 'the smallest limit', data: { limit: 1 }, valid: true },
      { description: 'the largest limit', data: { limit: 100 }, valid: true },
      { description: 'a number that need not be whole', data: { limit: 1.5 }, valid: true },
      { description: 'a limit that is too small', data: { limit: 0 }, valid: false },
      { description: 'a limit that is too large', data: { limit: 101 }, valid: false },
      { description: 'a window', data: { timeFilter: 'yearToDate' }, valid: true },
      { description: 'an unknown window', data: { timeFilter: 'last8Days' }, valid: false },
    ],
  },
  {
    description: 'a request to create a workspace',
    schema: 'create-workspace-request',
    tests: [
      { description: 'a name', data: { name: 'n' }, valid: true },
      { description: 'no name', data: { icon: 'i', slug: 's' }, valid: false },
      { description: 'a numeric slug', data: { name: 'n', slug: 1 }, valid: false },
    ],
  },
  {
    description: 'a workspace',
    schema: 'create-workspace-response',
    tests: [
      { description: 'nothing in it is required', data: { workspace: {} }, valid: true },
      { description: 'another plan', data: { workspace: { plan: 'GIANT' } }, valid: true },
      { description: 'a billing cycle that is text', data: { workspace: { billingCycleStart: '18' } }, valid: false },
      { description: 'no workspace', data: {}, valid: false },
    ],
  },
  {
    description: 'the odd names of a border',
    schema: 'style-box',
    tests: [
      {
        description: 'as the specification spells them',
        data: { border: { roundeness: 'none', customRoundeness: 4 } },
        valid: true,
      },
      { description: 'are judged', data: { border: { roundeness: 1 } }, valid: false },
      { description: 'are judged', data: { border: { customRoundeness: 'x' } }, valid: false },
    ],
  },
];

function withComparisons(item: Json): { [key: string]: Json } {
  return { ...v6, settings: { messagingApp: { startCondition: { comparisons: [item] } } } };
}

describe.each(suites)('$schema: $description', ({ schema, tests }) => {
  it.each(tests)('$description', ({ data, valid }) => {
    expect(validate(schema, data).length === 0).toBe(valid);
  });
});

describe('every typed location', () => {
  const wrongFor: Record<TypedLocation['type'], Json> = {
    string: 1,
    number: 'x',
    boolean: 'true',
    object: [],
    array: {},
  };
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
      const closed = location.enum ? ['no such value'] : [];
      for (const wrong of [wrongFor[location.type], ...closed, ...(location.nullable ? [] : [null])]) {
        const mutant = put(template, place, wrong);
        // Another version makes it the other form, which is open, if both forms are allowed.
        const isOtherForm = eitherForm.has(body) && location.pointer.endsWith('/version') && typeof wrong === 'string';
        expect(validate(body, mutant).map(({ at }) => at)).toEqual(isOtherForm ? [] : [place]);
        expect(ajv.validate(`urn:agent-contract:${body}`, mutant)).toBe(validate(body, mutant).length === 0);
      }
      if (location.nullable) expect(validate(body, put(template, place, null))).toEqual([]);
      if (place !== '' && !location.pointer.endsWith('*')) {
        const errors = validate(body, put(template, place, undefined));
        expect(errors.map(({ at, keyword }) => [at, keyword])).toEqual(location.required ? [[place, 'required']] : []);
      }
    }
  });

  it('names the schema and the section that declare it', () => {
    const find = (body: BodySchemaName, pointer: string): TypedLocation | undefined =>
      typedLocations[body].find((location) => location.pointer === pointer);
    expect(typedLocations['get-agent-response'][0]).toEqual({
      pointer: '',
      type: 'object',
      required: true,
      nullable: false,
      schema: 'get-agent-response',
      section: '4.3',
    });
    expect(find('get-agent-response', '/agent/groups/*/title')).toEqual({
      pointer: '/agent/groups/*/title',
      type: 'string',
      required: false,
      nullable: false,
      schema: 'group',
      section: '2.3',
    });
    expect(find('get-agent-response', '/agent/id')).toMatchObject({
      required: true,
      schema: 'agent-v6',
      section: '2.1',
    });
    expect(find('get-agent-response', '/agent/version')).toMatchObject({ required: false, enum: ['6'] });
    expect(find('list-results-response', '/nextCursor')).toMatchObject({
      type: 'string',
      nullable: true,
      required: true,
    });
    expect(find('create-agent-response', '/agent/theme/chat/inputs/border/roundeness')).toMatchObject({
      schema: 'style-box',
    });
    expect(find('get-agent-response', '/agent/groups/*/blocks/*')).toBeUndefined();
    const comparison = '/agent/settings/messagingApp/startCondition/comparisons/*/value';
    expect(find('create-agent-response', comparison)).toMatchObject({ schema: 'comparison', section: '2.7' });
    expect(find('get-agent-response', comparison)).toBeUndefined();
  });
});

describe('an error', () => {
  it('says where it is, what was expected and what was found', () => {
    const data = exampleOf('get-agent.response.version-6') as unknown as { agent: { [key: string]: Json } };
    const agent = { ...data.agent, groups: [{ title: 12 }], tags: 'x', isClosed: 'no', theme: [1, 2] };
    expect(validate('get-agent-response', { agent, currentUserMode: 5 })).toEqual([
      {
        at: '/agent/groups/0/title',
        keyword: 'type',
        expected: 'a string',
        actual: '12',
        schemaPath: 'urn:agent-contract:group#/properties/title/type',
      },
      {
        at: '/agent/theme',
        keyword: 'type',
        expected: 'an object',
        actual: '[1,2]',
        schemaPath: 'urn:agent-contract:theme#/type',
      },
      {
        at: '/agent/isClosed',
        keyword: 'type',
        expected: 'true or false',
        actual: '"no"',
        schemaPath: 'urn:agent-contract:agent-v6#/properties/isClosed/type',
      },
      {
        at: '/agent/tags',
        keyword: 'type',
        expected: 'an array',
        actual: '"x"',
        schemaPath: 'urn:agent-contract:agent-v6#/properties/tags/type',
      },
      {
        at: '/currentUserMode',
        keyword: 'enum',
        expected: 'one of guest, read, write',
        actual: '5',
        schemaPath: 'urn:agent-contract:get-agent-response#/properties/currentUserMode/enum',
      },
    ]);
  });

  it('about a missing value points to where it should be', () => {
    expect(validate('get-agent-response', { agent: { version: '6' }, currentUserMode: 'read' })).toEqual([
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
    expect(validate('group', JSON.parse('{"title":{"__proto__":1,"toString":2}}'))[0]?.actual).toBe(
      '{"__proto__":1,"toString":2}',
    );
  });
});

describe('the types', () => {
  it('match the examples, and recognise the version 6 agent of a response by its id', () => {
    const body: GetAgentResponse = {
      agent: { version: '6', id: 'a', groups: [{ blocks: [1, null] }] },
      currentUserMode: 'read',
    };
    expect(validate('get-agent-response', body)).toEqual([]);
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
      expect(Object.keys(operation?.responses ?? {})).toEqual(
        expect.arrayContaining([method === 'POST' ? '201' : '200', '401']),
      );
    }
    for (const response of Object.values(document().components.responses))
      expect(response).toMatchObject({ 'x-choice': true });
    expect(text).not.toMatch(/urn:agent-contract:(?!error:)|"\$id"|"\$schema"|"\$defs"/);
  });

  it('uses only keywords that client generators understand', () => {
    const multiple: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const keyword of ['if', 'then', 'else', 'x-full-form', 'unevaluatedProperties'])
        expect([path, Object.keys(node)]).toEqual([path, expect.not.arrayContaining([keyword])]);
      const { type, anyOf, ...rest } = node as { readonly type?: unknown; readonly anyOf?: unknown };
      if (type === 'object')
        expect([path, rest]).toEqual([path, expect.objectContaining({ additionalProperties: true })]);
      expect([path, rest]).not.toEqual([path, expect.objectContaining({ items: true })]);
      if (Array.isArray(type)) multiple.push(path);
      if (anyOf !== undefined) {
        expect(type).toBeUndefined();
        expect(anyOf).toEqual([{ $ref: expect.any(String) }, { $ref: expect.any(String) }]);
      }
      for (const [key, value] of Object.entries(node)) if (key !== 'dependentSchemas') visit(value, `${path}/${key}`);
    };
    visit(document().components.schemas, '');
    expect(multiple).toEqual(['/ListResultsResponse/properties/nextCursor']);
  });

  it('is judged by Prism as by us: it accepts every example and refuses one canary per operation', async () => {
    const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
    const { createLogger } = await import('@stoplight/prism-core');
    const operations = await getHttpOperationsFromSpec(document());
    expect(operations).toHaveLength(endpointIds.length);

    const logger = createLogger('prism', { level: 'silent' });
    const problems = async (id: EndpointId, body: Json, request?: Json): Promise<string[]> => {
      const { method, path } = endpoints[id];
      const instance = createInstance(
        {
          isProxy: false,
          mock: { dynamic: false },
          checkSecurity: true,
          validateRequest: true,
          validateResponse: true,
          errors: false,
          upstreamProxy: undefined,
        },
        {
          logger,
          mock: () => () =>
            E.right({
              statusCode: method === 'POST' ? 201 : 200,
              headers: { 'content-type': 'application/json' },
              body,
            }),
        },
      );
      const json = { 'content-type': 'application/json', 'content-length': '9' };
      const headers = { authorization: 'Bearer x', ...(request === undefined ? {} : json) };
      const input = {
        method: method.toLowerCase() as 'get' | 'post',
        url: { path: path.replace('{agentId}', 'a'), query: {} },
        headers,
        body: request,
      };
      const outcome = await instance.request(input, operations)();
      if (E.isLeft(outcome)) throw outcome.left;
      const { input: sent, output: answered } = outcome.right.validations;
      return [...sent, ...answered].map(({ path: place = [], message }) => `${place.join('/')} ${message}`);
    };
    const requestOf = (id: EndpointId): Json | undefined =>
      examples.find((e) => e.endpoint === id && e.part === 'request')?.data;
    const responseOf = (id: EndpointId): Json =>
      examples.findLast((e) => e.endpoint === id && e.part === 'response')?.data ?? null;

    for (const { endpoint, part, data } of examples) {
      expect(
        await (part === 'request'
          ? problems(endpoint, responseOf(endpoint), data)
          : problems(endpoint, data, requestOf(endpoint))),
      ).toEqual([]);
    }
    for (const id of endpointIds) {
      // The deepest text or number of the answer: a judge that looks only at the first level would accept it.
      const leaves = typedLocations[endpoints[id].response as BodySchemaName]
        .filter(({ type, enum: closed }) => (type === 'string' || type === 'number') && !closed)
        .flatMap(({ pointer, type }) => placesAt(responseOf(id), pointer).map((place) => ({ place, type })));
      const depth = ({ place }: { readonly place: string }): number => place.split('/').length;
      const { place, type } = leaves.toSorted((a, b) => depth(b) - depth(a))[0] ?? { place: '', type: 'object' };
      const found = await problems(id, put(responseOf(id), place, type === 'string' ? 5 : 'five'), requestOf(id));
      expect(found).toContainEqual(expect.stringContaining(`must be ${type}`));
    }
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

/** A copy of `root` with `value` at the pointer, or without that place if it is `undefined`. */
function put(root: Json, pointer: string, value: Json | undefined): Json {
  if (pointer === '') return value ?? null;
  const copy = structuredClone(root);
  const tokens = pointer.split('/').slice(1);
  const last = tokens.pop() ?? '';
  let parent = copy as { [key: string]: Json };
  for (const token of tokens) parent = parent[token] as { [key: string]: Json };
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}
