import { parentPort } from 'node:worker_threads';
import { runTrial, type Trial } from './trials.ts';

/** Runs the trials that it receives, one after another. */
parentPort?.on('message', (trial: Trial) => {
  void runTrial(trial).then((verdict) => parentPort?.postMessage(verdict));
});
