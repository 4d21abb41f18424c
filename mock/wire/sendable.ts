import type { MockRequest } from '../call.ts';
import type { Wire } from './wire.ts';
import { toAscii } from '../wording/to-ascii.ts';

/** Statuses without a body (RFC 9110, sections 15.3.5 and 15.4.5). */
export const isWithoutBody = (status: number): boolean => status === 204 || status === 304;

/**
 * Wraps what answers so that every host can send the result. All answers of the mock pass here: reflected header values
 * are escaped, and an exception becomes a 500 that is reported on standard error.
 */
export const sendable =
  (answer: (request: MockRequest) => Wire): ((request: MockRequest) => Wire) =>
  (request) => {
    try {
      return withAsciiHeaders(answer(request));
    } catch (error) {
      tellFailure(request.method, request.target, error);
      return failure;
    }
  };

/** The same for asynchronous answers. The promise never rejects. */
export const sendableLater =
  (answer: (request: MockRequest) => Wire | Promise<Wire>): ((request: MockRequest) => Wire | Promise<Wire>) =>
  (request) => {
    const failed = (error: unknown): Wire => {
      tellFailure(request.method, request.target, error);
      return failure;
    };
    try {
      const wire = answer(request);
      return 'then' in wire ? wire.then(withAsciiHeaders).catch(failed) : withAsciiHeaders(wire);
    } catch (error) {
      return failed(error);
    }
  };

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

/** The answer, without its body if the status forbids one. */
export function fitToStatus(wire: Wire): Wire {
  if (!isWithoutBody(wire.status)) return wire;
  const { 'content-type': _, ...headers } = wire.headers;
  return { ...wire, headers, body: '' };
}

/** The answer to a request on which the mock failed. */
export const failure: Wire = {
  status: 500,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ error: 'The mock failed. This is a bug in the mock. Please report it with the request.' }),
};

/** Reports on standard error on which request the mock failed, and why. It shows no header, hence no token. */
export function tellFailure(method: string, target: string, error: unknown): void {
  const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // oxlint-disable-next-line no-console -- the mock runs in browsers too, and a defect must not pass in silence
  console.error(
    toAscii(
      `The mock failed at ${method.slice(0, 20)} ${JSON.stringify(target.slice(0, 300))}: ${why.slice(0, 300)}. ` +
        'This is a bug in the mock. Please report it with the request.',
    ),
  );
}
