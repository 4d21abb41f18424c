import { openapi, type OpenApi } from '../../spec/openapi/document.ts';
import type { Session } from '../session/session.ts';
import { documentOf } from './of-profile.ts';
import { inWorld } from './of-world.ts';

/** The document of a session: what its profile answers, with the ids of its world, sent to it. */
export function documentOfSession({ id, profile, target }: Session): OpenApi {
  const document = served(inWorld(documentOf(profile), target));
  return id === '' ? document : { ...document, servers: [{ url: `/_s/${id}`, description: 'This session' }] };
}

/** The document for whoever may not know what a session holds. */
export const documentForAll = (): OpenApi => served(openapi);

/** Sent to the mock that serves it, and without a dialect: Swagger UI warns of the very one that OpenAPI 3.1 is written in. */
function served({ jsonSchemaDialect: _dialect, ...document }: OpenApi): OpenApi {
  return {
    ...document,
    servers: [
      { url: '/', description: 'This mock' },
      {
        url: '/_s/{session}',
        description: 'A session of this mock: a separate world',
        variables: { session: { default: 'mine' } },
      },
    ],
  };
}
