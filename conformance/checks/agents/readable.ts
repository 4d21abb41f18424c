import type { Finding, Judge } from '../../check.ts';
import { isAnswered, type Kept } from '../../http/exchange.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { show } from '../../show.ts';
import { origins, readingOf, type NewAgentEndpoint } from './made.ts';
import { NOT_THERE } from './refusals.ts';

/** Milliseconds that a new agent may take until it can be read. */
export const MAX_LAG_MS = 2000;

/** The readings of one agent. */
interface Readings {
  accepted: number;
  /** Denials since its last answer, and how long after the creation the latest came. */
  refused: number;
  afterMs: number;
  last: { readonly status: number; readonly n: number; readonly kept: Kept } | undefined;
  /** A denial after the agent had been read. */
  forgotten: { readonly status: number; readonly kept: Kept } | undefined;
}

const MAX_AGENTS = 1000;

/** Judges that a created agent can be read from two seconds after its creation, and stays readable. */
export function judgeReadable(facts: Facts, endpoint: NewAgentEndpoint): Judge {
  const { agents, traffic, target } = facts;
  const all = new Map<string, Readings>();
  /** When an agent was last answered to the main token. */
  let lastAnswered = -1;
  const of = (id: string): Readings => {
    const known = all.get(id) ?? { accepted: 0, refused: 0, afterMs: 0, last: undefined, forgotten: undefined };
    if (all.size < MAX_AGENTS) all.set(id, known);
    return known;
  };
  return {
    see(exchange) {
      const { endpoint: to, caller, answer, n } = exchange;
      if (to === 'get-agent' && caller === 'valid' && answer?.accepted === true) lastAnswered = n;
      const made = readingOf(exchange, endpoint, agents);
      if (!made || exchange.caller !== 'valid' || !isAnswered(exchange)) return;
      const readings = of(made.id);
      const { status } = exchange.answer;
      if (exchange.answer.accepted) {
        readings.accepted++;
        readings.refused = 0;
        return;
      }
      if (!NOT_THERE.has(status)) return;
      const said = { status, n, kept: exchange.kept };
      const afterMs = exchange.sentAt - made.madeAt;
      readings.refused++;
      Object.assign(readings, { last: said, afterMs });
      // One of two replicas may lag behind. A stopped clock shows no lag.
      if (status !== 403 && readings.accepted > 0 && (afterMs === 0 || afterMs > MAX_LAG_MS))
        readings.forgotten ??= said;
    },
    verdict() {
      const anyRead = traffic.of('get-agent').firstAccepted !== undefined;
      const findings: Finding[] = [];
      let judged = 0;
      for (const [id, { accepted, refused, afterMs, last, forgotten }] of all) {
        const isGone = refused > 1 || (refused === 1 && (afterMs > MAX_LAG_MS || accepted > 0));
        // A locked-out caller gets 403 for everything, even for what is readable later.
        const isLockedOut = last?.status === 403 && last.n > lastAnswered;
        const said = forgotten ?? (isGone && !isLockedOut ? last : undefined);
        if (accepted > 0 || said) judged++;
        // If nothing at all can be read, another check fails.
        if (!said || (!anyRead && target.agentId !== undefined)) continue;
        const { madeBy } = agents.get(id) ?? {};
        findings.push({
          expected: `the agent ${show(id)}, which was ${origins[endpoint]} before, can be read${accepted > 0 ? ' as it was before' : ''}`,
          actual: `Get agent answered ${said.status}`,
          exchanges: madeBy ? [madeBy, said.kept] : [said.kept],
        });
      }
      return { findings: findings.slice(0, 25), judged };
    },
  };
}
