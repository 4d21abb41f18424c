import { openapi, type OpenApi } from '../../spec/openapi/document.ts';
import type { Profile } from '../../spec/index.ts';
import type { MockTarget } from '../store/target.ts';
import { documentOf } from './of-profile.ts';
import { inWorld } from './of-world.ts';

/** The document of a session: the answers of its profile, the ids of its world, and its address below `base` as the server. */
export function documentOfSession(
  { id, profile, target }: { readonly id: string; readonly profile: Profile; readonly target: MockTarget },
  base = '',
): OpenApi {
  const document = served(inWorld(documentOf(profile), target), base);
  if (id === '') return document;
  return { ...document, servers: [{ url: `${base}/_s/${id}`, description: 'This session' }] };
}

/** The document for readers who may not see a session's data. */
export const documentForAll = (base = ''): OpenApi => served(openapi, base);

/**
 * With this mock as the server, and without `jsonSchemaDialect`: Swagger UI warns about the standard dialect of OpenAPI
 * 3.1.
 */
function served({ jsonSchemaDialect: _dialect, ...document }: OpenApi, base: string): OpenApi {
  return {
    ...document,
    servers: [
      { url: base || '/', description: 'This mock' },
      {
        url: `${base}/_s/{session}`,
        description: 'A session of this mock: a separate world',
        variables: { session: { default: 'mine' } },
      },
    ],
  };
}
