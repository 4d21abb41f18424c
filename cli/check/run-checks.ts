import type { Report } from '../../conformance/report/report.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { progressLine, type Io } from '../io.ts';

/** Runs the checks until the user stops them, and shows the progress. */
export async function runChecks(io: Io, options: RunOptions): Promise<Report> {
  const { runConformance } = await import('../../conformance/run.ts');
  const progress = progressLine(io);
  return runConformance({
    ...options,
    signal: io.signal,
    onProgress({ requests, round }) {
      progress.show(`${round > 1 ? `round ${round}, ` : ''}${requests} requests`);
    },
  }).finally(progress.end);
}
