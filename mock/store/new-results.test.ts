import { version6Parts, version5Parts, idsOf } from '../../fixtures/requests/flow.ts';
import { personas } from '../../fixtures/index.ts';
import { validate, type ConversationResult } from '../../spec/index.ts';
import { testMock, testNow } from '../testing/test-client.ts';

const { mock: world } = testMock();
const ids = idsOf('new-results', 'body');
const template = world.store.agent(world.target.agentId)?.agent ?? {};

/** The input blocks of an agent, by id, with the variables that they set. */
function inputsOf(agent: Readonly<Record<string, unknown>>): ReadonlyMap<string, string | undefined> {
  const blocks = (agent['groups'] as { blocks: { id: string; type: string; options?: { variableId?: string } }[] }[])
    .flatMap(({ blocks: all }) => all)
    .filter(({ type }) => type.endsWith(' input'));
  return new Map(blocks.map(({ id, options }) => [id, options?.variableId]));
}

const bodies = {
  'a flow of the world': { version: '6', ...template },
  'the flow of a run': { version: '6', name: 'A', ...version6Parts('full', ids) },
  'a flow in the version 5 form': { version: '5', name: 'A', ...version5Parts('full', ids) },
};

test.each(Object.entries(bodies))('results added to an agent with %s answer its own blocks', (_, agent) => {
  const { mock, call } = testMock();
  const { workspaceId } = mock.target;
  const made = call('/api/v1/agents/import', { body: { workspaceId, agent } });
  expect(made.status).toBe(201);
  const { id: agentId } = made.json.agent;
  const added = call(`/__admin/agents/${agentId}/results`, { body: { count: 30 } }).json.ids;
  const { results } = call(`/api/v1/agents/${agentId}/results?limit=100`).json as { results: ConversationResult[] };
  expect(results.map(({ id }) => id)).toEqual(added);
  const inputs = inputsOf(made.json.agent);
  expect(inputs.size).toBeGreaterThan(0);
  for (const result of results) {
    expect(validate('result', result)).toEqual([]);
    const expected = Object.keys(world.store.results(world.target.agentId).at(0)).toSorted();
    expect(Object.keys(result).toSorted()).toEqual(expected);
    expect(result).toMatchObject({ agentId, workspaceId, hasStarted: true });
    expect(Date.parse(result.updatedAt ?? '')).toBeLessThanOrEqual(testNow);
    expect(result.answers).not.toEqual([]);
    const valued = new Map(result.variables?.map(({ id, value }) => [id, value]));
    for (const { blockId, content } of result.answers ?? []) {
      expect([...inputs.keys()]).toContain(blockId);
      const variable = inputs.get(blockId ?? '');
      if (variable !== undefined) expect(valued.get(variable)).toBe(content);
    }
  }
  expect(new Set(results.map(({ lastChatSessionId }) => lastChatSessionId)).size).toBe(30);
  const contents = results.map(({ answers }) => JSON.stringify(answers?.map(({ content }) => content)));
  expect(new Set(contents).size).toBeGreaterThan(3);
});

test('results added to a generated agent end by now, and their last update is their last answer', () => {
  const { mock } = testMock();
  const { agentId } = mock.target;
  mock.edits.addResults(agentId, 50);
  const listing = mock.store.results(agentId);
  for (const result of Array.from({ length: 50 }, (_, i) => listing.at(i))) {
    const answered = (result.answers ?? []).map(({ createdAt }) => Date.parse(createdAt ?? ''));
    expect(Math.max(Date.parse(result.createdAt ?? ''), ...answered)).toBe(Date.parse(result.updatedAt ?? ''));
    expect(Date.parse(result.updatedAt ?? '')).toBeLessThanOrEqual(testNow);
  }
});

test.each(Object.keys(personas))('every agent of %s accepts added results', (persona) => {
  const { mock } = testMock({ persona: persona as keyof typeof personas });
  const { agentCount } = mock.store.universe;
  for (let i = 0; i < Math.min(agentCount, 30); i++)
    expect(mock.edits.addResults(mock.store.agentId(i), 3)).toHaveLength(3);
});

const block = (more: object): object => ({ id: 'b', type: 'text input', ...more });
const group = (...blocks: unknown[]): object => ({ groups: [{ id: 'g', blocks }] });
const round = group(block({ type: 'text', outgoingEdgeId: 'e' }));
test.each<[string, object, number]>([
  ['no blocks', {}, 0],
  ['blocks that are no objects', group(null, 1, 'x', [], {}, { id: 5, type: 'text input' }), 0],
  ['choices without labels', group(block({ type: 'choice input', items: [{}, null] })), 1],
  ['an unknown variable', group(block({ options: { variableId: 'v' } })), 1],
  ['circular links', { ...round, edges: [{ id: 'e', from: { blockId: 'b' }, to: { groupId: 'g' } }] }, 0],
  ['links to nowhere', { ...group(block({})), edges: [{ id: 'e', to: { groupId: '?' } }] }, 1],
])('an agent with %s accepts added results', (_, parts, answers) => {
  const { mock, call } = testMock();
  const { workspaceId } = mock.target;
  const { json } = call('/api/v1/agents', { body: { workspaceId, agent: { name: 'A', ...parts } } });
  mock.edits.addResults(json.agent.id, 2);
  const result = mock.store.results(json.agent.id).at(0);
  expect(validate('result', result)).toEqual([]);
  expect(result).toMatchObject({ agentId: json.agent.id, workspaceId });
  expect(result.answers).toHaveLength(answers);
});
