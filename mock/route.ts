import { endpointIds, endpoints, type EndpointId } from '../spec/index.ts';
import { refuse, type Refusal } from './call.ts';

export interface Route {
  readonly endpoint: EndpointId;
  /** Percent-decoded; empty where the path has no parameter. */
  readonly agentId: string;
}

interface Pattern {
  readonly endpoint: EndpointId;
  readonly method: string;
  readonly segments: readonly string[];
}

const patterns: readonly Pattern[] = endpointIds
  .map((endpoint) => {
    const { method, path } = endpoints[endpoint];
    return { endpoint, method, segments: path.split('/') };
  })
  .toSorted((a, b) => Number(a.segments.includes('{agentId}')) - Number(b.segments.includes('{agentId}')));

/** Finds the endpoint of a request, or refuses it and names the nearest route. `path` has no query. */
export function route(method: string, path: string): Route | Refusal {
  const segments = path.split('/');
  let otherMethods: Pattern[] = [];
  for (const pattern of patterns) {
    const agentId = match(pattern.segments, segments);
    if (agentId === undefined) continue;
    if (pattern.method === method) {
      const decoded = decode(agentId);
      return decoded === undefined ? notDecodable : { endpoint: pattern.endpoint, agentId: decoded };
    }
    otherMethods = [...otherMethods, pattern];
  }
  if (otherMethods.length > 0) {
    const allowed = [...new Set(otherMethods.map((pattern) => pattern.method))];
    return {
      ...refuse('wrong-method', `${method} is not allowed here; ${allowed.join(' and ')} is.`, [
        { location: 'path', message: `Did you mean ${otherMethods.map(describe).join(' or ')}?` },
      ]),
      headers: { allow: allowed.join(', ') },
    };
  }
  return refuse('unknown-route', `There is no route ${method} ${path.slice(0, 200)}.`, [
    { location: 'path', message: `Did you mean ${describe(nearest(method, segments))}?` },
  ]);
}

const notDecodable = refuse('invalid', 'The path cannot be decoded.', [
  { location: 'path/agentId', message: 'Is not valid percent-encoding of UTF-8.' },
]);

const describe = (pattern: Pattern): string => `${pattern.method} ${pattern.segments.join('/')}`;

/** What stands for `{agentId}`, still encoded; empty where the pattern has none; `undefined` where it does not match. */
function match(pattern: readonly string[], segments: readonly string[]): string | undefined {
  if (pattern.length !== segments.length) return undefined;
  let agentId = '';
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected === '{agentId}' && segment !== '') agentId = segment;
    else if (segment !== expected) return undefined;
  }
  return agentId;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The route that shares the most with a path: segments that are equal, or that one letter case or ending sets apart. */
function nearest(method: string, segments: readonly string[]): Pattern {
  const likeness = (a: string, b: string | undefined): number => {
    const [x, y] = [a.toLowerCase(), (b ?? '').toLowerCase()];
    if (x === y) return 4;
    return x !== '' && y.length > 2 && (x.startsWith(y) || y.startsWith(x)) ? 3 : 0;
  };
  const score = (pattern: Pattern): number =>
    pattern.segments.reduce((sum, segment, i) => sum + likeness(segment, segments[i]), 0) +
    likeness(pattern.segments.at(-1) ?? '', segments.at(-1)) -
    Math.abs(pattern.segments.length - segments.length) +
    (pattern.method === method ? 1 : 0);
  return patterns.reduce((best, pattern) => (score(pattern) > score(best) ? pattern : best));
}
