import type { Check, Verdict } from '../check.ts';
import type { JudgedBy } from '../history/facts/facts.ts';
import { createJudgement } from '../history/judgement.ts';
import { sampleHistory, type SampleExchange } from './sample-exchange.ts';

/** Used by tests only: what checks say about a history, by their ids. */
export function verdictsOn(
  checks: readonly Check[],
  samples: readonly SampleExchange[],
  by: Partial<JudgedBy> = {},
): ReadonlyMap<string, Verdict> {
  const judgement = createJudgement(checks, { target: {}, strict: false, ...by });
  for (const exchange of sampleHistory(samples)) judgement.see(exchange);
  return new Map(
    judgement.conclude().map((judged) => {
      if ('error' in judged) throw judged.error;
      return [judged.check.id, judged.verdict];
    }),
  );
}

/** Used by tests only: which samples the exchanges of a finding or a list come from, counted from 1. */
export const numbersOf = (exchanges: Verdict['findings'][number]['exchanges']): readonly number[] =>
  exchanges.map(({ request: { url } }) => Number(url.split('/').at(-1)) / 2);
