import type { AdminRoute } from './admin-route.ts';

/** The admin API below `base` as an OpenAPI 3.1 document, generated from its table of routes. */
export function adminOpenApi(routes: readonly AdminRoute[], base = ''): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/__admin${route.path}`;
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'agent-contract mock: admin API',
      version: '1',
      description:
        'Controls that the service itself does not have. The header X-Mock-Session, or the prefix /_s/{session}, names the ' +
        'session of a request.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base || '/' }],
    security: [{}, { adminToken: [] }, { adminPassword: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer', description: 'Required if --admin-token sets one.' },
        adminPassword: {
          type: 'http',
          scheme: 'basic',
          description: 'The same token as the password, with any user name.',
        },
      },
      parameters: {
        session: {
          name: 'X-Mock-Session',
          in: 'header',
          required: false,
          description: 'The session (default: the shared one).',
          schema: { type: 'string' },
        },
      },
      schemas: {
        Error: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
      },
    },
  };
}

const parameter = (place: 'path' | 'query', name: string, description?: string): object => ({
  name,
  in: place,
  required: place === 'path',
  description,
  schema: { type: 'string' },
});

const refusal = (description: string): object => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

function operation({ id, tag, summary, path, body, query = {}, isStream }: AdminRoute): object {
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => parameter('path', name));
  const inQuery = Object.entries(query).map(([name, description]) => parameter('query', name, description));
  const type = isStream === true ? 'text/event-stream' : 'application/json';
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: [{ $ref: '#/components/parameters/session' }, ...inPath, ...inQuery],
    requestBody: body && { content: { 'application/json': { schema: body } } },
    responses: {
      '2XX': { description: 'Done.', content: { [type]: {} } },
      '400': refusal('The request is invalid; the error says why.'),
      '404': inPath.length > 0 ? refusal('Nothing has this id or name.') : undefined,
    },
  };
}
