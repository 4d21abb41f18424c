import { endpointIds, type EndpointId } from '../../spec/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { MockError } from '../mock-error.ts';
import { endpointsNamed, ways as allWays, type UpstreamPlan, type Way } from './options.ts';

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

/** `ways` is what they change. */
export function controlsOf({ url, ways: initial }: UpstreamPlan, ways: Map<EndpointId, Way>): UpstreamControls {
  const named = (on: string): readonly EndpointId[] => (on === 'every' ? endpointIds : endpointsNamed([on], ''));
  return {
    url: url.href.replace(/\/$/, ''),
    get ways() {
      return Object.fromEntries(ways) as Record<EndpointId, Way>;
    },
    set(on, way) {
      if (!allWays.includes(way))
        throw new MockError(
          `way is ${JSON.stringify(way)}; it must be one of ${allWays.join(', ')}.${didYouMean(way, allWays)}`,
        );
      for (const id of named(on)) ways.set(id, way);
    },
    reset(on) {
      for (const id of named(on)) ways.set(id, initial.get(id) ?? 'upstream');
    },
  };
}
