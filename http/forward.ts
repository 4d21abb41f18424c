import { maxHeaderSize, type IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { Connector } from './connect.ts';
import { explain, TransportError } from './explain-failure.ts';
import type { RawHeaders } from './headers.ts';
import { codeOf } from '../text/errors.ts';

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

/** Who waits for the answer. What throws here ends the exchange with a failure, and nothing else. */
export interface Receiver {
  /** The head has come, and can be sent on. */
  head(answer: IncomingMessage): void;
  piece(bytes: Buffer): void;
  end(): void;
  /** No complete answer comes. It is stale if the server closed a kept connection before it read: a new one may serve it. */
  fail(error: TransportError, isStale: boolean): void;
}

/** An exchange is begun, answered and over, in this order. Once over, its receiver hears nothing more of it. */
type State = 'begun' | 'answered' | 'over';

export type Forwarding = ReturnType<typeof sendOnward>;

/** Sends a request on, for the mock and the proxy. @throws what `node:http` throws for a header that cannot be sent */
export function sendOnward(connector: Connector, onward: Onward, patience: Patience, receiver: Receiver) {
  const { host, origin } = connector;
  const out = connector.begin(onward.method, onward.path, onward.headers);
  let state: State = 'begun';
  let came: IncomingMessage | undefined;
  const { total, silent } = patience;
  const timer = total === undefined ? undefined : setTimeout(late, total, `did not answer within ${total} ms`);
  if (silent !== undefined) out.setTimeout(silent, () => late(`was silent for ${silent} ms`));

  function end(): boolean {
    if (state === 'over') return false;
    state = 'over';
    clearTimeout(timer);
    return true;
  }
  function fail(error: TransportError, isStale = false): void {
    if (!end()) return;
    out.destroy();
    receiver.fail(error, isStale);
  }
  function late(words: string): void {
    fail(new TransportError('timeout', `${host} ${words}.`));
  }
  const malformed = (why: string, cause?: unknown): void =>
    fail(new TransportError('malformed', `The answer of ${host} cannot be forwarded: ${why}.`, { cause }));
  function guarded(work: () => void): void {
    if (state === 'over') return;
    try {
      work();
    } catch (error) {
      malformed(codeOf(error), error);
    }
  }
  function receive(answer: IncomingMessage): void {
    const why = unsendable(answer);
    if (state !== 'begun' || why !== undefined) return malformed(why ?? 'it comes twice');
    state = 'answered';
    came = answer;
    for (const event of ['aborted', 'error'])
      answer.on(event, () => fail(new TransportError('reset', `${host} broke off its answer.`)));
    answer.on('data', (bytes: Buffer) => guarded(() => receiver.piece(bytes)));
    answer.on('end', () => {
      if (!answer.complete) return;
      guarded(() => {
        receiver.end();
        end();
        if (mayHaveMore(onward.method, answer)) out.socket?.destroy();
      });
    });
    guarded(() => receiver.head(answer));
  }

  out.on('error', (error: NodeJS.ErrnoException) => {
    // What follows a complete answer, such as a body after HEAD, is not part of it.
    if (came?.complete === true) return;
    const isStale = out.reusedSocket && error.code === 'ECONNRESET';
    fail(explain(error, { host, origin, maxHeaderBytes: maxHeaderSize }), isStale);
  });
  out.on('response', receive);
  const { body } = onward;
  if (body === undefined || body instanceof Uint8Array) out.end(body);
  else pipeline(body, out, () => undefined);
  return {
    /** Nobody waits for the answer any more. @returns false if it was over before. */
    abandon(): boolean {
      const wasRunning = end();
      if (wasRunning) out.destroy();
      return wasRunning;
    },
  };
}

/** Whether bytes may follow an answer without a body, by mistake: the next request would take them for its answer. */
function mayHaveMore(method: string, { statusCode = 0, headers }: IncomingMessage): boolean {
  if (method === 'HEAD') return true;
  if (statusCode !== 204 && statusCode !== 304) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const CONTROL = /[^\t\x20-\x7e\x80-\xff]/;

/** Why the head of an answer cannot be sent on. `least` is the lowest status that can be. */
export function unsendable({ statusCode = 0, statusMessage = '', rawHeaders }: IncomingMessage, least = 200) {
  if (statusCode < least) return `its status is ${String(statusCode).padStart(3, '0')}`;
  if (CONTROL.test(statusMessage)) return 'its reason phrase holds a control character';
  const header = rawHeaders.findIndex((text) => CONTROL.test(text));
  if (header !== -1) return `its header ${rawHeaders[header - (header % 2)]} holds a control character`;
  return undefined;
}
