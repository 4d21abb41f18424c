import { LRUCache } from 'lru-cache';
import { endpoints, validate, type EndpointId } from '../../spec/index.ts';
import { pointerTokens } from '../../spec/json-pointer.ts';
import { parseJson, type Json } from '../../text/json.ts';
import type { Renderings } from '../service/renderings.ts';
import type { Wire } from '../wire/wire.ts';

/** A mistake in a request or an answer, in the format of Prism's `sl-violations`. */
export interface Warning {
  /** `["request", "query", "limit"]`, `["response", "body", "agent", "name"]`. */
  readonly location: readonly string[];
  readonly severity: 'Error' | 'Warning';
  readonly code: string;
  readonly message: string;
}

/** A warning about a place in a request or an answer. */
export function warning(code: string, message: string, location: Warning['location']): Warning {
  return { location, severity: 'Warning', code, message };
}

const MOST_WARNINGS = 20;

/** Characters of the answers of one endpoint whose errors are kept. */
const MOST_KEPT = 4_000_000;

/** Errors in accepted answers by their schemas. The same text of the same endpoint is validated once. */
export function createAnswerCheck({ shownBy }: Pick<Renderings, 'shownBy'>) {
  const known = new Map<EndpointId, LRUCache<string, readonly Warning[]>>();
  return (endpoint: EndpointId, { status, body }: Wire): readonly Warning[] => {
    if (status < 200 || status > 299) return [];
    if (endpoints[endpoint].method !== 'GET') return errorsOf(endpoint, shownBy(body) ?? parseJson(body));
    const ofEndpoint = known.get(endpoint) ?? new LRUCache({ maxSize: MOST_KEPT });
    known.set(endpoint, ofEndpoint);
    const errors = ofEndpoint.get(body) ?? errorsOf(endpoint, parseJson(body));
    if (!ofEndpoint.has(body)) ofEndpoint.set(body, errors, { size: body.length + 1 });
    return errors;
  };
}

function errorsOf(endpoint: EndpointId, body: Json | undefined): readonly Warning[] {
  if (body === undefined)
    return [{ location: ['response', 'body'], severity: 'Error', code: 'json', message: 'The body is not JSON.' }];
  return validate(endpoints[endpoint].response, body)
    .slice(0, MOST_WARNINGS)
    .map(({ at, keyword, expected, actual }) => ({
      location: ['response', 'body', ...pointerTokens(at)],
      severity: 'Error',
      code: keyword,
      message: keyword === 'required' ? 'Is required.' : `Must be ${expected}; it is ${actual}.`,
    }));
}
