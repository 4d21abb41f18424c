import { runConformance } from '../conformance/index.ts';
import { createMock } from '../mock/index.ts';
import { permitted } from './permitted.ts';
import { idsOf, inProcess, proofNow } from './target.ts';

test.each(permitted.map((one) => [one.does, one] as const))('a server that %s', async (_, { wrap, notJudged }) => {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true });
  const { checks } = await runConformance({
    baseUrl: 'http://permitted.test',
    ...idsOf(mock),
    transport: wrap(inProcess(mock)),
    seed: 1,
    now: proofNow,
    sleep: () => Promise.resolve(),
  });
  const astray = checks.filter(({ id, status }) => status !== 'pass' && !(status === 'not-judged' && notJudged?.(id)));
  expect(astray.map(({ id, status, failure, reason }) => [id, status, failure?.actual ?? reason])).toEqual([]);
});
