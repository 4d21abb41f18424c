import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpointIds, endpoints, validate, type EndpointId } from '../spec/index.ts';
import { createMock, shapeMutants, type Mock } from '../mock/index.ts';
import { createAgentBody, createWorkspaceBody, importAgentBody } from '../fixtures/index.ts';
import { openapi } from '../spec/openapi/document.ts';
import { proofNow } from '../prove/target.ts';

/** Where the two judges differ and both have a point. A test shows that each entry is needed. */
const knownDifferences: Readonly<Record<string, string>> = {};

let prism: Awaited<ReturnType<typeof prismJudge>>;
beforeAll(async () => {
  prism = await prismJudge();
});

/** `@stoplight/prism-http` with our OpenAPI document: what is wrong with an answer, and with the request before it if there is one. */
async function prismJudge() {
  const [{ createInstance, getHttpOperationsFromSpec }, { createLogger }, { isLeft, right }] = await Promise.all([
    import('@stoplight/prism-http'),
    import('@stoplight/prism-core'),
    import('fp-ts/lib/Either.js'),
  ]);
  // A clone, because Prism resolves references in place.
  const operations = await getHttpOperationsFromSpec(structuredClone(openapi));
  const logger = createLogger('prism', { level: 'silent' });
  const config = { isProxy: false, mock: { dynamic: false }, checkSecurity: true, errors: false } as const;
  const json = { 'content-type': 'application/json' };

  return async (endpoint: EndpointId, { answer, request }: { answer: unknown; request?: unknown }) => {
    const { method, path } = endpoints[endpoint];
    const [name, statusCode] = method === 'POST' ? (['post', 201] as const) : (['get', 200] as const);
    const instance = createInstance(
      { ...config, validateRequest: request !== undefined, validateResponse: true, upstreamProxy: undefined },
      { logger, mock: () => () => right({ statusCode, headers: json, body: answer }) },
    );
    const url = { path: path.replace('{agentId}', 'a'), query: {} };
    const headers = { authorization: 'Bearer x', ...json, 'content-length': '9' };
    const result = await instance.request({ method: name, url, headers, body: request }, operations)();
    if (isLeft(result)) throw result.left;
    const { input, output } = result.right.validations;
    return [...input, ...output].map(({ path: place = [], message }) => `${place.join('/')} ${message}`);
  };
}

const folder = join(__dirname, '../spec/examples');
const files = readdirSync(folder);
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));

const bodies: Readonly<Partial<Record<EndpointId, (workspaceId: string) => unknown>>> = {
  'create-agent': (workspaceId) => createAgentBody({ workspaceId, tag: 'prism', detail: 'full' }),
  'import-agent': (workspaceId) => importAgentBody({ workspaceId, tag: 'prism', detail: 'full' }),
  'create-workspace': () => createWorkspaceBody({ tag: 'prism', detail: 'full' }),
};

/** A mock's answer to a valid request, parsed. */
function answerOf(mock: Mock, endpoint: EndpointId): unknown {
  const { method, path } = endpoints[endpoint];
  const body = bodies[endpoint]?.(mock.target.workspaceId);
  const wire = mock.handle({
    method,
    target: `${path.replace('{agentId}', mock.target.agentId)}${endpoint === 'list-results' ? '?timeFilter=allTime&limit=3' : ''}`,
    headers: { authorization: `Bearer ${mock.target.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
  return JSON.parse(wire.body);
}

const ours = (endpoint: EndpointId, body: unknown): boolean =>
  validate(endpoints[endpoint].response, body).length === 0;

describe.each(endpointIds)('%s', (endpoint) => {
  test('both judges accept what the mock answers', async () => {
    const body = answerOf(createMock({ now: proofNow, frozen: true }), endpoint);
    expect(ours(endpoint, body)).toBe(true);
    expect(await prism(endpoint, { answer: body })).toEqual([]);
  });

  test.each([[[]], [{}], ['text'], [null]])('both judges refuse %j', async (canary) => {
    expect(ours(endpoint, canary)).toBe(false);
    expect(await prism(endpoint, { answer: canary })).not.toEqual([]);
  });

  test('both judges accept the examples', async () => {
    const [requests, answers] = ['request', 'response'].map((part) =>
      files.filter((file) => file.startsWith(`${endpoint}.${part}`)).map(read),
    );
    for (const request of requests?.length ? requests : [undefined])
      for (const answer of answers ?? []) expect(await prism(endpoint, { answer, request })).toEqual([]);
    expect(answers).not.toEqual([]);
  });

  test('the judges agree on every misshapen answer', async () => {
    const differences: string[] = [];
    for (const { id } of shapeMutants(endpoint)) {
      const body = answerOf(createMock({ now: proofNow, frozen: true, faults: [id] }), endpoint);
      const isAccepted = (await prism(endpoint, { answer: body })).length === 0;
      if (ours(endpoint, body) !== isAccepted) differences.push(id);
    }
    const known = Object.keys(knownDifferences).filter((id) => id.startsWith(`${endpoint}-`));
    expect(differences.toSorted()).toEqual(known.toSorted());
  });
});
