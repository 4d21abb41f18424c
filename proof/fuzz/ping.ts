import { parentPort, workerData } from 'node:worker_threads';

/** The result of a side connection; milliseconds. */
export interface Pinged {
  readonly pings: number;
  readonly longestGap: number;
}

/** Keeps pinging a mock, in a separate thread that the load does not slow down. */
async function ping(baseUrl: string, seconds: number): Promise<Pinged> {
  const until = performance.now() + seconds * 1000;
  let [pings, longestGap] = [0, 0];
  while (performance.now() < until) {
    const began = performance.now();
    const answer = await fetch(`${baseUrl}/__admin/health`).catch(() => undefined);
    await answer?.arrayBuffer();
    longestGap = Math.max(longestGap, Math.round(performance.now() - began));
    if (answer?.status === 200) pings++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { pings, longestGap };
}

const { baseUrl, seconds } = workerData as { readonly baseUrl: string; readonly seconds: number };
void ping(baseUrl, seconds).then((pinged) => parentPort?.postMessage(pinged));
