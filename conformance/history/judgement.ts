import { endpoints } from '../../spec/index.ts';
import { templateOf } from '../../spec/json-pointer.ts';
import { MAX_FINDINGS, type Check, type Finding, type Verdict } from '../check.ts';
import type { Exchange } from '../http/exchange.ts';
import { endpointsOf } from './premises.ts';
import { createConditions, type Suspicion } from './conditions.ts';
import { isUnserved } from './facts/failures.ts';
import { createFacts, type Facts, type JudgedBy } from './facts/facts.ts';

/** The result of a check: its verdict, or the error of our own code. */
export type Judged = { readonly check: Check } & ({ readonly verdict: Verdict } | { readonly error: unknown });

/** Judges a history with checks. The same history gives the same verdicts, on any day and machine. */
export interface Judgement {
  readonly facts: Facts;
  readonly see: (exchange: Exchange) => void;
  /** How many checks have found something so far. */
  readonly failing: () => number;
  /** What seems to separate what failed from what held. Exchanges from now on confirm it, or do not. */
  suspicions(): readonly Suspicion[];
  /** The verdicts on the exchanges so far, in the order of the checks. */
  conclude(): readonly Judged[];
}

export function createJudgement(checks: readonly Check[], by: JudgedBy): Judgement {
  const { facts, see } = createFacts(by);
  const conditions = createConditions(facts);
  const all = checks.map((check) => ({
    check,
    judge: check.judge(facts),
    verdict: { findings: [], judged: 0 } as Verdict,
    broken: undefined as { readonly error: unknown } | undefined,
    failed: [] as number[],
    held: [] as number[],
  }));
  // Most checks conclude from the facts alone.
  const seeing = all.filter(({ judge }) => judge.see !== undefined || judge.page !== undefined);
  const hearing = all.filter(({ judge }) => judge.unserved !== undefined);

  const conclude = (): readonly Judged[] =>
    all.map(({ check, judge, verdict, broken, failed, held }): Judged => {
      if (broken) return { check, error: broken.error };
      // A copy, since the history may go on.
      const final: Verdict = { ...verdict, findings: inOrder(verdict.findings) };
      try {
        judge.conclude?.(final);
      } catch (error) {
        return { check, error };
      }
      if (final.findings.length === 0) onlyRefused(check, facts, final);
      if (final.judged === 0) final.missing ??= judge.missing ?? check.missing;
      final.findings = merged(final.findings, check).slice(0, MAX_FINDINGS);
      if (final.findings.length > 0) {
        final.trace ??= { failed: [...failed], held: [...held] };
        final.condition = conditions.of(final.trace);
      }
      return { check, verdict: final };
    });

  return {
    facts,
    see(exchange) {
      see(exchange);
      conditions.see(exchange);
      const isFailed = isUnserved(exchange);
      const position = facts.lists.placeOf(exchange);
      for (const one of isFailed ? hearing : seeing) {
        if (one.broken) continue;
        const { judge, verdict, failed, held } = one;
        const [found, judged] = [verdict.findings.length, verdict.judged];
        try {
          if (isFailed) judge.unserved?.(exchange);
          else judge.see?.(exchange, verdict);
          if (position) judge.page?.(position, verdict);
        } catch (error) {
          // A bug in one check must not stop the others.
          one.broken = { error };
        }
        if (failed.length + held.length < MAX_TRACED)
          if (verdict.findings.length > found) failed.push(exchange.n);
          else if (verdict.judged > judged) held.push(exchange.n);
        if (verdict.findings.length > MAX_FINDINGS)
          verdict.findings = merged(verdict.findings, one.check).slice(0, MAX_FINDINGS);
      }
    },
    failing: () => all.filter(({ verdict }) => verdict.findings.length > 0).length,
    suspicions() {
      const traces = conclude().flatMap((one) => ('verdict' in one && one.verdict.trace ? [one.verdict.trace] : []));
      conditions.confirm();
      return traces.flatMap((trace) => conditions.suspicionOf(trace) ?? []);
    },
    conclude,
  };
}

/** What a finding is about, without its values. */
function kindOf({ requirement, at = '', expected }: Finding): string {
  const words = expected.replace(/"(?:[^"\\]|\\.)*"|\([^)]*\)|-?\d[\d.,:TZ-]*/g, '…');
  return JSON.stringify([requirement, templateOf(at), words]);
}

/** Findings that came with the answers, in an order that does not depend on which answer came first. */
const inOrder = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((one, other) => Number(kindOf(one) > kindOf(other)) - Number(kindOf(one) < kindOf(other)));

/**
 * Findings of a kind as one, with the fewest exchanges that show it, and how often it was met. The most frequent come
 * first, of the first requirement: a limit that is ignored is no matter of the cursor.
 */
function merged(findings: readonly Finding[], { verifies }: Check): Finding[] {
  const rankOf = ({ requirement = verifies[0] }: Finding): number => verifies.indexOf(requirement);
  const kinds = new Map<string, Finding>();
  for (const finding of findings) {
    const kind = kindOf(finding);
    const known = kinds.get(kind);
    const plainest = known && known.exchanges.length <= finding.exchanges.length ? known : finding;
    const times = (known?.times ?? 1) + (finding.times ?? 1);
    kinds.set(kind, known ? { ...plainest, times } : finding);
  }
  return [...kinds.values()].toSorted(
    (one, other) => rankOf(one) - rankOf(other) || (other.times ?? 1) - (one.times ?? 1),
  );
}

/** Most exchanges of which a check remembers whether it held. */
const MAX_TRACED = 2_000;

/** No fact holds where an endpoint served nothing: a check that judged only refusals has judged nothing. */
function onlyRefused(check: Check, { traffic, failures }: Facts, verdict: Verdict): void {
  const needed = endpointsOf(check.id, check.endpoint);
  const endpoint = needed.find((id) => traffic.of(id).requests > 0 && !traffic.of(id).firstAccepted);
  if (endpoint === undefined) return;
  verdict.judged = 0;
  const { title } = endpoints[endpoint];
  const [failed] = failures.always(endpoint);
  const isBusy = failures.of(endpoint).notNow > 0;
  if (failed) verdict.missing = { reason: `${title} failed each time. The check ${endpoint}-does-not-fail says how.` };
  else if (isBusy) verdict.missing = { reason: `${title} asked for patience each time, and never answered otherwise.` };
  else if (traffic.of(endpoint).statuses.size > 0) verdict.missing ??= { reason: `${title} accepted no request.` };
}
