import { parentPort } from 'node:worker_threads';
import { observe, type ObservedRun } from './observed.ts';

/** Performs the runs that it receives, one after another. */
parentPort?.on('message', (run: ObservedRun) => {
  void observe(run).then((observed) => parentPort?.postMessage(observed));
});
