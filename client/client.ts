import type { ListResultsQuery } from '../spec/index.ts';
import { type Operation, type Operations, operations } from './generated/operations.ts';
import { type CallOptions, type ClientOptions, type ClientSettings, readOptions } from './options.ts';
import { resultList, type ResultList } from './results.ts';
import { send } from './send.ts';

/**
 * The endpoints as methods. Each method rejects with ServiceError, with NoAnswerError, with TypeError for an argument
 * that a request cannot carry, or with the reason of an aborted signal. The types of answers are those of the contract.
 * The client does not check that an answer matches them.
 */
export interface Client extends Operations {
  /** Every result of an agent, following cursors (section 4.5); `query.limit` is the page size. */
  results(agentId: string, query?: ListResultsQuery, options?: CallOptions): ResultList;
}

/**
 * Creates a client of the service for browsers and Node.js.
 * @throws TypeError for an unusable option
 */
export function createClient(options: ClientOptions): Client {
  const settings = readOptions(options);
  const methods = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      // async, so that an argument that cannot be used rejects like everything else
      async (...args: readonly unknown[]) => call(operation, args, settings),
    ]),
  ) as unknown as Operations;
  return {
    ...methods,
    results: (agentId, query = {}, callOptions = {}) =>
      resultList(query, (page) => methods.listResults(agentId, page, callOptions)),
  };
}

function call(operation: Operation, args: readonly unknown[], settings: ClientSettings): Promise<unknown> {
  const { method, parameters, input } = operation;
  const rest = args.slice(parameters.length);
  const given = input === null ? undefined : rest.shift();
  const callOptions = (rest[0] ?? {}) as CallOptions;
  const url = `${settings.baseUrl}${callPath(operation, args)}${input === 'query' ? callQuery(given ?? {}) : ''}`;
  return send({ method, url, body: input === 'body' ? given : undefined, options: callOptions }, settings);
}

/**
 * @param values the arguments for the path parameters, in their order
 * @throws TypeError for a value that a path cannot carry
 */
export function callPath(operation: Operation, values: readonly unknown[]): string {
  return operation.parameters.reduce(
    (path, name, index) => path.replace(`{${name}}`, () => encodeSegment(name, values[index])),
    operation.path,
  );
}

function encodeSegment(name: string, value: unknown): string {
  // URLs remove "." and ".." from their path, however they are encoded, so the request would reach another endpoint.
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new TypeError(
      `${name} is ${JSON.stringify(value)}; a path needs a text that is neither empty nor "." or ".."`,
    );
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new TypeError(`${name} holds half of a surrogate pair, which no URL can carry`, { cause });
  }
}

/**
 * `?limit=5&cursor=a%2Bb`, or an empty text if there are no parameters. Absent, `undefined` and `null` mean the same.
 */
export function callQuery(query: object): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  if (pairs.length === 0) return '';
  return `?${pairs.join('&')}`;
}
