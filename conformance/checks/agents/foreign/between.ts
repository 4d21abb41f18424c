import type { Answered, Kept } from '../../../history/exchange.ts';

/** A refusal of what was answered to the same caller before and after. */
export interface Between {
  readonly agentId: string;
  readonly status: number;
  /** The answer before, the refusal, the answer after. */
  readonly exchanges: readonly [Kept, Kept, Kept];
}

/**
 * Looks for what was there, was said not to be, and was there again. Of what others ask for one refusal says little: it may
 * have been deleted, or shared with the caller no longer.
 */
export interface Betweens {
  /** The thing of that name was answered. */
  answered(key: string, exchange: Answered): void;
  refused(key: string, exchange: Answered): void;
  /** The thing is not to be answered any more. */
  forget(key: string): void;
  readonly found: readonly Between[];
}

/** What was just made, or just published, may take so long to show everywhere, in milliseconds. */
const LAG_MS = 2_000;
const MAX_KEYS = 2_000;
const MAX_FOUND = 25;

interface Seen {
  readonly first: Pick<Answered, 'n' | 'answeredAt'>;
  last: Kept;
  refusal:
    | { readonly n: number; readonly found: Omit<Between, 'exchanges'>; readonly kept: readonly [Kept, Kept] }
    | undefined;
}

export function createBetweens(): Betweens {
  const all = new Map<string, Seen>();
  const found: Between[] = [];
  return {
    answered(key, { n, answeredAt, begun, kept }) {
      const known = all.get(key);
      if (!known) {
        if (all.size < MAX_KEYS) all.set(key, { first: { n, answeredAt }, last: kept, refusal: undefined });
        return;
      }
      const { refusal } = known;
      known.last = kept;
      if (!refusal || refusal.n >= begun) return;
      known.refusal = undefined;
      if (found.length < MAX_FOUND) found.push({ ...refusal.found, exchanges: [...refusal.kept, kept] });
    },
    refused(key, { n, begun, sentAt, agentId = '', answer, kept }) {
      const known = all.get(key);
      if (!known || known.first.n >= begun || sentAt - known.first.answeredAt <= LAG_MS) return;
      known.refusal ??= { n, found: { agentId, status: answer.status }, kept: [known.last, kept] };
    },
    forget: (key) => void all.delete(key),
    found,
  };
}
