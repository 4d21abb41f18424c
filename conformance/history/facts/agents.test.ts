import { createAgents, type Agents } from './agents.ts';
import { sampleExchange, type SampleExchange } from '../../testing/sample-exchange.ts';

function agentsOf(...exchanges: readonly SampleExchange[]): Agents {
  const agents = createAgents({ agentId: 'given' });
  for (const exchange of exchanges) agents.see(sampleExchange(exchange));
  return agents;
}

const answer = { agent: { id: 'a', version: '6', name: 'A', workspaceId: 'w2' } };
const sent = { workspaceId: 'w', agent: { version: '6', name: 'A' } };
const creation: SampleExchange = { n: 3, endpoint: 'create-agent', json: answer, sent, at: 7 };

const readAs = (id: string): SampleExchange => ({
  n: 5,
  endpoint: 'get-agent',
  json: { agent: { id, isPublished: true } },
});

test('recognises a created agent by what was sent and answered', () => {
  expect(agentsOf(creation).get('a')).toEqual({
    id: 'a',
    origin: 'created',
    creation: {
      n: 3,
      excerpt: expect.objectContaining({ status: 200 }) as object,
      answeredAt: 7,
      owner: 'valid \na',
      workspaceId: 'w',
      sent: { name: 'A' },
      answered: { name: 'A' },
      answeredWorkspaceId: 'w2',
      assigned: [],
      isVersion6: true,
      isProvoked: false,
    },
    isAmbiguous: false,
    isPublished: undefined,
  });
});

test.each<[string, readonly SampleExchange[], object | undefined]>([
  ['given', [], undefined],
  ['imported', [{ ...creation, endpoint: 'import-agent' }], { origin: 'imported', isAmbiguous: false }],
  ['named twice', [creation, { ...creation, n: 5 }], { creation: { n: 3 }, isAmbiguous: true }],
  ['refused', [{ ...creation, status: 400 }], undefined],
  ['without an id', [{ ...creation, json: { agent: {} } }], undefined],
  ['sent openly', [{ ...creation, open: true }], { creation: { sent: undefined, answered: undefined } }],
  ['of another version', [{ ...creation, sent: { agent: { version: '5' } } }], { creation: { sent: undefined } }],
  ['read', [creation, readAs('a')], { isPublished: true }],
  ['read as another', [creation, readAs('b')], { isPublished: undefined }],
])('an agent that was %s', (_, exchanges, expected) => {
  const fact = agentsOf(...exchanges).get('a');
  if (expected === undefined) expect(fact).toBeUndefined();
  else expect(fact).toMatchObject(expected);
});

test('knows agents that were given, created or shown, and the mode of each reader', () => {
  const agents = agentsOf(
    creation,
    { n: 5, endpoint: 'create-workspace', json: { workspace: { id: 'w3' } } },
    { n: 7, endpoint: 'get-agent', agentId: 'x', json: { agent: { id: 'x' }, currentUserMode: 'read' } },
  );
  expect([...agents.all].map(({ id, origin }) => `${id} ${origin}`)).toEqual(['given given', 'a created', 'x given']);
  expect([...agents.modes]).toEqual(['read']);
});

test('keeps the first of very many agents', () => {
  const many = Array.from({ length: 30_000 }, (_, n) => ({ ...creation, n, json: { agent: { id: `a${n}` } } }));
  const kept = [...agentsOf(...many).all];
  expect(kept.length).toBeLessThan(many.length);
  expect(kept.at(-1)?.id).toBe(`a${kept.length - 2}`);
});
