import type { Report } from '../../conformance/report/report.ts';
import { runConformance, type ProbingOptions } from '../../conformance/run.ts';
import type { Progress } from '../../conformance/run-options.ts';
import { endpoints } from '../../spec/index.ts';
import { progressLine, type Io } from '../io.ts';

/** Runs the checks until the user stops them, and shows the progress. */
export function runChecks(io: Io, options: ProbingOptions): Promise<Report> {
  const progress = progressLine(io);
  return runConformance({
    ...options,
    signal: io.signal,
    onProgress(now) {
      progress.show(progressWords(now));
    },
  }).finally(progress.end);
}

/** What was asked and found: `120 of about 405 requests · Create agent · 2 checks fail`. */
function progressWords({ requests, about, endpoint, failing, round }: Progress): string {
  const expected = about === undefined ? '' : ` of about ${Math.max(about * round, requests)}`;
  const words = [`${requests}${expected} requests`, endpoints[endpoint].title];
  if (round > 1) words.unshift(`round ${round}`);
  if (failing > 0) words.push(failing === 1 ? '1 check fails' : `${failing} checks fail`);
  return words.join(' · ');
}
