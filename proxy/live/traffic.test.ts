import type { Passed } from '../inspect.ts';
import { createClean } from '../clean.ts';
import { createTraffic } from './traffic.ts';

const passed = (answeredAt: number, found: Passed['found']): Passed => ({
  met: { method: 'GET', url: 'http://127.0.0.1/api/v1/agents/a', status: 200, sentAt: answeredAt - 3, answeredAt },
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

test('says briefly what is wrong with an answer, why it is not judged, and what was left out before it', () => {
  const traffic = createTraffic(createClean([]));
  const [late, found] = ['not-judged', [{ at: '/agent/id', expected: 'a string', actual: '1' }]] as const;
  for (const [at, what] of [late, late, late, found, [], 'other-path'].entries())
    traffic.add(passed(at, what as Passed['found']));
  expect(traffic.after(0).map(({ says }) => says)).toEqual([
    'left out: such exchanges were not judged, because requests came faster than they can be judged',
    '/agent/id: expected a string; met 1 (and 2 unjudged before it)',
    'judged',
    'left out: such exchanges have a path that is not in the specification',
  ]);
});
