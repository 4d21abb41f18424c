import { type EndpointId, endpointIds, endpoints } from '../../spec/index.ts';
import { percentDecoded } from '../../text/parse-url.ts';
import { type Refusal, refuse, type RequestError } from '../call.ts';
import { slipOf } from '../wording/slips.ts';

export interface EndpointRoute {
  readonly endpoint: EndpointId;
  /** Percent-decoded; empty if the path has no parameter. */
  readonly agentId: string;
}

type Pattern = (typeof patterns)[number];

const patterns = endpointIds.map((endpoint) => {
  const { method, path } = endpoints[endpoint];
  return { endpoint, method, path, line: `${method} ${path}`, segments: path.split('/') };
});

/** Finds the endpoint of a request, or refuses it and names the nearest route. `path` has no query. */
export function route(method: string, path: string): EndpointRoute | Refusal {
  const segments = path.split('/');
  let otherMethods: Pattern[] = [];
  for (const pattern of patterns) {
    const agentId = match(pattern.segments, segments);
    if (agentId === undefined) continue;
    if (pattern.method === method) {
      const id = percentDecoded(agentId);
      if (id === undefined) return notDecodable;
      return { endpoint: pattern.endpoint, agentId: id };
    }
    otherMethods = [...otherMethods, pattern];
  }
  const shown = method.slice(0, 20);
  if (otherMethods.length > 0) {
    const allowed = [...new Set(otherMethods.map((pattern) => pattern.method))];
    const slip = nearRoutes(method, path).find((near) => near.isLikely && near.method === method);
    const lines = slip?.line ?? otherMethods.map((pattern) => pattern.line).join(' or ');
    const message = [`Did you mean ${lines}?`, ...(slip?.differences ?? [])].join(' ');
    const meant = slip || otherMethods.length === 1 ? lines : undefined;
    const detail = `${shown} is not allowed here. ${allowed.join(' and ')} is.${whyNotAllowed(method, allowed)}`;
    const refusal = refuse('wrong-method', detail, { location: 'path', message, meant });
    return { ...refusal, section: '4', headers: { allow: allowed.join(', ') } };
  }
  return {
    ...refuse('unknown-route', `There is no route ${shown} ${path.slice(0, 200)}.`, unlike(method, path)),
    section: '4',
  };
}

function whyNotAllowed(method: string, allowed: readonly string[]): string {
  if (['PUT', 'PATCH', 'DELETE'].includes(method)) return ' No endpoint changes or deletes anything.';
  if (method === 'GET') return ' No endpoint lists agents or workspaces.';
  const isInSmall = method !== method.toUpperCase() && allowed.includes(method.toUpperCase());
  if (isInSmall) return ' Write methods in capitals.';
  return '';
}

function unlike(method: string, path: string): RequestError {
  const [best] = nearRoutes(method, path);
  const lines = patterns.map((pattern) => pattern.line);
  if (!best?.isLikely) return { location: 'path', message: `The routes are ${lines.join(', ')}.` };
  const message = [`Did you mean ${best.method} ${best.path}?`, ...best.differences].join(' ');
  return { location: 'path', message, meant: best.line };
}

const notDecodable: Refusal = {
  ...refuse('invalid', 'The path cannot be decoded.', {
    location: 'path/agentId',
    message: 'Is not valid percent-encoding of UTF-8. Encode an id with encodeURIComponent.',
  }),
  section: '4',
};

/** The value for `{agentId}`, still encoded; empty if the pattern has none; `undefined` if it does not match. */
function match(pattern: readonly string[], segments: readonly string[]): string | undefined {
  if (pattern.length !== segments.length) return undefined;
  let agentId = '';
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected === '{agentId}' && segment !== '') agentId = segment;
    else if (segment !== expected && percentDecoded(segment) !== expected) return undefined;
  }
  return agentId;
}

/** Every route, the most similar first. */
export function nearRoutes(method: string, path: string) {
  const { rest, differences } = withoutPrefix(path.split('/').slice(1, 20));
  return patterns
    .map((pattern) => compared(pattern, method, rest, differences))
    .toSorted((one, other) => one.distance - other.distance);
}

const PREFIX = '/api/v1';

function withoutPrefix(segments: readonly string[]) {
  const end = [...segments, '/'].findIndex((segment) => !/^(?:|api|v\d{1,3})$/i.test(segment));
  const sent = segments.slice(0, end);
  const prefix = sent
    .filter((segment) => segment !== '')
    .map((segment) => `/${segment}`)
    .join('');
  const differences: string[] = [];
  if (prefix === '') differences.push(`It lacks the prefix ${PREFIX}.`);
  else if (prefix !== PREFIX) differences.push(`The prefix is ${PREFIX}, not ${prefix}.`);
  if (sent.includes('') && sent.length > 1) differences.push('It has // instead of one slash.');
  return { rest: segments.slice(sent.length), differences };
}

const SLIP = 0.05;
const OTHER_METHOD = 0.2;

function compared(pattern: Pattern, method: string, rest: readonly string[], before: readonly string[]) {
  const wanted = pattern.segments.slice(3);
  const differences = [...before];
  const withoutEmpty = rest.filter((segment) => segment !== '');
  const hasSlash = rest.length > wanted.length && withoutEmpty.length === wanted.length;
  const sent = hasSlash ? withoutEmpty : rest;
  if (hasSlash)
    differences.push(rest.at(-1) === '' ? 'It ends with a slash. Leave that out.' : 'It has // instead of one slash.');
  const right: string[] = [];
  // Where both fit, an empty id is likelier than two slashes.
  let distance = differences.length * SLIP + Number(hasSlash) / 100;
  let isLikely = true;
  const length = Math.max(wanted.length, sent.length);
  for (let i = 0; i < length; i++) {
    const [expected, segment] = [wanted[i], sent[i]];
    if (expected === '{agentId}' && segment) {
      right.push(segment.length > 100 ? expected : segment);
      continue;
    }
    if (expected !== undefined) right.push(expected);
    if (segment === expected) continue;
    const isSlip = expected !== undefined && segment !== undefined && isLike(segment, expected);
    isLikely &&= isSlip;
    distance += isSlip ? SLIP : (1 - OTHER_METHOD) / length;
    differences.push(difference(expected, segment));
  }
  if (pattern.method !== method) {
    differences.push(`The method is ${pattern.method}.`);
    distance += OTHER_METHOD;
  }
  return {
    endpoint: pattern.endpoint,
    method: pattern.method,
    path: pattern.path,
    /** As in WireMock, 0 for a match, and 1 if they have nothing in common. */
    distance: Math.min(1, Math.round(distance * 1000) / 1000),
    differences,
    /** Whether the path has only typical mistakes. */
    isLikely,
    line: `${pattern.method} ${PREFIX}/${right.join('/')}`,
  };
}

function difference(expected: string | undefined, segment: string | undefined): string {
  if (expected === undefined) return `${JSON.stringify(segment)} is one segment too many.`;
  if (segment === undefined) return `It ends before ${JSON.stringify(expected)}.`;
  if (expected === '{agentId}') return 'The id of the agent is empty.';
  return `${JSON.stringify(segment)} must be ${JSON.stringify(expected)}.`;
}

function isLike(segment: string, expected: string): boolean {
  if (expected === '{agentId}' || slipOf(segment, [expected]) !== undefined) return true;
  return segment.length > 3 && expected.toLowerCase().startsWith(segment.toLowerCase());
}

/** Decoded pairs in the order of the URL. Most queries need no decoding, and are read without it. */
export function readQuery(search: string): readonly (readonly [name: string, value: string])[] {
  if (!/^[\w.~:@=&-]*$/.test(search)) return [...new URLSearchParams(search)];
  return search.split('&').flatMap((pair): [string, string][] => {
    if (pair === '') return [];
    const [name = '', ...value] = pair.split('=');
    return [[name, value.join('=')]];
  });
}
