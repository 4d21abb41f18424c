import { inWorkers } from './in-workers.ts';
import { allTrials, type Trial, type TrialVerdict } from './trials.ts';

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
  const verdicts = await inWorkers<Trial, TrialVerdict>(workerFile, trials, (verdict, trial, done) =>
    onTried({ trial, verdict }, done),
  );
  return verdicts.map((verdict, place) => ({ trial: trials[place] as Trial, verdict }));
}
