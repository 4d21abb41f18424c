import { createAgent, getAgent, importAgent, listResults } from './service.js';

const { TOKEN = '', AGENT_ID: agentId = '', WORKSPACE_ID: workspaceId = '' } = process.env;
const options = { headers: { Authorization: `Bearer ${TOKEN}` } };

let walked = 0;
let cursor: string | null | undefined;
do {
  const query = { timeFilter: 'allTime' as const, limit: 50, ...(cursor ? { cursor } : {}) };
  const page = await listResults(agentId, query, options);
  if (page.status !== OKAY) throw new Error('The list was refused.');
  walked += page.data.results.filter(({ id }) => typeof id === 'string').length;
  cursor = page.data.nextCursor;
} while (typeof cursor === 'string');

const comparisons = [{ id: 'c', comparisonOperator: 'Equal to', value: 'x' }];
const settings = { messagingApp: { startCondition: { logicalOperator: 'OR', comparisons } } };
const made = await createAgent(
  { workspaceId, agent: { name: 'Made', settings, groups: [{ id: 'g', blocks: [{}, {}] }] } },
  options,
);
if (made.status !== CREATED) throw new Error('The creation was refused.');
const imported = await importAgent(
  { workspaceId, agent: { version: '6', name: 'Imported', groups: [{ id: 'g', title: 'One', blocks: [{}] }] } },
  options,
);
if (imported.status !== CREATED) throw new Error('The import was refused.');
const id: string = made.data.agent.id;
const read = await getAgent(id, options);
if (read.status !== OKAY) throw new Error('The agent was refused.');
const { agent, currentUserMode: mode } = read.data;
const blocks = agent.version === '6' ? agent.groups?.flatMap((group) => group.blocks ?? []) : [];

const refused = await createAgent({ workspaceId, agent: { name: 5 as unknown as string } }, options);

console.log(
  JSON.stringify({
    walked,
    made: made.data.agent.settings?.messagingApp?.startCondition?.comparisons?.[0]?.['value'],
    imported: imported.data.agent.groups?.[0]?.title,
    mode,
    blocks: blocks?.length,
    isRefused: refused.status !== CREATED && refused.data !== undefined,
  }),
);
