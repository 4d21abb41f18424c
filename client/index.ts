export { createClient, type Client } from './client.ts';
export { NoAnswerError, PagingError, ServiceError, type FieldError, type SentRequest } from './errors.ts';
export { isVersion6 } from './versions.ts';
export type { WithNulls } from './with-nulls.ts';
export type { Operations } from './generated/operations.ts';
export type { AnswerInfo, CallOptions, ClientOptions, Clock, Fetch, Retry } from './options.ts';
export type { ResultList } from './results.ts';
export type {
  Agent,
  AgentV5,
  AgentV6,
  ConversationResult,
  CreateAgentRequest,
  CreateAgentResponse,
  CreateWorkspaceRequest,
  CreateWorkspaceResponse,
  GetAgentResponse,
  GetPublishedAgentResponse,
  ImportAgentRequest,
  ImportAgentResponse,
  ListResultsQuery,
  ListResultsResponse,
  TimeFilter,
  Workspace,
} from '../spec/index.ts';
