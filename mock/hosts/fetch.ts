import type { MockRequest } from '../call.ts';
import type { Session } from '../session/session.ts';
import { bodyBytes, cookiesIn, waitingTime, type Wire } from '../wire/wire.ts';
import type { Beside } from './stream.ts';
import { createConnections } from './connections.ts';
import { isWithoutBody } from '../wire/sendable.ts';
import { platform } from '../../text/platform.ts';

/** The mock that answers, or one of its sessions. */
export type Handler = Pick<Session, 'respond'>;

export async function fromFetch(request: Request): Promise<MockRequest> {
  const { pathname, search } = new URL(request.url);
  const body = (request.body && new Uint8Array(await request.arrayBuffer())) ?? undefined;
  return { method: request.method, target: `${pathname}${search}`, headers: Object.fromEntries(request.headers), body };
}

/** Converts an answer for the Fetch API. It has no body if the status forbids one. */
export function toResponse(wire: Wire, method: string): Response {
  const { status, headers, cookies, body, encoding } = wire;
  const isEmpty = method === 'HEAD' || status === 205 || isWithoutBody(status);
  const content = encoding === undefined ? body : bodyBytes(wire);
  const response = new platform.Response(isEmpty ? null : content, { status, headers });
  if (!cookies) return response;
  response.headers.delete('set-cookie');
  for (const cookie of cookiesIn(wire)) response.headers.append('set-cookie', cookie);
  return response;
}

/** The answer, when its end would come. @throws TypeError if its connection breaks, and the reason of the signal */
export async function wholeAnswer(handler: Handler, request: MockRequest, signal?: AbortSignal | null) {
  const wire = await handler.respond(request);
  await pause(waitingTime(wire), signal ?? undefined);
  const broken = wire.delivery?.connection;
  if (broken !== undefined) throw new TypeError('fetch failed', { cause: new Error(broken) });
  return toResponse(wire, request.method);
}

/** Like the global `fetch`, in process. A slow answer comes in one piece, when its end would. `beside` is outside of the API. */
export function createFetch(handler: Handler, beside?: Beside): typeof fetch {
  const connections = createConnections();
  return async (input, { signal = (input as Partial<Request>).signal, ...init } = {}) => {
    // Without its signal: that of jsdom makes a Node.js request throw.
    const isPath = typeof input === 'string' && input.startsWith('/');
    const request = new platform.Request(isPath ? `http://mock${input}` : input, init);
    signal?.throwIfAborted();
    const on = connections.begin();
    try {
      const sent = { ...(await fromFetch(request)), ...on.onHost() };
      const other = beside?.(sent);
      if (other) return other;
      return await wholeAnswer(handler, sent, signal);
    } finally {
      on.end();
    }
  };
}

/** @throws the signal's reason, if it aborts meanwhile. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
