import { sampleExchange, type SampleExchange } from '../../testing/sample-exchange.ts';
import { createWorkspaces } from './workspaces.ts';

type Given = Omit<SampleExchange, 'n'> & { readonly sent?: unknown };

function workspacesOf(...exchanges: readonly Given[]) {
  const workspaces = createWorkspaces();
  for (const [n, { sent, ...exchange }] of exchanges.entries())
    workspaces.see({ ...sampleExchange({ ...exchange, n: n + 1 }), sent });
  const { created, known, used } = workspaces;
  return { created: [...created], known: [...known], used: [...used] };
}

const none = { created: [], known: [], used: [] };
const creation: Given = { endpoint: 'create-workspace', status: 201, json: { workspace: { id: 'w' } } };
const taking: Given = { endpoint: 'create-agent', status: 201, json: {}, sent: { workspaceId: 'w' } };
const read: Given = { endpoint: 'get-agent', json: { agent: { workspaceId: 'w' } } };

test.each<[string, readonly Given[], object]>([
  ['is created', [creation], { created: ['w'], known: ['w'], used: [] }],
  ['accepts an agent', [taking], { created: [], known: ['w'], used: ['w'] }],
  ['accepts an import', [{ ...taking, endpoint: 'import-agent' }], { created: [], known: ['w'], used: ['w'] }],
  ['is created and accepts an agent', [creation, taking], { created: ['w'], known: ['w'], used: ['w'] }],
  ['is shown by an agent', [read], { created: [], known: ['w'], used: [] }],
  ['is refused', [{ ...creation, status: 400 }], none],
  ['refuses an agent', [{ ...taking, status: 400 }], none],
  ['has no id', [{ ...creation, json: { workspace: {} } }], none],
  ['is named in a list', [{ endpoint: 'list-results', json: { agent: { workspaceId: 'w' } } }], none],
])('a workspace that %s', (_, exchanges, expected) => {
  expect(workspacesOf(...exchanges)).toEqual(expected);
});

test('keeps the first of very many workspaces', () => {
  const many = Array.from({ length: 2001 }, (_, n): Given => ({ ...creation, json: { workspace: { id: `w${n}` } } }));
  const { created: kept } = workspacesOf(...many);
  expect([kept.length, kept.at(-1)]).toEqual([2000, 'w1999']);
});
