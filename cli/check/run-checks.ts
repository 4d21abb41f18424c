import type { Report } from '../../conformance/report/report.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import type { Io } from '../io.ts';

/** Runs the checks until the user stops them. A terminal shows the progress, in a line that is overwritten. */
export async function runChecks({ stderr, signal }: Io, options: RunOptions): Promise<Report> {
  const { runConformance } = await import('../../conformance/run.ts');
  const erase = '\r\u001b[2K';
  let isShown = false;
  return runConformance({
    ...options,
    signal,
    onProgress({ requests, round }) {
      if (stderr.isTTY !== true) return;
      isShown = true;
      const line = `${round > 1 ? `round ${round}, ` : ''}${requests} requests`;
      stderr.write(`${erase}${line.slice(0, (stderr.columns ?? 80) - 1)}`);
    },
  }).finally(() => isShown && stderr.write(erase));
}
