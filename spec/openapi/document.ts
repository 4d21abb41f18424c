import document from '../generated/openapi.json';

/**
 * The OpenAPI 3.1 document of the service, generated from endpoints and schemas. A module of its own, so that nobody
 * loads it who does not need it. Libraries that resolve references in place (Prism) want a clone.
 */
export const openapi: Readonly<Record<string, unknown>> = document;
