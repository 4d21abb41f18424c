import type { MockRequest } from '../call.ts';
import type { Wire } from './wire.ts';

/** Statuses without a body (RFC 9110, sections 15.3.5 and 15.4.5). */
export function isWithoutBody(status: number): boolean {
  return status === 204 || status === 304;
}

type Sent = (request: MockRequest) => Wire;
type SentLater = (request: MockRequest) => Wire | Promise<Wire>;

/** All answers of the mock pass here: header values are escaped, and an exception becomes a reported 500. Never rejects. */
export function sendable(answer: Sent): Sent;
export function sendable(answer: SentLater): SentLater;
export function sendable(answer: SentLater): SentLater {
  return (request) => {
    const failed = (error: unknown): Wire => {
      reportFailure(request.method, request.target, error);
      return failure;
    };
    try {
      const wire = answer(request);
      if ('then' in wire) return wire.then(withAsciiHeaders).catch(failed);
      return withAsciiHeaders(wire);
    } catch (error) {
      return failed(error);
    }
  };
}

function withAsciiHeaders(wire: Wire): Wire {
  for (const name in wire.headers)
    if (!IS_ASCII.test(wire.headers[name] ?? ''))
      return {
        ...wire,
        headers: Object.fromEntries(Object.entries(wire.headers).map(([key, value]) => [key, toAscii(value)])),
      };
  return wire;
}

const IS_ASCII = /^[ -~]*$/;

export function fitToStatus(wire: Wire): Wire {
  if (!isWithoutBody(wire.status)) return wire;
  const { 'content-type': _, ...headers } = wire.headers;
  return { ...wire, headers, body: '' };
}

export const failure: Wire = {
  status: 500,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ error: 'The mock failed. This is a bug in the mock. Please report it with the request.' }),
};

/** Reports on standard error on which request the mock failed, and why. It shows no header, hence no token. */
export function reportFailure(method: string, target: string, error: unknown): void {
  const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // oxlint-disable-next-line no-console -- the mock runs in browsers too, and a defect must not pass in silence
  console.error(
    toAscii(
      `The mock failed at ${method.slice(0, 20)} ${JSON.stringify(target.slice(0, 300))}: ${why.slice(0, 300)}. ` +
        'This is a bug in the mock. Please report it with the request.',
    ),
  );
}

/** The value of `sl-violations`: JSON in ASCII of at most so many characters, cut between items if there are too many. */
export function violationsHeader(items: readonly unknown[], most: number): string {
  for (let kept = items; ; kept = kept.slice(0, Math.floor(kept.length / 2))) {
    const text = toAscii(JSON.stringify(kept));
    if (text.length <= most || kept.length === 0) return text;
  }
}

/** A text in which every character outside printable ASCII is a JSON escape; JSON keeps its meaning. */
const toAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
