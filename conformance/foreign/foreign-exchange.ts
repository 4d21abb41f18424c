import { valueFor } from '../collections.ts';
import type { HttpExchange } from '../../http/exchange.ts';
import { optional } from '../show.ts';
import reasons from './reasons.json';

/** A foreign request and its answer, as a proxy or a recording saw them. */
export interface ForeignExchange extends HttpExchange {
  /** Why it shows nothing about the server, if only its source can tell. */
  readonly leftOut?: Reason | undefined;
  /** The request headers are complete: a header that is missing was not sent. */
  readonly hasAllHeaders: boolean;
  /** The recorded body may differ from the bytes on the wire, so a body that is not JSON proves nothing. */
  readonly isRetold?: boolean;
}

/** Why an exchange is not judged. The keys are in the order of the report. */
export { reasons };

export type Reason = keyof typeof reasons;

type LeftOut = ReturnType<typeof createLeftOut>;

export function createLeftOut() {
  const counts = new Map<Reason, Map<string, number>>();
  return {
    note(reason: Reason, about: string, count = 1): void {
      if (count === 0) return;
      const names = valueFor(counts, reason, () => new Map<string, number>());
      const name = names.has(about) || names.size < 200 ? about : '';
      names.set(name, (names.get(name) ?? 0) + count);
    },
    of: (about: string): readonly (readonly [Reason, number])[] =>
      Array.from(counts, ([reason, names]) => [reason, names.get(about) ?? 0] as const).filter(
        ([, times]) => times > 0,
      ),
    all: () =>
      (Object.keys(reasons) as Reason[]).flatMap((reason) => {
        const names = [...(counts.get(reason) ?? [])].toSorted(([, one], [, other]) => other - one);
        const count = names.reduce((sum, [, times]) => sum + times, 0);
        const examples = names.map(([name]) => name).filter((name) => name !== '');
        return count === 0 ? [] : [{ reason, count, examples: examples.slice(0, 3) }];
      }),
  };
}

/** `12 went to another server (https://cdn.example)`. */
export const describeLeftOut = ({ reason, count, examples }: ReturnType<LeftOut['all']>[number]): string =>
  `${count} ${reasons[reason]}${optional` (${examples.join(', ')})`}`;
