import { endpointIds, type EndpointId } from '../../spec/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { MockError } from '../mock-error.ts';
import type { Store } from '../store/store.ts';
import type { Send } from './http/send.ts';
import { endpointsNamed, ways as allWays, type UpstreamPlan, type Way } from './options.ts';

/** The upstream of a mock, and how requests are sent to it. */
export interface Upstream {
  readonly plan: UpstreamPlan;
  readonly send: Send;
}

/** What one session knows of its upstream. */
export interface UpstreamState {
  readonly ways: Map<EndpointId, Way>;
  /** What the upstream has returned, learned or not. Triggers and faults read it. */
  seen: Store;
  /** The number of characters in `seen`. */
  size: number;
  /** Endpoints of the upstream that have succeeded. */
  readonly worked: Set<EndpointId>;
}

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

/** At more characters, `seen` starts empty again. */
const MOST_SEEN = 20_000_000;

/** `emptied` creates a store that holds only the universe. */
export const createUpstreamState = ({ plan }: Upstream, emptied: () => Store): UpstreamState => ({
  ways: new Map(plan.ways),
  seen: emptied(),
  size: 0,
  worked: new Set(),
});

/** Counts an answer of the upstream, and empties `seen` if it would become too large. */
export function makeRoom(upstreamState: UpstreamState, emptied: () => Store, characters: number): void {
  upstreamState.size += characters;
  if (upstreamState.size <= MOST_SEEN) return;
  upstreamState.seen = emptied();
  upstreamState.size = characters;
}

export function controlsOf({ plan }: Upstream, { ways }: UpstreamState): UpstreamControls {
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
