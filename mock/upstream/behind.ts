import { endpointIds, type EndpointId } from '../../spec/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { MockError } from '../mock-error.ts';
import type { Store } from '../store/store.ts';
import type { Ask } from './http/ask.ts';
import { endpointsNamed, ways as allWays, type UpstreamPlan, type Way } from './options.ts';

/** The upstream of a mock: what is asked of it, and how it is asked. */
export interface Upstream {
  readonly plan: UpstreamPlan;
  readonly ask: Ask;
}

/** What one session knows of its upstream. */
export interface Behind {
  readonly ways: Map<EndpointId, Way>;
  /** What the upstream has returned, whether it was learned or not: triggers and faults look there. */
  seen: Store;
  /** Characters in it. */
  size: number;
  /** Endpoints that have answered with success. */
  readonly worked: Set<EndpointId>;
}

/** The switches of a session, as code reaches them. */
export interface UpstreamControls {
  /** Where the upstream is. */
  readonly url: string;
  /** Who answers each endpoint. */
  readonly ways: Readonly<Record<EndpointId, Way>>;
  /** Changes who answers an endpoint (`get-agent`), a section (`4.3`), or `every` one. @throws MockError */
  set(on: string, way: Way): void;
  /** Has an endpoint, a section or `every` one be answered as at the beginning. @throws MockError */
  reset(on: string): void;
}

/** Beyond so many characters, what was seen is forgotten. */
const MOST_SEEN = 20_000_000;

/** `emptied` makes a store that holds nothing but the universe. */
export const beginBehind = ({ plan }: Upstream, emptied: () => Store): Behind => ({
  ways: new Map(plan.ways),
  seen: emptied(),
  size: 0,
  worked: new Set(),
});

/** Makes room for what an upstream has returned. */
export function makeRoom(behind: Behind, emptied: () => Store, characters: number): void {
  behind.size += characters;
  if (behind.size <= MOST_SEEN) return;
  behind.seen = emptied();
  behind.size = characters;
}

export function controlsOf({ plan }: Upstream, { ways }: Behind): UpstreamControls {
  return {
    url: plan.url.href.replace(/\/$/, ''),
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
      for (const id of named(on)) ways.set(id, plan.ways.get(id) ?? 'known');
    },
  };
}

const named = (on: string): readonly EndpointId[] => (on === 'every' ? endpointIds : endpointsNamed([on], ''));
