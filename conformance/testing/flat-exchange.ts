import type { HttpExchange } from '../../http/exchange.ts';

/** An exchange in one row of a table. */
export interface FlatExchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  /** 0 if no answer came. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly sentAt: number;
  readonly answeredAt: number;
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
