import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import { visible } from '../../text/visible.ts';
import { BadValue, type ValueOrigin } from '../flags.ts';
import type { Cli } from '../command.ts';
import { hasColor } from '../io.ts';
import { checkWritable, writeAtomically } from './files.ts';

/** A report to be written; `file` is absolute, or `-` for standard output. */
export interface ReportTarget<F extends string> {
  readonly format: F;
  readonly file: string;
}

export function reportFlag<F extends string>(formats: readonly F[]) {
  const known = `The formats are ${formats.join(', ')}.`;
  const read = (text: string, { folder }: ValueOrigin): ReportTarget<F> => {
    const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
    if (file === '') throw new BadValue(`this must be FORMAT=FILE, for example html=report.html. ${known}`);
    const format = formats.find((one) => one === name);
    if (format === undefined) throw new BadValue(`there is no format ${visible(JSON.stringify(name))}. ${known}`);
    return { format, file: file === '-' ? file : path.resolve(folder, file) };
  };
  const description = `write a report, - for standard output (repeatable): ${formats.join(', ')}`;
  return { takes: '<format=file>', separator: 'lines', description, read };
}

/** Where reports go; unless one does, the text goes to standard output. @throws UsageError if that is impossible */
export function reportTargets<F extends string>(
  wanted: readonly ReportTarget<F>[],
  json: boolean,
): readonly ReportTarget<F | 'json' | 'text'>[] {
  const targets: ReportTarget<F | 'json' | 'text'>[] = [...wanted];
  if (json) targets.push({ format: 'json', file: '-' });
  if (targets.every(({ file }) => file !== '-')) targets.push({ format: 'text', file: '-' });
  const seen = new Set<string>();
  for (const { format, file } of targets) {
    const name = file === '-' ? 'standard output' : visible(file);
    if (seen.has(file)) throw new UsageError(`More than one report would go to ${name}. Give each its own file.`);
    seen.add(file);
    if (file !== '-') checkWritable(file, `--report ${format}=${name}`);
  }
  return targets;
}

/** Writes each report where it goes: in colours if a terminal shows it, and without secrets. */
export function writeReports<F extends string>(
  targets: readonly ReportTarget<F>[],
  { io: { stdout, env }, clean }: Pick<Cli, 'io' | 'clean'>,
  textOf: (target: ReportTarget<F>, color: boolean) => string,
): void {
  for (const target of targets) {
    if (target.file === '-') stdout.write(textOf(target, hasColor(stdout, env)));
    else writeAtomically(target.file, clean(textOf(target, false)));
  }
}
