import { isReadingAgent, type NewAgentEndpoint } from '../../../spec/index.ts';
import type { Judge } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAnswered, type Excerpt } from '../../http/exchange.ts';
import { show } from '../../show.ts';
import { createVerdict } from '../verdict-builder.ts';
import { judgeReadableBetween } from './between-answers.ts';
import { MAX_FINDINGS, origins, readingOf } from './created.ts';
import { NOT_THERE } from './refusals.ts';

/** Milliseconds that a new agent may take until it can be read. */
export const MAX_LAG_MS = 2000;

interface Denial {
  readonly status: number;
  readonly n: number;
  readonly excerpt: Excerpt;
}

/** The readings of one agent. */
interface Readings {
  accepted: number;
  /** Denials since its last answer, and how long after the creation the latest came. */
  refused: number;
  afterMs: number;
  last: Denial | undefined;
  /** A denial after the agent had been read. */
  forgotten: Denial | undefined;
}

const MAX_AGENTS = 1000;

/** Judges that a created agent can be read, and stays readable. */
export function judgeReadable(facts: Facts, endpoint: NewAgentEndpoint): Judge {
  const judge = facts.policy.contradiction === 'any' ? judgeReadableAfterLag : judgeReadableBetween;
  return judge(facts, endpoint);
}

/** From two seconds after its creation. */
function judgeReadableAfterLag({ agents, traffic, target }: Facts, endpoint: NewAgentEndpoint): Judge {
  const all = new Map<string, Readings>();
  /** When an agent was last answered to the main token. */
  let lastAnswered = -1;

  function readingsOf(id: string): Readings {
    const known = all.get(id) ?? { accepted: 0, refused: 0, afterMs: 0, last: undefined, forgotten: undefined };
    if (all.size < MAX_AGENTS) all.set(id, known);
    return known;
  }

  /** The denial that counts. */
  function denialIn({ accepted, refused, afterMs, last, forgotten }: Readings): Denial | undefined {
    if (forgotten) return forgotten;
    const isGone = refused > 1 || (refused === 1 && (afterMs > MAX_LAG_MS || accepted > 0));
    // A locked-out caller gets 403 for everything, even for what is readable later.
    const isLockedOut = last?.status === 403 && last.n > lastAnswered;
    if (isGone && !isLockedOut) return last;
    return undefined;
  }

  return {
    see(exchange) {
      const { caller, answer, n, excerpt } = exchange;
      if (caller !== 'valid') return;
      if (isReadingAgent(exchange.endpoint) && answer?.accepted === true) lastAnswered = n;
      const created = readingOf(exchange, endpoint, agents);
      if (!created || !isAnswered(exchange)) return;
      const readings = readingsOf(created.id);
      const { status, accepted } = exchange.answer;
      if (accepted) {
        readings.accepted++;
        readings.refused = 0;
        return;
      }
      if (!NOT_THERE.has(status)) return;
      readings.refused++;
      readings.last = { status, n, excerpt };
      readings.afterMs = exchange.sentAt - created.creation.answeredAt;
      const isLate = readings.afterMs === 0 || readings.afterMs > MAX_LAG_MS;
      // One of two replicas may lag behind. A stopped clock shows no lag.
      if (status !== 403 && readings.accepted > 0 && isLate) readings.forgotten ??= readings.last;
    },
    verdict() {
      const verdict = createVerdict(MAX_FINDINGS);
      // If nothing at all can be read, another check fails.
      const isAnyRead = traffic.of('get-agent').firstAccepted !== undefined || target.agentId === undefined;
      for (const [id, readings] of all) {
        const denial = denialIn(readings);
        const wasRead = readings.accepted > 0;
        if (wasRead || denial) verdict.judged();
        if (!denial || !isAnyRead) continue;
        const creation = agents.creationOf(id);
        verdict.found({
          expected: `the agent ${show(id)}, which was ${origins[endpoint]} before, can be read${wasRead ? ' as it was before' : ''}`,
          actual: `Get agent answered ${denial.status}`,
          exchanges: creation ? [creation.excerpt, denial.excerpt] : [denial.excerpt],
        });
      }
      return verdict.verdict();
    },
  };
}
