import type { Finding } from '../../check.ts';
import { valueFor } from '../../collections.ts';
import { isLoss, type Difference } from '../../content/content.ts';
import type { SeenPlaces } from '../../content/places.ts';
import type { Excerpt } from '../../http/exchange.ts';

interface Lack {
  readonly difference: Difference;
  times: number;
  isGone: boolean;
  readonly excerpt: Excerpt;
}

const MAX_KEPT = 100;

/** Collects how answers about agents, or about what else they hold, differ from earlier ones. */
export function createLedger(as: 'sent' | 'answered' | 'imported', holds = 'agent') {
  /** By the kind of the place, each in the smallest request that shows it. */
  const others = new Map<string, Finding>();
  /** By agent and place. */
  const lacks = new Map<string, Map<string, Lack>>();

  const findingOn = ({ at, expected, actual }: Difference, exchanges: readonly Excerpt[]): Finding => ({
    expected: `${expected}, as it was ${as}`,
    actual,
    at: `/${holds}${at}`,
    exchanges,
  });
  const sizeOf = ({ exchanges }: Finding): number =>
    Math.max(...exchanges.map(({ request: { body = '' } }) => body.length));

  function lostByTwo(): ReadonlySet<string> {
    const [once, twice] = [new Set<string>(), new Set<string>()];
    for (const ofAgent of lacks.values())
      for (const [place, { isGone }] of ofAgent) if (isGone) (once.has(place) ? twice : once).add(place);
    return twice;
  }

  return {
    other(difference: Difference, exchanges: readonly Excerpt[]): void {
      const finding = findingOn(difference, exchanges);
      const known = others.get(difference.kind);
      const isSmaller = known === undefined || sizeOf(finding) < sizeOf(known);
      if (isSmaller && (known || others.size < MAX_KEPT)) others.set(difference.kind, finding);
    },
    /** An answer about this agent lacks something. `isGone` if it was shown before. */
    lack(id: string, difference: Difference, excerpt: Excerpt, isGone = false): void {
      const ofAgent = valueFor(lacks, id, () => new Map<string, Lack>(), MAX_KEPT);
      const known = ofAgent.get(difference.place);
      if (known) {
        known.times++;
        known.isGone ||= isGone;
      } else ofAgent.set(difference.place, { difference, times: 1, isGone, excerpt });
    },
    lacks,
    /** The agents that lack what no answer shows, or an empty value such as this server leaves out. */
    excused: (shown: SeenPlaces): readonly string[] =>
      [...lacks.keys()].filter((id) =>
        [...(lacks.get(id)?.values() ?? [])].some(({ difference }) => !isLoss(difference, shown)),
      ),
    /**
     * What is shown otherwise, the smallest proof first. Then losses: places that two answers about one agent lack, or two
     * agents that showed them before, although the server shows such things elsewhere. Each place once, since agents
     * resemble each other.
     */
    findings(shown: SeenPlaces): readonly Finding[] {
      const lost = new Map<string, Finding>();
      const gone = lostByTwo();
      for (const ofAgent of lacks.values())
        for (const [place, { difference, times, excerpt }] of ofAgent)
          if ((times > 1 || gone.has(place)) && isLoss(difference, shown) && !lost.has(place))
            lost.set(place, findingOn(difference, [excerpt]));
      return [...[...others.values()].toSorted((one, other) => sizeOf(one) - sizeOf(other)), ...lost.values()];
    },
  };
}
