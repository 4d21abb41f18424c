import { endpoints, type EndpointId } from '../../spec/index.ts';
import type { Wire } from '../call.ts';

/** What a request prefers about its answer, in the terms of Prism's `Prefer` header. */
export interface Wanted {
  /** A documented status code; that of success unless given. */
  readonly code?: number;
  /** Name of a documented example of that code; the first one unless given. Goes before `dynamic`. */
  readonly example?: string;
  /** An answer made up from the schema instead of an example. */
  readonly dynamic?: boolean;
  /** The same seed makes up the same answer. */
  readonly seed?: string;
}

/** What Prism's mocker reads of an operation. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly responses: readonly {
    readonly code: string;
    readonly headers: readonly never[];
    readonly contents: readonly Content[];
  }[];
}

interface Content {
  readonly mediaType: string;
  readonly schema: Schema;
  readonly examples: readonly { readonly key: string; readonly value: unknown }[];
}

/** What Prism's mocker is used for. */
interface Mocker {
  default(question: {
    readonly resource: Operation;
    readonly input: { readonly validations: readonly never[]; readonly data: object };
    readonly config: object;
  }): (logger: object) => Drawn;
  resetJSONSchemaGenerator(): void;
}

type Drawn =
  | { readonly left: Error & { readonly status?: number } }
  | {
      readonly right: {
        readonly statusCode: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: unknown;
      };
    };

interface Reference {
  readonly $ref?: string;
}

/** The keywords that matter here. */
interface Schema extends Reference {
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly items?: Schema | true;
  readonly required?: readonly string[];
}

interface Response extends Reference {
  readonly content: Readonly<
    Record<
      string,
      { readonly schema: Schema; readonly examples: Readonly<Record<string, { readonly value: unknown }>> }
    >
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Response> }>>>>;
}

/**
 * The documented answer of an endpoint that is wanted, as `@stoplight/prism-http` finds or makes it, or the reason why
 * there is none. Prism, and the OpenAPI document with it, are loaded with the first answer, which takes a second.
 * @param accept the Accept header; refusals are answered whatever it says
 */
export function negotiate(endpoint: EndpointId, wanted: Wanted, accept?: string): Wire | { readonly refusal: string } {
  const operation = operations()[endpoint];
  const refusal = whyNot(endpoint, operation, wanted);
  if (refusal !== undefined) return { refusal };

  const { code, example, dynamic = false, seed } = wanted;
  const mocker = loadMocker();
  // Where the code that is asked for has no content that is accepted, Prism answers with another code. So it is given
  // either the one or the other; each refusal is documented with one content.
  const isRefused = code !== undefined && code >= 400;
  const data = {
    method: operation.method,
    url: { path: operation.path },
    headers: accept === undefined || accept === '' || isRefused ? {} : { accept },
  };
  // Prism changes the config that it is given, so that every request needs its own.
  const config = {
    dynamic,
    ...(isRefused ? { code } : {}),
    ...(example === undefined ? {} : { exampleKey: example }),
    // Prism takes an empty seed for none.
    ...(seed === undefined ? {} : { seed: `seed ${seed}` }),
  };
  try {
    const drawn = mocker.default({ resource: operation, input: { validations: [], data }, config })(silence);
    if ('left' in drawn) throw drawn.left;
    const { statusCode, headers, body } = drawn.right;
    return {
      status: statusCode,
      headers: { 'content-type': `${headers['Content-type'] ?? 'application/json'}; charset=utf-8` },
      body: JSON.stringify(body),
    };
  } catch (error) {
    return { refusal: whyPrismRefuses(endpoint, operation, accept, error) };
  } finally {
    // A seed stays with the generator, which others may use as well.
    mocker.resetJSONSchemaGenerator();
  }
}

function whyNot(endpoint: EndpointId, operation: Operation, { code, example }: Wanted): string | undefined {
  const { title } = endpoints[endpoint];
  const there = operation.responses
    .map((response) => `${response.code}: ${namesOf(response.contents).join(', ')}`)
    .join('; ');
  const response = operation.responses.find((one) => (code === undefined ? one.code < '300' : one.code === `${code}`));
  if (response === undefined)
    return `${title} documents no answer with the code ${code}. Its codes and their examples are ${there}.`;
  if (example === undefined || namesOf(response.contents).includes(example)) return undefined;
  const other = operation.responses.find(({ contents }) => namesOf(contents).includes(example));
  const advice = other ? ` Ask for code=${other.code} with it.` : '';
  return (
    `${title} has no example ${shown(example)} for the code ${response.code}.${advice} ` +
    `Its codes and their examples are ${there}.`
  );
}

function whyPrismRefuses(
  endpoint: EndpointId,
  operation: Operation,
  accept: string | undefined,
  error: unknown,
): string {
  const { title } = endpoints[endpoint];
  const { message, status } = error as Error & { readonly status?: number };
  // 406, or an Accept header that is no list of media types
  if (status !== 406 && !/media type/.test(message))
    return `${title}: Prism could make no answer of this request: ${message.split('\n')[0]}`;
  const types = operation.responses.find(({ code }) => code < '300')?.contents.map(({ mediaType }) => mediaType) ?? [];
  return `${title} answers ${types.join(', ')}, which the Accept header ${shown(accept ?? '')} does not take.`;
}

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

const namesOf = (contents: readonly Content[]): readonly string[] =>
  contents.flatMap(({ examples }) => examples.map(({ key }) => key));

const silence = Object.fromEntries(['debug', 'info', 'success', 'warn', 'error'].map((level) => [level, () => {}]));

/** By `require`, since an answer is given at once and `import()` gives a promise. */
const loadMocker = (): Mocker => require('@stoplight/prism-http/dist/mocker') as Mocker;

let transformed: Readonly<Record<EndpointId, Operation>> | undefined;

function operations(): Readonly<Record<EndpointId, Operation>> {
  if (transformed !== undefined) return transformed;
  const { openapi } = require('../../spec/openapi-document') as typeof import('../../spec/openapi-document.ts');
  const { paths } = openapi as unknown as Document;
  const rows = Object.entries(endpoints).map(([id, { method, path }]) => {
    const responses = Object.entries(paths[path]?.[method.toLowerCase()]?.responses ?? {});
    const operation: Operation = {
      method: method.toLowerCase(),
      path,
      responses: responses.map(([code, response]) => ({
        code,
        headers: [],
        contents: Object.entries(resolve(openapi, response).content).map(([mediaType, { schema, examples }]) => ({
          mediaType,
          schema: drawable(openapi, schema),
          examples: Object.entries(examples).map(([key, { value }]) => ({ key, value })),
        })),
      })),
    };
    return [id, operation];
  });
  transformed = Object.fromEntries(rows) as Record<EndpointId, Operation>;
  return transformed;
}

function resolve<T extends Reference>(document: object, node: T): T {
  if (node.$ref === undefined) return node;
  const found = node.$ref
    .split('/')
    .slice(1)
    .reduce((parent, key) => (parent as Record<string, object>)[key] ?? {}, document);
  return resolve(document, found as T);
}

/**
 * A schema in the form in which Prism's generator makes good bodies of it: without references and allOf, which it loses
 * track of, without if, which it does not read, and closed, since it fills with noise what is open.
 */
function drawable(document: object, schema: Schema): Schema {
  const { if: condition, then: form, else: otherForm, allOf = [], ...own } = resolve(document, schema);
  if (condition !== undefined) return { oneOf: [form, otherForm].map((one) => drawable(document, one ?? {})) };
  const { properties, items } = own;
  const drawn: Schema = {
    ...own,
    ...(properties && {
      properties: mapValues(properties, (one) => drawable(document, one)),
      additionalProperties: false,
    }),
    ...(items && { items: items === true ? {} : drawable(document, items) }),
  };
  return allOf.map((part) => drawable(document, part)).reduce(merged, drawn);
}

/** What keeps to both schemas, as far as ours go: all properties of either. */
function merged(one: Schema, other: Schema): Schema {
  const properties = { ...one.properties };
  for (const [name, schema] of Object.entries(other.properties ?? {}))
    properties[name] = merged(properties[name] ?? {}, schema);
  const isClosed = one.properties !== undefined || other.properties !== undefined;
  const items = typeof one.items === 'object' && typeof other.items === 'object' && merged(one.items, other.items);
  return {
    ...one,
    ...other,
    ...(isClosed && { properties, additionalProperties: false }),
    ...(items && { items }),
    required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
  };
}

const mapValues = <T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
