import { connect } from 'node:net';
import type { OddRequest } from './odd-requests.ts';

/** The answer to a request that was sent as bytes. */
export interface RawAnswer {
  /** 0 if the connection ended, or the time ran out, without an answer. */
  readonly status: number;
  readonly text: string;
}

/** A request as it goes over the wire; the connection closes after the answer. */
export function rawRequest({ method, target, headers, body }: OddRequest): string {
  const all = [['host', 'localhost'], ...headers, ['connection', 'close']];
  const length = body === undefined ? '' : `content-length: ${body.length}\r\n`;
  return `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}${length}\r\n${body ?? ''}`;
}

/** Sends bytes over a separate socket, and reads until it closes or the time (in milliseconds) is up. */
export function exchange(baseUrl: string, bytes: string, timeout: number): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setTimeout(timeout, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      if (text.length < 100_000) text += data.toString('latin1');
    });
    socket.once('end', () => socket.end());
    socket.once('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }));
  });
}

/** What is wrong with an answer: an unrequested 5xx, or none at all. */
export function failureOf(bytes: string, { status, text }: RawAnswer): string | undefined {
  const asked = bytes.slice(0, 400);
  if (status === 0) return `no answer to ${JSON.stringify(asked)}`;
  const isWanted = /code\W{1,12}5\d\d/.test(bytes) && !text.includes('The mock failed');
  if (status >= 500 && !isWanted) return `${status} to ${JSON.stringify(asked)}: ${text.slice(-200)}`;
  return undefined;
}
