import document from '../generated/openapi.json';

/** JSON Schema (2020-12) as an object. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly [more: string]: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly [more: string]: unknown;
}

/** The parts of an OpenAPI 3.1 document that this project reads. */
export interface OpenApi {
  readonly info: Readonly<Record<string, unknown>> & { readonly description: string };
  readonly servers: readonly Readonly<Record<string, unknown>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses?: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly [more: string]: unknown;
  };
  readonly [more: string]: unknown;
}

/**
 * The OpenAPI 3.1 document of the service, generated from endpoints and schemas. It is a separate module, so that it
 * loads only when needed. Libraries that resolve references in place (Prism) need a clone.
 */
export const openapi = document as unknown as OpenApi;

export const withOperations = (of: OpenApi, change: (operation: Operation) => Operation): OpenApi => ({
  ...of,
  paths: Object.fromEntries(
    Object.entries(of.paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, change(operation)])),
    ]),
  ),
});

/** Whether a status stands for an accepted request. */
export const isSuccess = (status: string): boolean => status.startsWith('2');
