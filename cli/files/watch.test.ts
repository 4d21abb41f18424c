import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { temporaryFolder } from '../testing/test-io.ts';
import { watchFile } from './watch.ts';

const STILL = 40;
const file = path.join(temporaryFolder(), 'watched');

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Until the folder has told of a change, so that a look at the file is due. */
async function isTold(): Promise<void> {
  while (jest.getTimerCount() === 0) await setImmediate();
}

test('reports a change once the file is stable, even if it is written in pieces, and not if the file is gone', async () => {
  writeFileSync(file, '');
  let changes = 0;
  const stop = watchFile(file, () => changes++);
  const looks = (count: number): number => {
    jest.advanceTimersByTime(count * STILL);
    return changes;
  };
  writeFileSync(file, 'o');
  await isTold();
  expect(looks(1)).toBe(0);
  writeFileSync(file, 'one');
  expect(looks(1)).toBe(0);
  expect(looks(1)).toBe(1);
  rmSync(file);
  await isTold();
  expect(looks(2)).toBe(1);
  writeFileSync(file, 'another');
  await isTold();
  expect(looks(1)).toBe(1);
  expect(looks(1)).toBe(2);
  writeFileSync(file, 'after that');
  await isTold();
  stop();
  expect([jest.getTimerCount(), looks(9)]).toEqual([0, 2]);
});
