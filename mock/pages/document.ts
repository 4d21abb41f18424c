import { openapi } from '../../spec/openapi/document.ts';

/**
 * The service's document as Swagger UI wants it: requests go to the mock that serves it, to one session or to the shared
 * one, and no dialect is named, since Swagger UI warns of the very dialect that OpenAPI 3.1 is written in.
 */
export function documentForPages(): object {
  const { jsonSchemaDialect: _, ...document } = openapi;
  return {
    ...document,
    servers: [
      { url: '/', description: 'This mock' },
      {
        url: '/_s/{session}',
        description: 'A session of this mock: a world of its own',
        variables: { session: { default: 'mine' } },
      },
    ],
  };
}
