import { createReadStream, createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Report } from '../../conformance/report/report.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { visible } from '../../text/visible.ts';
import type { Cli } from '../command.ts';
import { writeAtomically } from '../files/files.ts';
import { digestOf, ENVIRONMENT, environmentOf, HISTORY, REPORT, STATEMENT, statementOf } from './bundle.ts';

/** Makes the folder of a submission; `recording` is the file for the history of the run. @throws UsageError if it is not empty */
export function startBundle(named: string, { io, clean }: Cli) {
  const folder = path.resolve(io.cwd, named);
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new UsageError(`--submission ${visible(named)}: the folder is not empty.`);
  const recording = path.join(folder, 'history.har');
  const writeJson = (name: string, content: unknown): void =>
    writeAtomically(path.join(folder, name), clean(`${JSON.stringify(content, null, 2)}\n`));
  return {
    recording,
    /** Packs the history, and writes report, environment and statement beside it. */
    write: async (report: Report): Promise<void> => {
      await pipeline(createReadStream(recording), createGzip(), createWriteStream(path.join(folder, HISTORY)));
      rmSync(recording);
      writeJson(REPORT, report);
      writeJson(ENVIRONMENT, environmentOf(report, io.env));
      const files = [REPORT, HISTORY, ENVIRONMENT];
      const digests = files.map((name) => [name, digestOf(readFileSync(path.join(folder, name)))]);
      writeJson(STATEMENT, statementOf(report, Object.fromEntries(digests) as Record<string, string>));
      io.stderr.write(`Wrote ${visible(folder)}. "agent-contract verify ${visible(folder)}" judges it again.\n`);
    },
  };
}
