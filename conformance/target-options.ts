/** What the user knows about the target. */
export interface TargetOptions {
  readonly workspaceId?: string | undefined;
  /** An agent with results. */
  readonly agentId?: string | undefined;
  readonly publishedAgentId?: string | undefined;
  readonly v5AgentId?: string | undefined;
  readonly readToken?: string | undefined;
  readonly guestToken?: string | undefined;
}

/** How a user supplies each of them. */
export const optionNames: Readonly<Record<keyof TargetOptions, string>> = {
  workspaceId: '--workspace-id',
  agentId: '--agent-id of an agent with results',
  publishedAgentId: '--published-agent-id',
  v5AgentId: '--v5-agent-id',
  readToken: '--read-token',
  guestToken: '--guest-token',
};
