import { setMaxListeners } from 'node:events';
import type { EndpointId } from '../../../spec/index.ts';
import { wordOf } from '../../history/facts/failures.ts';
import { isEntitled, isWithoutAccess, type Answered } from '../../http/exchange.ts';
import { GONE, PERMISSION, RETRY_LATER } from '../../http/statuses.ts';
import { outcomeOf } from '../cannot-probe.ts';
import { untilThere } from './outage.ts';
import type { ApiStatistics } from './pauses.ts';
import { compose, type CallParameters, type ComposedRequest } from './request.ts';
import { hasSpare, isLengthRequired, senderOf, type ApiOptions } from './send.ts';
import { again, AGAIN, exchange, untilSettled } from './settle.ts';

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
      const [first, ...others] = sender.settled.splice(0);
      if (!first) return;
      await outcomeOf(untilThere(sender, first.about.endpoint, sender.ticks));
      const late = [first, ...others].map((request) => again(request, AGAIN + 1));
      await Promise.all(late.map((request) => outcomeOf(exchange(sender, request, AGAIN + 1))));
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
