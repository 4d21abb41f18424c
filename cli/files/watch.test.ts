import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../testing/test-io.ts';
import { watchFile } from './watch.ts';

const PAUSE = 100;
const file = path.join(temporaryFolder(), 'watched');

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('reports a change once the file is stable, even if it is written in pieces, and not if the file is gone', () => {
  writeFileSync(file, '');
  let changes = 0;
  const stop = watchFile(file, () => changes++);
  const looks = (count: number): number => {
    jest.advanceTimersByTime(count * PAUSE);
    return changes;
  };
  expect(looks(2)).toBe(0);
  writeFileSync(file, 'o');
  expect(looks(1)).toBe(0);
  writeFileSync(file, 'one');
  expect(looks(1)).toBe(0);
  expect(looks(1)).toBe(1);
  expect(looks(5)).toBe(1);
  rmSync(file);
  expect(looks(2)).toBe(1);
  writeFileSync(file, 'another');
  expect(looks(1)).toBe(1);
  expect(looks(1)).toBe(2);
  writeFileSync(file, 'after that');
  stop();
  expect([jest.getTimerCount(), looks(9)]).toEqual([0, 2]);
});
