import { endpoints, type EndpointId } from '../spec/index.ts';
import { openapi } from '../spec/openapi/document.ts';

/** Whether a JSON body would be an acceptable answer of an endpoint. */
export type SecondJudge = (endpoint: EndpointId, body: unknown) => Promise<boolean>;

/** `@stoplight/prism-http` with our OpenAPI document. It is loaded only here, since loading takes a second. */
export async function prismJudge(): Promise<SecondJudge> {
  const [{ createInstance, getHttpOperationsFromSpec }, { createLogger }, { isLeft, right }] = await Promise.all([
    import('@stoplight/prism-http'),
    import('@stoplight/prism-core'),
    import('fp-ts/lib/Either.js'),
  ]);
  // A clone, because Prism resolves references in place.
  const operations = await getHttpOperationsFromSpec(structuredClone(openapi));
  const logger = createLogger('prism', { level: 'silent' });

  return async (endpoint, body) => {
    const { method, path } = endpoints[endpoint];
    const statusCode = method === 'POST' ? 201 : 200;
    const prism = createInstance(
      {
        isProxy: false,
        mock: { dynamic: false },
        checkSecurity: false,
        validateRequest: false,
        validateResponse: true,
        errors: false,
        upstreamProxy: undefined,
      },
      {
        logger,
        mock: () => () => right({ statusCode, headers: { 'content-type': 'application/json' }, body }),
      },
    );
    const result = await prism.request(
      {
        method: method === 'POST' ? 'post' : 'get',
        url: { path: path.replace('{agentId}', 'a') },
        headers: {},
        body: undefined,
      },
      operations,
    )();
    if (isLeft(result)) throw result.left;
    return result.right.validations.output.length === 0;
  };
}
