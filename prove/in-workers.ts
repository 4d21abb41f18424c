import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** More workers would only compete for memory. */
const MAX_WORKERS = 8;

/**
 * Runs jobs in worker threads, one per processor, and resolves with the results in the order of the jobs. `file` is a
 * compiled module that answers each posted job; jobs and results are plain data. `onDone` gets each result.
 * @throws the error of a worker that died
 */
export async function inWorkers<Job, Done>(
  file: string,
  jobs: readonly Job[],
  onDone: (done: Done, job: Job) => void = () => undefined,
): Promise<readonly Done[]> {
  const all: Done[] = [];
  const waiting = jobs.entries();
  const work = async (): Promise<void> => {
    const worker = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: 64 } });
    try {
      for (const [place, job] of waiting) {
        worker.postMessage(job);
        const [done] = (await once(worker, 'message')) as [Done];
        all[place] = done;
        onDone(done, job);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(availableParallelism(), MAX_WORKERS)) }, work));
  return all;
}
