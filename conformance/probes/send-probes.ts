import type { Probe, Phase } from './probe.ts';
import { shuffled, type Run } from './probe.ts';

const phases: readonly Phase[] = ['first', 'open', 'credentials', 'end'];

export interface SendProbesOptions {
  /** Most probes in flight at once. */
  readonly concurrency: number;
  readonly onProbed: () => void;
  /** Something is missing to probe with (CannotProbe), or our own code failed. */
  readonly onFailed: (probe: Probe, error: unknown) => void;
}

/**
 * Runs each probe once, phase by phase, in an order drawn from the seed. Lists are read in parallel. Creations run one at
 * a time, so that network timing does not decide which requests overlap.
 */
export async function sendProbes(all: readonly Probe[], run: Run, options: SendProbesOptions): Promise<void> {
  const { concurrency, onProbed, onFailed } = options;
  const send = async (probe: Probe): Promise<void> => {
    try {
      await probe.send(run);
    } catch (error) {
      onFailed(probe, error);
    }
    onProbed();
  };
  const probes = [...new Set(all)];
  for (const phase of phases) {
    const now = shuffled(
      probes.filter((probe) => probe.phase === phase),
      (label, below) => run.draw(`order of ${phase} ${label}`, below),
    );
    if (concurrency === 1) await inParallel(now, 1, send);
    else
      await Promise.all([
        inParallel(
          now.filter(({ queue }) => queue === 'creations'),
          1,
          send,
        ),
        inParallel(
          now.filter(({ queue }) => queue === 'lists'),
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
