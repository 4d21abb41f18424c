import { createBacklog, type Backlog } from './backlog.ts';

/** A backlog with a clock that moves only when work takes time, or when a test moves it. */
function testBacklog(): {
  readonly backlog: Backlog;
  readonly pass: (ms: number) => void;
  readonly cost: (ms: number) => () => void;
  readonly done: number[];
} {
  let now = 0;
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  const done: number[] = [];
  const backlog = createBacklog({ now: () => now, schedule: (work, ms) => void timers.push({ at: now + ms, work }) });
  return {
    backlog,
    done,
    /** A client is served all the while. */
    pass(ms) {
      for (const end = now + ms; now < end; now++) {
        backlog.noteTraffic();
        const due = timers.filter(({ at }) => at <= now);
        timers = timers.filter(({ at }) => at > now);
        for (const { work } of due) work();
      }
    },
    cost: (ms) => () => {
      now += ms;
      done.push(now);
    },
  };
}

test('does cheap work at once, and takes only a share of the time while traffic passes', () => {
  const { backlog, pass, cost, done } = testBacklog();
  let atOnce = 0;
  for (; backlog.hasTime; atOnce++) backlog.runNow(cost(1));
  // It saves up twenty milliseconds, and earns more while it spends them.
  expect(atOnce).toBe(21);
  for (let i = 0; i < 500; i++) backlog.add(cost(1), 0);
  const before = done.length;
  pass(1_000);
  expect(done.length - before).toBeGreaterThan(20);
  expect(done.length - before).toBeLessThan(40);
  expect(backlog.hasTime).toBe(false);
});

test('does all waiting work when no traffic passes, and keeps the order', () => {
  const order: string[] = [];
  let now = 0;
  const timers: (() => void)[] = [];
  const backlog = createBacklog({ now: () => now, schedule: (work) => void timers.push(work) });
  backlog.noteTraffic();
  for (let i = 0; i < 300; i++)
    backlog.add(() => {
      now++;
      order.push(`later ${i}`);
    }, 0);
  now += 300;
  for (let work = timers.shift(); work; work = timers.shift()) work();
  expect(order).toHaveLength(300);
  backlog.add(() => void order.push('waited'), 0);
  expect([backlog.hasTime, backlog.runNow(() => order.push('now'))]).toEqual([false, 302]);
  expect(order.slice(-3)).toEqual(['later 299', 'waited', 'now']);
});

test('is also limited by size, until it has caught up', () => {
  const { backlog, cost, done } = testBacklog();
  backlog.add(cost(0), 63 * 1024 * 1024);
  expect(backlog.isFull).toBe(false);
  backlog.add(cost(0), 2 * 1024 * 1024);
  expect(backlog.isFull).toBe(true);
  backlog.flush();
  expect([backlog.isFull, done.length]).toEqual([false, 2]);
});

test('keeps little waiting under a lasting load, until no traffic has passed for a while', () => {
  const { backlog, pass, cost } = testBacklog();
  const taken = (): number => {
    let count = 0;
    for (; !backlog.isFull; count++) backlog.add(cost(0), 0);
    return count;
  };
  backlog.noteTraffic();
  expect(taken()).toBe(200);
  backlog.flush();
  pass(100);
  expect(taken()).toBe(8);
  backlog.flush();
  pass(1);
  cost(201)();
  backlog.noteTraffic();
  expect(taken()).toBe(200);
});
