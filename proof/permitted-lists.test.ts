import { createMock } from '../mock/index.ts';
import { runConformance } from '../conformance/index.ts';
import { permittedLists } from './permitted-lists.ts';
import { idsOf, inProcess, proofNow } from './target.ts';

test.each(permittedLists)(
  'nothing fails on a server that $does',
  async ({ wrap, notJudged = () => false }) => {
    const mock = createMock({ seed: 1, now: proofNow, frozen: true });
    const { checks } = await runConformance({
      baseUrl: 'http://mock.test',
      ...idsOf(mock),
      transport: wrap(inProcess(mock)),
      seed: 1,
      now: proofNow,
      only: ['list-results'],
      sleep: () => Promise.resolve(),
    });
    const odd = checks.filter(({ id, status }) => status !== 'pass' && (status !== 'not-judged' || !notJudged(id)));
    expect(odd.map(({ id, status, reason, failure }) => [id, status, reason ?? failure?.actual])).toEqual([]);
  },
  60_000,
);
