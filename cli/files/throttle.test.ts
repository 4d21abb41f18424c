import { throttled } from './throttle.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('works soon after the first request, then at most once in each pause, and finishes the rest at the end', async () => {
  let runs = 0;
  const { ask, finish } = throttled(() => Promise.resolve(void runs++), 200);
  ask();
  ask();
  await jest.advanceTimersByTimeAsync(0);
  expect(runs).toBe(1);
  for (let i = 0; i < 50; i++) {
    ask();
    await jest.advanceTimersByTimeAsync(10);
  }
  expect(runs).toBe(3);
  await finish();
  expect(runs).toBe(4);
  await finish();
  await jest.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(4);
});

test('requests during the work are served afterwards, one at a time', async () => {
  const ends: (() => void)[] = [];
  const { ask, finish } = throttled(() => new Promise((resolve) => ends.push(resolve)), 200);
  ask();
  await jest.advanceTimersByTimeAsync(0);
  ask();
  await jest.advanceTimersByTimeAsync(500);
  expect(ends).toHaveLength(1);
  const finished = finish();
  ends[0]?.();
  await jest.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await finished;
});
