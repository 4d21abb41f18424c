import { endpointIds, endpoints } from '../../spec/index.ts';
import type { JournalEntry } from './journal-entry.ts';

const MOST = 3;

/**
 * The endpoints that a request resembles most, the nearest first, and how it differs. As in WireMock, the distance of a match
 * is 0, and 1 means nothing in common.
 */
export function nearMissesOf({ method, url }: Pick<JournalEntry, 'method' | 'url'>) {
  const segments = (url.split('?')[0] ?? '').split('/').slice(1);
  return endpointIds
    .map((endpoint) => {
      const { method: wanted, path } = endpoints[endpoint];
      const pattern = path.split('/').slice(1);
      const length = Math.max(pattern.length, segments.length);
      const differences: string[] = [];
      let distance = 0;
      if (method !== wanted) {
        distance = 0.2;
        differences.push(`the method is ${method}, not ${wanted}`);
      }
      for (let i = 0; i < length; i++) {
        const apart = segmentDistance(pattern[i], segments[i]);
        distance += (0.8 * apart) / length;
        const is = JSON.stringify(segments[i] ?? '');
        if (pattern[i] === undefined) differences.push(`${is} is one segment too many`);
        else if (apart > 0) differences.push(`segment ${i + 1} is ${is}, not ${JSON.stringify(pattern[i])}`);
      }
      return { endpoint, method: wanted, path, distance: Math.round(distance * 1000) / 1000, differences };
    })
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MOST);
}

function segmentDistance(pattern: string | undefined, segment: string | undefined): number {
  if (pattern === undefined || segment === undefined || segment === '') return 1;
  if (pattern.startsWith('{') || pattern === segment) return 0;
  const [one, other] = [pattern.toLowerCase(), segment.toLowerCase()];
  if (one === other) return 0.1;
  if (one.startsWith(other) || other.startsWith(one)) return 0.3;
  return 1;
}
