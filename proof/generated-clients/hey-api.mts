import { client } from './service/client.gen.js';
import { createAgent, getAgent, importAgent, listResults } from './service/sdk.gen.js';
import type { ConversationResult } from './service/types.gen.js';

/** Does not compile if a type says that nothing can come. */
type Known<T> = [T] extends [never | undefined] ? never : T;

const { SERVICE_URL = '', TOKEN = '', AGENT_ID: agentId = '', WORKSPACE_ID: workspaceId = '' } = process.env;
client.setConfig({ baseUrl: SERVICE_URL, auth: () => TOKEN });

let walked = 0;
let cursor: string | null | undefined;
do {
  const query = { timeFilter: 'allTime' as const, limit: 50, ...(cursor ? { cursor } : {}) };
  const { data } = await listResults({ path: { agentId }, query });
  if (data === undefined) throw new Error('The list was refused.');
  const results: ConversationResult[] = data.results;
  walked += results.filter(({ id }) => typeof id === 'string').length;
  cursor = data.nextCursor;
} while (typeof cursor === 'string');

const comparisons = [{ id: 'c', comparisonOperator: 'Equal to', value: 'x' }];
const settings = { messagingApp: { startCondition: { logicalOperator: 'OR', comparisons } } };
const made = await createAgent({
  body: { workspaceId, agent: { name: 'Made', settings, groups: [{ id: 'g', blocks: [{}, {}] }] } },
});
const imported = await importAgent({
  body: { workspaceId, agent: { version: '6', name: 'Imported', groups: [{ id: 'g', title: 'One', blocks: [{}] }] } },
});
const id: string = made.data?.agent.id ?? '';
const read = await getAgent({ path: { agentId: id } });
const agent = read.data?.agent;
const blocks = agent?.version === '6' ? agent.groups?.flatMap((group) => group.blocks ?? []) : [];
const mode: 'guest' | 'read' | 'write' | undefined = read.data?.currentUserMode;

const refused = await createAgent({ body: { workspaceId, agent: { name: 5 as unknown as string } } });
const error: Known<typeof refused.error> = refused.error;

console.log(
  JSON.stringify({
    walked,
    made: made.data?.agent.settings?.messagingApp?.startCondition?.comparisons?.[0]?.['value'],
    imported: imported.data?.agent.groups?.[0]?.title,
    mode,
    blocks: blocks?.length,
    isRefused: error !== undefined,
  }),
);
