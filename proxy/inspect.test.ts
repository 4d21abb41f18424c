import type { IncomingMessage } from 'node:http';
import type { ForeignExchange } from '../conformance/foreign/foreign-exchange.ts';
import { createInspector, type Passed } from './inspect.ts';
import { createBacklog } from './backlog.ts';

const service = 'http://service.test/api/v1/agents/a';
const others = 'http://service.test/elsewhere';

/** What is reported about an exchange with such an end, with time to judge it and without. */
function told(url: string, how: 'ends' | 'fails', { isFull = false, isRecorded = false } = {}) {
  const passed: Passed[] = [];
  const recorded: ForeignExchange[] = [];
  const backlog = { ...createBacklog(), isFull, hasTime: false };
  const inspector = createInspector({
    judge: { see: () => 'not-judged', miss: () => undefined } as never,
    isStrict: false,
    ...(isRecorded ? { record: (exchange: ForeignExchange) => void recorded.push(exchange) } : {}),
    onPassed: (one) => void passed.push(one),
    onBroken: (error) => {
      throw error;
    },
    clean: {} as never,
    backlog,
  });
  const inspection = inspector.inspect(
    { method: 'GET', rawHeaders: ['x-own', '1'] } as unknown as IncomingMessage,
    url,
  );
  inspection?.request?.(Buffer.from('asked'));
  inspection?.answer?.(Buffer.from('answered'));
  if (how === 'ends') inspection?.end({ status: 204, rawHeaders: [] }, false);
  else inspection?.failed();
  inspector.flush();
  return {
    passed: passed.map(({ exchange: { request, answer }, found }) => [request.url, answer?.status ?? 0, found]),
    recorded: recorded.map(({ request, answer }) => [answer?.status ?? 0, request.body]),
  };
}

describe.each([
  ['ends', 204],
  ['fails', 0],
] as const)('an exchange that %s has passed, with the status %d', (how, status) => {
  test.each([
    ['of the service', service, {}],
    ['of the service, in a rush', service, { isFull: true }],
    ['of others', others, {}],
  ])('%s', (_, url, given) => {
    expect(told(url, how, given)).toEqual({ passed: [[url, status, 'not-judged']], recorded: [] });
  });

  test.each([
    ['of the service', service, {}, [[status, 'asked']]],
    ['of the service, in a rush', service, { isFull: true }, [[status, 'asked']]],
    ['of others', others, {}, []],
  ])('%s, written down', (_, url, given, recorded) => {
    expect(told(url, how, { ...given, isRecorded: true })).toEqual({
      passed: [[url, status, 'not-judged']],
      recorded,
    });
  });
});
