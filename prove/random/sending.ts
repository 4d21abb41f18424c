import { connect } from 'node:net';
import { Pool } from 'undici';
import type { OddRequest } from './odd-requests.ts';
import { parseJson } from '../../text/json.ts';

/** A mock that gets random requests. */
export interface RandomTarget {
  readonly baseUrl: string;
  readonly token: string;
  readonly workspaceId: string;
  readonly agentId: string;
  /** Resident bytes of the target's process, where they can be known. */
  readonly memory?: () => number | undefined;
}

export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RandomAnswer {
  /** 0 if there was none. */
  readonly status: number;
  readonly json: unknown;
}

/** The ways to send something to a target. Each counts its outcomes. */
export type RandomSender = ReturnType<typeof createRandomSender>;

/** Milliseconds for one odd request, on a busy machine. */
const LONGEST_WAIT = 20_000;
/** Milliseconds that the target has to answer garbage. It may wait for the rest of half a request; the run does not. */
const GARBAGE_WAIT = 20;

/** Opens a pool of connections; `requests` is the number that the run will send. */
export function createRandomSender(target: RandomTarget, requests: number, connections: number) {
  const pool = new Pool(target.baseUrl, { connections });
  const tally = {
    requests: 0,
    /** Answers per status; `closed` counts connections that ended without one, which only garbage may cause. */
    statuses: {} as Record<string, number>,
    /** 5xx, or no answer to a well-formed request. */
    failures: [] as string[],
    /** Megabytes of the target after each tenth of the run. */
    memory: [] as number[],
  };

  function count(status: string): void {
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    tally.requests++;
    if (tally.requests % Math.ceil(requests / 10) === 0) tally.memory.push(Math.round((target.memory?.() ?? 0) / 1e6));
  }

  return {
    tally,
    async send({ method, path, body, headers = {} }: RandomRequest): Promise<RandomAnswer> {
      try {
        const answer = await pool.request({ method, path, body, headers });
        const text = await answer.body.text();
        count(String(answer.statusCode));
        const wanted = /code=(5\d\d)/.exec(`${path} ${headers['prefer'] ?? ''}`)?.[1];
        if (answer.statusCode >= 500 && wanted !== String(answer.statusCode))
          tally.failures.push(`${method} ${path} -> ${answer.statusCode} ${text.slice(0, 200)}`);
        return { status: answer.statusCode, json: parseJson(text) };
      } catch (error) {
        count('closed');
        // A request that undici itself refuses never reaches the target.
        if (!(error instanceof Error && 'code' in error && error.code === 'UND_ERR_INVALID_ARG'))
          tally.failures.push(`${method} ${path} -> ${String(error)}`);
        return { status: 0, json: undefined };
      }
    },
    async sendBytes(bytes: string) {
      const answer = await exchange(target.baseUrl, bytes, LONGEST_WAIT);
      count(answer.status === 0 ? 'closed' : String(answer.status));
      const sent = JSON.stringify(bytes.slice(0, 400));
      const isWanted = /code\W{1,12}5\d\d/.test(bytes) && !answer.text.includes('The mock failed');
      if (answer.status === 0) tally.failures.push(`no answer to ${sent}`);
      else if (answer.status >= 500 && !isWanted)
        tally.failures.push(`${answer.status} to ${sent}: ${answer.text.slice(-200)}`);
    },
    /** Sends bytes that are not a request, or only half of one, and disconnects. */
    async sendGarbage(bytes: string) {
      await exchange(target.baseUrl, bytes, GARBAGE_WAIT);
      count('garbage');
    },
    pool,
  };
}

/** Sends bytes over a socket of its own, and reads until it closes or the time is up: status 0 without an answer. */
export function exchange(baseUrl: string, bytes: string, timeout: number): Promise<{ status: number; text: string }> {
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

/** A request as it goes over the wire; the connection closes after the answer. */
export function rawRequest({ method, target, headers, body }: OddRequest): string {
  const all = [['host', 'localhost'], ...headers, ['connection', 'close']];
  if (body !== undefined) all.push(['content-length', String(body.length)]);
  return `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}
