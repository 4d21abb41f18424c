import type { Answer, Answered } from '../history/exchange.ts';
import { isObject } from '../json.ts';
import { show } from '../show.ts';
import type { Observe, Observer } from './observe.ts';

/** What the status of a refusal tells, where it is known why the request was refused (section 7). */
const statusNotes = {
  unauthorized: (observe: Observe, status: number): void =>
    observe(
      'unauthorized-status',
      oneOf({ 401: 'unauthorized-401', 403: 'forbidden-403', 400: 'bad-request-400' }, status),
      String(status),
    ),
  forbidden: (observe: Observe, status: number): void =>
    observe(
      'forbidden-status',
      oneOf({ 403: 'forbidden-403', 404: 'not-found-404', 402: 'payment-required-402' }, status),
      String(status),
    ),
  'not-found': (observe: Observe, status: number): void =>
    observe(
      'not-found-status',
      oneOf({ 404: 'not-found-404', 403: 'forbidden-403', 410: 'gone-410' }, status),
      String(status),
    ),
  invalid: (observe: Observe, status: number): void =>
    observe('invalid-status', oneOf({ 400: 'bad-request-400', 422: 'unprocessable-422' }, status), String(status)),
  'wrong-method': (observe: Observe, status: number): void =>
    observe(
      'wrong-method-status',
      oneOf({ 405: 'method-not-allowed-405', 404: 'not-found-404' }, status),
      String(status),
    ),
} as const;

export type Reason = keyof typeof statusNotes;

function oneOf<const Choice extends string>(
  choices: Readonly<Record<number, Choice>>,
  status: number,
): Choice | undefined {
  return choices[status];
}

/** Notes the status and the body of a refusal. */
export function noteRefusal(observe: Observe, why: Reason, { answer }: Answered): void {
  if (answer.accepted || answer.status === 429 || answer.status >= 500) return;
  statusNotes[why](observe, answer.status);
  noteErrorBody(observe, answer);
}

function noteErrorBody(observe: Observe, { json, text, headers }: Answer): void {
  if (text === '') return observe('error-body', 'empty', 'no body');
  if (!isObject(json)) return observe('error-body', undefined, `a body that is no JSON object`);
  const names = Object.keys(json).toSorted();
  const has = (...wanted: readonly string[]): boolean => wanted.every((name) => names.includes(name));
  const seen = `an object with ${names
    .slice(0, 8)
    .map((name) => show(name.length > 30 ? `${name.slice(0, 30)}…` : name))
    .join(', ')}`;
  if (has('title', 'status') || (headers['content-type'] ?? '').startsWith('application/problem+json'))
    return observe('error-body', 'problem-json', seen);
  if (has('message', 'code')) return observe('error-body', 'trpc', seen);
  return observe('error-body', names.length === 1 ? 'message' : undefined, seen);
}

/** How callers without valid credentials are refused what others are given. A token in the query may be an odd parameter. */
export const unauthorized: Observer = {
  watch: ({ credentials }, observe) => ({
    see(exchange) {
      const { caller, endpoint, agentId, open, kept } = exchange;
      if ((caller !== 'none' && caller !== 'wrong') || open) return;
      if (kept.request.headers['authorization'] === undefined && exchange.query.length > 0) return;
      if (credentials.accepted(endpoint, agentId)) noteRefusal(observe, 'unauthorized', exchange);
    },
  }),
};

/** Whether the target now and then asks to wait. */
export const rateLimit: Observer = {
  watch: ({ traffic }, observe) => {
    let limited = 0;
    return {
      see({ answer }) {
        if (answer.status === 429 || answer.status === 503) limited++;
      },
      conclude() {
        const plural = (n: number): string => `${n} answer${n === 1 ? '' : 's'}`;
        if (limited > 0) observe('rate-limit', 'bursts', `${plural(limited)} of 429 or 503`);
        else if (traffic.accepted > 0) observe('rate-limit', 'none', `none in ${plural(traffic.requests)}`);
      },
    };
  },
};
