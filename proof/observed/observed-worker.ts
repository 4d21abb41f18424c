import { parentPort } from 'node:worker_threads';
import { observe, type Run } from './observed.ts';

/** Makes the runs that are sent to it, one after another. */
parentPort?.on('message', (run: Run) => {
  void observe(run).then((observed) => parentPort?.postMessage(observed));
});
