import { endpointIds, endpoints, type EndpointId } from '../../spec/index.ts';
import { decoded } from '../access/address.ts';
import { refuse, type Refusal, type RequestError } from '../call.ts';
import { nearMissesOf } from '../journal/near-misses.ts';
import { slipOf } from '../wording/slips.ts';

export interface EndpointRoute {
  readonly endpoint: EndpointId;
  /** Percent-decoded; empty if the path has no parameter. */
  readonly agentId: string;
}

interface Pattern {
  readonly endpoint: EndpointId;
  readonly method: string;
  readonly segments: readonly string[];
}

const patterns: readonly Pattern[] = endpointIds.map((endpoint) => {
  const { method, path } = endpoints[endpoint];
  return { endpoint, method, segments: path.split('/') };
});

/** Finds the endpoint of a request, or refuses it and names the nearest route. `path` has no query. */
export function route(method: string, path: string): EndpointRoute | Refusal {
  const segments = path.split('/');
  let otherMethods: Pattern[] = [];
  for (const pattern of patterns) {
    const agentId = match(pattern.segments, segments);
    if (agentId === undefined) continue;
    if (pattern.method === method) {
      const id = decoded(agentId);
      if (id === undefined) return notDecodable;
      return { endpoint: pattern.endpoint, agentId: id };
    }
    otherMethods = [...otherMethods, pattern];
  }
  const shown = method.slice(0, 20);
  if (otherMethods.length > 0) {
    const allowed = [...new Set(otherMethods.map((pattern) => pattern.method))];
    const slip = likely(method, segments).likely.find(({ pattern }) => pattern.method === method);
    const lines = slip?.line ?? otherMethods.map(describe).join(' or ');
    const message = [`Did you mean ${lines}?`, slip?.reasons ?? []].flat().join(' ');
    const meant = slip || otherMethods.length === 1 ? lines : undefined;
    const why = whyNotAllowed(method, allowed);
    return {
      ...refuse('wrong-method', `${shown} is not allowed here. ${allowed.join(' and ')} is.${why}`, [
        { location: 'path', message, meant },
      ]),
      section: '4',
      headers: { allow: allowed.join(', ') },
    };
  }
  return {
    ...refuse('unknown-route', `There is no route ${shown} ${path.slice(0, 200)}.`, [unlike(method, segments)]),
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

/** What is wrong with the path of a request that belongs to no endpoint. */
function unlike(method: string, segments: readonly string[]): RequestError {
  const { likely: found, reasons } = likely(method, segments);
  const [best] = found.toSorted((a, b) => a.distance - b.distance);
  if (best)
    return {
      location: 'path',
      message: [`Did you mean ${describe(best.pattern)}?`, ...best.reasons].join(' '),
      meant: best.line,
    };
  const isLike = segments.some((segment) => words.some((word) => slipOf(segment, [word]) === word));
  const [near] = isLike ? nearMissesOf({ method, url: segments.join('/') }) : [];
  const routes = near
    ? `Did you mean ${near.method} ${near.path}?`
    : `The routes are ${patterns.map(describe).join(', ')}.`;
  return { location: 'path', message: [routes, ...reasons].join(' ') };
}

/** The words in paths after the prefix. */
const words = [...new Set(patterns.flatMap(({ segments }) => segments.slice(3)))].filter(
  (word) => word !== '{agentId}',
);

const notDecodable: Refusal = {
  ...refuse('invalid', 'The path cannot be decoded.', [
    {
      location: 'path/agentId',
      message: 'Is not valid percent-encoding of UTF-8. Encode an id with encodeURIComponent.',
    },
  ]),
  section: '4',
};

const describe = (pattern: Pattern): string => `${pattern.method} ${pattern.segments.join('/')}`;

/** The value for `{agentId}`, still encoded; empty if the pattern has none; `undefined` if it does not match. */
function match(pattern: readonly string[], segments: readonly string[]): string | undefined {
  if (pattern.length !== segments.length) return undefined;
  let agentId = '';
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected === '{agentId}' && segment !== '') agentId = segment;
    else if (segment !== expected && decoded(segment) !== expected) return undefined;
  }
  return agentId;
}

/** A route that was probably meant, how the path differs from it, and the corrected request line. */
interface Likely {
  readonly pattern: Pattern;
  readonly reasons: readonly string[];
  readonly line: string;
  /** A lower number is likelier. */
  readonly distance: number;
}

/** The routes that differ from a path only by typical mistakes, and what is wrong with its prefix. */
function likely(
  method: string,
  segments: readonly string[],
): { readonly likely: readonly Likely[]; readonly reasons: readonly string[] } {
  const { rest, reasons } = withoutPrefix(segments.slice(1, 20));
  return { likely: patterns.flatMap((pattern) => slipsFrom(pattern, method, rest, reasons)), reasons };
}

const PREFIX = '/api/v1';

/** The path after the prefix, whatever was sent as the prefix. */
function withoutPrefix(segments: readonly string[]): {
  readonly rest: readonly string[];
  readonly reasons: readonly string[];
} {
  const isPrefix = (segment: string): boolean => segment === '' || /^(?:api|v\d{1,3})$/i.test(segment);
  const end = segments.findIndex((segment) => !isPrefix(segment));
  const sent = segments.slice(0, end < 0 ? segments.length : end);
  const prefix = sent
    .filter((segment) => segment !== '')
    .map((segment) => `/${segment}`)
    .join('');
  const reasons: string[] = [];
  if (prefix === '') reasons.push(`It lacks the prefix ${PREFIX}.`);
  else if (prefix !== PREFIX) reasons.push(`The prefix is ${PREFIX}, not ${prefix}.`);
  if (sent.includes('') && sent.length > 1) reasons.push('It has // instead of one slash.');
  return { rest: segments.slice(sent.length), reasons };
}

/** How the rest of a path differs from a pattern, if only by typical mistakes. */
function slipsFrom(pattern: Pattern, method: string, rest: readonly string[], before: readonly string[]): Likely[] {
  const wanted = pattern.segments.slice(3);
  const reasons = [...before];
  const trailing = rest.length === wanted.length + 1 && rest.at(-1) === '';
  const withoutDoubles = rest.filter((segment) => segment !== '');
  const doubled = !trailing && rest.length > wanted.length && withoutDoubles.length === wanted.length;
  let sent = rest;
  if (trailing) sent = rest.slice(0, -1);
  if (doubled) sent = withoutDoubles;
  if (sent.length !== wanted.length) return [];
  if (trailing) reasons.push('It ends with a slash. Leave that out.');
  if (doubled) reasons.push('It has // instead of one slash.');
  const right: string[] = [];
  for (const [index, expected] of wanted.entries()) {
    const segment = sent[index] ?? '';
    if (expected === '{agentId}') {
      if (segment === '') reasons.push('The id of the agent is empty.');
      right.push(segment === '' || segment.length > 100 ? expected : segment);
      continue;
    }
    if (segment !== expected) {
      if (slipOf(segment, [expected]) === undefined && !isBeginning(segment, expected)) return [];
      reasons.push(`${JSON.stringify(segment)} must be ${JSON.stringify(expected)}.`);
    }
    right.push(expected);
  }
  if (pattern.method !== method) reasons.push(`The method is ${pattern.method}.`);
  const distance = reasons.length + (doubled ? 0.5 : 0);
  return [{ pattern, reasons, line: `${pattern.method} ${PREFIX}/${right.join('/')}`, distance }];
}

const isBeginning = (segment: string, expected: string): boolean =>
  segment.length > 3 && expected.toLowerCase().startsWith(segment.toLowerCase());
