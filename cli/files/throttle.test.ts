import { throttled } from './throttle.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('works once for the requests of each pause, and finishes the rest at the end', async () => {
  let runs = 0;
  const { request, finish } = throttled(() => Promise.resolve(void runs++), 200);
  request();
  await jest.advanceTimersByTimeAsync(199);
  expect(runs).toBe(0);
  for (let i = 0; i < 50; i++) {
    request();
    await jest.advanceTimersByTimeAsync(10);
  }
  expect(runs).toBe(3);
  request();
  await finish();
  expect(runs).toBe(4);
  await finish();
  await jest.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(4);
});

test('requests during the work are served afterwards, one at a time', async () => {
  const ends: (() => void)[] = [];
  const { request, finish } = throttled(() => new Promise((resolve) => ends.push(resolve)), 200);
  request();
  await jest.advanceTimersByTimeAsync(200);
  request();
  await jest.advanceTimersByTimeAsync(500);
  expect(ends).toHaveLength(1);
  const finished = finish();
  ends[0]?.();
  await jest.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await finished;
});
