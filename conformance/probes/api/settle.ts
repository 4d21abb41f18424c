import type { EndpointId } from '../../../spec/index.ts';
import { present } from '../../collections.ts';
import { hasFailed, renamed } from '../../history/facts/failures.ts';
import { isWithoutAccess, type Answered } from '../../http/exchange.ts';
import { parseJson } from '../../json.ts';
import { CannotProbe, outcomeOf, UnansweredProbe } from '../cannot-probe.ts';
import type { ComposedRequest } from './request.ts';
import { hasSpare, send, type Sender } from './send.ts';

/** A request that failed is sent so many times again, so that failing always is told from failing now and then. */
export const AGAIN = 2;
/** Most requests of a run that are sent again, and most of one endpoint that failed each time. */
const [MAX_AGAIN, MAX_SETTLED] = [40, 3];
/** The pauses in an outage, before the target is asked again whether it is there. */
const OUTAGE_MS = [0, 500, 1_000, 2_000, 4_000];
/** If requests are answered only alone so many times, or once after silence, fewer are sent at once. */
const STRIKES = 3;

/** Sends a request, and again if it failed, until it is answered otherwise or has failed each time. */
export async function untilSettled(sender: Sender, request: ComposedRequest): Promise<Answered> {
  const { endpoint, caller, open } = request.about;
  // What may stay unanswered is asked again only once, and alone.
  const isFree = open || isWithoutAccess(caller);
  let done = await outcomeOf(exchange(sender, request, 0));
  // Others may be the first that are answered.
  if (done instanceof UnansweredProbe && sender.statistics.answers === 0) await sender.pauses.idle();
  let attempt = isFree ? AGAIN : 1;
  for (; mayAskAgain(sender, request, done, isFree); attempt++) {
    if (attempt > AGAIN) {
      if (!isFree) sender.settled.push(request);
      break;
    }
    sender.again++;
    const repeated = again(request, attempt);
    const next = await outcomeOf(
      attempt === AGAIN && isLost(done) ? alone(sender, repeated, done) : exchange(sender, repeated, attempt),
    );
    // The run may be over by now.
    if (next instanceof CannotProbe && !(next instanceof UnansweredProbe)) break;
    done = next;
  }
  if (!(done instanceof CannotProbe)) return done;
  const times = isFree || !sender.silent.has(endpoint) ? 1 : attempt;
  if (done instanceof UnansweredProbe) sender.missing.set(endpoint, (sender.missing.get(endpoint) ?? 0) + times);
  throw done;
}

/** Whether nothing of an answer came. */
const isLost = (done: unknown): done is UnansweredProbe =>
  done instanceof UnansweredProbe && done.exchange.excerpt.status === undefined && !done.exchange.excerpt.isTooLarge;

/**
 * Sends a request that was lost once more, without any other in flight, and with no connection open, once the target is
 * there. If requests are answered only so, fewer are sent at once from now on.
 */
function alone(sender: Sender, request: ComposedRequest, lost: UnansweredProbe): Promise<Answered> {
  return sender.pauses.alone(async () => {
    const times = sender.silent.has(request.about.endpoint) ? STRIKES : 1;
    await sender.keep?.(false);
    if (await comesBack(sender, request.about.endpoint)) sender.calmAt = sender.ticks;
    try {
      const answered = await send(sender, request, AGAIN);
      if (lost.exchange.begun < sender.calmAt) return answered;
      if ((sender.strikes += times) < STRIKES) return answered;
      sender.calmAt = sender.ticks;
      sender.pauses.narrow('Requests had no answer beside others, and one when they were alone');
      return answered;
    } finally {
      if (sender.strikes < STRIKES) await sender.keep?.(true);
    }
  });
}

/** Asks what was served before, by other endpoints if possible, until it is answered: whether that took a pause. */
async function comesBack(sender: Sender, endpoint: EndpointId): Promise<boolean> {
  const { served, sleep, statistics } = sender;
  const [own, others] = [served.get(endpoint), [...served.values()].filter((one) => one.about.endpoint !== endpoint)];
  const all = present(...others, own);
  for (const [i, pause] of OUTAGE_MS.entries()) {
    const asked = all[i % all.length];
    if (!asked) return false;
    if (pause > 0) await sleep(pause);
    if (!isLost(await outcomeOf(send(sender, asked, 1)))) return i > 0;
  }
  statistics.givenUp = `The target stopped answering: ${statistics.lastFailure ?? ''}`;
  return false;
}

function mayAskAgain(sender: Sender, request: ComposedRequest, done: Answered | CannotProbe, isFree: boolean): boolean {
  const { settled, statistics } = sender;
  const { endpoint } = request.about;
  const last = done instanceof UnansweredProbe ? done.exchange : done;
  if (last instanceof CannotProbe || !hasFailed(last) || (isFree && !isLost(done))) return false;
  const isAnyThere = statistics.answers + statistics.begun > 0;
  if (!isAnyThere || !(isLost(done) || hasSpare(sender)) || sender.again >= MAX_AGAIN) return false;
  return settled.filter((one) => one.about.endpoint === endpoint).length < MAX_SETTLED;
}

/** The same request, which makes something else if it makes something. */
export function again(request: ComposedRequest, attempt: number): ComposedRequest {
  const { wire, about } = request;
  if (attempt === 0 || wire.body === undefined) return request;
  const body = renamed(wire.body, attempt);
  return { wire: { ...wire, body }, about: { ...about, sent: parseJson(body) } };
}

/** Sends a request in its turn. */
export const exchange = (sender: Sender, request: ComposedRequest, attempt: number): Promise<Answered> =>
  sender.pauses.inTurn(() => send(sender, request, attempt));
