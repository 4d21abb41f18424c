import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** More workers would only compete for memory. */
const MAX_WORKERS = 8;

/**
 * Runs jobs in worker threads, one per processor, and resolves with the results in the order of the jobs. `file` is a
 * compiled module that answers each posted job; jobs and results are plain data. `onDone` gets each result, and the
 * number of finished jobs. @throws the error of a worker that died
 */
export async function inWorkers<Job, Done>(
  file: string,
  jobs: readonly Job[],
  onDone: (done: Done, job: Job, count: number) => void = () => undefined,
): Promise<readonly Done[]> {
  const all: Done[] = [];
  const waiting = jobs.entries();
  let count = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: 64 } });
    try {
      for (const [place, job] of waiting) {
        const done = await new Promise<Done>((resolve, reject) => {
          worker.removeAllListeners();
          worker.once('message', resolve);
          worker.once('error', reject);
          worker.postMessage(job);
        });
        all[place] = done;
        onDone(done, job, ++count);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(availableParallelism(), MAX_WORKERS)) }, work));
  return all;
}
