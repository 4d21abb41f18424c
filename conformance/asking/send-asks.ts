import type { Ask, Phase } from '../check.ts';
import { shuffled, type Asking } from './asking.ts';

const phases: readonly Phase[] = ['first', 'open', 'credentials', 'end'];

export interface SendAsksOptions {
  /** Asks under way at once. */
  readonly concurrency: number;
  readonly onAsked: () => void;
  /** The means are missing (CannotAsk), or our own code broke. */
  readonly onFailed: (ask: Ask, error: unknown) => void;
}

/**
 * Sends what asks have to send, each once and phase by phase, in an order that is drawn. Lists are read beside everything
 * else; what creates things goes one at a time, so that the order of the network has no say in what meets what.
 */
export async function sendAsks(all: readonly Ask[], t: Asking, options: SendAsksOptions): Promise<void> {
  const { concurrency, onAsked, onFailed } = options;
  const send = async (ask: Ask): Promise<void> => {
    try {
      await ask.send(t);
    } catch (error) {
      onFailed(ask, error);
    }
    onAsked();
  };
  const asks = [...new Set(all)];
  for (const phase of phases) {
    const now = shuffled(
      asks.filter((ask) => ask.phase === phase),
      (label, below) => t.draw(`order of ${phase} ${label}`, below),
    );
    if (concurrency === 1) await inParallel(now, 1, send);
    else
      await Promise.all([
        inParallel(
          now.filter(({ lane }) => lane === 'making'),
          1,
          send,
        ),
        inParallel(
          now.filter(({ lane }) => lane === 'lists'),
          concurrency - 1,
          send,
        ),
      ]);
  }
}

async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
