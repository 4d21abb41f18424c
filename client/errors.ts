import type { ListResultsResponse } from '../spec/index.ts';

/** What was asked. It holds no headers, and so no token. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
}

/** The service answered, but not with what was asked for: another status than 2xx, or no JSON object. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly request: SentRequest;
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body where it is JSON, and its text otherwise. */
  readonly body: unknown;

  constructor(message: string, answer: Pick<ServiceError, 'request' | 'status' | 'headers' | 'body'>) {
    super(message);
    this.request = answer.request;
    this.status = answer.status;
    this.headers = answer.headers;
    this.body = answer.body;
  }
}

/** No whole answer came: the network failed, or the time was up. The cause is what `fetch` threw, or a TimeoutError. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly request: SentRequest;

  constructor(request: SentRequest, what: string, cause: unknown) {
    super(`${request.method} ${request.url} ${what}`, { cause });
    this.request = request;
  }
}

/** A page of results leads nowhere, or back to where the walk has been. */
export class PagingError extends Error {
  override readonly name = 'PagingError';
  /** The page with the cursor that cannot be followed. */
  readonly page: ListResultsResponse;

  constructor(message: string, page: ListResultsResponse) {
    super(message);
    this.page = page;
  }
}
