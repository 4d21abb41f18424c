import { sampleExchange, type SampleExchange } from '../sample-exchange.ts';
import { createTraffic, type Traffic } from './traffic.ts';

function trafficOf(...exchanges: readonly Omit<SampleExchange, 'n'>[]): Traffic {
  const traffic = createTraffic();
  for (const [n, one] of exchanges.entries()) traffic.see(sampleExchange({ ...one, n: n + 1 }));
  return traffic;
}

test('nothing was asked at first', () => {
  const { requests, accepted, serverErrors, serverErrorCount, ...traffic } = trafficOf();
  expect({ requests, accepted, serverErrors, serverErrorCount }).toEqual({
    requests: 0,
    accepted: 0,
    serverErrors: [],
    serverErrorCount: 0,
  });
  expect(traffic.of('get-agent')).toEqual({
    requests: 0,
    statuses: new Map(),
    unanswered: 0,
    firstAccepted: undefined,
    lastAccepted: undefined,
  });
});

test('answers are counted by endpoint and status, and what was not answered apart', () => {
  const traffic = trafficOf({ status: 200 }, { status: 200 }, { status: 404 }, { endpoint: 'get-agent', status: 500 });
  const { answer: _, ...unanswered } = sampleExchange({ n: 5 });
  traffic.see(unanswered);
  expect(traffic.of('list-results')).toMatchObject({
    requests: 4,
    unanswered: 1,
    statuses: new Map([
      [200, 2],
      [404, 1],
    ]),
  });
  expect(traffic.of('get-agent')).toMatchObject({ requests: 1, statuses: new Map([[500, 1]]) });
  expect([traffic.requests, traffic.accepted]).toEqual([5, 2]);
});

test('the first and the last that a valid caller was given are kept, without their bodies', () => {
  const traffic = trafficOf({ caller: 'read' }, {}, {}, {}, { status: 404 }, { caller: 'none' });
  const { firstAccepted, lastAccepted } = traffic.of('list-results');
  expect([firstAccepted?.n, lastAccepted?.n]).toEqual([2, 4]);
  expect(firstAccepted).not.toHaveProperty('answer');
  expect(traffic.accepted).toBe(5);
});

test('statuses above 499 are all counted, and twenty of them kept', () => {
  const traffic = trafficOf({ status: 499 }, ...Array.from({ length: 21 }, (_, index) => ({ status: 500 + index })));
  expect(traffic.serverErrorCount).toBe(21);
  expect(traffic.serverErrors.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, (_, i) => 500 + i));
});
