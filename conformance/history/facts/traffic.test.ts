import { sampleExchange, type SampleExchange } from '../../testing/sample-exchange.ts';
import { createTrafficFacts } from './traffic.ts';

function trafficOf(...exchanges: readonly Omit<SampleExchange, 'n'>[]) {
  const traffic = createTrafficFacts();
  for (const [n, one] of exchanges.entries()) traffic.see(sampleExchange({ ...one, n: n + 1 }));
  return traffic;
}

test('starts without any request', () => {
  const traffic = trafficOf();
  expect(traffic).toMatchObject({ requests: 0, accepted: 0, serverErrors: [], serverErrorCount: 0 });
  expect(traffic.of('get-agent')).toMatchObject({ requests: 0, statuses: new Map(), unanswered: 0 });
});

test('counts answers by endpoint and status, and unanswered requests apart', () => {
  const traffic = trafficOf({ status: 200 }, { status: 200 }, { status: 404 }, { endpoint: 'get-agent', status: 500 });
  const { answer: _, ...unanswered } = sampleExchange({ n: 5 });
  traffic.see(unanswered);
  const { statuses, ...counts } = traffic.of('list-results');
  expect(counts).toMatchObject({ requests: 4, unanswered: 1 });
  expect(Object.fromEntries(statuses)).toEqual({ 200: 2, 404: 1 });
  expect(traffic.of('get-agent')).toMatchObject({ requests: 1, statuses: new Map([[500, 1]]) });
  expect([traffic.requests, traffic.accepted]).toEqual([5, 2]);
});

test('keeps the first and the last answer to a valid caller, without their bodies', () => {
  const traffic = trafficOf({ caller: 'read' }, {}, {}, {}, { status: 404 }, { caller: 'none' });
  const { firstAccepted, lastAccepted } = traffic.of('list-results');
  expect([firstAccepted?.n, lastAccepted?.n]).toEqual([2, 4]);
  expect(firstAccepted).not.toHaveProperty('answer');
  expect(traffic.accepted).toBe(5);
});

test('counts all statuses above 499, and keeps twenty of them', () => {
  const traffic = trafficOf({ status: 499 }, ...Array.from({ length: 21 }, (_, index) => ({ status: 500 + index })));
  expect(traffic.serverErrorCount).toBe(21);
  expect(traffic.serverErrors.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, (_, i) => 500 + i));
});
