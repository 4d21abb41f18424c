import { mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RecordedExchange, Report } from '../../conformance/report/report.ts';
import { shellWord } from '../../text/curl.ts';
import { writeAtomically } from '../files/files.ts';

/** A longer command buries what is around it. */
const LONGEST_COMMAND = 300;

/**
 * A report whose long commands take their body from a file: in a folder beside the first written report, or else in a
 * temporary one. A body with a secret stays in its command, since a file expands no variables.
 */
export function withBodiesBeside(
  report: Report,
  reportFile: string | undefined,
  clean: (text: string) => string,
): Report {
  let folder: string | undefined;
  let written = 0;
  const moved = (exchange: RecordedExchange): RecordedExchange => {
    const { curl, requestBody = '' } = exchange;
    const word = shellWord(requestBody);
    const ways = [
      ['', ` --data-raw ${word}`],
      [`printf ${shellWord('%s')} ${word} | `, ' --data-binary @-'],
    ] as const;
    const way = ways.find(([beginning, end]) => curl.startsWith(`${beginning}curl `) && curl.endsWith(end));
    if (curl.length <= LONGEST_COMMAND || !way) return exchange;
    const [beginning, end] = way;
    folder ??= folderBeside(reportFile);
    const file = path.join(folder, `${++written}.json`);
    writeAtomically(file, clean(requestBody));
    return { ...exchange, curl: `${curl.slice(beginning.length, -end.length)} --data-binary ${shellWord(`@${file}`)}` };
  };
  const checks = report.checks.map((check) => {
    if (!check.failure) return check;
    return { ...check, failure: { ...check.failure, exchanges: check.failure.exchanges.map(moved) } };
  });
  return { ...report, checks };
}

function folderBeside(reportFile: string | undefined): string {
  if (reportFile === undefined) return mkdtempSync(path.join(os.tmpdir(), 'agent-contract-bodies-'));
  const folder = `${reportFile}.bodies`;
  mkdirSync(folder, { recursive: true });
  return folder;
}
