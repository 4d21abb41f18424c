import type { Answered, Excerpt } from '../../http/exchange.ts';

/** A refusal between two answers about the same thing to the same caller. */
export interface Between {
  readonly agentId: string;
  readonly status: number;
  /** The answer before, the refusal, and the answer after. */
  readonly exchanges: readonly [Excerpt, Excerpt, Excerpt];
}

/**
 * Finds things that were there, were denied, and were there again. A single refusal of a foreign request shows little:
 * the thing may have been deleted, or is no longer shared with the caller.
 */
export interface Betweens {
  /** The key's thing was answered. */
  answered(key: string, exchange: Answered): void;
  refused(key: string, exchange: Answered): void;
  /** The thing may no longer be answered. */
  forget(key: string): void;
  readonly found: readonly Between[];
}

/** Milliseconds that a new or newly published thing may take until it shows everywhere. */
const LAG_MS = 2_000;
const MAX_KEYS = 2_000;
const MAX_FOUND = 25;

interface Seen {
  readonly first: Pick<Answered, 'n' | 'answeredAt'>;
  last: Excerpt;
  refusal:
    | { readonly n: number; readonly found: Omit<Between, 'exchanges'>; readonly excerpt: readonly [Excerpt, Excerpt] }
    | undefined;
}

export function createBetweens(): Betweens {
  const all = new Map<string, Seen>();
  const found: Between[] = [];
  return {
    answered(key, { n, answeredAt, begun, excerpt }) {
      const known = all.get(key);
      if (!known) {
        if (all.size < MAX_KEYS) all.set(key, { first: { n, answeredAt }, last: excerpt, refusal: undefined });
        return;
      }
      const { refusal } = known;
      known.last = excerpt;
      if (!refusal || refusal.n >= begun) return;
      known.refusal = undefined;
      if (found.length < MAX_FOUND) found.push({ ...refusal.found, exchanges: [...refusal.excerpt, excerpt] });
    },
    refused(key, { n, begun, sentAt, agentId = '', answer, excerpt }) {
      const known = all.get(key);
      if (!known || known.first.n >= begun || sentAt - known.first.answeredAt <= LAG_MS) return;
      known.refusal ??= { n, found: { agentId, status: answer.status }, excerpt: [known.last, excerpt] };
    },
    forget: (key) => void all.delete(key),
    found,
  };
}
