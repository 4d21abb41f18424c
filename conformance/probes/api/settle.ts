import { renamed } from '../../history/facts/failures.ts';
import { isWithoutAccess, type Answered } from '../../http/exchange.ts';
import { UNAUTHORIZED } from '../../http/statuses.ts';
import { parseJson } from '../../json.ts';
import { CannotProbe, outcomeOf, UnansweredProbe } from '../cannot-probe.ts';
import { comesBack, failureIn, untilThere, wasOut } from './outage.ts';
import type { ComposedRequest } from './request.ts';
import { hasSpare, send, type Sender } from './send.ts';

/** A request that failed is sent so many times again, so that failing always is told from failing now and then. */
export const AGAIN = 2;
/** Most requests of a run that are sent again, and most of one endpoint that failed each time. */
const [MAX_AGAIN, MAX_SETTLED] = [40, 3];
/** Most requests with the right token that are sent once more although they are refused (401) then too. */
const MAX_REFUSED = 12;
/** The pause before a request that fails while others are served is sent for the last time. */
const LAST_PAUSE_MS = 500;
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
  const failed = isFree && !isLost(done) && failureIn(done);
  if (failed && (await wasOut(sender, endpoint, failed.begun))) done = await onceMore(sender, request, done);
  if (mayBeStray(sender, request, done)) {
    done = await onceMore(sender, request, done);
    if (isRefused(done)) sender.refused++;
  }
  let attempt = isFree ? AGAIN : 1;
  for (; mayAskAgain(sender, request, done, isFree); attempt++) {
    if (attempt > AGAIN) {
      if (!isFree) sender.settled.push(request);
      break;
    }
    if (isLost(done) || !(await isOver(sender, done, attempt))) sender.again++;
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

/** Sends a request again, if the run goes on. */
async function onceMore(sender: Sender, request: ComposedRequest, done: Answered | CannotProbe) {
  const next = await outcomeOf(exchange(sender, again(request, 1), 1));
  return next instanceof CannotProbe && !(next instanceof UnansweredProbe) ? done : next;
}

const isRefused = (done: Answered | CannotProbe): boolean =>
  !(done instanceof CannotProbe) && done.answer.status === UNAUTHORIZED;

/** Whether a token that may read something is refused, perhaps by accident. */
const mayBeStray = (sender: Sender, { about: { caller } }: ComposedRequest, done: Answered | CannotProbe): boolean =>
  !isWithoutAccess(caller) &&
  isRefused(done) &&
  sender.served.size > 0 &&
  sender.refused < MAX_REFUSED &&
  hasSpare(sender);

/**
 * Waits until others are served since a request failed, and before the last attempt a little longer. Resolves with whether
 * nothing was served meanwhile, so that this failure does not count as one of the request.
 */
async function isOver(sender: Sender, done: Answered | CannotProbe, attempt: number): Promise<boolean> {
  const failed = failureIn(done);
  if (!failed || sender.served.size === 0) return false;
  if (attempt === AGAIN) await sender.sleep(LAST_PAUSE_MS);
  if (sender.servedAt > failed.n) return sender.calmAt > failed.begun;
  return untilThere(sender, failed.endpoint, failed.begun);
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
    await comesBack(sender, request.about.endpoint);
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

function mayAskAgain(sender: Sender, request: ComposedRequest, done: Answered | CannotProbe, isFree: boolean): boolean {
  const { settled, statistics } = sender;
  const { endpoint } = request.about;
  if (!failureIn(done) || (isFree && !isLost(done))) return false;
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
