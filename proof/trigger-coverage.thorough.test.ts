import { createMock } from '../mock/index.ts';
import { runConformance } from '../conformance/index.ts';
import { idsOfTarget, inProcess, proofNow } from '../prove/target.ts';
import { triggersHeldBy, triggersToMeet } from './triggers-held.ts';

test('a run meets every trigger at every endpoint where a violation fits it', async () => {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true });
  const met = new Set<string>();
  await runConformance({
    baseUrl: 'http://mock.test',
    ...idsOfTarget(mock),
    transport: inProcess(mock, (request) => {
      for (const held of triggersHeldBy(mock, request)) met.add(held);
    }),
    seed: 1,
    now: proofNow,
    sleep: () => Promise.resolve(),
  });
  expect(triggersToMeet().filter((wanted) => !met.has(wanted))).toEqual([]);
});
