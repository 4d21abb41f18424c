import { endpointIds, type ChoiceOf } from '../../spec/index.ts';
import { isWithoutAccess, type Answer, type Answered } from '../http/exchange.ts';
import { isObject } from '../json.ts';
import { counted, cutTo, show } from '../show.ts';
import { observeStatus, type Note, type Observe, type Observer } from './observe.ts';

/** Reasons for a refusal, where they are known (section 7). */
export type RefusalReason = 'unauthorized' | 'forbidden' | 'not-found' | 'invalid' | 'wrong-method';

export function noteRefusal(observe: Observe, why: RefusalReason, { answer }: Answered): void {
  if (answer.accepted) return;
  observeStatus(observe, `${why}-status`, answer.status);
  noteErrorBody(observe, answer);
}

/** Notes something, and how a request is refused if it is. */
export const alsoRefused =
  (why: RefusalReason, note: Note): Note =>
  (observe, exchange, facts) => {
    note(observe, exchange, facts);
    noteRefusal(observe, why, exchange);
  };

function noteErrorBody(observe: Observe, { json, text, headers }: Answer): void {
  if (text === '') return observe('error-body', 'empty', 'no body');
  if (headers['content-type']?.startsWith('text/html')) return observe('error-body', 'html', 'an HTML page');
  if (!isObject(json)) return observe('error-body', undefined, `a body that is not a JSON object`);
  const names = Object.keys(json).toSorted();
  const shown = names.slice(0, 8).map((name) => show(cutTo(30, name)));
  const seen = `an object with ${shown.join(', ')}`;
  const isProblem = headers['content-type']?.startsWith('application/problem+json');
  if (isProblem || ('title' in json && 'status' in json)) return observe('error-body', 'problem-json', seen);
  if ('message' in json && 'code' in json) return observe('error-body', 'trpc', seen);
  return observe('error-body', names.length === 1 ? 'message' : undefined, seen);
}

/** How callers without valid credentials are refused. A token in the query may count as an unknown parameter. */
export const unauthorizedObserver: Observer = {
  see(observe, exchange, { credentials }) {
    const { caller, endpoint, agentId, open, isOdd, excerpt } = exchange;
    // What is in an odd form may be refused for that.
    if (!isWithoutAccess(caller) || open || isOdd === true) return;
    if (excerpt.request.headers['authorization'] === undefined && exchange.query.length > 0) return;
    if (credentials.accepted(endpoint, agentId)) noteRefusal(observe, 'unauthorized', exchange);
  },
};

/** Whether the target sometimes asks the client to wait. */
export const rateLimitObserver: Observer = {
  conclude(observe, { traffic }) {
    const met = endpointIds.flatMap((id) => [429, 503].map((status) => traffic.of(id).statuses.get(status) ?? 0));
    const limited = met.reduce((sum, times) => sum + times, 0);
    let choice: ChoiceOf<'rate-limit'> = 'bursts-until';
    if (traffic.retryAfter === undefined) choice = 'bursts-alone';
    else if (/^\d+$/.test(traffic.retryAfter)) choice = 'bursts';
    if (limited > 0) observe('rate-limit', choice, `${counted(limited, 'answer')} of 429 or 503`);
    else if (traffic.accepted > 0) observe('rate-limit', 'none', `none in ${counted(traffic.requests, 'answer')}`);
  },
};
