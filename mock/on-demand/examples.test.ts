import { Ajv2020 } from 'ajv/dist/2020.js';
import { endpointIds, endpoints, validate, type EndpointId } from '../../spec/index.ts';
import { openapi } from '../../spec/openapi/document.ts';
import type { Wire } from '../wire/wire.ts';
import { profiles } from '../profiles/index.ts';
import type { Preferred } from './preferences.ts';
import { wantedAnswer } from './wanted-answer.ts';
import rows from '../testing/preferences.json';

const met = (endpoint: EndpointId, wanted: Preferred, accept?: string) =>
  wantedAnswer({ endpoint, agentId: '' }, { accept, number: 1 }, wanted, profiles.default);

function answer(...asks: Parameters<typeof met>): Wire {
  const found = met(...asks);
  if (!found || 'refusal' in found) throw new Error(found?.refusal ?? 'The answer is the usual one');
  return found.wire;
}

function refusal(...asks: Parameters<typeof met>): string {
  const found = met(...asks);
  if (!found || 'wire' in found) throw new Error(`It was answered ${found?.wire.status}`);
  return found.refusal;
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

/** Every example of an answer in the OpenAPI document, read from the document itself. */
const documented = endpointIds.flatMap((endpoint) => {
  const { path, method } = endpoints[endpoint];
  return Object.entries(paths[path]?.[method.toLowerCase()]?.responses ?? {}).flatMap(([code, { $ref, content }]) => {
    const shared = $ref === undefined ? undefined : components.responses[$ref.split('/').at(-1) ?? ''];
    return Object.entries(shared?.content ?? content).flatMap(([mediaType, { examples }]) =>
      Object.entries(examples).map(([example, { value }]) => {
        return { endpoint, code: Number(code), mediaType, example, value };
      }),
    );
  });
});

const problem = new Ajv2020({ strict: false }).compile(components.schemas['Problem'] ?? false);

describe('a documented example', () => {
  it.each(documented)('$code $example of $endpoint matches its schema, and comes when its name is asked for', (row) => {
    const { endpoint, code, example, mediaType, value } = row;
    if (code >= 400) expect([problem(value), (value as { status: number }).status]).toEqual([true, code]);
    else expect(validate(endpoints[endpoint].response, value)).toEqual([]);
    const wire = answer(endpoint, { code, example }, 'application/json');
    const expected = { status: code, headers: { 'content-type': `${mediaType}; charset=utf-8` }, body: value };
    expect({ ...wire, body: JSON.parse(wire.body) }).toEqual(expected);
    if (code < 300) expect(answer(endpoint, { example })).toEqual(wire);
    expect(answer(endpoint, { code, example, dynamic: true, seed: 's' })).toEqual(wire);
  });

  it.each<[EndpointId, string[]]>([
    ['get-agent', ['version-6', 'version-5', 'version-6-minimal']],
    ['get-published-agent', ['version-6', 'version-5']],
    ['list-results', ['first-page', 'empty-page', 'last-page']],
  ])('the success of %s has enough examples, the most telling first', (endpoint, names) => {
    const found = documented.filter((row) => row.endpoint === endpoint && row.code === 200);
    expect(found.map(({ example }) => example)).toEqual(names);
  });
});

describe('a refusal lists the examples there are', () => {
  const there =
    'Its codes and examples are 200: version-6, version-5, version-6-minimal; 400: body, query; ' +
    '401: no-token, unknown-token; 404: agent, workspace.';

  const refused = rows.refusedExamplesOfGetAgent as [Preferred, string][];
  const notANumber = [
    { code: Number.NaN, dynamic: true },
    'Get agent documents no answer with the code NaN. ',
  ] as const;
  it.each([...refused, notANumber])('for %j', (wanted, text) => {
    expect(refusal('get-agent', wanted)).toBe(text + there);
  });

  const weighed = ['application/json;q=0', '*/*, application/json;q=0', 'application/*;q=0, */*'];
  const others = ['text/html', 'garbage', ';', 'application/xml, text/*;q=0.5', ...weighed];
  it.each(others)('names the Accept header %j', (accept) => {
    const which = `which the Accept header ${JSON.stringify(accept)} does not accept.`;
    expect(refusal('get-agent', { example: 'version-6' }, accept)).toBe(`Get agent answers application/json, ${which}`);
    expect(refusal('get-agent', { code: 200, dynamic: true, seed: 's' }, accept)).toContain('Accept');
    expect(answer('get-agent', { code: 404, dynamic: true }, accept).status).toBe(404);
    expect(answer('get-agent', { code: 404, example: 'agent' }, accept).status).toBe(404);
  });

  it.each(rows.accepted)('does not come for the Accept header %j', (accept) => {
    expect(answer('get-agent', { example: 'version-6' }, accept).status).toBe(200);
  });
});
