import { gapIds, gaps, statusOfChoice, type ChoiceOf, type GapId, type StatusGap } from '../../spec/index.ts';
import { onlyOf, valueFor } from '../collections.ts';
import type { Probe } from '../probes/probe.ts';
import { keyOf } from '../history/facts/failures.ts';
import { UNAUTHORIZED } from '../http/statuses.ts';
import { isAnswered, type Answered, type Exchange } from '../http/exchange.ts';
import type { Facts } from '../history/facts/facts.ts';
import type { Observation, ObservedProfile } from '../report/report.ts';

/** Notes what the target did where the specification leaves the choice open. Never a failure. */
export type Observe = <G extends GapId>(gap: G, choice: ChoiceOf<G> | undefined, seen: string) => void;

/** Notes the choice that a status stands for. */
export function observeStatus(observe: Observe, gap: StatusGap, status: number, seen?: string): void {
  const choices = Object.entries(statusOfChoice[gap]) as [ChoiceOf<StatusGap>, number][];
  observe(gap, choices.find(([, one]) => one === status)?.[0], seen ?? String(status));
}

export type Note = (observe: Observe, exchange: Answered, facts: Facts) => void;

export interface Observer {
  /** The requests that let it show. */
  readonly probes?: readonly Probe[];
  /** Sees every answer, in the order of completion. */
  readonly see?: Note;
  readonly conclude?: (observe: Observe, facts: Facts) => void;
}

/** A sighting that counts only if there is no other. */
export const NOTHING_ELSE = 'nothing else';

/** Most sightings of the same choice that are kept. One of a different choice is always kept. */
const MAX_SEEN = 4;

/** Collects sightings. A gap's choice is recognised if all its sightings agree. */
export function createObservations(observers: readonly Observer[], facts: Facts) {
  let sightings = new Map<GapId, Map<string, string | undefined>>();
  const observe: Observe = (gap, choice, seen) => {
    const ofGap = valueFor(sightings, gap, () => new Map<string, string | undefined>());
    if (!ofGap.has(seen) && (ofGap.size < MAX_SEEN || ![...ofGap.values()].includes(choice))) ofGap.set(seen, choice);
  };
  const refused = new Set<string>();

  /** Whether the right token is refused for the first time. The run then asks again, since that may be an accident. */
  function mayBeStray({ caller, excerpt }: Exchange): boolean {
    if (caller !== 'valid' || excerpt.status !== UNAUTHORIZED || !facts.policy.asksAgain) return false;
    const key = keyOf(excerpt);
    const isFirst = !refused.has(key);
    refused.add(key);
    return isFirst;
  }

  return {
    see(exchange: Exchange): void {
      // What everybody gets now and then shows no choice.
      if (!isAnswered(exchange) || exchange.answer.status === 429 || exchange.answer.status >= 500) return;
      if (mayBeStray(exchange)) return;
      for (const observer of observers) observer.see?.(observe, exchange, facts);
    },
    conclude() {
      // Traffic goes on after a conclusion, which then no longer holds.
      const before = new Map([...sightings].map(([gap, ofGap]) => [gap, new Map(ofGap)]));
      for (const observer of observers) observer.conclude?.(observe, facts);
      const observations = gapIds.flatMap((gap): Observation[] => {
        const ofGap = sightings.get(gap);
        if (!ofGap) return [];
        if (ofGap.size > 1) ofGap.delete(NOTHING_ELSE);
        const { section, question } = gaps[gap];
        const choice = onlyOf(new Set(ofGap.values()));
        return [{ gap, section, question, choice, seen: [...ofGap.keys()].join('; ') }];
      });
      sightings = before;
      return { observations, observedProfile: observedProfile(observations) };
    },
  };
}

/** The unambiguous observations, as a partial profile. */
export function observedProfile(observations: readonly Observation[]): ObservedProfile {
  const known = observations.filter(({ choice }) => choice !== undefined);
  return Object.fromEntries(known.map(({ gap, choice }) => [gap, choice]));
}
