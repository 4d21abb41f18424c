import { shuffled } from './draw.ts';
import { inParallel, type Phase, type Probe, type Run } from './probe.ts';

const phases: readonly Phase[] = ['first', 'open', 'credentials', 'end'];

/** Phases in which several probes of the queue `creations` run at once: nothing is compared with what they create. */
const inMore: ReadonlySet<Phase> = new Set(['open', 'credentials', 'end']);

const USUAL: Readonly<Record<Phase, number>> = { first: 5.5, open: 1.2, credentials: 27, end: 11 };

/** About how many requests all these probes send together. */
export function usualRequests(probes: readonly Probe[]): number {
  return Math.round([...new Set(probes)].reduce((sum, { phase }) => sum + USUAL[phase], 0));
}

/**
 * Runs each probe once, phase by phase, in an order drawn from the seed. Lists are read in parallel. At first, creations run
 * one probe at a time beside them, so that network timing does not decide which requests overlap. `onFailed` hears what is
 * missing to probe with, or that our own code failed.
 */
export async function sendProbes(
  all: readonly Probe[],
  run: Run,
  { concurrency, onFailed }: { concurrency: number; onFailed: (probe: Probe, error: unknown) => void },
): Promise<void> {
  const send = async (probe: Probe): Promise<void> => {
    try {
      await probe.send(run);
    } catch (error) {
      onFailed(probe, error);
    }
  };
  const probes = [...new Set(all)];
  for (const [i, phase] of phases.entries()) {
    const of = (some: readonly Phase[]): number => usualRequests(probes.filter((probe) => some.includes(probe.phase)));
    run.reserve(of([phase]), of(phases.slice(i + 1)));
    const now = shuffled(
      probes.filter((probe) => probe.phase === phase),
      (label, below) => run.draw(`order of ${phase} ${label}`, below),
    );
    if (concurrency === 1) {
      await inParallel(now, 1, send);
      continue;
    }
    const width = inMore.has(phase) ? Math.max(1, Math.floor(concurrency / 2)) : 1;
    const [creations, lists] = (['creations', 'lists'] as const).map((one) => now.filter(({ queue }) => queue === one));
    await Promise.all([inParallel(creations ?? [], width, send), inParallel(lists ?? [], concurrency - width, send)]);
  }
  run.reserve(0, 0);
}
