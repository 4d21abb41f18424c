import { inWorkers } from './in-workers.ts';
import { allTrials, inRuns, type Trial, type TrialVerdict } from './trials.ts';

export interface Tried {
  readonly trial: Trial;
  readonly verdict: TrialVerdict;
}

/** Runs trials in worker threads; `workerFile` is the compiled `worker.ts`. @throws the error of a worker that died */
export async function prove(
  workerFile: string,
  trials: readonly Trial[] = allTrials(),
  onTried: (tried: Tried, done: number) => void = () => undefined,
): Promise<readonly Tried[]> {
  const found = new Map<Trial, TrialVerdict>();
  await inWorkers<readonly Trial[], readonly TrialVerdict[]>(workerFile, inRuns(trials), (verdicts, group) => {
    for (const [i, verdict] of verdicts.entries()) {
      const trial = group[i] as Trial;
      found.set(trial, verdict);
      onTried({ trial, verdict }, found.size);
    }
  });
  return trials.map((trial) => ({ trial, verdict: found.get(trial) as TrialVerdict }));
}
