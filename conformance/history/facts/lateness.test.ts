import { createAgents } from './agents.ts';
import { sampleExchange, type SampleExchange } from '../../testing/sample-exchange.ts';

const NOON = Date.UTC(2026, 4, 20, 12);

const made = (id: string): Omit<SampleExchange, 'n'> => ({
  endpoint: 'create-agent',
  status: 201,
  json: { agent: { id } },
  at: NOON,
});
const read = (status: number, afterMs: number, more: Partial<SampleExchange> = {}): Omit<SampleExchange, 'n'> => ({
  endpoint: 'get-agent',
  status,
  json: status < 300 ? { agent: { id: 'a' } } : {},
  at: NOON + afterMs,
  ...more,
});
const b = { agentId: 'b', json: { agent: { id: 'b' } } };
const [both, lateB] = [
  [made('a'), made('b')],
  [read(404, 70, b), read(200, 800, b)],
];

test.each<[string, readonly Omit<SampleExchange, 'n'>[], readonly [deniedMs: number, readMs: number] | undefined]>([
  ['appears at once', [made('a'), read(200, 5)], undefined],
  ['is late by its first read', [made('a'), read(404, 5), read(404, 100), read(200, 500), read(200, 900)], [100, 500]],
  ['is late, and 410 at first', [made('a'), read(410, 5), read(200, 300)], [5, 300]],
  ['never appears', [made('a'), read(404, 5), read(404, 500)], undefined],
  ['disappears for a while', [made('a'), read(200, 5), read(404, 100), read(200, 500)], undefined],
  ['is refused for another reason', [made('a'), read(403, 5), read(200, 500)], undefined],
  ['is hidden from others', [made('a'), read(404, 5, { caller: 'guest' }), read(200, 500)], undefined],
  ['was not created here', [read(404, 5), read(200, 500)], undefined],
  ['is read while the clock stands still', [made('a'), read(404, 0), read(200, 0)], undefined],
  ['is late, beside one that is denied for longer', [...both, read(404, 5), ...lateB, read(200, 900)], [70, 800]],
])('an agent that %s', (_, exchanges, longest) => {
  const agents = createAgents({});
  for (const [n, one] of exchanges.entries()) agents.see(sampleExchange({ ...one, n: n + 1 }));
  expect(agents.longestLag && Object.values(agents.longestLag)).toEqual(longest);
});
