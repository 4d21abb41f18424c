import { endpoints, type EndpointId } from '../spec/index.ts';
import { openapi } from '../spec/openapi/document.ts';

/** What is wrong with a JSON answer of an endpoint, and with the JSON request before it if there is one. */
export type SecondJudge = Awaited<ReturnType<typeof prismJudge>>;

/** `@stoplight/prism-http` with our OpenAPI document. It is loaded only here, since loading takes a second. */
export async function prismJudge() {
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
    const prism = createInstance(
      { ...config, validateRequest: request !== undefined, validateResponse: true, upstreamProxy: undefined },
      { logger, mock: () => () => right({ statusCode, headers: json, body: answer }) },
    );
    const url = { path: path.replace('{agentId}', 'a'), query: {} };
    const headers = { authorization: 'Bearer x', ...json, 'content-length': '9' };
    const result = await prism.request({ method: name, url, headers, body: request }, operations)();
    if (isLeft(result)) throw result.left;
    const { input, output } = result.right.validations;
    return [...input, ...output].map(({ path: place = [], message }) => `${place.join('/')} ${message}`);
  };
}
