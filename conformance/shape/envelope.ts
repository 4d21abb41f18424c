import { endpoints, schemas, type EndpointId } from '../../spec/index.ts';
import { pointerTo } from '../../spec/json-pointer.ts';
import { onlyOf } from '../collections.ts';
import { isObject } from '../json.ts';
import { show } from '../show.ts';
import type { Slip } from '../http/exchange.ts';
import { namesBelow } from './documented.ts';

/** The documented body, as far as it can be found, and what is there instead. */
export interface Enveloped {
  readonly json: unknown;
  readonly slip?: Slip;
}

const ERROR_NAMES = ['error', 'errors', 'message', 'code', 'detail', 'title', 'issues'] as const;

/** The documented part of an accepted answer, also a level deeper, under a similar name, or without its envelope. */
export function unenvelop(endpoint: EndpointId, json: unknown): Enveloped {
  const { holds: main, response } = endpoints[endpoint];
  const beside = Object.keys(schemas[response].properties ?? {}).find((name) => name !== main);
  if (isObject(json) && Object.hasOwn(json, main)) {
    if (beside === undefined || Object.hasOwn(json, beside)) return { json };
    return misnamed(json, beside) ?? { json };
  }
  return below(json, main) ?? misnamed(json, main) ?? bare(json, endpoint) ?? errorIn(json) ?? { json };
}

function below(json: unknown, main: string): Enveloped | undefined {
  if (!isObject(json)) return undefined;
  const found = onlyOf(Object.entries(json).filter(([, inner]) => isObject(inner) && Object.hasOwn(inner, main)));
  if (!found) return undefined;
  const at = pointerTo([found[0]]);
  const slip = { expected: `${main} at the top of the body`, actual: `found under ${at}`, at: `${at}/${main}` };
  return { json: found[1], slip };
}

/** Names that differ in case, in separators between words, or in number. */
const letters = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/s$/, '');

function misnamed(json: unknown, name: string): Enveloped | undefined {
  if (!isObject(json)) return undefined;
  const like = Object.keys(json).find((one) => letters(one) === letters(name));
  if (like === undefined) return undefined;
  const { [like]: value, ...others } = json;
  const slip = { expected: `the name ${name}`, actual: `the name ${show(like)}`, at: pointerTo([like]) };
  return { json: { ...others, [name]: value }, slip };
}

function bare(json: unknown, endpoint: EndpointId): Enveloped | undefined {
  const main = endpoints[endpoint].holds;
  const actual = `${main === 'results' ? 'the array' : 'the object'} itself, with nothing around it`;
  const slip = { expected: `an object with ${main}`, actual, at: '' };
  if (main === 'results') {
    if (Array.isArray(json)) return { json: { results: json as unknown[] }, slip };
    return undefined;
  }
  if (!isObject(json) || typeof json['id'] !== 'string') return undefined;
  const documented = namesBelow(endpoint, `/${main}`);
  if (Object.keys(json).filter((name) => documented.includes(name)).length >= 3)
    return { json: { [main]: json }, slip };
  return undefined;
}

/** The error that a body seems to be. */
export function errorIn(json: unknown): Enveloped | undefined {
  if (!isObject(json)) return undefined;
  const name = ERROR_NAMES.find((one) => Object.hasOwn(json, one));
  if (name === undefined && json['success'] !== false && json['ok'] !== false) return undefined;
  const said = name === undefined ? '' : ` (${name}: ${show(json[name])})`;
  const expected = 'the documented answer, or a status that is not 2xx';
  return { json, slip: { expected, actual: `an error${said} with a success status`, at: '', isAll: true } };
}
