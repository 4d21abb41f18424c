import type http from 'node:http';
import { text } from 'node:stream/consumers';
import { serverOf } from '../../http/testing/test-server.ts';
import { createMock, type Mock } from '../mock.ts';
import { testNow } from './test-client.ts';
import type { MockOptions } from '../mock-core.ts';
import type { UpstreamOptions } from '../upstream/options.ts';

export interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** The answer of a test server: a status and JSON or text, or a function of the response. */
export type ServerAnswers = (
  got: Got,
  response: http.ServerResponse,
) => readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>] | void;

/** Used by tests only: a server, and what it got. */
export async function serve(answers: ServerAnswers) {
  const got: Got[] = [];
  const receive = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: await text(request) };
    got.push(received);
    const answer = answers(received, response);
    if (!answer) return;
    const [status, content, more = {}] = answer;
    const isText = typeof content === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...more });
    response.end(isText ? content : JSON.stringify(content));
  };
  const server = await serverOf((...given) => void receive(...given).catch(() => given[1].destroy()));
  return { url: server.url, got, stop: server.close };
}

/** Used by tests only. */
export const mockOf = (upstream: UpstreamOptions, options: MockOptions = {}): Mock =>
  createMock({ now: testNow, frozen: true, ...options, upstream });

/** The source that an answer names, its status and its JSON. */
export async function told(answer: Response | Promise<Response>) {
  const came = await answer;
  const body = await came.clone().text();
  const { headers, status } = came;
  const isJson = (headers.get('content-type') ?? '').includes('json');
  const json = (isJson && body !== '' ? JSON.parse(body) : body) as never;
  return { source: headers.get('x-agent-contract-source'), status, json, answer: came };
}

export const violationsOf = (answer: Response): readonly { readonly code: string; readonly message: string }[] =>
  JSON.parse(answer.headers.get('sl-violations') ?? '[]') as never;
