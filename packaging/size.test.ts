import { execFileSync } from 'node:child_process';
import path from 'node:path';

interface Size {
  readonly rows: readonly { readonly room: string; readonly budget: number; readonly lines: number }[];
  /** Source files in no room. */
  readonly without: readonly string[];
}

const printed = execFileSync(process.execPath, [path.join(__dirname, 'size.mjs'), '--json'], { encoding: 'utf8' });
const { rows, without } = JSON.parse(printed) as Size;

test.each(rows)('$room stays within its budget of $budget lines', ({ lines, budget }) => {
  expect(lines).toBeLessThanOrEqual(budget);
});

test('every source file is in a room that has a budget', () => {
  expect(without).toEqual([]);
});
