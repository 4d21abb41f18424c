import type { HttpAnswer, HttpExchange, HttpRequest } from '../../http/exchange.ts';

type Flat = Pick<HttpRequest, 'method' | 'url'> &
  Omit<HttpAnswer, 'body'> &
  Pick<HttpExchange, 'sentAt' | 'answeredAt'>;

/** An exchange in one row of a table. Its status is 0 if no answer came. */
export interface FlatExchange extends Flat {
  readonly requestHeaders: HttpRequest['headers'];
  readonly requestBody: string | undefined;
  readonly body: Uint8Array | undefined;
}

/** The exchange that a row stands for. */
export function exchangeFrom(row: FlatExchange): HttpExchange {
  const { method, url, requestHeaders, requestBody, status, headers, body, sentAt, answeredAt } = row;
  return {
    request: { method, url, headers: requestHeaders, body: requestBody },
    answer: status === 0 ? undefined : { status, headers, body },
    sentAt,
    answeredAt,
  };
}
