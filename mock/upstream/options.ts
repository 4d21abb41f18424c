import { type EndpointId, endpointIds, endpoints } from '../../spec/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { MockError } from '../mock-error.ts';

/** A real server behind the mock, which answers what the mock does not. */
export interface UpstreamOptions {
  /** Its URL before the documented paths. `http` or `https`. */
  readonly url: string;
  /** Endpoints that it has, by id (`get-agent`) or section (`4.3`). The mock then answers all others. */
  readonly forward?: readonly string[];
  /** Endpoints that it does not have. All others are then forwarded. */
  readonly mock?: readonly string[];
  /** The mock answers where the upstream lacks a route, cannot be reached, or does not answer in time. Default: no. */
  readonly fallback?: boolean;
  /** Replaces the client's bearer token. Default: the client's token. No output shows it. */
  readonly token?: string;
  /** Copies what the upstream returns into the session, for the time when the upstream is down. Default: no. */
  readonly learn?: boolean;
  /** Milliseconds for one whole answer of the upstream. Default: 10,000. */
  readonly timeout?: number;
  /** Certificates (PEM) to trust instead of the well-known authorities. */
  readonly ca?: string;
  /** Accepts any certificate of the upstream. Default: no. */
  readonly insecure?: boolean;
}

/**
 * Who answers an endpoint about ids that the mock did not make. `upstream`: the upstream. `fallback`: the same, but the mock if
 * the upstream lacks the route or does not answer. `mock`: the mock.
 */
export type Way = 'upstream' | 'fallback' | 'mock';
export const ways: readonly Way[] = ['upstream', 'fallback', 'mock'];

const MOST_MS = 600_000;

export type UpstreamPlan = ReturnType<typeof readUpstream>;

/** @throws MockError that says which option is wrong, and what it must be. */
export function readUpstream(options: UpstreamOptions) {
  const { token, learn = false, timeout = 10_000, ca, insecure = false } = options;
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new MockError('upstream.token must hold ASCII characters without blanks, and no "Bearer" before it.');
  const given = JSON.stringify(timeout);
  if (!(Number.isSafeInteger(timeout) && timeout >= 1 && timeout <= MOST_MS))
    throw new MockError(`upstream.timeout is ${given}; it must be milliseconds from 1 to ${MOST_MS}.`);
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new MockError(
      'upstream.ca must hold certificates in PEM (-----BEGIN CERTIFICATE-----), not the name of a file.',
    );
  return { url: readUrl(options.url), ways: waysOf(options), token, learns: learn, timeout, ca, insecure };
}

function readUrl(text: string): URL {
  const url = (typeof text === 'string' && /^https?:\/\//i.test(text) && parseUrl(text)) || undefined;
  if (url && (url.username !== '' || url.password !== ''))
    throw new MockError(
      'upstream.url holds a user name or a password, which would end up in logs. Use upstream.token.',
    );
  if (url && url.search === '' && url.hash === '') return url;
  throw new MockError(
    `upstream.url is ${JSON.stringify(text)?.slice(0, 200)}; it must be the URL before the documented paths, such as https://api.example.com, without ? and #.`,
  );
}

function waysOf({ forward = [], mock = [], fallback = false }: UpstreamOptions): ReadonlyMap<EndpointId, Way> {
  const [forwarded, mocked] = [endpointsNamed(forward, 'upstream.forward: '), endpointsNamed(mock, 'upstream.mock: ')];
  const both = forwarded.filter((id) => mocked.includes(id));
  if (both.length > 0)
    throw new MockError(
      `--forward and --mock (upstream.forward and upstream.mock) both name ${both.join(', ')}. Name each endpoint once.`,
    );
  const onward: Way = fallback ? 'fallback' : 'upstream';
  const rest: Way = forwarded.length > 0 && mocked.length === 0 ? 'mock' : onward;
  const wayOf = (id: EndpointId): Way => {
    if (forwarded.includes(id)) return onward;
    if (mocked.includes(id)) return 'mock';
    return rest;
  };
  return new Map(endpointIds.map((id) => [id, wayOf(id)]));
}

/** By ids or sections, in the order of the specification. @throws MockError, which `label` begins */
export function endpointsNamed(names: readonly string[], label: string): readonly EndpointId[] {
  const sections = [...new Set(endpointIds.map((id) => endpoints[id].section))];
  for (const name of names) {
    if (endpointIds.some((id) => isNamed(id, name))) continue;
    const all = endpointIds.map((id) => `${id} (${endpoints[id].section})`).join(', ');
    const known = didYouMean(name, [...endpointIds, ...sections]) || ` There are ${all}.`;
    throw new MockError(`${label}There is no endpoint or section ${JSON.stringify(name)?.slice(0, 100)}.${known}`);
  }
  return endpointIds.filter((id) => names.some((name) => isNamed(id, name)));
}

const isNamed = (id: EndpointId, name: string): boolean =>
  id === name || endpoints[id].section === name || endpoints[id].section.startsWith(`${name}.`);

/** Controls who answers in a session. */
export interface UpstreamControls {
  /** The URL of the upstream. */
  readonly url: string;
  /** Who answers each endpoint. */
  readonly ways: Readonly<Record<EndpointId, Way>>;
  /** Changes who answers an endpoint (`get-agent`), a section (`4.3`), or `every` one. @throws MockError */
  set(on: string, way: Way): void;
  /** Restores who answers an endpoint, a section or `every` one. @throws MockError */
  reset(on: string): void;
}

export function controlsOf({ url, ways: initial }: UpstreamPlan, current: Map<EndpointId, Way>): UpstreamControls {
  const named = (on: string): readonly EndpointId[] => (on === 'every' ? endpointIds : endpointsNamed([on], ''));
  return {
    url: url.href.replace(/\/$/, ''),
    get ways() {
      return Object.fromEntries(current) as Record<EndpointId, Way>;
    },
    set(on, way) {
      const known = `one of ${ways.join(', ')}.${didYouMean(way, ways)}`;
      if (!ways.includes(way)) throw new MockError(`way is ${JSON.stringify(way)}; it must be ${known}`);
      for (const id of named(on)) current.set(id, way);
    },
    reset(on) {
      for (const id of named(on)) current.set(id, initial.get(id) ?? 'upstream');
    },
  };
}
