import type { Check, Judge, Missing } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import type { List, PagePosition } from '../../history/facts/lists.ts';
import type { Excerpt } from '../../http/exchange.ts';
import { createVerdict, type VerdictBuilder } from '../verdict-builder.ts';

/** What a check does with the pages of results in a history. */
export interface PageJudge extends Partial<Judge> {
  /** Called with every page, as it arrives, after `see`. */
  page(position: PagePosition): void;
  /** Why nothing was judged, if that is so. */
  readonly missing?: Missing | (() => Missing);
}

/** Judges pages of results: where a page is in its list is known when it arrives. */
export function judgesPages(create: (facts: Facts, verdict: VerdictBuilder) => PageJudge): Check['judge'] {
  return (facts) => {
    const builder = createVerdict();
    const judge = create(facts, builder);
    return {
      see(exchange) {
        judge.see?.(exchange);
        const position = facts.lists.placeOf(exchange);
        if (position) judge.page(position);
      },
      verdict() {
        if (judge.verdict) return judge.verdict();
        return builder.verdict(typeof judge.missing === 'function' ? judge.missing() : judge.missing);
      },
    };
  };
}

/** The exchanges of some pages of a list, each once. */
export function excerptsOf({ pages }: List, ...numbers: readonly number[]): readonly Excerpt[] {
  return [...new Set(numbers)].flatMap((number) => pages[number]?.excerpt ?? []);
}

export const AGENT_WITH_RESULTS = '--agent-id of an agent with results';
export const NO_SECOND_PAGE: Missing = {
  reason: 'No list had a second page.',
  supply: '--agent-id of an agent with more results',
};
