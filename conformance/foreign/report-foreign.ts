import type { Check, Verdict } from '../check.ts';
import type { Judged } from '../history/judgement.ts';
import { observedProfile } from '../observations/observe.ts';
import { aboutRun, checkReport, verdictOf } from '../report/compose.ts';
import { recorderWithout } from '../report/recorded.ts';
import { redactReport } from '../report/redact-report.ts';
import { createRedactor, type Secret } from '../report/redact.ts';
import type { CheckReport, Observation, Report } from '../report/report.ts';
import type { ForeignJudge, WorldJudged } from './judge-foreign.ts';
import { describeLeftOut } from './foreign-exchange.ts';
import { supplyOf } from './supply.ts';

const MAX_FINDINGS = 25;

/** The report on foreign traffic. It holds no credential. */
export function reportForeign(
  judge: ForeignJudge,
  {
    checks,
    strictNull,
    secrets,
  }: { readonly checks: readonly Check[]; readonly strictNull: boolean; readonly secrets: readonly Secret[] },
): Report {
  const worlds = judge.conclude();
  const record = recorderWithout(secrets);
  const reports = checks.map((check, index) => {
    const all = worlds.flatMap(({ judged }) => judged[index] ?? []);
    const { supply: _, ...report } = checkReport(together(check, all), [], record);
    return report;
  });
  const { seen, leftOut, created, baseUrl = 'http://unknown.invalid' } = judge;
  const { text } = createRedactor(secrets);
  const left = leftOut.all().map((one) => ({ ...one, examples: one.examples.map(text) }));
  const { summary, ...verdict } = verdictOf(
    reports,
    worlds.map(({ facts }) => facts),
    { requests: seen.count, answers: seen.count },
    record,
  );
  const out = left.length === 0 ? '' : ` Left out: ${left.map(describeLeftOut).join('; ')}.`;
  const isTimed = seen.count > 0;
  return redactReport(
    {
      ...aboutRun({ baseUrl, strictNull }),
      seed: 0,
      startedAt: new Date(isTimed ? seen.from : 0).toISOString(),
      durationMs: isTimed ? Math.max(0, Math.round(seen.to - seen.from)) : 0,
      summary: `${summary} ${seen.count === 1 ? '1 exchange' : `${seen.count} exchanges`} judged.${out}`,
      ...verdict,
      checks: reports.map((report) => (report.status === 'not-judged' ? { ...report, ...missingFor(report) } : report)),
      ...observationsOf(worlds),
      created,
      requests: seen.count,
      traffic: { judged: seen.count, leftOut: left },
    },
    secrets,
  );
}

/** Which traffic would let a check be judged. */
function missingFor({ reason, ...check }: CheckReport): Pick<CheckReport, 'reason' | 'supply'> {
  const supply = supplyOf(check);
  if (supply === undefined)
    return { reason: 'The traffic does not show which tokens were issued, or which access they give.' };
  return { reason, supply };
}

/**
 * Merges one check over all worlds: it fails if it fails in one, and passes if it was judged in one and fails in none.
 */
function together(check: Check, all: readonly Judged[]): Judged {
  const broken = all.find((one) => !('verdict' in one));
  const verdicts = all.flatMap((one) => ('verdict' in one ? [one.verdict] : []));
  if (broken && verdicts.every(({ findings }) => findings.length === 0)) return broken;
  const isWhole = verdicts.some(({ judged, missing }) => judged > 0 && !missing);
  const missing = isWhole ? undefined : verdicts.find((one) => one.missing)?.missing;
  const verdict: Verdict = {
    findings: verdicts.flatMap(({ findings }) => findings).slice(0, MAX_FINDINGS),
    judged: verdicts.reduce((sum, { judged }) => sum + judged, 0),
    missing: missing && { reason: missing.reason },
  };
  return { check, verdict };
}

/** A choice is recognised if no world shows another. */
function observationsOf(worlds: readonly WorldJudged[]): Pick<Report, 'observations' | 'observedProfile'> {
  const all = new Map<string, Observation>();
  for (const one of worlds.flatMap(({ observed }) => observed.observations)) {
    const known = all.get(one.gap);
    if (!known) all.set(one.gap, one);
    else if (known.choice !== one.choice) {
      const { choice: _, ...rest } = known;
      all.set(one.gap, { ...rest, seen: [...new Set([known.seen, one.seen])].join('; ').slice(0, 500) });
    }
  }
  const observations = [...all.values()];
  return { observations, observedProfile: observedProfile(observations) };
}
