import { appendFileSync } from 'node:fs';
import { visible } from '../../conformance/report/redact.ts';
import type { Report } from '../../conformance/report/report.ts';
import type { Cli } from '../command-context.ts';
import { codeOf } from '../errors.ts';
import type { Io } from '../io.ts';

/** Whether this is a GitHub Actions job. */
export function isGitHub(env: Io['env']): boolean {
  return env['GITHUB_ACTIONS'] === 'true';
}

/**
 * Shows a run in GitHub Actions: as annotations, and as the summary of the job. Annotations follow the text on standard
 * output: GitHub also reads standard error, but not in order, and the text disables all commands. If standard output
 * has a report for machines, annotations go to standard error.
 */
export async function annotate(
  report: Report,
  { io: { env, stdout, stderr }, clean }: Pick<Cli, 'io' | 'clean'>,
  { isTextOnStdout }: { readonly isTextOnStdout: boolean },
): Promise<void> {
  const { githubReporter, reporters } = await import('../../conformance/reporters/index.ts');
  (isTextOnStdout ? stdout : stderr).write(githubReporter(report, { color: false }));
  const file = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (file === '') return;
  try {
    appendFileSync(file, clean(reporters.markdown.reporter(report, { color: false })));
  } catch (error) {
    stderr.write(`note: cannot write the job summary (${visible(codeOf(error))}).\n`);
  }
}
