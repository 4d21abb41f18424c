import { sampleExchange, type SampleExchange } from '../../testing/sample-exchange.ts';
import { createWorkspaces } from './workspaces.ts';

type Told = Omit<SampleExchange, 'n'> & { readonly sent?: unknown };

function workspacesOf(...exchanges: readonly Told[]) {
  const workspaces = createWorkspaces();
  for (const [n, { sent, ...one }] of exchanges.entries())
    workspaces.see({ ...sampleExchange({ ...one, n: n + 1 }), sent });
  const { made, known, used } = workspaces;
  return { made: [...made], known: [...known], used: [...used] };
}

const none = { made: [], known: [], used: [] };
const made: Told = { endpoint: 'create-workspace', status: 201, json: { workspace: { id: 'w' } } };
const taking: Told = { endpoint: 'create-agent', status: 201, json: {}, sent: { workspaceId: 'w' } };
const read: Told = { endpoint: 'get-agent', json: { agent: { workspaceId: 'w' } } };

test.each<[string, readonly Told[], object]>([
  ['is created', [made], { made: ['w'], known: ['w'], used: [] }],
  ['accepts an agent', [taking], { made: [], known: ['w'], used: ['w'] }],
  ['accepts an import', [{ ...taking, endpoint: 'import-agent' }], { made: [], known: ['w'], used: ['w'] }],
  ['is created and accepts an agent', [made, taking], { made: ['w'], known: ['w'], used: ['w'] }],
  ['is shown by an agent', [read], { made: [], known: ['w'], used: [] }],
  ['is refused', [{ ...made, status: 400 }], none],
  ['refuses an agent', [{ ...taking, status: 400 }], none],
  ['has no id', [{ ...made, json: { workspace: {} } }], none],
  ['is named in a list', [{ endpoint: 'list-results', json: { agent: { workspaceId: 'w' } } }], none],
])('a workspace that %s', (_, exchanges, expected) => {
  expect(workspacesOf(...exchanges)).toEqual(expected);
});

test('keeps the first of very many workspaces', () => {
  const many = Array.from({ length: 2001 }, (_, n): Told => ({ ...made, json: { workspace: { id: `w${n}` } } }));
  const { made: kept } = workspacesOf(...many);
  expect([kept.length, kept.at(-1)]).toEqual([2000, 'w1999']);
});
