import type { AdminRoute } from './admin-route.ts';
import document from './document.json';

/** The admin API below `base` as an OpenAPI 3.1 document, generated from its table of routes. */
export function adminOpenApi(routes: readonly AdminRoute[], base = ''): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) (paths[`/__admin${route.path}`] ??= {})[route.method.toLowerCase()] = operation(route);
  const tags = [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name }));
  return { ...document, servers: [{ url: base || '/' }], tags, paths };
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
