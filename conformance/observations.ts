import type { ChoiceOf } from '../spec/index.ts';
import type { Answer } from './answer.ts';
import { isObject, show } from './expect.ts';
import type { Observe } from './observe.ts';
import { parseTimestamp } from './timestamps.ts';

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

function oneOf<const Choice extends string>(
  choices: Readonly<Record<number, Choice>>,
  status: number,
): Choice | undefined {
  return choices[status];
}

/** Notes the status and the body of a refusal. */
export function observeRefusal(observe: Observe, why: keyof typeof statusNotes, answer: Answer): void {
  if (answer.accepted) return;
  statusNotes[why](observe, answer.status);
  observeErrorBody(observe, answer);
}

function observeErrorBody(observe: Observe, { json, text, headers }: Answer): void {
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

/** Notes the format of an identifier (section 2.12). */
export function observeIdentifier(observe: Observe, id: unknown): void {
  if (typeof id !== 'string') return;
  const form = IDENTIFIERS.find(([, pattern]) => pattern.test(id));
  observe('identifier-format', form?.[0], `such as ${show(id)}`);
}

const IDENTIFIERS = [
  ['cuid', /^c[a-z0-9]{24}$/],
  ['uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['numeric', /^\d+$/],
  ['prefixed', /^[a-z]+_[A-Za-z0-9]+$/],
] as const;

/** Notes the format of a timestamp (section 2.12). */
export function observeTimestamp(observe: Observe, value: unknown): void {
  if (value === undefined) return;
  observe('timestamp-format', timestampChoice(value), `such as ${show(value)}`);
}

function timestampChoice(value: unknown): ChoiceOf<'timestamp-format'> | undefined {
  if (typeof value !== 'string') return undefined;
  const parsed = parseTimestamp(value);
  if (!parsed) return 'words';
  switch (parsed.form) {
    case 'epoch':
      return value.length === 13 ? 'epoch-milliseconds' : value.length === 10 ? 'epoch-seconds' : undefined;
    case 'sql':
      return parsed.zoneKnown ? undefined : 'sql';
    case 'iso-8601':
    case 'other':
      return undefined;
    case 'rfc3339-utc':
    case 'rfc3339-offset':
    case 'rfc2822':
      return parsed.form;
  }
}
