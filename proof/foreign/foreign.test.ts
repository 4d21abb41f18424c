import { profileNames } from '../../mock/index.ts';
import { misfits } from '../../conformance/report/json-schema.ts';
import { randomClient, typedClient } from './clients.ts';
import { judgeTraffic } from './witness.ts';
import type { Report } from '../../conformance/index.ts';

const failures = ({ checks }: Report): readonly string[] =>
  checks.flatMap(({ id, status, failure, reason }) =>
    status === 'fail' || status === 'error'
      ? [
          `${id}: ${failure?.expected ?? ''}; ${failure?.actual ?? reason} ${failure?.exchanges.map((one) => `${one.method} ${one.url} ${one.status}`).join(' | ')}`,
        ]
      : [],
  );

test.each(profileNames)('traffic of the typed client is blamed for nothing, under %s', async (profile) => {
  const report = await judgeTraffic({ profile }, typedClient);
  expect(failures(report)).toEqual([]);
  expect(misfits('report', report)).toEqual([]);
  expect(report.counts.pass).toBeGreaterThan(25);
});

test.each(profileNames.flatMap((profile) => [...Array(12).keys()].map((seed) => [profile, seed] as const)))(
  'traffic of a client that asks for anything is blamed for nothing, under %s, drawn from %d',
  async (profile, seed) => {
    const report = await judgeTraffic({ profile }, randomClient(seed));
    expect(failures(report)).toEqual([]);
    expect(report.counts.pass).toBeGreaterThan(5);
  },
);
