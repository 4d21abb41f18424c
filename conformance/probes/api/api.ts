import { setMaxListeners } from 'node:events';
import type { EndpointId } from '../../../spec/index.ts';
import { isEntitled, isWithoutAccess, type Answered, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { present } from '../../collections.ts';
import { parseJson } from '../../json.ts';
import { GONE, PERMISSION, RETRY_LATER } from '../../http/statuses.ts';
import { hasFailed, renamed, wordOf } from '../../history/facts/failures.ts';
import { withDeadline } from '../../http/deadline.ts';
import { MAX_VALUES, holdsTooMuch } from '../../http/read-body.ts';
import { TransportError } from '../../../http/explain-failure.ts';
import type { HttpRequest, HttpAnswer } from '../../../http/exchange.ts';
import type { RunOptions } from '../../run-options.ts';
import { show } from '../../show.ts';
import { CannotProbe, outcomeOf, UnansweredProbe } from '../cannot-probe.ts';
import { createAnswerReader } from './answer.ts';
import { createPauses, type ApiStatistics } from './pauses.ts';
import type { Forms } from './forms.ts';
import { compose, type CallParameters, type Common, type ComposedRequest } from './request.ts';

type Needed = Required<Pick<RunOptions, 'transport' | 'timeoutMs' | 'sleep'>>;

export interface ApiOptions extends Common, Needed, Pick<RunOptions, 'rps' | 'concurrency' | 'maxTimeMs' | 'signal'> {
  /** Our clock, in epoch milliseconds. Default: the system clock. */
  readonly clock?: () => number;
  /** Hears every exchange in the order of completion, with the whole body of its answer. */
  readonly onExchange: (exchange: Exchange, body?: Uint8Array) => void;
  /** How requests go out. Default: as most clients send them. */
  readonly forms?: Forms;
  /** Closes the connections that are open, and from now on keeps none, or keeps them again. */
  readonly keep?: (isKept: boolean) => Promise<void>;
}

/** After this many missing answers in a row from one endpoint, it is asked no more; nor is any, if none ever answered. */
const PATIENCE = 3;
/** A request that failed is sent so many times again, so that failing always is told from failing now and then. */
const AGAIN = 2;
/** Most requests of a run that are sent again, and most of one endpoint that failed each time. */
const [MAX_AGAIN, MAX_SETTLED] = [40, 3];
/** The share of the time for a request after silence, and for each one to an endpoint that was silent twice. */
const SHORTER = 0.3;
const [LEAST_AGAIN_MS, AGAIN_FACTOR, TWICE] = [500, 5, 2];
/** Where so many others were answered, each in this share of the time that silence took, silence ends sooner. */
const [MANY_ANSWERS, FAR_QUICKER, SOONER] = [20, 0.1, 0.65];
/** With less time left than this, no request is sent. */
const SHORTEST_MS = 5;

/** The pauses in an outage, before the target is asked again whether it is there. */
const OUTAGE_MS = [0, 500, 1_000, 2_000, 4_000];
/** If requests are answered only alone so many times, or once after silence, fewer are sent at once. */
const STRIKES = 3;

/** A pause before a request, in which nothing else is waited for. */
const PAUSE_MS = 40;

/** Most refused requests that are sent in the usual form too. */
const MAX_USUAL = 12;

/** Whether the form may be why a request was refused, so that the same in the usual form shows whether it is. */
function mayBeForItsForm({ wire: { form, method } }: ComposedRequest, { answer: { status }, caller, open }: Answered) {
  if (!form || !isEntitled(caller)) return false;
  if (status === 411) return true;
  const isElse = open || RETRY_LATER.has(status) || PERMISSION.has(status) || (method === 'GET' && GONE.has(status));
  return !isElse && wordOf(status) === 'refused';
}

/** A server may refuse a body whose length it does not know (RFC 9110, 15.5.12). Then it is sent with its length. */
const isLengthRequired = ({ wire: { form } }: ComposedRequest, status: number): boolean =>
  status === 411 && form?.body === 'chunked';

type Sender = ReturnType<typeof senderOf>;

function senderOf(options: ApiOptions) {
  const { maxTimeMs = Infinity } = options;
  const startedAt = performance.now();
  const timeLeft = (): number => maxTimeMs - (performance.now() - startedAt);
  const statistics: ApiStatistics = { requests: 0, answers: 0, begun: 0, limited: [] };
  return {
    ...options,
    pauses: createPauses(options, timeLeft, statistics),
    readAnswer: createAnswerReader(),
    timeLeft,
    statistics,
    /** The last number that was given to a request that was sent, or to an exchange that was complete. */
    ticks: 0,
    settled: [] as ComposedRequest[],
    /** Of each endpoint, the last request that was served, and that changes nothing. */
    served: new Map<EndpointId, ComposedRequest>(),
    /** When the last outage was over, or fewer were sent at once; how often a lost request was answered once it was alone. */
    calmAt: 0,
    strikes: 0,
    /** How many requests were sent again, and how many refused ones in the usual form. */
    again: 0,
    inUsualForm: 0,
    /** The most requests of all rounds until now, and what is kept of them: for the phase, and for later ones. */
    most: Infinity,
    kept: { until: 0, later: 0 },
    /** The milliseconds that the slowest answer took. */
    slowest: 0,
    /** How many requests of each endpoint in a row were never answered; one that was silent each time counts as often. */
    missing: new Map<EndpointId, number>(),
    /** How often each endpoint was silent, since it last answered a caller who has access. */
    silent: new Map<EndpointId, number>(),
  };
}

/** Calls endpoints of the target, within the limits that user and target set. */
export type TargetApi = ReturnType<typeof createTargetApi>;

export function createTargetApi(options: ApiOptions) {
  const { signal } = options;
  // Every request in flight listens to this signal, and their number is not limited.
  if (signal) setMaxListeners(Infinity, signal);
  const sender = senderOf(options);
  const { pauses, statistics } = sender;
  let round = { begun: 0, planned: 0 };
  let wrongInLine: Promise<unknown> = Promise.resolve();
  const { hostname } = new URL(options.baseUrl);
  return {
    /** Whether the target runs on this machine, so that a large request is no burden. */
    isLoopback: /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname),
    /**
     * @throws UnansweredProbe if no complete answer arrives; CannotProbe if the target keeps answering 429 or 503, or if no
     * request can be made (no token, read-only, out of time).
     */
    async call(endpoint: EndpointId, parameters: CallParameters = {}): Promise<Answered> {
      const request = compose(endpoint, parameters, options, options.forms?.formFor);
      if (request.wire.form?.pause === 'before') await options.sleep(PAUSE_MS);
      const isWrong = isWithoutAccess(request.about.caller);
      const settle = () =>
        pauses.patiently(
          endpoint,
          () => untilSettled(sender, request),
          (attempt) => isWrong && (attempt > AGAIN || !hasSpare(sender)),
        );
      // A server that limits how often they come asks each to wait that comes beside others.
      const isInLine = isWrong && statistics.limited.length > 0;
      const settling = isInLine ? wrongInLine.then(settle, settle) : settle();
      if (isInLine) wrongInLine = settling;
      const answered = await settling;
      if (parameters.form || !mayBeForItsForm(request, answered)) return answered;
      if (isLengthRequired(request, answered.answer.status)) options.forms?.refuseChunks();
      else if (!hasSpare(sender) || sender.inUsualForm++ >= MAX_USUAL) return answered;
      const usual = compose(endpoint, { ...parameters, form: {} }, options);
      return pauses.patiently(endpoint, () => untilSettled(sender, usual));
    },
    /** Sends once more, late, what failed each time: an accident may have been over by now. */
    async askAgain(): Promise<void> {
      const all = sender.settled.splice(0).filter(() => hasSpare(sender));
      await Promise.all(all.map((request) => outcomeOf(exchange(sender, again(request, AGAIN + 1), AGAIN + 1))));
      const [served] = [...sender.served.values()].slice(-1);
      // Shows that the server is still there.
      if (all.length > 0 && served) await outcomeOf(exchange(sender, served, 0));
    },
    /** Begins a round, in which no more requests than this are sent. Before it there is no limit. */
    allow(more: number): void {
      sender.most = statistics.requests + more;
      round = { begun: statistics.requests, planned: 0 };
      sender.kept = { until: 0, later: 0 };
    },
    /** Begins a phase: keeps so many of them for it and for later ones, and more if earlier ones took more than planned. */
    reserve(now: number, later: number): void {
      const { begun, planned } = round;
      const rate = planned > 0 ? Math.max(1, (statistics.requests - begun) / planned) : 1;
      sender.kept = { until: statistics.requests + now * rate, later: later * rate };
      round.planned += now;
    },
    /** Whether one may be sent that was not planned: to repeat something, to take it apart, or to make it smaller. */
    hasSpare: () => hasSpare(sender),
    statistics: statistics as Readonly<ApiStatistics>,
  };
}

const hasSpare = ({ most, kept: { until, later }, statistics: { requests } }: Sender): boolean =>
  Math.max(requests, until) + later < most;

/** Sends a request, and again if it failed, until it is answered otherwise or has failed each time. */
async function untilSettled(sender: Sender, request: ComposedRequest): Promise<Answered> {
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

function again(request: ComposedRequest, attempt: number): ComposedRequest {
  const { wire, about } = request;
  if (attempt === 0 || wire.body === undefined) return request;
  const body = renamed(wire.body, attempt);
  return { wire: { ...wire, body }, about: { ...about, sent: parseJson(body) } };
}

const exchange = (sender: Sender, request: ComposedRequest, attempt: number): Promise<Answered> =>
  sender.pauses.inTurn(() => send(sender, request, attempt));

async function send(sender: Sender, request: ComposedRequest, attempt: number): Promise<Answered> {
  const { wire, about } = request;
  const { missing, readAnswer, onExchange, clock = Date.now, silent, statistics } = sender;
  const { endpoint } = about;
  mayGoOn(sender);
  const all = statistics.answers === 0 ? [...missing.values()] : [missing.get(endpoint) ?? 0];
  const why = `No further request was made after ${PATIENCE} without an answer: ${statistics.lastFailure ?? ''}`;
  if (all.reduce((sum, n) => sum + n, 0) >= PATIENCE) throw new CannotProbe(why);
  const [begun, sentAt, began] = [++sender.ticks, clock(), performance.now()];
  const completed = (excerpt: Omit<Excerpt, 'request' | 'durationMs'>): Exchange => ({
    ...about,
    begun,
    sentAt,
    n: ++sender.ticks,
    answeredAt: clock(),
    excerpt: { request: wire, durationMs: performance.now() - began, ...excerpt },
  });
  const came = await received(sender, wire, timeFor(sender, endpoint, attempt));
  if (came instanceof TransportError) {
    if (came.failure === 'timeout') silent.set(endpoint, (silent.get(endpoint) ?? 0) + 1);
    statistics.lastFailure = came.message;
    if (came.begun) statistics.begun++;
    const failed = completed({
      failure: came.message,
      ...came.begun,
      isTooLarge: came.failure === 'too-large' || undefined,
    });
    onExchange(failed);
    throw new UnansweredProbe(came.message, failed);
  }
  missing.delete(endpoint);
  statistics.answers++;
  if (isEntitled(about.caller)) silent.delete(endpoint);
  sender.slowest = Math.max(sender.slowest, performance.now() - began);
  const answer = readAnswer(endpoint, came);
  const { status, headers, text } = answer;
  const open = about.open || isLengthRequired(request, status);
  const answered: Answered = { ...completed({ status, headers, body: text }), open, answer };
  if (answer.accepted && !open && about.caller === 'valid' && wire.method === 'GET')
    sender.served.set(endpoint, request);
  onExchange(answered, came.body);
  return answered;
}

/** @throws CannotProbe if the run is over, or has given up on the target. */
function mayGoOn({ signal, timeLeft, statistics, most }: Sender): void {
  if (signal?.aborted === true) throw new CannotProbe('The run was stopped.');
  if (timeLeft() < SHORTEST_MS) throw new CannotProbe('The time for the run was over.');
  if (statistics.givenUp !== undefined) throw new CannotProbe(statistics.givenUp);
  if (statistics.requests < most) return;
  statistics.spent = `The run sent the ${most} requests that it sends at most.`;
  throw new CannotProbe(statistics.spent, '--only for fewer checks, which need fewer requests');
}

function timeFor({ timeoutMs, timeLeft, slowest, silent }: Sender, endpoint: EndpointId, attempt: number): number {
  const isShorter = attempt > 0 || (silent.get(endpoint) ?? 0) >= TWICE;
  if (isShorter) return Math.min(timeoutMs * SHORTER, Math.max(LEAST_AGAIN_MS, AGAIN_FACTOR * slowest), timeLeft());
  // The transport has its own time limit; this one is for transports without one.
  return Math.min(timeoutMs * 1.5, timeLeft());
}

async function received(sender: Sender, request: HttpRequest, ms: number): Promise<HttpAnswer | TransportError> {
  const { transport, signal, statistics } = sender;
  statistics.requests++;
  const late = (after: number): string => `No complete answer arrived within ${Math.round(after)} ms.`;
  const soon = Math.min(ms, sender.timeoutMs * SOONER);
  const sooner = {
    ms: soon,
    late: late(soon),
    isInVain() {
      return statistics.answers >= MANY_ANSWERS && sender.slowest < soon * FAR_QUICKER;
    },
  };
  try {
    const answer = await withDeadline(ms, late(ms), signal, (stop) => transport(request, stop), sooner);
    if (holdsTooMuch(answer.body))
      return new TransportError('too-large', `The answer holds more than ${MAX_VALUES} values; it was not read.`);
    return answer;
  } catch (error) {
    if (error instanceof TransportError) return error;
    return new TransportError('other', show(String(error)));
  }
}
