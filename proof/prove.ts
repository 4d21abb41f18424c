import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { allTrials, type Trial, type Verdict } from './trials.ts';

export interface Tried {
  readonly trial: Trial;
  readonly verdict: Verdict;
}

/**
 * Runs trials, as many at once as there are processors, and resolves with what came of them in their own order.
 * `workerFile` is the compiled `worker.ts`. @throws the error of a worker that died.
 */
export async function prove(
  workerFile: string,
  trials: readonly Trial[] = allTrials(),
  onTried: (tried: Tried, done: number) => void = () => undefined,
): Promise<readonly Tried[]> {
  const verdicts = new Map<Trial, Verdict>();
  const waiting = trials.values();
  const work = async (): Promise<void> => {
    const worker = new Worker(workerFile, { resourceLimits: { maxYoungGenerationSizeMb: 64 } });
    try {
      for (const trial of waiting) {
        const verdict = await new Promise<Verdict>((resolve, reject) => {
          worker.removeAllListeners();
          worker.once('message', resolve);
          worker.once('error', reject);
          worker.postMessage(trial);
        });
        verdicts.set(trial, verdict);
        onTried({ trial, verdict }, verdicts.size);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(availableParallelism(), 8)) }, work));
  return trials.flatMap((trial) => {
    const verdict = verdicts.get(trial);
    return verdict ? [{ trial, verdict }] : [];
  });
}
