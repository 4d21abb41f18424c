import { createClock } from './clock.ts';

const noon = Date.UTC(2026, 4, 20, 12);

/** A clock over a real time that the test controls. */
function setUp(start: Parameters<typeof createClock>[0]) {
  let real = 1000;
  const clock = createClock(start, () => real);
  return { clock, pass: (milliseconds: number) => void (real += milliseconds) };
}

test('runs with the real time from where it was set, can be stopped and moved, and continues from there', () => {
  const { clock, pass } = setUp({ offset: 0 });
  clock.set(noon);
  pass(50);
  expect([clock.now(), clock.isFrozen]).toEqual([noon + 50, false]);
  clock.freeze(noon);
  pass(50);
  expect(clock.now()).toBe(noon);
  clock.advance(1000);
  expect(clock.now()).toBe(noon + 1000);
  clock.advance(-2000);
  clock.set(clock.now() + 500);
  expect(clock.now()).toBe(noon - 500);
  clock.resume();
  pass(7);
  expect(clock.now()).toBe(noon - 493);
  clock.freeze();
  expect(clock.state).toEqual({ frozenAt: noon - 493 });
});

test('returns to a saved state', () => {
  const { clock, pass } = setUp({ frozenAt: noon });
  clock.restore({ offset: 5 });
  pass(1);
  expect(clock.now()).toBe(1006);
});

test.each([Number.NaN, Infinity, -1e15, 1e15])('%p is refused', (at) => {
  const { clock } = setUp({ frozenAt: noon });
  expect(() => clock.set(at)).toThrow('The clock cannot be set to');
  expect(() => clock.freeze(at)).toThrow('The clock cannot be set to');
  expect(() => clock.advance(at)).toThrow('The clock cannot be set to');
  expect(clock.now()).toBe(noon);
});
