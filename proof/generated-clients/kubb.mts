import fetch from '@kubb/plugin-client/clients/fetch';
import { createAgent, getAgent, importAgent, listResults } from './service/client.js';
import type { ConversationResult, Group } from './service/types.js';

const { SERVICE_URL: baseURL = '', TOKEN = '', AGENT_ID: agentId = '', WORKSPACE_ID: workspaceId = '' } = process.env;
fetch.setConfig({ baseURL, headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' } });

let walked = 0;
let cursor: string | null | undefined;
do {
  const { data } = await listResults(agentId, { timeFilter: 'allTime', limit: 50, ...(cursor ? { cursor } : {}) });
  walked += data.results.filter(({ id }: ConversationResult) => typeof id === 'string').length;
  cursor = data.nextCursor;
} while (typeof cursor === 'string');

const comparisons = [{ id: 'c', comparisonOperator: 'Equal to', value: 'x' }];
const settings = { messagingApp: { startCondition: { logicalOperator: 'OR', comparisons } } };
const made = await createAgent({
  workspaceId,
  agent: { name: 'Made', settings, groups: [{ id: 'g', blocks: [{}, {}] }] },
});
const imported = await importAgent({
  workspaceId,
  agent: { version: '6', name: 'Imported', groups: [{ id: 'g', title: 'One', blocks: [{}] }] },
});
const { agent, currentUserMode: mode } = (await getAgent(made.data.agent.id)).data;
const blocks = agent.version === '6' ? agent.groups?.flatMap((group: Group) => group.blocks ?? []) : [];
const refused = await createAgent({ workspaceId, agent: { name: 5 as unknown as string } });

console.log(
  JSON.stringify({
    walked,
    made: made.data.agent.settings?.messagingApp?.startCondition?.comparisons?.[0]?.['value'],
    imported: imported.data.agent.groups?.[0]?.title,
    mode,
    blocks: blocks?.length,
    isRefused: refused.status >= 400,
  }),
);
