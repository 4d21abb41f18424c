import type { CreatingEndpoint, EndpointId } from '../../spec/index.ts';
import { endpoints, isCreating, schemas, timeFilters } from '../../spec/index.ts';
import { isJsonType } from '../service/body.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../../text/json.ts';
import type { MockRequest } from '../call.ts';
import { excessOf } from '../../text/json-limits.ts';
import { orMeant, quote, slipOf } from '../wording/slips.ts';
import { filterMeant, limitMeant, parameterMeant } from '../wording/query-slips.ts';
import { warning, type Warning } from './warnings.ts';
import { platform } from '../../text/platform.ts';

type Query = readonly (readonly [name: string, value: string])[];

export const agentFields: readonly string[] = Object.keys(schemas['agent-v6'].properties ?? {});

const bodyFields = (endpoint: CreatingEndpoint): readonly string[] =>
  Object.keys(schemas[`${endpoint}-request` as const].properties ?? {});

const MOST = 20;
const TWICE = 'Is given more than once. The specification does not show which one counts (section 4.5).';
const PLAIN = 'Give a parameter one value, under its plain name.';

/** Larger bodies, in bytes, are not examined: that would cost more than it is worth. */
const LARGEST_BODY = 262_144;

/** Mistakes that break no documented rule, so that some profile accepts them. `read` is the parsed body, if it was parsed. */
export function warningsOfRequest(endpoint: EndpointId, request: MockRequest, query: Query, read?: Json) {
  const { body } = request;
  const isEmpty = body === undefined || body.length === 0;
  const slips = slipsOfQuery(endpoint, query);
  if (!isEmpty) slips.push(...slipsOfBody(endpoint, body, request.headers['content-type'], read));
  return slips.slice(0, MOST);
}

/** A warning about a place in the request, whose parts may be long. */
const slipAt = (location: readonly string[], code: string, message: string): Warning =>
  warning(code, message, ['request', ...location.map((part) => part.slice(0, 100))]);

function slipsOfQuery(endpoint: EndpointId, query: Query): Warning[] {
  const { title, query: schema } = endpoints[endpoint];
  const known = Object.keys((schema && schemas[schema].properties) ?? {});
  const seen = new Set<string>();
  const slips: Warning[] = [];
  for (const [name, value] of query) {
    if (slips.length === MOST) break;
    if (name.startsWith('__')) continue;
    const say = (code: string, message: string): void => void slips.push(slipAt(['query', name], code, message));
    if (!known.includes(name)) {
      if (seen.has(name)) continue;
      const inBody = isCreating(endpoint) && bodyFields(endpoint).includes(name);
      const meant = (schema && parameterMeant(name)) ?? undefined;
      // Some clients write lists and objects as `limit[]`, `limit[0]`, `limit.x` or `page[limit]`.
      const plain = meant !== undefined && /[[\].]/.test(name) ? ` ${PLAIN}` : '';
      const advice = inBody ? ' It belongs in the body.' : `${plain}${orMeant(meant)}`;
      say('unknown-parameter', `Is not a parameter of ${title}.${advice}`);
    } else if (seen.has(name)) say('duplicate-parameter', TWICE);
    else {
      const slip = slipInValue(name, value);
      if (slip !== undefined) say('parameter-value', slip);
    }
    seen.add(name);
  }
  return slips;
}

/** Values that some services refuse, and others read differently. */
function slipInValue(name: string, value: string): string | undefined {
  if (name === 'limit' && !/^(?:[1-9]\d?|100)$/.test(value))
    return `Should be a whole number from 1 to 100; it is ${quote(value)}.${orMeant(limitMeant(value))}`;
  if (name === 'timeFilter' && !timeFilters.some((known) => known === value))
    return `Is not a documented value; it is ${quote(value)}.${orMeant(filterMeant(value))}`;
  const isDecoded = !['limit', 'timeFilter', 'cursor'].includes(name) && /^ \d|T\S{1,30} \d\d:?\d\d$/.test(value);
  if (isDecoded) return 'A + in a URL reads as a space. Write %2B.';
  return undefined;
}

function slipsOfBody(endpoint: EndpointId, bytes: Uint8Array, contentType: string | undefined, read: Json | undefined) {
  const { does, holds, title } = endpoints[endpoint];
  if (!isCreating(endpoint))
    return [slipAt(['body'], 'unread-body', `${title} reads no body. The mock ignored this one.`)];
  const slips: Warning[] = [];
  const aboutType = (message: string): void =>
    void slips.push(slipAt(['header', 'content-type'], 'content-type', message));
  if (!isJsonType(contentType))
    aboutType(`Should be application/json${contentType === undefined ? '' : `; it is ${quote(contentType)}`}.`);
  else if (/charset *= *"?(?!utf-?8)[\w-]/i.test(contentType?.slice(0, 200) ?? ''))
    aboutType('The mock reads the body as UTF-8, whatever the charset says.');
  if (bytes.length > LARGEST_BODY) return slips;
  const text = read === undefined ? new platform.TextDecoder().decode(bytes) : '';
  const body = read ?? (excessOf(text) === undefined ? parseJson(text) : undefined);
  if (!isObject(body)) return slips;
  const top = bodyFields(endpoint);
  slips.push(...misspelt(body, top, []));
  if (holds !== 'agent') return slips;
  const { agent } = body;
  if (!isObject(agent)) return slips;
  const misplaced = 'Is a field of the agent, and has no effect here. Put it under agent.';
  for (const name of Object.keys(body))
    if (slips.length < MOST && !top.includes(name) && agentFields.includes(name) && !Object.hasOwn(agent, name))
      slips.push(slipAt(['body', name], 'misplaced-field', misplaced));
  const { version } = agent;
  const isV6 = does === 'creates' || version === '6';
  // The specification does not show the other fields of a version 5 agent, so none of them can be a mistake.
  slips.push(...misspelt(agent, isV6 ? agentFields : ['version', 'name'], ['agent']));
  return slips;
}

/** Undocumented fields that resemble a documented, absent one. They are kept unchanged. */
function misspelt(object: JsonObject, documented: readonly string[], at: readonly string[]): readonly Warning[] {
  const absent = documented.filter((name) => !Object.hasOwn(object, name));
  const slips: Warning[] = [];
  if (absent.length === 0) return slips;
  for (const key of Object.keys(object).slice(0, 200)) {
    if (documented.includes(key)) continue;
    const meant = slipOf(key, absent);
    if (meant !== undefined)
      slips.push(slipAt(['body', ...at, key], 'misspelt-field', `Is not a documented field. Did you mean ${meant}?`));
    if (slips.length === MOST) break;
  }
  return slips;
}
