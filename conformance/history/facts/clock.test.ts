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

test.each<[string, readonly unknown[], number, readonly number[]]>([
  ['the clock of Date', [header(past)], past, [past]],
  ['our own', [header(ours)], past, [ours]],
  ['one that is off by exactly a day', [header(past - DAY), header(past - DAY + 1000)], past, [past - DAY]],
  ['one that jumps', [header(past - DAY), header(past - 9 * DAY)], past, []],
  ['a number that is not an epoch time', [NEAR_NOTHING], past, []],
  ['a time without a zone', ['2026-05-20 15:30:00'], past, [past, ours]],
  ['nothing', [undefined], past, [past, ours]],
])('a thing that was just created shows %s', (_, created, date, expected) => {
  expect(instants(taught(created, header(date)), header(date))).toEqual(expected);
});

test('says why it trusts no clock, unless something fits one later', () => {
  expect(taught([NEAR_NOTHING], header(ours)).distrust).toContain('638000000000000000');
  expect(taught([header(ours)], header(ours)).distrust).toBeUndefined();
  expect(taught([NEAR_NOTHING, header(past)], header(past)).distrust).toBeUndefined();
});

test('a time that fits only our clock reveals no other clock', () => {
  expect(instants(taught([header(ours - 5000)], undefined), undefined)).toEqual([ours]);
});

test.each<[string, readonly unknown[], readonly number[]]>([
  ['is never wrong', [header(past - DAY), header(past - 9 * DAY)], [past]],
  ['trusts no number that is near nothing', [NEAR_NOTHING], []],
])('a fixed clock %s', (_, created, expected) => {
  expect(instants(taught(created, undefined, past), header(ours))).toEqual(expected);
});
