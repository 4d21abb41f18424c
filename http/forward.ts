import { maxHeaderSize, type IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { Connector } from './connect.ts';
import { explain, TransportError } from './explain-failure.ts';
import type { RawHeaders } from './headers.ts';

/** A request to send on. */
export interface Onward {
  readonly method: string;
  /** Path and query at the server, or `*`. */
  readonly path: string;
  readonly headers: RawHeaders;
  readonly body?: Uint8Array | Readable | undefined;
}

/** How long to wait, in milliseconds. */
export interface Patience {
  /** For the whole answer. */
  readonly total?: number;
  /** While nothing is sent in either direction. */
  readonly silent?: number;
}

/** Who waits for the answer. */
export interface Sender {
  /** The head of the answer has come. The sender reads its body, and says when it is complete. */
  answer(answer: IncomingMessage): void;
  /**
   * The exchange is over, with an answer or without. It is stale if the server closed a connection that was kept alive
   * before it read the request: a new connection may serve it.
   */
  fail(error: TransportError, isStale: boolean): void;
}

/** A request that was sent on. It is begun, answered and over, in this order; once over, nothing of it is heard again. */
export interface Forwarding {
  /** The answer is complete. */
  complete(): void;
  /** Nobody waits for the answer any more. @returns false if it was over before. */
  abandon(): boolean;
}

/**
 * Sends a request on to a server: the only place where the mock and the proxy do.
 * @throws what `node:http` throws for a header that cannot be sent
 */
export function sendOnward(connector: Connector, onward: Onward, patience: Patience, sender: Sender): Forwarding {
  const { host, origin } = connector;
  const out = connector.begin(onward.method, onward.path, onward.headers);
  let isOver = false;
  const fail = (error: TransportError, isStale = false): void => {
    if (!end()) return;
    out.destroy();
    sender.fail(error, isStale);
  };
  const late = (words: string): void => fail(new TransportError('timeout', `${host} ${words}.`));
  const broken = (): void => fail(new TransportError('reset', `${host} broke off its answer.`));
  const { total, silent } = patience;
  const timer = total === undefined ? undefined : setTimeout(late, total, `did not answer within ${total} ms`);
  if (silent !== undefined) out.setTimeout(silent, () => late(`was silent for ${silent} ms`));

  function end(): boolean {
    if (isOver) return false;
    isOver = true;
    clearTimeout(timer);
    return true;
  }

  out.on('error', (error: NodeJS.ErrnoException) => {
    const isStale = out.reusedSocket && error.code === 'ECONNRESET';
    fail(explain(error, { host, origin, maxHeaderBytes: maxHeaderSize }), isStale);
  });
  out.on('response', (answer) => {
    answer.on('aborted', broken);
    answer.on('error', broken);
    try {
      sender.answer(answer);
    } catch (error) {
      const message = `The answer of ${host} cannot be forwarded: ${codeOf(error)}.`;
      fail(new TransportError('malformed', message, { cause: error }));
    }
  });
  const { body } = onward;
  if (body === undefined || body instanceof Uint8Array) out.end(body);
  else pipeline(body, out, () => undefined);
  return {
    complete: () => void end(),
    abandon() {
      const wasRunning = end();
      if (wasRunning) out.destroy();
      return wasRunning;
    },
  };
}

/** The code of an error, or its first words. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return (error as NodeJS.ErrnoException).code ?? error.message.slice(0, 100);
}
