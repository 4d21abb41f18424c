import { readCursor, writeCursor } from './cursor.ts';

const cursor = writeCursor(7, 'list', 1);

test('reads the cursor that it wrote; one of another list is foreign, and one of another world is malformed', () => {
  expect(readCursor(cursor, 'list', 1)).toBe(7);
  expect(readCursor(cursor, 'other', 1)).toBe('foreign');
  expect(readCursor(cursor, 'list', 2)).toBe('malformed');
});

const altered = [`${cursor}=`, `${cursor} `, cursor.slice(0, -1), `${cursor}A`, '', 'é', '%'];
test.each(altered)('%j is malformed', (text) => expect(readCursor(text, 'list', 1)).toBe('malformed'));
