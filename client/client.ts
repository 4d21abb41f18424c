import type { ListResultsQuery } from '../spec/index.ts';
import { operations, type Operation, type Operations } from './generated/operations.ts';
import { readOptions, type CallOptions, type ClientOptions, type ClientSettings } from './options.ts';
import { resultList, type ResultList } from './results.ts';
import { send } from './send.ts';
import { callPath, callQuery } from './url.ts';

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
  const query = input === 'query' ? callQuery(given ?? {}) : '';
  const url = `${settings.baseUrl}${callPath(operation, args)}${query}`;
  return send({ method, url, body: input === 'body' ? given : undefined, options: callOptions }, settings);
}
