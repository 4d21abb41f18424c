import { appendFileSync } from 'node:fs';
import { visible } from '../conformance/redact.ts';
import type { Report } from '../conformance/report.ts';
import type { Cli } from './cli.ts';
import { codeOf } from './errors.ts';
import type { Io } from './io.ts';

/** Whether this is a job of GitHub Actions. */
export function isGitHub(env: Io['env']): boolean {
  return env['GITHUB_ACTIONS'] === 'true';
}

/**
 * Shows a run in GitHub Actions: annotations on standard error, which GitHub reads as well, so that nothing gets into a
 * report on standard output; and the summary of the job.
 */
export async function annotate(
  report: Report,
  { io: { env, stderr }, clean }: Pick<Cli, 'io' | 'clean'>,
): Promise<void> {
  const { githubReporter, reporters } = await import('../conformance/reporters/index.ts');
  stderr.write(githubReporter(report, { color: false }));
  const file = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (file === '') return;
  try {
    appendFileSync(file, clean(reporters.markdown.reporter(report, { color: false })));
  } catch (error) {
    stderr.write(`note: the summary of the job cannot be written (${visible(codeOf(error))}).\n`);
  }
}
