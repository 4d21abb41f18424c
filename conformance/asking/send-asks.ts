import type { Ask, Phase } from './asking.ts';
import { shuffled, type Asking } from './asking.ts';

const phases: readonly Phase[] = ['first', 'open', 'credentials', 'end'];

export interface SendAsksOptions {
  /** Most asks in flight at once. */
  readonly concurrency: number;
  readonly onAsked: () => void;
  /** Something is missing to ask with (CannotAsk), or our own code failed. */
  readonly onFailed: (ask: Ask, error: unknown) => void;
}

/**
 * Runs each ask once, phase by phase, in an order drawn from the seed. Lists are read in parallel. Creations run one at
 * a time, so that network timing does not decide which requests overlap.
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
