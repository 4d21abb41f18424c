import { testTrials } from './trials/test-trials.ts';
import { allTrials, shared } from './trials/trials.ts';

// What proof.test.ts leaves out, so that `npm test` takes minutes less.
testTrials(shared(allTrials()).rest);

test('the two parts of the proof are the whole proof', () => {
  const { first, rest } = shared(allTrials());
  expect(new Set([...first, ...rest].map((trial) => JSON.stringify(trial)))).toEqual(
    new Set(allTrials().map((trial) => JSON.stringify(trial))),
  );
  const kinds = new Set(allTrials().map(({ kind }) => kind));
  expect(new Set(first.map(({ kind }) => kind))).toEqual(kinds);
});
