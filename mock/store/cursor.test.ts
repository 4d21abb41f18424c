import { readCursor, writeCursor } from './cursor.ts';

const cursor = writeCursor(7, 'list', 1);

test('reads the cursor that it wrote', () => {
  expect(readCursor(cursor, 'list', 1)).toEqual(7);
});

test.each([`${cursor}=`, `${cursor} `, cursor.slice(0, -1), `${cursor}A`, '', 'é', '%'])(
  '%j is malformed',
  (altered) => {
    expect(readCursor(altered, 'list', 1)).toBe('malformed');
  },
);

test('a cursor of another list is foreign, and one of another world is malformed', () => {
  expect(readCursor(cursor, 'other', 1)).toBe('foreign');
  expect(readCursor(cursor, 'list', 2)).toBe('malformed');
});
