import { literal } from '../../text/literal.ts';
import type { MockOptions } from '../mock-core.ts';
import { createMock, type Mock } from '../mock.ts';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into answers of every shape
  readonly json: any;
}

export interface TestRequest {
  readonly method?: string;
  readonly token?: string;
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; text and bytes are sent unchanged. */
  readonly body?: unknown;
}

export const testNow = Date.UTC(2026, 4, 20, 15, 30);

/** What matches a text in which `…` stands for any part of a line. Used by tests only. */
export function like(text: string): RegExp {
  return new RegExp(`^${literal(text)}$`.replaceAll(/^\^…|…\$$/g, '').replaceAll('…', '.*'));
}

/** A mock with a frozen clock unless one is given, and a function that calls it in process. Used by tests only. */
export function testMock(
  options: MockOptions = {},
  mock: Mock = createMock({ now: testNow, frozen: true, ...options }),
) {
  const call = (target: string, request: TestRequest = {}): TestAnswer => {
    const { body, token = mock.target.token, authorization = `Bearer ${token}` } = request;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(text);
    const sent = body === undefined ? { method: 'GET' } : { method: 'POST', type: 'application/json', body: bytes };
    const {
      status,
      headers,
      body: answered,
    } = mock.handle({
      method: request.method ?? sent.method,
      target,
      headers: { authorization: authorization ?? undefined, 'content-type': sent.type, ...request.headers },
      body: sent.body,
    });
    const isJson = headers['content-type']?.includes('json') === true && answered !== '';
    return { status, headers, text: answered, json: isJson ? JSON.parse(answered) : undefined };
  };
  return { mock, call };
}
