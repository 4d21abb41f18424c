import { parentPort } from 'node:worker_threads';
import { runTrials, type Trial } from './trials.ts';

/** Runs the groups of trials that it receives, one after another. */
parentPort?.on('message', (trials: readonly Trial[]) => {
  void runTrials(trials).then((verdicts) => parentPort?.postMessage(verdicts));
});
