import { visible } from '../../conformance/report/redact.ts';
import type { Report } from '../../conformance/report/report.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { readJsonFile } from '../files/json-file.ts';

/**
 * Reads a JSON report, even one of a later version with more properties.
 * @throws UsageError that names the file and the place in it
 */
export async function readReportFile(file: string, cwd: string): Promise<Report> {
  const found = readJsonFile('report', file, cwd);
  const { misfits } = await import('../../conformance/report/json-schema.ts');
  const wrong = misfits('report', found).filter(({ keyword }) => keyword !== 'additionalProperties');
  if (wrong.length === 0) return found as Report;
  const places = wrong.slice(0, 3).map(({ at, says }) => `${at === '' ? 'the file' : visible(at)} ${visible(says)}`);
  const rest = wrong.length > places.length ? `; and ${wrong.length - places.length} more` : '';
  throw new UsageError(
    `${visible(file)} is not a report of agent-contract (check --report json=FILE writes one): ${places.join('; ')}${rest}.`,
  );
}
