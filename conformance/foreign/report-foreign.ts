import type { Check, Verdict } from '../check.ts';
import type { Judged } from '../history/judgement.ts';
import { observedProfile } from '../observations/observe.ts';
import { aboutRun, checkReport, reportedFacts, verdictOf } from '../report/compose.ts';
import { recorderWithout } from '../report/recorded.ts';
import { redactReport } from '../report/redact-report.ts';
import { createRedactor, type Secret } from '../report/redact.ts';
import type { CheckReport, Observation, Report } from '../report/report.ts';
import type { Evidence } from '../shape/evidence.ts';
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
  const evidence = evidenceOf(worlds);
  const told = worlds.map(({ facts }) => reportedFacts(facts));
  const { text } = createRedactor(secrets);
  const left = leftOut.all().map((one) => ({ ...one, examples: one.examples.map(text) }));
  const { summary, ...verdict } = verdictOf(
    reports,
    {
      evidence,
      refused: undefined,
      serverErrors: told.flatMap((one) => one.serverErrors).slice(0, 20),
      latestMs: told.reduce<number | undefined>(
        (latest, { latestMs }) => (latestMs === undefined ? latest : Math.max(latest ?? 0, latestMs)),
        undefined,
      ),
      serverErrorCount: told.reduce((sum, one) => sum + one.serverErrorCount, 0),
    },
    { requests: seen.count, answers: seen.count, lastFailure: undefined, givenUp: undefined },
    record,
  );
  const about = aboutRun({ baseUrl, strictNull });
  const out = left.length === 0 ? '' : ` Left out: ${left.map(describeLeftOut).join('; ')}.`;
  const isTimed = seen.count > 0;
  return redactReport(
    {
      ...about,
      seed: 0,
      startedAt: new Date(isTimed ? seen.from : 0).toISOString(),
      durationMs: isTimed ? Math.max(0, Math.round(seen.to - seen.from)) : 0,
      summary: `${summary} ${seen.count === 1 ? '1 exchange' : `${seen.count} exchanges`} judged.${out}`,
      ...verdict,
      checks: reports.map((report) => (report.status === 'not-judged' ? { ...report, ...missingFor(report) } : report)),
      ...observationsOf(worlds),
      evidence,
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

/** What any world showed. */
function evidenceOf(worlds: readonly WorldJudged[]): readonly Evidence[] {
  const all = new Map<string, Evidence>();
  for (const one of worlds.flatMap(({ facts }) => facts.shapes.evidence())) {
    const known = all.get(one.schema);
    if (!known) {
      all.set(one.schema, one);
      continue;
    }
    const [fewer, more] = one.seenValid > known.seenValid ? [one, known] : [known, one];
    const never = new Set(more.neverSeen);
    const neverSeen = fewer.neverSeen.filter((pointer) => never.has(pointer));
    const found = fewer.neverSeen.length - neverSeen.length;
    all.set(one.schema, { ...fewer, seenValid: fewer.seenValid + found, neverSeen });
  }
  return [...all.values()];
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
