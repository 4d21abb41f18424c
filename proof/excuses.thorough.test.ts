import { excuses, type ExcuseId } from '../conformance/history/facts/excuses.ts';
import type { ViolationId } from '../spec/index.ts';
import { claimedBy } from '../prove/claims.ts';
import { permitted } from '../prove/permitted/index.ts';
import { typedClient } from '../prove/foreign/typed-client.ts';
import { judgeTraffic } from '../prove/foreign/witness.ts';
import { judge } from '../prove/target.ts';
import { sampled } from './test-trials.ts';

/** The inventory of excuses: each is used by the server that needs it, and does not hide the violation that it could hide. */
test.each(sampled(Object.keys(excuses) as ExcuseId[], 1 / 2))('%s', async (id) => {
  const excuse = { isApart: false, ...excuses[id] };
  const shownBy = excuse.shownBy as ViolationId;
  const { broken, right } = await judged(excuse, [shownBy]);
  const failing = broken.checks.filter(({ status }) => status === 'fail').map((one) => one.id);
  expect(claimedBy(shownBy).filter((check) => failing.includes(check))).not.toEqual([]);
  const { excused = [], summary } = right;
  expect(excused).toContainEqual({ id, count: expect.any(Number) as number, why: excuse.excuses });
  expect(summary).toContain(` as ${excuse.as}`);
  if (id === 'less-access') expect(summary).not.toContain(' as late');
});

/** What is said of the server with the violation, and of the one that needs the excuse: of one that is both, if that can be. */
async function judged(
  { permits, isApart }: { permits: string | null; isApart: boolean },
  faults: readonly ViolationId[],
) {
  if (permits === null) {
    const broken = await judgeTraffic({ faults }, async (work) => {
      await typedClient(work);
      work.mock.reset();
      await typedClient(work);
    });
    return { broken, right: broken };
  }
  const server = permitted.get(permits);
  if (!server) throw new Error(`There is no permitted server "${permits}".`);
  const run = { seed: 1, ...server.run };
  const broken = await judge({ ...server.options, faults }, run, isApart ? undefined : server.wrap);
  return { broken, right: isApart ? await judge(server.options ?? {}, run, server.wrap) : broken };
}
