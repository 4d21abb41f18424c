import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { endpointIds, endpoints, validate, type BodySchemaName, type EndpointId } from '../spec/index.ts';
import { openapi } from '../spec/openapi/document.ts';
import { createAgentBody, createWorkspaceBody, importAgentBody, importAgentV5Body } from '../fixtures/index.ts';
import { madeUpBody } from '../mock/on-demand/dynamic.ts';
import { permits, transcribedPlaces } from './transcription.ts';

/**
 * The document is for tools: it shows a union as a union, and has one schema for settings. This test compares what it accepts
 * with our own judge, and both with a transcription of the specification, which was written without a look at either.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}
interface Operation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
const { paths } = openapi as unknown as { paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

// Strict mode, so that Ajv ignores no keyword. OpenAPI has formats that JSON Schema does not have.
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, logger: false });
ajv.addVocabulary(['x-section', 'x-choice', 'x-assumes', 'discriminator']);
ajv.addKeyword('components');
ajv.addSchema({ $id: 'urn:agent-contract:document', components: openapi['components'] });

/** The verdict of the document on a body. */
function documented(endpoint: EndpointId, part: 'request' | 'response'): (body: Json) => boolean {
  const { path, method } = endpoints[endpoint];
  const operation = paths[path]?.[method.toLowerCase()];
  const content = part === 'request' ? operation?.requestBody : operation?.responses[method === 'POST' ? '201' : '200'];
  const compiled = ajv.compile({
    $ref: `urn:agent-contract:document${content?.content?.['application/json']?.schema.$ref ?? ''}`,
  });
  return (body) => compiled(body);
}

const workspaceId = 'w';
const sent: Readonly<Partial<Record<EndpointId, readonly unknown[]>>> = {
  'create-agent': [createAgentBody({ workspaceId, tag: 'a', detail: 'full' })],
  'import-agent': [
    importAgentBody({ workspaceId, tag: 'a', detail: 'full' }),
    importAgentV5Body({ workspaceId, tag: 'a', detail: 'full' }),
  ],
  'create-workspace': [createWorkspaceBody({ tag: 'a', detail: 'full' })],
};
const full = importAgentBody({ workspaceId, tag: 'a', detail: 'full' }).agent as { [key: string]: Json };

/** Generated answers. The first is one with every field of an agent, if it has an agent, and otherwise the largest. */
function answered(endpoint: EndpointId): Json[] {
  const [first = {}, ...others] = Array.from({ length: 12 }, (_, seed) =>
    madeUpBody(endpoint, { seed: String(seed), agentId: 'a' }),
  ).toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length) as { [key: string]: Json }[];
  const { holds } = endpoints[endpoint];
  const isAgent = holds === 'agent' || holds === 'publicAgent';
  return [isAgent ? { ...first, [holds]: { ...full, id: 'a' } } : first, ...others];
}

const rows = endpointIds.flatMap((endpoint) => {
  const { request, response } = endpoints[endpoint];
  const asked = request === null ? [] : [{ schema: request, part: 'request' as const, bodies: sent[endpoint] ?? [] }];
  return [...asked, { schema: response, part: 'response' as const, bodies: answered(endpoint) }].map((row) => ({
    ...row,
    endpoint,
    schema: row.schema as BodySchemaName,
    bodies: row.bodies as readonly Json[],
  }));
});

const wrongs: readonly Json[] = [null, 0, '5', '6', [], { id: 1 }];

/** Copies of a body with one place changed, once for each wrong value and once without it. */
function* changed(value: Json): Generator<Json> {
  yield* wrongs;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    // The last item stands for all items.
    const last = value.at(-1);
    if (last !== undefined) for (const other of changed(last)) yield [other];
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    // The shape of a block is not documented.
    if (name === 'blocks') continue;
    const { [name]: _, ...without } = value;
    yield without;
    for (const other of changed(child)) yield { ...value, [name]: other };
  }
}

describe.each(rows)('$schema', ({ endpoint, part, schema, bodies }) => {
  const document = documented(endpoint, part);
  const places = transcribedPlaces(schema);
  const verdicts = (body: Json): readonly boolean[] => [
    document(body),
    validate(schema, body).length === 0,
    permits(places, body),
  ];

  test('is accepted by the document, by the judge and by the transcription', () => {
    for (const body of bodies) expect(verdicts(body)).toEqual([true, true, true]);
  });

  test('gets the same verdict with one place changed', () => {
    let refused = 0;
    for (const body of part === 'request' ? bodies : bodies.slice(0, 1))
      for (const other of changed(body)) {
        const [first, ...rest] = verdicts(other);
        if (first === false) refused += 1;
        if (rest.some((verdict) => verdict !== first)) expect([other, first, ...rest]).toBe('one verdict');
      }
    expect(refused).toBeGreaterThan(wrongs.length);
  });

  test('gets the same verdict with any value in many places', () => {
    const anything = fc.oneof(
      fc.constantFrom(...wrongs),
      fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
    ) as fc.Arbitrary<Json>;
    const name = fc.constantFrom(...new Set(places.flatMap(({ pointer }) => pointer.split('/').slice(1))), 'other');
    const { body: any } = fc.letrec<{ body: Json }>((tie) => ({
      body: fc.oneof(
        { maxDepth: 7, depthSize: 'max' },
        { weight: 1, arbitrary: anything },
        { weight: 3, arbitrary: fc.dictionary(name, tie('body'), { maxKeys: 4 }) },
        { weight: 1, arbitrary: fc.array(tie('body'), { maxLength: 2 }) },
      ),
    }));
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.array(fc.tuple(fc.nat(), any), { maxLength: 3 }), (body, changes) => {
        const other = changes.reduce((done, [at, value]) => placed(done, at, value), body);
        const [first, ...rest] = verdicts(other);
        expect(rest).toEqual([first, first]);
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});

/** A copy with `value` at one of its places. A number selects the place. */
function placed(whole: Json, pick: number, value: Json): Json {
  if (typeof whole !== 'object' || whole === null) return value;
  const names = Object.keys(whole);
  if (names.length === 0 || pick % 4 === 0) return value;
  const name = names[Math.floor(pick / 4) % names.length] ?? '';
  const copy = (Array.isArray(whole) ? [...whole] : { ...whole }) as { [key: string]: Json };
  copy[name] = placed(copy[name] ?? null, Math.floor(pick / 4 / names.length), value);
  return copy;
}
