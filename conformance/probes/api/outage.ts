import type { EndpointId } from '../../../spec/index.ts';
import { present } from '../../collections.ts';
import { hasFailed } from '../../history/facts/failures.ts';
import type { Answered, Exchange } from '../../http/exchange.ts';
import { CannotProbe, outcomeOf, UnansweredProbe } from '../cannot-probe.ts';
import { send, type Sender } from './send.ts';

/** The pauses in an outage, before the target is asked again whether it is there, and the longest of all outages together. */
const [OUTAGE_MS, MAX_OUTAGE_MS] = [[0, 500, 1_000, 2_000, 4_000, 8_000], 30_000];
/** So often the target is asked whether it is there for requests that are otherwise not sent again, if it always is. */
const MAX_SUSPECTED = 3;

/** Asks what was served before, by other endpoints if possible, until it is served again: whether that took a pause. */
export async function comesBack(sender: Sender, endpoint: EndpointId): Promise<boolean> {
  const { served, sleep, statistics } = sender;
  const [own, others] = [served.get(endpoint), [...served.values()].filter((one) => one.about.endpoint !== endpoint)];
  const all = present(...others, own);
  let why = '';
  for (const [i, pause] of OUTAGE_MS.entries()) {
    const asked = all[i % all.length];
    if (!asked || sender.waitedMs + pause > MAX_OUTAGE_MS) return i > 0;
    sender.waitedMs += pause;
    if (pause > 0) await sleep(pause);
    const failed = failureIn(await outcomeOf(send(sender, asked, 1)));
    if (!failed) {
      if (i > 0) sender.calmAt = sender.ticks;
      return i > 0;
    }
    why = failed.excerpt.failure ?? `it answers ${failed.excerpt.status} to all.`;
  }
  statistics.givenUp = `The target stopped answering: ${why}`;
  return false;
}

/** The exchange that failed, if one did. */
export function failureIn(done: Answered | CannotProbe): Exchange | undefined {
  const last = done instanceof UnansweredProbe ? done.exchange : done;
  return last instanceof CannotProbe || !hasFailed(last) ? undefined : last;
}

/**
 * Waits while the target fails whatever it is asked, and no other request is sent: what failed then says nothing of itself.
 * All that failed together wait once. Resolves with whether there was such an outage since `begun`.
 */
export async function untilThere(sender: Sender, endpoint: EndpointId, begun: number): Promise<boolean> {
  sender.outage ??= sender.pauses.alone(() => comesBack(sender, endpoint)).finally(() => (sender.outage = undefined));
  await sender.outage;
  return sender.calmAt > begun;
}

/** Whether a request that may fail, and is otherwise not sent again, failed in an outage, which is over now. */
export async function wasOut(sender: Sender, endpoint: EndpointId, begun: number): Promise<boolean> {
  if (sender.calmAt > begun) return true;
  const isSuspected = sender.servedAt < begun && sender.suspected < MAX_SUSPECTED;
  if (!sender.outage && !isSuspected) return false;
  sender.suspected++;
  if (!(await untilThere(sender, endpoint, begun))) return false;
  sender.suspected--;
  return true;
}
