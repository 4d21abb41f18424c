import type { Passed } from '../inspect.ts';
import { createClean } from '../clean.ts';
import { createTraffic } from './traffic.ts';

const passed = (answeredAt: number, found: Passed['found']): Passed => ({
  exchange: {
    request: { method: 'GET', url: 'http://127.0.0.1/api/v1/agents/a', headers: {} },
    answer: { status: 200, headers: {} },
    sentAt: answeredAt - 3,
    answeredAt,
  },
  found,
});

test('lists everything that is judged, and at most one unjudged exchange in twenty milliseconds, with the number it stands for', () => {
  const traffic = createTraffic(createClean([]));
  for (let at = 0; at < 40; at++) traffic.add(passed(at, 'not-judged'));
  traffic.add(passed(40, []));
  traffic.add(passed(41, []));
  traffic.add(passed(42, 'other-path'));
  const listed = traffic.after(0).map(({ n, unlisted, why }) => [n, unlisted, why === undefined]);
  expect(listed).toEqual([
    [1, undefined, false],
    [21, 19, false],
    [41, 19, true],
    [42, undefined, true],
    [43, undefined, false],
  ]);
  expect(traffic.count).toBe(43);
});

test('names what is wrong with an answer, and why it is not judged', () => {
  const traffic = createTraffic(createClean([]));
  traffic.add(passed(0, [{ at: '/agent/id', expected: 'a string', actual: '1' }] as never));
  traffic.add(passed(1, 'other-path'));
  expect(traffic.after(0)).toMatchObject([
    { wrong: ['/agent/id: expected a string; met 1'] },
    { wrong: [], why: 'have a path that is not in the specification' },
  ]);
});
