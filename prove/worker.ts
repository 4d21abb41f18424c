import { parentPort } from 'node:worker_threads';
import { run, type Trial } from './trials.ts';

/** Runs the trials that it receives, one after another. */
parentPort?.on('message', (trial: Trial) => {
  void run(trial).then((verdict) => parentPort?.postMessage(verdict));
});
