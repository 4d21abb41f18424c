import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { serveJudge, type WatchOptions } from './watch.ts';

const options = workerData as WatchOptions;
// Forwarding goes first where there are few processors. Only Linux gives a thread a priority of its own.
if (process.platform === 'linux' && !options.delaysAnswers) os.setPriority(19);
if (parentPort) serveJudge(parentPort, options);
