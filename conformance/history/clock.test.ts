import { createTargetClock } from './clock.ts';

const ours = Date.UTC(2026, 10, 21, 12);
const header = (ms: number): string => new Date(ms).toUTCString();
const DAY = 86_400_000;
const past = Date.UTC(2026, 4, 20, 15, 30);
const clock = (fixed?: number) => createTargetClock(fixed, () => ours);
const made = (ms: number): object => ({ agent: { createdAt: new Date(ms).toISOString() } });

test.each([
  ['of our own time', header(ours - 60_000), [ours - 60_000]],
  ['that is missing', undefined, [ours]],
  ['of no meaning', 'yesterday', [ours]],
  ['of 1970', header(0), [ours]],
  ['of a far future', header(Date.UTC(2999, 0, 1)), [ours]],
  ['of another day', header(ours - DAY), [ours - DAY, ours]],
  ['of the next century', header(Date.UTC(2101, 0, 1)), [Date.UTC(2101, 0, 1), ours]],
])('a Date %s', (_, date, instants) => {
  expect(clock().instants(date)).toEqual(instants);
});

test('what was just created shows which clock counts', () => {
  for (const [createdAt, instants] of [
    [past, [past]],
    [ours, [ours]],
    [past - DAY, [past, ours]],
  ] as const) {
    const one = clock();
    one.learn('create-agent', header(past), made(createdAt));
    expect(one.instants(header(past))).toEqual(instants);
  }
});

test('a time without a zone, or none, shows nothing', () => {
  const one = clock();
  one.learn('create-agent', header(past), { agent: { createdAt: '2026-05-20 15:30:00' } });
  one.learn('create-agent', header(past), {});
  one.learn('create-agent', undefined, made(ours));
  expect(one.instants(header(past))).toEqual([past, ours]);
  one.learn('create-workspace', header(past), { workspace: { createdAt: new Date(past).toISOString() } });
  expect(one.instants(header(past))).toEqual([past]);
});

test('a fixed clock is never wrong', () => {
  expect(clock(past).instants(header(ours))).toEqual([past]);
});
