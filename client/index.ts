export { createClient, type Client } from './client.ts';
export { NoAnswerError, PagingError, ServiceError, type SentRequest } from './errors.ts';
export type { Operations } from './generated/operations.ts';
export type { CallOptions, ClientOptions, Clock, Fetch } from './options.ts';
export type { ResultList } from './results.ts';
