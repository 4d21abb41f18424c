import type { MockOptions } from '../mock-core.ts';
import { createMock, type Mock, type MockServer } from '../mock.ts';

/** The variables that tell programs about a mock, by what they hold: those that the command line reads. */
export const variables = {
  baseUrl: 'AGENT_CONTRACT_BASE_URL',
  token: 'AGENT_CONTRACT_TOKEN',
  readToken: 'AGENT_CONTRACT_READ_TOKEN',
  guestToken: 'AGENT_CONTRACT_GUEST_TOKEN',
  workspaceId: 'AGENT_CONTRACT_WORKSPACE_ID',
  agentId: 'AGENT_CONTRACT_AGENT_ID',
  publishedAgentId: 'AGENT_CONTRACT_PUBLISHED_AGENT_ID',
  v5AgentId: 'AGENT_CONTRACT_V5_AGENT_ID',
} as const;

export interface ServedMock {
  readonly mock: Mock;
  readonly server: MockServer;
  /** By the names of the variables; `undefined` for an id that the world does not have. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function serveMock(options: MockOptions): Promise<ServedMock> {
  const mock = createMock(options);
  const server = await mock.listen();
  const values: Readonly<Record<string, string>> = { baseUrl: server.url, ...mock.target };
  const env = Object.entries(variables).map(([key, name]) => [name, values[key] || undefined] as const);
  return { mock, server, env: Object.fromEntries(env) };
}
