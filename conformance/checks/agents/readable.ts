import { isReadingAgent, type NewAgentEndpoint } from '../../../spec/index.ts';
import { addFailure, MOST_KEPT, type Judge } from '../../check.ts';
import { valueFor } from '../../collections.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isLagging, MAX_LAG_MS } from '../../history/facts/lateness.ts';
import { isAnswered, type Excerpt } from '../../http/exchange.ts';
import { show } from '../../show.ts';
import { judgeReadableBetween } from './between-answers.ts';
import { origins, readingOf } from './created.ts';
import { NOT_THERE, refusalOf, type Refusal } from './refusals.ts';

const noReadings = (creation: Excerpt) => ({
  creation,
  accepted: 0,
  /** Denials since its last answer, and how long after the creation the latest came. */
  refused: 0,
  afterMs: 0,
  last: undefined as Refusal | undefined,
  /** A denial after the agent had been read. */
  forgotten: undefined as Refusal | undefined,
});

type Readings = ReturnType<typeof noReadings>;

/** Judges that a created agent can be read, and stays readable. */
export function judgeReadable(facts: Facts, endpoint: NewAgentEndpoint): Judge {
  if (!facts.policy.isShared) return judgeReadableAfterLag(facts, endpoint);
  return judgeReadableBetween(facts, endpoint);
}

/** From three seconds after its creation. */
function judgeReadableAfterLag({ agents, traffic, target }: Facts, endpoint: NewAgentEndpoint): Judge {
  const all = new Map<string, Readings>();
  let lastAnswered = -1;

  function denialIn({ accepted, refused, afterMs, last, forgotten }: Readings): Refusal | undefined {
    if (forgotten) return forgotten;
    const isGone = refused > 1 || (refused === 1 && (afterMs > MAX_LAG_MS || accepted > 0));
    // A locked-out caller gets 403 for everything, even for what is readable later.
    const isLockedOut = last?.status === 403 && last.n > lastAnswered;
    if (isGone && !isLockedOut) return last;
    return undefined;
  }

  return {
    see(exchange) {
      if (exchange.caller !== 'valid' || !isAnswered(exchange)) return;
      const { status, accepted } = exchange.answer;
      if (isReadingAgent(exchange.endpoint) && accepted) lastAnswered = exchange.n;
      const created = readingOf(exchange, endpoint, agents);
      if (!created) return;
      const readings = valueFor(all, created.id, () => noReadings(created.creation.excerpt), MOST_KEPT);
      if (accepted) {
        readings.accepted++;
        readings.refused = 0;
        return;
      }
      if (!NOT_THERE.has(status)) return;
      readings.refused++;
      readings.last = refusalOf(exchange);
      readings.afterMs = exchange.sentAt - created.creation.answeredAt;
      // One of two replicas may lag behind.
      const isLate = !isLagging(created.creation, exchange);
      if (status !== 403 && readings.accepted > 0 && isLate) readings.forgotten ??= readings.last;
    },
    conclude(verdict) {
      // If nothing at all can be read, another check fails.
      const isAnyRead = traffic.of('get-agent').firstAccepted !== undefined || target.agentId === undefined;
      for (const [id, readings] of all) {
        const denial = denialIn(readings);
        const wasRead = readings.accepted > 0;
        if (denial && isAnyRead)
          addFailure(verdict, {
            expected: `the agent ${show(id)}, which was ${origins[endpoint]} before, can be read${wasRead ? ' as it was before' : ''}`,
            actual: `Get agent answered ${denial.status}`,
            exchanges: [readings.creation, denial.excerpt],
          });
        else if (wasRead || denial) verdict.judged++;
      }
    },
  };
}
