import type { Check, Verdict } from '../check.ts';
import type { Exchange } from '../http/exchange.ts';
import { createFacts, type Facts, type JudgedBy } from './facts/facts.ts';

/** The result of a check: its verdict, or the error of our own code. */
export type Judged = { readonly check: Check } & ({ readonly verdict: Verdict } | { readonly error: unknown });

/** Judges a history with checks. The same history gives the same verdicts, on any day and machine. */
export interface Judgement {
  readonly facts: Facts;
  readonly see: (exchange: Exchange) => void;
  /** The verdicts on the exchanges so far, in the order of the checks. */
  conclude(): readonly Judged[];
}

export function createJudgement(checks: readonly Check[], by: JudgedBy): Judgement {
  const { facts, see } = createFacts(by);
  const judges = checks.map((check) => ({ check, judge: check.judge(facts), broken: undefined as Broken | undefined }));
  return {
    facts,
    see(exchange) {
      see(exchange);
      for (const one of judges) {
        if (one.broken) continue;
        try {
          one.judge.see?.(exchange);
        } catch (error) {
          // A bug in one check must not stop the others.
          one.broken = { error };
        }
      }
    },
    conclude: () =>
      judges.map(({ check, judge, broken }): Judged => {
        if (broken) return { check, error: broken.error };
        try {
          return { check, verdict: judge.verdict() };
        } catch (error) {
          return { check, error };
        }
      }),
  };
}

interface Broken {
  readonly error: unknown;
}
