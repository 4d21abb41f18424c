import { createShare } from './share.ts';

const paths = Array.from({ length: 1000 }, (_, i) => `http://s.test/api/v1/agents/agent-${i}/results`);

/** A share, how many of the agents it takes, and a clock. */
function shareOf(sample?: number) {
  let now = 0;
  const share = createShare(sample, () => now, 100);
  return {
    share,
    taken: () => paths.filter((path) => share.of(path) === 'judged'),
    pass: (ms: number) => void (now += ms),
  };
}

test('chooses the wanted share of agents, always the same ones, and all that names none', () => {
  const { share, taken } = shareOf(0.1);
  expect(taken().length).toBeGreaterThan(60);
  expect(taken().length).toBeLessThan(140);
  expect(taken()).toEqual(shareOf(0.1).taken());
  expect(shareOf(0.2).taken()).toEqual(expect.arrayContaining(taken()));
  expect(shareOf().taken()).toHaveLength(1000);
  for (const path of ['agents', 'agents/import', 'workspaces'])
    expect(share.of(`http://s.test/api/v1/${path}`)).toBe('judged');
  expect(share.of(paths.find((path) => !taken().includes(path)) ?? '')).toBe('sampled');
});

test('halves while too much waits, and begins anew before it takes more again', () => {
  const { share, taken, pass } = shareOf();
  share.waiting(101);
  const half = taken();
  expect([share.now, share.takeBegin()]).toEqual([0.5, false]);
  expect(half.length).toBeLessThan(600);
  share.waiting(101);
  expect(share.now).toBe(0.5);
  share.waiting(126);
  expect(half).toEqual(expect.arrayContaining(taken()));
  expect(share.of(paths.find((path) => !taken().includes(path)) ?? '')).toBe('not-judged');
  for (const bytes of [151, 176, 201]) share.waiting(bytes);
  expect([share.now, taken()]).toEqual([0, []]);
  share.waiting(0);
  expect(share.now).toBe(0);
  pass(5_001);
  share.waiting(0);
  expect([share.now, share.takeBegin(), share.takeBegin()]).toEqual([1 / 16, true, false]);
  share.waiting(0);
  expect(share.now).toBe(1 / 16);
  pass(5_001);
  share.waiting(0);
  expect(share.now).toBe(1 / 8);
});
