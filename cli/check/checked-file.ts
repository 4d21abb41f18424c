import { existsSync } from 'node:fs';
import { baselineOf, type Baseline } from '../../conformance/report/baseline.ts';
import { misfits } from '../../conformance/report/json-schema.ts';
import type { Report } from '../../conformance/report/report.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { valueAt } from '../../spec/json-pointer.ts';
import { visible } from '../../text/visible.ts';
import type { Cli } from '../command.ts';
import { readJsonFile, snippet } from '../files/json-file.ts';
import { writeAtomically } from '../files/files.ts';

/** A JSON report, even of a later version with more properties. @throws UsageError that names the file and the place in it */
export function readReportFile(file: string, cwd: string): Report {
  const found = readJsonFile('report', file, cwd);
  const wrong = misfits('report', found).filter(({ keyword }) => keyword !== 'additionalProperties');
  if (wrong.length === 0) return found as Report;
  const places = wrong.slice(0, 3).map(({ at, says }) => visible(`${at || 'the file'} ${says}`));
  if (wrong.length > places.length) places.push(`and ${wrong.length - places.length} more`);
  throw new UsageError(
    `${visible(file)} is not a report of agent-contract (check --report json=FILE writes one): ${places.join('; ')}.`,
  );
}

/** Known failures; none in a file that is about to be written. @throws UsageError that names the file and the place in it */
export function readBaseline(file: string, toBeWritten: string | undefined): Baseline | undefined {
  if (file === toBeWritten && !existsSync(file)) return undefined;
  const found = readJsonFile('baseline', file, '.');
  const complaints = misfits('baseline', found).map(({ at, says, keyword }) => {
    const complaint = `${at || 'the file'} ${visible(says)}`;
    if (keyword === 'required' || keyword === 'additionalProperties') return complaint;
    return `${complaint}, and is ${snippet(valueAt(found, at))}`;
  });
  if (complaints.length > 0) throw new UsageError(`The baseline ${visible(file)} is wrong: ${complaints.join('; ')}.`);
  return found as Baseline;
}

export function writeBaseline(
  file: string,
  report: Report,
  { before, cli: { io, clean } }: { readonly before: Baseline | undefined; readonly cli: Pick<Cli, 'io' | 'clean'> },
): Baseline {
  const baseline = baselineOf(report, before);
  writeAtomically(file, clean(`${JSON.stringify(baseline, null, 2)}\n`));
  const notJudged = baseline.entries.filter(({ status }) => status === 'not-judged').length;
  io.stderr.write(
    `Wrote ${visible(file)}: ${baseline.entries.length - notJudged} known failures, ${notJudged} not judged. Write into each "reason" why you accept it.\n`,
  );
  return baseline;
}
