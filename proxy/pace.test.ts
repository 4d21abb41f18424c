import { createPace, type Pace } from './pace.ts';

/** A pace by a clock that only moves when work takes time, or somebody moves it. */
function paced(): {
  readonly pace: Pace;
  readonly pass: (ms: number) => void;
  readonly cost: (ms: number) => () => void;
  readonly done: number[];
} {
  let now = 0;
  let wakes: { readonly at: number; readonly work: () => void }[] = [];
  const done: number[] = [];
  const pace = createPace({ now: () => now, wake: (work, ms) => void wakes.push({ at: now + ms, work }) });
  return {
    pace,
    done,
    /** Somebody is served all the while. */
    pass(ms) {
      for (const end = now + ms; now < end; now++) {
        pace.stir();
        const due = wakes.filter(({ at }) => at <= now);
        wakes = wakes.filter(({ at }) => at > now);
        for (const { work } of due) work();
      }
    },
    cost: (ms) => () => {
      now += ms;
      done.push(now);
    },
  };
}

test('does at once what costs little, and no more than a share of the time while something passes', () => {
  const { pace, pass, cost, done } = paced();
  let atOnce = 0;
  for (; pace.hasTime; atOnce++) pace.now(cost(1));
  // Twenty milliseconds are saved up, and what comes to them while they are spent.
  expect(atOnce).toBe(21);
  for (let i = 0; i < 500; i++) pace.later(cost(1), 0);
  const before = done.length;
  pass(1_000);
  expect(done.length - before).toBeGreaterThan(20);
  expect(done.length - before).toBeLessThan(40);
  expect(pace.hasTime).toBe(false);
});

test('does all that waits once nothing passes, and keeps the order', () => {
  const order: string[] = [];
  let now = 0;
  const wakes: (() => void)[] = [];
  const pace = createPace({ now: () => now, wake: (work) => void wakes.push(work) });
  pace.stir();
  for (let i = 0; i < 300; i++)
    pace.later(() => {
      now++;
      order.push(`later ${i}`);
    }, 0);
  now += 300;
  for (let work = wakes.shift(); work; work = wakes.shift()) work();
  expect(order).toHaveLength(300);
  pace.later(() => void order.push('waited'), 0);
  expect([pace.hasTime, pace.now(() => order.push('now'))]).toEqual([false, 302]);
  expect(order.slice(-3)).toEqual(['later 299', 'waited', 'now']);
});

test('is full by size as well, until it has caught up', () => {
  const { pace, cost, done } = paced();
  pace.later(cost(0), 63 * 1024 * 1024);
  expect(pace.isFull).toBe(false);
  pace.later(cost(0), 2 * 1024 * 1024);
  expect(pace.isFull).toBe(true);
  pace.flush();
  expect([pace.isFull, done.length]).toEqual([false, 2]);
});

test('lets little wait under a load that goes on, until nothing has passed for a while', () => {
  const { pace, pass, cost } = paced();
  const taken = (): number => {
    let count = 0;
    for (; !pace.isFull; count++) pace.later(cost(0), 0);
    return count;
  };
  pace.stir();
  expect(taken()).toBe(200);
  pace.flush();
  pass(100);
  expect(taken()).toBe(8);
  pace.flush();
  pass(1);
  cost(201)();
  pace.stir();
  expect(taken()).toBe(200);
});
