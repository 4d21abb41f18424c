import { createTargetClock } from './clock.ts';
import type { Facts } from './facts.ts';
import { sampleExchange } from '../../testing/sample-exchange.ts';

const ours = Date.UTC(2026, 10, 21, 12);
const header = (ms: number): string => new Date(ms).toUTCString();
const NEAR_NOTHING = 638_000_000_000_000_000;
const DAY = 86_400_000;
const past = Date.UTC(2026, 4, 20, 15, 30);
const instants = (clock: Facts['clock'], date: string | undefined): readonly number[] =>
  clock.instants({ date, at: ours });

/** A clock that has seen a thing created at a time, beside a `Date`. */
function taught(created: readonly unknown[], date: string | undefined, fixed?: number) {
  const clock = createTargetClock(fixed);
  const headers: Record<string, string> = date === undefined ? {} : { date };
  for (const createdAt of created)
    clock.see(sampleExchange({ endpoint: 'create-agent', json: { agent: { createdAt } }, at: ours, headers }));
  return clock;
}

test.each([
  ['that is our own time', header(ours - 60_000), [ours - 60_000]],
  ['that is missing', undefined, [ours]],
  ['without a meaning', 'yesterday', [ours]],
  ['of 1970', header(0), [ours]],
  ['from the far future', header(Date.UTC(2999, 0, 1)), [ours]],
  ['from another day', header(ours - DAY), [ours - DAY, ours]],
])('a Date %s', (_, date, expected) => {
  expect(instants(createTargetClock(), date)).toEqual(expected);
});

test.each<[string, readonly unknown[], number | undefined, readonly number[], fixed: number]>([
  ['our own, and no Date', [header(ours - 5000)], undefined, [ours], 0],
  ['the clock of Date', [header(past)], past, [past], 0],
  ['our own', [header(ours)], past, [ours], 0],
  ['one that is off by exactly a day', [header(past - DAY), header(past - DAY + 1000)], past, [past - DAY], 0],
  ['one that jumps', [header(past - DAY), header(past - 9 * DAY)], past, [], 0],
  ['a number that is not an epoch time', [NEAR_NOTHING], past, [], 0],
  ['a time without a zone', ['2026-05-20 15:30:00'], past, [past, ours], 0],
  ['nothing', [undefined], past, [past, ours], 0],
  ['others than the fixed clock', [header(past - DAY), header(past - 9 * DAY)], ours, [past], past],
  ['a number that is near nothing, beside a fixed clock', [NEAR_NOTHING], ours, [], past],
])('a thing that was just created shows %s', (_, created, date, expected, fixed) => {
  const stamp = date === undefined ? undefined : header(date);
  expect(instants(taught(created, stamp, fixed || undefined), stamp)).toEqual(expected);
});

test('says why it trusts no clock, unless something fits one later', () => {
  expect(taught([NEAR_NOTHING], header(ours)).distrust).toContain('638000000000000000');
  expect(taught([header(ours)], header(ours)).distrust).toBeUndefined();
  expect(taught([NEAR_NOTHING, header(past)], header(past)).distrust).toBeUndefined();
});

test('what answers without a Date is astray only where a thing was dated by our clock', () => {
  const isAstray = (created: number, date?: string) =>
    taught([header(created)], date).isAstray(past, { date: undefined, at: ours });
  expect([isAstray(ours), isAstray(past - DAY, header(past - DAY))]).toEqual([true, false]);
});
