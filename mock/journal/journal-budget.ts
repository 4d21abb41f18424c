import { LRUCache } from 'lru-cache';
import { platform } from '../../text/platform.ts';

export interface BudgetLimits {
  /** Bytes of all recorded requests, over all sessions. A text that several entries share counts once. */
  readonly requests: number;
  /** Bytes of all recorded answer bodies, over all sessions. Equal bodies count once. */
  readonly answers: number;
}

export const budgetLimits: BudgetLimits = { requests: 96_000_000, answers: 32_000_000 };

/** A text that entries of any session may share. */
export interface SharedText {
  readonly text: string;
  uses: number;
}

/** The body of an answer, as long as there is room. */
export interface KeptAnswer {
  text: string | undefined;
  /** Its size in UTF-8, measured when it is dropped; 0 before. */
  size: number;
}

/** A journal, as its budget sees it. */
export interface Spender {
  /** Bytes of its entries, as if they shared nothing. */
  readonly bytes: () => number;
  /** Drops as little as possible. Called only while `bytes` is above 0. */
  dropOldest(): void;
}

/**
 * Keeps the journals of many sessions within shared bounds. Answer bodies are dropped first, the least recently used
 * before others. Requests are dropped from the largest journal, so each of n sessions can keep an nth of the bound.
 */
export interface JournalBudget {
  /** Bytes in use. */
  readonly held: BudgetLimits;
  share(text: string): SharedText;
  release(shared: SharedText): void;
  /** Counts bytes other than texts; a negative number releases them. */
  hold(bytes: number): void;
  answer(text: string): KeptAnswer;
  /** Makes room after a journal has grown; forgets an empty one. */
  settle(spender: Spender): void;
}

/** The overhead of a text, in bytes. */
const OVERHEAD = 100;

export const sizeOf = (text: string): number => OVERHEAD + text.length * (/[^\0-\xff]/.test(text) ? 2 : 1);

/** V8 hashes a longer text by its length alone, so a map compares it with all others of that length. */
const HASHED = 16_000;

const utf8Length = (text = ''): number => new platform.TextEncoder().encode(text).length;

/** A short key that differs for most different texts. */
function nameOf(text: string): string {
  if (text.length < HASHED) return text;
  let hash = 0;
  const step = Math.floor(text.length / 1000);
  for (let i = 0; i < text.length; i += step) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return `${text.length} ${hash} ${text.slice(0, 100)}`;
}

export function createJournalBudget(limits: BudgetLimits = budgetLimits): JournalBudget {
  const texts = new Map<string, SharedText>();
  const spenders = new Set<Spender>();
  const answers = createAnswers(limits.answers);
  let requests = 0;
  return {
    get held() {
      return { requests, answers: answers.size };
    },
    share(text) {
      const known = texts.get(text);
      if (known) {
        known.uses++;
        return known;
      }
      const shared = { text, uses: 1 };
      texts.set(text, shared);
      requests += sizeOf(text);
      return shared;
    },
    release(shared) {
      shared.uses--;
      if (shared.uses > 0) return;
      texts.delete(shared.text);
      requests -= sizeOf(shared.text);
    },
    hold(bytes) {
      requests += bytes;
    },
    answer: answers.of,
    settle(spender) {
      if (spender.bytes() > 0) spenders.add(spender);
      else spenders.delete(spender);
      while (requests > limits.requests && spenders.size > 0) {
        const { most, next } = largest(spenders);
        do most.dropOldest();
        while (requests > limits.requests && most.bytes() > next);
        if (most.bytes() === 0) spenders.delete(most);
      }
    },
  };
}

/** Answer bodies of at most so many bytes together, each once; the least recently used are dropped first. */
function createAnswers(most: number): { readonly size: number; readonly of: JournalBudget['answer'] } {
  const cache = new LRUCache<string, KeptAnswer>({
    maxSize: most,
    sizeCalculation: ({ text = '' }) => sizeOf(text),
    // Entries remain without it.
    dispose(answer) {
      answer.size = utf8Length(answer.text);
      answer.text = undefined;
    },
  });
  return {
    get size() {
      return cache.calculatedSize;
    },
    of(text) {
      const name = nameOf(text);
      for (let n = 0; ; n++) {
        const known = cache.get(name + '\n'.repeat(n));
        if (known?.text === text) return known;
        if (known) continue;
        // The cache accepts nothing larger than itself.
        if (sizeOf(text) > most) return { text: undefined, size: utf8Length(text) };
        const answer = { text, size: 0 };
        cache.set(name + '\n'.repeat(n), answer);
        return answer;
      }
    },
  };
}

/** The largest journal, and how much it exceeds the next one. */
function largest(spenders: ReadonlySet<Spender>): { readonly most: Spender; readonly next: number } {
  const [first, ...others] = spenders;
  if (first === undefined) throw new RangeError('There is no journal.');
  let most = first;
  let next = 0;
  for (const one of others) {
    next = Math.max(next, Math.min(one.bytes(), most.bytes()));
    if (one.bytes() > most.bytes()) most = one;
  }
  return { most, next };
}
