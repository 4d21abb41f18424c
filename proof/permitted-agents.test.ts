import { runConformance } from '../conformance/index.ts';
import { createMock } from '../mock/index.ts';
import { permittedWithAgents } from './permitted-agents.ts';
import { idsOf, inProcess, proofNow } from './target.ts';

test.each(permittedWithAgents.map((one) => [one.does, one] as const))('a server that %s', async (_, one) => {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true });
  const { checks } = await runConformance({
    baseUrl: 'http://permitted.test',
    ...idsOf(mock),
    transport: one.wrap(inProcess(mock)),
    seed: 5,
    now: proofNow,
    sleep: () => Promise.resolve(),
  });
  const astray = checks.filter(
    ({ id, status }) => status !== 'pass' && !(status === 'not-judged' && one.notJudged?.(id)),
  );
  expect(astray.map(({ id, status, failure, reason }) => [id, status, failure?.actual ?? reason])).toEqual([]);
});
