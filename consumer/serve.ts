import { createMock, type MockOptions } from '../mock/index.ts';
import type { Steering } from '../mock/index.ts';
import type { ServedMock } from './runs/run-command.ts';

/** The variables that tell programs about a mock: those that "check" reads. */
const names: Readonly<Record<string, string>> = {
  token: 'AGENT_CONTRACT_TOKEN',
  readToken: 'AGENT_CONTRACT_READ_TOKEN',
  guestToken: 'AGENT_CONTRACT_GUEST_TOKEN',
  workspaceId: 'AGENT_CONTRACT_WORKSPACE_ID',
  agentId: 'AGENT_CONTRACT_AGENT_ID',
  publishedAgentId: 'AGENT_CONTRACT_PUBLISHED_AGENT_ID',
  v5AgentId: 'AGENT_CONTRACT_V5_AGENT_ID',
};

/** Serves a mock with these options on a free loopback port, for each run anew. */
export const serveMock =
  (options: MockOptions) =>
  async (steering: Steering): Promise<ServedMock> => {
    const mock = createMock({ ...options, steering });
    const server = await mock.listen();
    const known = Object.entries(mock.target).map(([key, value]) => [names[key] ?? key, value || undefined] as const);
    return {
      env: { AGENT_CONTRACT_BASE_URL: server.url, ...Object.fromEntries(known) },
      stop: () => server.close(),
    };
  };
