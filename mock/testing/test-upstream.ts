import type http from 'node:http';
import { serverOf } from '../../http/testing/test-server.ts';
import { createMock } from '../mock.ts';
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

/** Used by tests only: servers and mocks. */
export function upstreams() {
  return {
    serve: async (answers: ServerAnswers) => {
      const got: Got[] = [];
      const server = await serverOf((request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += String(chunk)));
        request.on('end', () => {
          const received = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
          got.push(received);
          const answer = answers(received, response);
          if (!answer) return;
          const [status, content, headers = {}] = answer;
          const isText = typeof content === 'string';
          response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
          response.end(isText ? content : JSON.stringify(content));
        });
      });
      return { url: server.url, got, stop: server.close };
    },
    mockOf: (upstream: UpstreamOptions, options: MockOptions = {}) =>
      createMock({ now: testNow, frozen: true, ...options, upstream }),
  };
}

/** The source that an answer names, its status and its JSON. */
export async function told(answer: Response | Promise<Response>) {
  const came = await answer;
  const text = await came.clone().text();
  const isJson = (came.headers.get('content-type') ?? '').includes('json');
  return {
    source: came.headers.get('x-agent-contract-source'),
    status: came.status,
    json: (isJson && text !== '' ? JSON.parse(text) : text) as never,
    answer: came,
  };
}

export const violationsOf = (answer: Response): readonly { readonly code: string; readonly message: string }[] =>
  JSON.parse(answer.headers.get('sl-violations') ?? '[]') as never;
