import { excuses, type ExcuseId } from '../conformance/history/facts/excuses.ts';
import { claimedBy } from './claims.ts';
import { permitted } from './permitted/index.ts';
import { judge } from './target.ts';

/** The inventory of excuses: each is used by the server that needs it, and does not hide the violation that it could hide. */
test.each(Object.keys(excuses) as ExcuseId[])('%s', async (id) => {
  const excuse = { isApart: false, ...excuses[id] };
  const server = permitted.get(excuse.permits);
  if (!server) throw new Error(`There is no permitted server "${excuse.permits}".`);
  const run = { seed: 1, ...server.run };
  const faults = [excuse.shownBy];
  const broken = await judge({ ...server.options, faults }, run, excuse.isApart ? undefined : server.wrap);
  const failing = broken.checks.filter(({ status }) => status === 'fail').map((one) => one.id);
  expect(claimedBy(excuse.shownBy).filter((check) => failing.includes(check))).not.toEqual([]);
  const { excused = [], summary } = excuse.isApart ? await judge(server.options ?? {}, run, server.wrap) : broken;
  expect(excused).toContainEqual({ id, count: expect.any(Number) as number, why: excuse.excuses });
  expect(summary).toContain(` as ${excuse.as}`);
});
