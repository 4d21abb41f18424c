import { parentPort, workerData } from 'node:worker_threads';

/** Keeps pinging a mock, in a separate thread that the load does not slow down, until it is told to stop. */
async function ping(baseUrl: string): Promise<void> {
  const stop = new AbortController();
  parentPort?.once('message', () => stop.abort());
  let [pings, longestGap] = [0, 0];
  while (!stop.signal.aborted) {
    const began = performance.now();
    const answer = await fetch(`${baseUrl}/__admin/health`).catch(() => undefined);
    await answer?.arrayBuffer();
    longestGap = Math.max(longestGap, Math.round(performance.now() - began));
    if (answer?.status === 200) pings++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // The longest time without an answer, in milliseconds.
  parentPort?.postMessage({ pings, longestGap });
}

void ping(workerData as string);
