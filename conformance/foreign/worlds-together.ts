import { MAX_FINDINGS, type Check, type Verdict } from '../check.ts';
import type { Judged } from '../history/judgement.ts';
import { cleanTexts, createRedactor, type Secret } from '../report/redact.ts';
import type { Observation } from '../report/report.ts';
import { shownTogether, type Shown } from '../report/shown.ts';

/** What one world, or several together, contribute to the report. */
export interface WorldJudged {
  readonly judged: readonly Judged[];
  readonly shown: Shown;
  readonly observations: readonly Observation[];
}

/** Merges what worlds show. It does not matter in which order, or how many at a time. */
export const together = (checks: readonly Check[], worlds: readonly WorldJudged[]): WorldJudged => ({
  judged: checks.map((check, index) => checkTogether(check, index, worlds)),
  shown: shownTogether(worlds.map(({ shown }) => shown)),
  observations: observationsOf(worlds),
});

/** What worlds show, without secrets, which may then be forgotten. */
export function cleaned({ judged, shown, observations }: WorldJudged, secrets: readonly Secret[]): WorldJudged {
  const { text } = createRedactor(secrets);
  const clean = <T>(value: T): T => cleanTexts(value, text);
  return {
    judged: judged.map((one) =>
      'verdict' in one ? { ...one, verdict: { ...one.verdict, findings: clean(one.verdict.findings) } } : one,
    ),
    shown: { ...shown, serverErrors: clean(shown.serverErrors), unsteady: clean(shown.unsteady) },
    observations: clean(observations),
  };
}

/** Merges one check over all worlds: it fails if it fails in one, and passes if it was judged in one and fails in none. */
function checkTogether(check: Check, index: number, worlds: readonly WorldJudged[]): Judged {
  const all = worlds.flatMap(({ judged }) => judged[index] ?? []);
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
function observationsOf(worlds: readonly WorldJudged[]): readonly Observation[] {
  const all = new Map<string, Observation>();
  for (const one of worlds.flatMap(({ observations }) => observations)) {
    const known = all.get(one.gap);
    if (!known) all.set(one.gap, one);
    else if (known.choice !== one.choice) {
      const { choice: _, ...rest } = known;
      all.set(one.gap, { ...rest, seen: [...new Set([known.seen, one.seen])].join('; ').slice(0, 500) });
    }
  }
  return [...all.values()];
}
