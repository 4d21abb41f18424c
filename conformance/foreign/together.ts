import { MAX_FINDINGS, type Check, type Verdict } from '../check.ts';
import type { Judged } from '../history/judgement.ts';
import type { ReportedFacts } from '../report/compose.ts';
import { createRedactor, type Secret } from '../report/redact.ts';
import type { Observation } from '../report/report.ts';
import type { Evidence } from '../shape/evidence.ts';

/** What one world, or several together, contribute to the report. */
export interface WorldJudged {
  readonly judged: readonly Judged[];
  readonly facts: ReportedFacts;
  readonly observations: readonly Observation[];
}

/** Merges what worlds show. It does not matter in which order, or how many at a time. */
export function together(checks: readonly Check[], worlds: readonly WorldJudged[]): WorldJudged {
  const facts = worlds.map((world) => world.facts);
  const latest = facts.flatMap(({ latestMs }) => latestMs ?? []);
  return {
    judged: checks.map((check, index) =>
      checkTogether(
        check,
        worlds.flatMap(({ judged }) => judged[index] ?? []),
      ),
    ),
    facts: {
      evidence: evidenceOf(facts),
      refused: undefined,
      serverErrors: facts.flatMap(({ serverErrors }) => serverErrors).slice(0, 20),
      serverErrorCount: facts.reduce((sum, { serverErrorCount }) => sum + serverErrorCount, 0),
      latestMs: latest.length === 0 ? undefined : Math.max(...latest),
    },
    observations: observationsOf(worlds),
  };
}

/** What a world shows, without secrets, which may then be forgotten. */
export function cleaned(world: WorldJudged, secrets: readonly Secret[]): WorldJudged {
  const { text } = createRedactor(secrets);
  const clean = <T extends readonly unknown[]>(value: T): T => {
    if (value.length === 0) return value;
    return JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === 'string' ? text(one) : one)) as T;
  };
  return {
    ...world,
    judged: world.judged.map((one) =>
      'verdict' in one ? { ...one, verdict: { ...one.verdict, findings: clean(one.verdict.findings) } } : one,
    ),
    facts: { ...world.facts, serverErrors: clean(world.facts.serverErrors) },
    observations: clean(world.observations),
  };
}

/**
 * Merges one check over all worlds: it fails if it fails in one, and passes if it was judged in one and fails in none.
 */
function checkTogether(check: Check, all: readonly Judged[]): Judged {
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
function evidenceOf(facts: readonly ReportedFacts[]): readonly Evidence[] {
  const all = new Map<string, Evidence>();
  for (const one of facts.flatMap(({ evidence }) => evidence)) {
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
