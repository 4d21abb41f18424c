import { Ajv2020 } from 'ajv/dist/2020.js';
import { endpointIds, endpoints, validate, type EndpointId } from '../../spec/index.ts';
import { openapi } from '../../spec/openapi-document.ts';
import type { Wire } from '../call.ts';
import { negotiate, type Wanted } from './negotiate.ts';

function answer(endpoint: EndpointId, wanted: Wanted, accept?: string): Wire {
  const met = negotiate(endpoint, wanted, accept);
  if ('refusal' in met) throw new Error(met.refusal);
  return met;
}

function refusal(endpoint: EndpointId, wanted: Wanted, accept?: string): string {
  const met = negotiate(endpoint, wanted, accept);
  if (!('refusal' in met)) throw new Error(`It was answered ${met.status}`);
  return met.refusal;
}

type Examples = Record<string, { readonly value: unknown }>;
interface Response {
  readonly $ref?: string;
  readonly content: Record<string, { readonly examples: Examples }>;
}
const { paths, components } = openapi as unknown as {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, Response> }>>;
  readonly components: { readonly responses: Record<string, Response>; readonly schemas: Record<string, object> };
};

/** Every example that the OpenAPI document shows of an answer, read from the document itself. */
const documented = endpointIds.flatMap((endpoint) => {
  const { path, method } = endpoints[endpoint];
  return Object.entries(paths[path]?.[method.toLowerCase()]?.responses ?? {}).flatMap(([code, { $ref, content }]) => {
    const shared = $ref === undefined ? undefined : components.responses[$ref.split('/').at(-1) ?? ''];
    return Object.entries(shared?.content ?? content).flatMap(([mediaType, { examples }]) =>
      Object.entries(examples).map(([example, { value }], index) => {
        return { endpoint, code: Number(code), mediaType, example, value, isFirst: index === 0 };
      }),
    );
  });
});

const problem = new Ajv2020({ strict: false }).compile(components.schemas['Problem'] ?? false);

describe('a documented example', () => {
  it.each(documented)('$code $example of $endpoint keeps to its schema', ({ endpoint, code, value }) => {
    if (code >= 400) expect([problem(value), (value as { status: number }).status]).toEqual([true, code]);
    else expect(validate(endpoints[endpoint].response, value)).toEqual([]);
  });

  it.each(documented)('$code $example of $endpoint is answered by its name', (row) => {
    const { endpoint, code, example, mediaType, value, isFirst } = row;
    const wire = answer(endpoint, { code, example }, 'application/json');
    expect({ ...wire, body: JSON.parse(wire.body) }).toEqual({
      status: code,
      headers: { 'content-type': `${mediaType}; charset=utf-8` },
      body: value,
    });
    if (code < 300) expect(answer(endpoint, { example })).toEqual(wire);
    if (isFirst) expect(answer(endpoint, { code })).toEqual(wire);
    expect(answer(endpoint, { code, example, dynamic: true, seed: 's' })).toEqual(wire);
  });

  it.each<[EndpointId, string[]]>([
    ['get-agent', ['version-6', 'version-5', 'version-6-minimal']],
    ['get-published-agent', ['version-6', 'version-5']],
    ['list-results', ['first-page', 'empty-page', 'last-page']],
  ])('of the success of %s there are enough, the most telling first', (endpoint, names) => {
    const found = documented.filter((row) => row.endpoint === endpoint && row.code === 200);
    expect(found.map(({ example }) => example)).toEqual(names);
  });
});

describe('a made-up answer', () => {
  it.each(endpointIds)('of %s keeps to its schema', (endpoint) => {
    for (let seed = 0; seed < 10; seed++) {
      const wire = answer(endpoint, { dynamic: true, seed: String(seed) });
      expect(wire.status).toBe(endpoints[endpoint].method === 'POST' ? 201 : 200);
      expect(validate(endpoints[endpoint].response, JSON.parse(wire.body))).toEqual([]);
    }
  });

  it('shows every documented field of a version 6 agent, and agents of the other form', () => {
    const agents = Array.from({ length: 10 }, (_, seed) => {
      const { body } = answer('get-agent', { dynamic: true, seed: String(seed) });
      return (JSON.parse(body) as { agent: Record<string, unknown> }).agent;
    });
    const full = agents.find(({ version }) => version === '6');
    expect(full).toHaveProperty('settings.messagingApp.startCondition');
    expect(full).toHaveProperty('resultsTablePreferences.columnsOrder');
    expect(agents.some(({ version }) => version !== '6')).toBe(true);
  });

  it('of a refusal is a problem', () => {
    const wire = answer('list-results', { code: 404, dynamic: true, seed: 's' }, 'application/json');
    expect(wire).toMatchObject({ status: 404, headers: { 'content-type': 'application/problem+json; charset=utf-8' } });
    expect(problem(JSON.parse(wire.body))).toBe(true);
  });

  it.each(['s', '', '0'])('is the same again with the seed %j, whatever was answered between', (seed) => {
    const wanted = { dynamic: true, seed };
    const first = endpointIds.map((endpoint) => answer(endpoint, wanted));
    answer('list-results', { dynamic: true });
    answer('create-agent', { dynamic: true, seed: 'another' });
    expect(endpointIds.map((endpoint) => answer(endpoint, wanted))).toEqual(first);
  });

  it('is another with another seed, and its seed does not pass to the next request', () => {
    const seeded = (seed: string): string => answer('create-workspace', { dynamic: true, seed }).body;
    const unseeded = (): string => answer('create-workspace', { dynamic: true }).body;
    expect(seeded('a')).not.toBe(seeded('b'));
    const [, after] = [seeded('a'), unseeded()];
    const [, again] = [seeded('a'), unseeded()];
    expect(after).not.toBe(again);
  });
});

describe('a refusal says what there is', () => {
  const there =
    'Its codes and their examples are 200: version-6, version-5, version-6-minimal; 400: body, query; ' +
    '401: no-token, unknown-token; 404: agent, workspace.';

  it.each<[Wanted, string]>([
    [{ code: 418 }, 'Get agent documents no answer with the code 418. '],
    [{ code: 201, example: 'version-6' }, 'Get agent documents no answer with the code 201. '],
    [{ code: Number.NaN, dynamic: true }, 'Get agent documents no answer with the code NaN. '],
    [{ example: 'nope' }, 'Get agent has no example "nope" for the code 200. '],
    [{ example: 'constructor', dynamic: true }, 'Get agent has no example "constructor" for the code 200. '],
    [{ example: 'no-token' }, 'Get agent has no example "no-token" for the code 200. Ask for code=401 with it. '],
    [{ code: 404, example: 'x'.repeat(99) }, `Get agent has no example "${'x'.repeat(60)}…" for the code 404. `],
  ])('to %j', (wanted, text) => {
    expect(refusal('get-agent', wanted)).toBe(text + there);
  });

  it.each(['text/html', 'garbage', ';', 'application/xml, text/*;q=0.5'])('to the Accept header %j', (accept) => {
    expect(refusal('get-agent', {}, accept)).toBe(
      `Get agent answers application/json, which the Accept header ${JSON.stringify(accept)} does not take.`,
    );
    expect(refusal('get-agent', { code: 200, dynamic: true, seed: 's' }, accept)).toContain('Accept');
    expect(answer('get-agent', { code: 404 }, accept).status).toBe(404);
  });

  it.each(['*/*', '', 'application/*;q=0.1', 'text/html, application/json;q=0.9', 'application/json; version=2'])(
    'but takes the Accept header %j, however often others were refused',
    (accept) => {
      refusal('get-agent', {}, 'text/html');
      expect(answer('get-agent', {}, accept).status).toBe(200);
    },
  );
});

describe('Prism', () => {
  it('is loaded with the first answer, not on import and not to refuse', () => {
    let loaded = 0;
    jest.isolateModules(() => {
      jest.doMock('@stoplight/prism-http/dist/mocker', () => {
        loaded++;
        return {
          __esModule: true,
          default: () => () => ({ right: { statusCode: 200, headers: {}, body: {} } }),
          resetJSONSchemaGenerator: () => {},
        };
      });
      const isolated = require('./negotiate.ts') as { readonly negotiate: typeof negotiate };
      isolated.negotiate('get-agent', { code: 418 });
      expect(loaded).toBe(0);
      isolated.negotiate('get-agent', {});
      isolated.negotiate('get-agent', {});
      expect(loaded).toBe(1);
    });
    jest.dontMock('@stoplight/prism-http/dist/mocker');
  });
});
