import type { Tried } from '../../prove/prove.ts';
import { allTrials, nameOf, triggeredTrials, type Trial } from '../../prove/trials.ts';
import { chosenTrials, matrix } from './prove.ts';

const fault = (violation: 'results-ascending' | 'cursor-starts-over', holds = true): Tried => ({
  trial: { kind: 'fault', violation, profile: 'default' },
  verdict: {
    expected: [`${violation}-check`, 'another'],
    allowed: [],
    failed: [],
    broken: [],
    judged: 1,
    outcome: 'nonconformant',
    holds,
    said: [],
  },
});

test('the matrix has a line for each violation, with columns for the trials that held and for its checks', () => {
  const persona = { ...fault('cursor-starts-over'), trial: { kind: 'persona', persona: 'tiny' } as Trial };
  const tried = [fault('results-ascending'), fault('cursor-starts-over'), persona, fault('results-ascending', false)];
  expect(matrix(tried)).toBe(
    'results-ascending   1/2  results-ascending-check, another\n' +
      'cursor-starts-over  1/1  cursor-starts-over-check, another\n',
  );
  expect(matrix([persona])).toBe('');
  const seldom = fault('results-ascending');
  expect(matrix([{ ...seldom, verdict: { ...seldom.verdict, expected: [] } }, seldom])).toContain(
    '2/2  results-ascending-check',
  );
});

describe('--only', () => {
  const names = (trials: readonly Trial[]): readonly string[] => trials.map(nameOf);

  test('runs each trial about one of the ids once', () => {
    const one = names(chosenTrials({ only: ['results-ascending'] }));
    const two = names(chosenTrials({ only: ['results-ascending', 'list-results-newest-first'] }));
    expect(one).not.toEqual([]);
    expect(two).toEqual([...new Set(two)]);
    expect(two).toEqual(expect.arrayContaining([...one]));
    expect(two.length).toBeLessThan(allTrials().length);
  });

  test('runs a fault under a trigger that is not in the sample', () => {
    const drawn = new Set(names(allTrials()));
    const left = triggeredTrials().find((trial) => !drawn.has(nameOf(trial)));
    if (left?.kind !== 'fault') throw new Error('all are drawn');
    expect(names(chosenTrials({ only: [`${left.violation}@${left.trigger}`] }))).toEqual([nameOf(left)]);
  });

  test('runs a fault under seeds that are drawn anew', () => {
    const seeded = chosenTrials({ only: ['results-ascending'], seeds: 3 }).flatMap((trial) =>
      trial.kind === 'fault' && trial.seed !== undefined ? [[trial.violation, trial.seed] as const] : [],
    );
    expect(seeded.map(([violation]) => violation)).toEqual(Array(3).fill('results-ascending'));
    expect(new Set(seeded.map(([, seed]) => seed)).size).toBe(3);
  });

  test('without it every trial runs', () => {
    expect(chosenTrials({})).toHaveLength(allTrials().length);
    expect(chosenTrials({ all: true }).length).toBeGreaterThan(allTrials().length);
  });
});
