import { createClock } from './clock.ts';
import type { Answered } from './exchange.ts';

const ours = Date.UTC(2026, 10, 21, 12);
const header = (ms: number): string => new Date(ms).toUTCString();
const DAY = 86_400_000;
const past = Date.UTC(2026, 4, 20, 15, 30);
const agentMade = (ms: number): object => ({ agent: { createdAt: new Date(ms).toISOString() } });

/** An accepted creation, answered at our noon. */
const creation = (
  date: string | undefined,
  json: object,
  endpoint: Answered['endpoint'] = 'create-agent',
): Answered => ({
  n: 2,
  begun: 1,
  sentAt: ours,
  answeredAt: ours,
  caller: 'valid',
  method: 'POST',
  endpoint,
  agentId: undefined,
  query: [],
  sent: {},
  open: false,
  kept: { request: { method: 'POST', url: '', headers: {} }, durationMs: 0 },
  answer: {
    status: 200,
    headers: date === undefined ? {} : { date },
    accepted: true,
    json,
    problem: undefined,
    text: '',
  },
});

test.each([
  ['of our own time', header(ours - 60_000), [ours - 60_000]],
  ['that is missing', undefined, [ours]],
  ['of no meaning', 'yesterday', [ours]],
  ['of 1970', header(0), [ours]],
  ['of a far future', header(Date.UTC(2999, 0, 1)), [ours]],
  ['of another day', header(ours - DAY), [ours - DAY, ours]],
  ['of the next century', header(Date.UTC(2101, 0, 1)), [Date.UTC(2101, 0, 1), ours]],
])('a Date %s', (_, date, instants) => {
  expect(createClock().instants({ date, at: ours })).toEqual(instants);
});

test('what was just created shows which clock counts', () => {
  for (const [createdAt, instants] of [
    [past, [past]],
    [ours, [ours]],
    [past - DAY, [past, ours]],
  ] as const) {
    const clock = createClock();
    clock.see(creation(header(past), agentMade(createdAt)));
    expect(clock.instants({ date: header(past), at: ours })).toEqual(instants);
  }
});

test('a time without a zone, or none, shows nothing', () => {
  const clock = createClock();
  const stamp = { date: header(past), at: ours };
  clock.see(creation(header(past), { agent: { createdAt: '2026-05-20 15:30:00' } }));
  clock.see(creation(header(past), {}));
  clock.see(creation(undefined, agentMade(ours)));
  expect(clock.instants(stamp)).toEqual([past, ours]);
  clock.see(creation(header(past), { workspace: { createdAt: new Date(past).toISOString() } }, 'create-workspace'));
  expect(clock.instants(stamp)).toEqual([past]);
});

test('a fixed clock is never wrong', () => {
  expect(createClock(past).instants({ date: header(ours), at: ours })).toEqual([past]);
});
