import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { serveJudge, type WatchOptions } from './watch.ts';

// Forwarding goes first where there are few processors. Only Linux gives a thread a priority of its own.
if (process.platform === 'linux') os.setPriority(10);
if (parentPort) serveJudge(parentPort, workerData as WatchOptions);
