import { observedProfile } from '../observations/observe.ts';
import { aboutRun, checkReport, verdictOf } from '../report/compose.ts';
import { withCauses } from '../report/causes.ts';
import { recorderWithout } from '../report/recorded.ts';
import { checks as allChecks } from '../checks/index.ts';
import { levelsOf } from '../report/scope.ts';
import { redactReport } from '../report/redact-report.ts';
import { createRedactor, type Secret } from '../report/redact.ts';
import type { Report } from '../report/report.ts';
import { excerptWithout, excerptWithoutSecrets, sentencesWithout } from '../report/without-values.ts';
import type { ForeignJudge, Limit } from './judge-foreign.ts';
import { describeLeftOut } from './foreign-exchange.ts';
import { missingFor } from './supply.ts';

/** The report on foreign traffic. It holds no credential; `includeBodies` shows values, which may be personal data. */
export function reportForeign(
  judge: ForeignJudge,
  by: { strict: boolean; secrets: readonly Secret[]; sample?: number | undefined; includeBodies?: boolean | undefined },
): Report {
  const { strict, secrets, sample = 1, includeBodies = false } = by;
  const { judged, shown, observations } = judge.conclude();
  const recordWhole = recorderWithout(secrets);
  const record: typeof recordWhole = (excerpt) => {
    const known = excerptWithoutSecrets(excerpt);
    return recordWhole(includeBodies ? known : excerptWithout(known));
  };
  const reports = withCauses(
    judged.map((one) => {
      const { supply: _, ...report } = checkReport(one, [], record);
      return report;
    }),
  );
  const { seen, leftOut, created, baseUrl = 'http://unknown.invalid' } = judge;
  const { text } = createRedactor(secrets);
  const left = leftOut.all().map((one) => ({ ...one, examples: one.examples.map(text) }));
  const { summary, ...verdict } = verdictOf(reports, shown, { requests: seen.count, answers: seen.count }, record);
  const out = left.length === 0 ? '' : ` Left out: ${left.map(describeLeftOut).join('; ')}.`;
  const isTimed = seen.count > 0;
  const whole = redactReport(
    {
      ...aboutRun({ baseUrl, strict }),
      seed: 0,
      startedAt: new Date(isTimed ? seen.from : 0).toISOString(),
      durationMs: isTimed ? Math.max(0, Math.round(seen.to - seen.from)) : 0,
      summary: `${summary} ${seen.count === 1 ? '1 exchange' : `${seen.count} exchanges`} judged.${sampleWords(sample)}${partsOf(judge)}${createdWords(judge)}${out}`,
      ...verdict,
      scope: { checks: reports.length, of: allChecks.length },
      conditions: ['Traffic of others: what it does not show is not judged.'],
      levels: levelsOf(reports, allChecks, { showsVersion5: shown.showsVersion5 }),
      checks: reports.map((one) => (one.status === 'not-judged' ? { ...one, ...missingFor(one, shown, judge) } : one)),
      observations,
      observedProfile: observedProfile(observations),
      created,
      requests: seen.count,
      traffic: { judged: seen.count, leftOut: left },
    },
    secrets,
  );
  return includeBodies ? whole : sentencesWithout(whole);
}

function sampleWords(sample: number): string {
  if (sample >= 1) return '';
  return ` Of the agents, ${Number((sample * 100).toPrecision(3))} in 100 were judged, each with all its requests.`;
}

/** What was remembered before it was concluded and forgotten. */
function limitWords(limit: Limit, most: number): string {
  if (limit === 'bytes') return `${Math.round(most / 1024 ** 2)} MiB`;
  return `${most} ${limit}`;
}

function partsOf({ closed, full }: ForeignJudge): string {
  const times = [...closed].map(([limit, count]) => `${count} for ${limitWords(limit, full[limit])}`);
  if (times.length === 0) return '';
  return ` Limits were reached, so that earlier traffic was concluded and forgotten (parts: ${times.join(', ')}). Nothing is compared across parts.`;
}

function createdWords({ created, countCreated }: ForeignJudge): string {
  if (countCreated <= created.length) return '';
  return ` Of ${countCreated} creations, the first ${created.length} are listed.`;
}
