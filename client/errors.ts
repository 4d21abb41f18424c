import type { ListResultsResponse } from '../spec/index.ts';

/** The request, without headers and so without a token. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
}

/** One thing that is wrong with a request, according to a refusal. */
export interface FieldError {
  /** Where: `body/agent/name`, `query/limit`; empty if the service does not say. */
  readonly location: string;
  readonly message: string;
}

/** The service answered, but not with a success: the status is not 2xx, or the body is not a JSON object. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly request: SentRequest;
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body if it is JSON, and otherwise its text. */
  readonly body: unknown;

  /**
   * What is wrong with the request, if the body lists it under one of the common names. The specification shows no
   * error bodies (section 7). Empty if the body lists nothing.
   */
  get errors(): readonly FieldError[] {
    return fieldErrorsOf(this.body);
  }

  constructor(message: string, answer: Pick<ServiceError, 'request' | 'status' | 'headers' | 'body'>) {
    super(message);
    this.request = answer.request;
    this.status = answer.status;
    this.headers = answer.headers;
    this.body = answer.body;
  }
}

/**
 * No complete answer came: the network failed, or the time was up. The cause is what `fetch` threw, or a TimeoutError.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly request: SentRequest;

  constructor(request: SentRequest, what: string, cause: unknown) {
    super(`${request.method} ${request.url} ${what}`, { cause });
    this.request = request;
  }
}

/** A page of results has an unusable cursor, or one that leads back to an earlier page. */
export class PagingError extends Error {
  override readonly name = 'PagingError';
  /** The page with the cursor that cannot be followed. */
  readonly page: ListResultsResponse;

  constructor(message: string, page: ListResultsResponse) {
    super(message);
    this.page = page;
  }
}

/** The lists of RFC 9457 problems, of validators and of tRPC. */
function fieldErrorsOf(body: unknown): readonly FieldError[] {
  const { errors, issues, details } = Object(body) as Record<string, unknown>;
  const list = [errors, issues, details].find((one) => Array.isArray(one)) as readonly unknown[] | undefined;
  return (list ?? []).flatMap((one): readonly FieldError[] => {
    if (typeof one === 'string') return [{ location: '', message: one }];
    if (typeof one !== 'object' || one === null) return [];
    const { message, detail, location, path, pointer, field } = one as Record<string, unknown>;
    const said = message ?? detail;
    if (typeof said !== 'string') return [];
    const parts = [location ?? path ?? pointer ?? field].flat();
    const isReadable = parts.every((part) => typeof part === 'string' || typeof part === 'number');
    return [{ location: isReadable ? parts.join('/') : '', message: said }];
  });
}
