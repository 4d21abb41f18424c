import { endpointIds, endpoints, type EndpointId } from '../../spec/index.ts';
import type { JournalEntry } from './journal-entry.ts';

/** An endpoint that a request resembles, and its distance. */
export interface NearMiss {
  readonly endpoint: EndpointId;
  readonly method: string;
  readonly path: string;
  /** 0 is a match, 1 means nothing in common, as in WireMock. */
  readonly distance: number;
  /** How the request differs from the endpoint. */
  readonly differences: readonly string[];
}

const MOST = 3;

/** The endpoints that a request resembles most, the nearest first. */
export function nearMissesOf({ method, url }: Pick<JournalEntry, 'method' | 'url'>): readonly NearMiss[] {
  const segments = (url.split('?')[0] ?? '').split('/').slice(1);
  return endpointIds
    .map((endpoint): NearMiss => {
      const { method: wanted, path } = endpoints[endpoint];
      const pattern = path.split('/').slice(1);
      const length = Math.max(pattern.length, segments.length);
      const apart = Array.from({ length }, (_, i) => segmentDistance(pattern[i], segments[i]));
      const far = (apart.reduce((sum, one) => sum + one, 0) / length) * 0.8 + (method === wanted ? 0 : 0.2);
      return {
        endpoint,
        method: wanted,
        path,
        distance: Math.round(far * 1000) / 1000,
        differences: [
          ...(method === wanted ? [] : [`the method is ${method}, not ${wanted}`]),
          ...pattern.flatMap((segment, i) =>
            apart[i] === 0
              ? []
              : [`segment ${i + 1} is ${JSON.stringify(segments[i] ?? '')}, not ${JSON.stringify(segment)}`],
          ),
          ...segments.slice(pattern.length).map((segment) => `${JSON.stringify(segment)} is one segment too many`),
        ],
      };
    })
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MOST);
}

function segmentDistance(pattern: string | undefined, segment: string | undefined): number {
  if (pattern === undefined || segment === undefined || segment === '') return 1;
  if (pattern.startsWith('{') || pattern === segment) return 0;
  const [one, other] = [pattern.toLowerCase(), segment.toLowerCase()];
  if (one === other) return 0.1;
  return one.startsWith(other) || other.startsWith(one) ? 0.3 : 1;
}
