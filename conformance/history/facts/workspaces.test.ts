import { sampleHistory, type SampleExchange } from '../../testing/sample-exchange.ts';
import { createWorkspaces } from './workspaces.ts';

function workspacesOf(...exchanges: readonly SampleExchange[]) {
  const workspaces = createWorkspaces();
  for (const exchange of sampleHistory(exchanges)) workspaces.see(exchange);
  const { created, known, used } = workspaces;
  return { created: [...created], known: [...known], used: [...used] };
}

const none = { created: [], known: [], used: [] };
const creation: SampleExchange = { endpoint: 'create-workspace', status: 201, json: { workspace: { id: 'w' } } };
const taking: SampleExchange = { endpoint: 'create-agent', status: 201, json: {}, sent: { workspaceId: 'w' } };
const read: SampleExchange = { endpoint: 'get-agent', json: { agent: { workspaceId: 'w' } } };

test.each<[string, readonly SampleExchange[], object]>([
  ['accepts an import', [{ ...taking, endpoint: 'import-agent' }], { created: [], known: ['w'], used: ['w'] }],
  ['is created and accepts an agent', [creation, taking], { created: ['w'], known: ['w'], used: ['w'] }],
  ['is shown by an agent', [read], { created: [], known: ['w'], used: [] }],
  ['is refused', [{ ...creation, status: 400 }], none],
  ['refuses an agent', [{ ...taking, status: 400 }], none],
  ['has no id', [{ ...creation, json: { workspace: {} } }], none],
])('a workspace that %s', (_, exchanges, expected) => {
  expect(workspacesOf(...exchanges)).toEqual(expected);
});

test('keeps the first of very many workspaces', () => {
  const many = Array.from({ length: 2001 }, (_, n): SampleExchange => ({
    ...creation,
    json: { workspace: { id: `w${n}` } },
  }));
  const { created } = workspacesOf(...many);
  expect([created.length, created.at(-1)]).toEqual([2000, 'w1999']);
});
