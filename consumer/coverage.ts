import { endpointIds, endpoints, schemas } from '../spec/index.ts';
import type { MetExchange } from '../mock/index.ts';
import { isObject, parseJson, type JsonObject } from '../text/json.ts';
import type { RequestCoverage } from './report.ts';
import type { Twins } from './twins.ts';

interface Met {
  readonly exchange: MetExchange;
  readonly status: number;
  readonly body: JsonObject;
}

const sent = ({ exchange }: Met, parameter: string): boolean =>
  new URLSearchParams(exchange.request.target.replace(/^[^?]*/, '')).has(parameter);

const isList = ({ body }: Met): boolean => Array.isArray(body['results']);

/** What tests of a front end should have met once. */
const states: Readonly<Record<string, (met: Met) => boolean>> = {
  'a page of results': isList,
  'an empty list': ({ body }) => Array.isArray(body['results']) && body['results'].length === 0,
  'a page with another after it': (met) => isList(met) && met.body['nextCursor'] !== null,
  'a second page': (met) => isList(met) && sent(met, 'cursor'),
  'the last page of several': (met) => isList(met) && sent(met, 'cursor') && met.body['nextCursor'] === null,
  'an agent of version 6': ({ body }) => isObject(body['agent']) && body['agent']['version'] === '6',
  'an agent of version 5': ({ body }) => isObject(body['agent']) && body['agent']['version'] !== '6',
  'a published agent': ({ body }) => isObject(body['publicAgent']),
  'an unpublished agent': ({ body }) => body['publicAgent'] === null || /not published/.test(JSON.stringify(body)),
  'access as guest': ({ body }) => body['currentUserMode'] === 'guest',
  'access as read': ({ body }) => body['currentUserMode'] === 'read',
  'a refusal for want of a token (401)': ({ status }) => status === 401,
  'a refusal for want of access (403)': ({ status }) => status === 403,
  'an agent that is not there (404)': ({ status }) => status === 404,
  'a refusal of what was sent (400, 422)': ({ status }) => status === 400 || status === 422,
  'too many requests (429)': ({ status }) => status === 429,
  'a failure of the server (500 and above)': ({ status }) => status >= 500,
  'a broken connection': ({ exchange }) => exchange.status === null,
};

/** What the tests asked for and were answered, and what they never were. */
export function coverageOf({ sessions, answers }: Twins): RequestCoverage {
  const all = sessions.flatMap((session) =>
    answers(session).flatMap((told, index) => {
      const copies = session.alike.flatMap((copy) => copy.slice(index, index + 1));
      return copies.map((exchange): Met => {
        const body = [parseJson(told?.body ?? exchange.prepared ?? '')].find(isObject) ?? {};
        return { exchange, status: exchange.status ?? 0, body };
      });
    }),
  );
  const asked = endpointIds.flatMap((endpoint) => {
    const own = all.filter(({ exchange }) => exchange.endpoint === endpoint);
    if (own.length === 0) return [];
    const { query, title } = endpoints[endpoint];
    const known = Object.keys((query && schemas[query].properties) ?? {});
    const parameters = known.filter((name) => own.some((met) => sent(met, name)));
    const unused = known.filter((name) => !parameters.includes(name));
    const words = unused.map((name) => `the parameter ${name} of ${title}`);
    return [{ endpoint, used: { requests: own.length, parameters }, words }];
  });
  const unasked = endpointIds.filter((id) => asked.every(({ endpoint }) => endpoint !== id));
  const met = Object.keys(states).filter((name) => all.some((one) => states[name]?.(one)));
  const others = Object.keys(states).filter((name) => !met.includes(name));
  const neverMet = [...unasked.map((id) => endpoints[id].title), ...asked.flatMap(({ words }) => words), ...others];
  return { endpoints: Object.fromEntries(asked.map(({ endpoint, used }) => [endpoint, used])), met, neverMet };
}
