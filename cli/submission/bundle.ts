import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { checks as allChecks } from '../../conformance/checks/index.ts';
import { createForeignJudge } from '../../conformance/foreign/judge-foreign.ts';
import { reportForeign } from '../../conformance/foreign/report-foreign.ts';
import { feedRecordings } from '../../conformance/recording/judge-recording.ts';
import { misfits } from '../../conformance/report/json-schema.ts';
import type { Report } from '../../conformance/report/report.ts';
import { contractOf } from '../../conformance/report/scope.ts';
import { field, isObject, parseJson, stringAt } from '../../conformance/json.ts';
import { verdictWords } from '../../conformance/reporters/wording/wording.ts';
import { tagOf } from '../../conformance/run.ts';
import { visible } from '../../text/visible.ts';
import type { Cli } from '../command.ts';
import { writeAtomically } from '../files/files.ts';
import { attempt, messageOf, UsageError } from '../errors.ts';

export const REPORT = 'report.json';
export const HISTORY = 'history.har.gz';
export const ENVIRONMENT = 'environment.json';
export const STATEMENT = 'statement.json';

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

const results = { conformant: 'PASSED', partial: 'WARNED', nonconformant: 'FAILED', unreachable: 'FAILED' } as const;

function environmentOf({ tool, startedAt }: Report, env: Readonly<Record<string, string | undefined>>) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const job = server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
  return { tool, startedAt, node: process.version, platform: process.platform, arch: process.arch, job };
}

/** An in-toto statement (test result 0.1) about a bundle: the digests of its files, and what its report says. */
export function statementOf(report: Report, files: Readonly<Record<string, string>>) {
  const { contract, target, outcome, checks } = report;
  const having = (wanted: string): readonly string[] =>
    checks.filter(({ status }) => status === wanted).map(({ id }) => id);
  return {
    _type: STATEMENT_TYPE,
    subject: Object.entries(files).map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: results[outcome],
      configuration: [
        {
          name: `agent-contract ${contract?.edition ?? ''}`,
          digest: { sha256: contract?.digest.replace('sha256:', '') },
        },
      ],
      passedTests: having('pass'),
      warnedTests: [...having('not-judged'), ...having('error')],
      failedTests: having('fail'),
      product: target.product,
      verdict: verdictWords(report),
    },
  };
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

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
      const digests = files.map((name) => [name, sha256Of(readFileSync(path.join(folder, name)))]);
      writeJson(STATEMENT, statementOf(report, Object.fromEntries(digests) as Record<string, string>));
      io.stderr.write(`Wrote ${visible(folder)}. "agent-contract verify ${visible(folder)}" judges it again.\n`);
    },
  };
}

export interface Looked {
  readonly what: string;
  /** What is wrong with it; `undefined` if nothing is. */
  readonly wrong: string | undefined;
}

/** Judges the history of a bundle again, and compares everything that must agree. Never throws for what a bundle holds. */
export async function verifyBundle(folder: string): Promise<readonly Looked[]> {
  const read = (name: string): Buffer | undefined => attempt(() => readFileSync(path.join(folder, name)));
  const statement = parseJson(read(STATEMENT)?.toString());
  const looked: Looked[] = [{ what: 'statement', wrong: statementProblem(statement) }];
  const subjects = subjectsOf(statement);
  for (const name of [REPORT, HISTORY, ENVIRONMENT]) {
    looked.push({ what: name, wrong: digestProblem(read(name), subjects.get(name)) });
  }
  const others = readdirSync(folder).filter((name) => !subjects.has(name) && !EXTRA.test(name));
  if (others.length > 0) looked.push({ what: 'files', wrong: `no digest covers ${others.join(', ')}` });

  const report = parseJson(read(REPORT)?.toString());
  const misfit = misfits('report', report)[0];
  looked.push({ what: 'report', wrong: misfit && `${misfit.at || 'the report'} ${misfit.says}` });
  if (misfit) return looked;
  return [
    ...looked,
    ...(await verifyReport(report as unknown as Report, statement, parseJson(read(ENVIRONMENT)?.toString()), folder)),
  ];
}

/** The statement, and signatures of it. */
const EXTRA = /^statement\.json(?:\.\w+)*$/;

async function verifyReport(
  report: Report,
  statement: unknown,
  environment: unknown,
  folder: string,
): Promise<readonly Looked[]> {
  const { edition, digest } = contractOf();
  const { contract } = report;
  const isOurs = contract?.edition === edition && contract.digest === digest;
  const theirs = `${contract?.edition ?? 'no edition'} (${contract?.digest ?? 'no digest'})`;
  const looked: Looked[] = [
    {
      what: 'contract',
      wrong: isOurs ? undefined : `the report was judged by ${theirs}; this program has ${edition} (${digest})`,
    },
    { what: 'product', wrong: report.target.product ? undefined : 'the report names no product' },
    { what: 'exemptions', wrong: exemptionProblem(report) },
    { what: 'environment', wrong: differs(field(environment, 'tool'), report.tool, 'the tool of the report') },
    {
      what: 'what the statement says',
      wrong: differs(field(statement, 'predicate'), statementOf(report, {}).predicate, 'what the report says'),
    },
  ];
  const again = await judgedAgain(report, folder);
  if (typeof again === 'string') return [...looked, { what: 'the history, judged again', wrong: again }];
  looked.push({ what: 'seed', wrong: seedProblem(report, again) });
  const shown: Readonly<Record<string, unknown>> = compared(again);
  for (const [what, said] of Object.entries(compared(report)))
    looked.push({ what: `${what}, judged again`, wrong: differs(said, shown[what], 'what the history shows') });
  return looked;
}

/** Names that a run sends hold a tag, which follows from its seed and its time. A server may store other names. */
function seedProblem({ seed, startedAt }: Report, again: Report): string | undefined {
  const tags = Array.from(JSON.stringify(again).matchAll(/agent-contract check (\w{7})\b/g), ([, tag]) => tag);
  if (tags.length === 0 || tags.includes(tagOf(seed, Date.parse(startedAt)))) return undefined;
  return 'the history is of another seed, or of another time';
}

/** What a report must say as its history does. */
function compared({ outcome, counts, scope, checks, levels = [], requests, created }: Report) {
  return {
    verdict: { outcome, counts, scope },
    checks: Object.fromEntries(checks.map(({ id, status }) => [id, status])),
    findings: checks.flatMap(({ id, failure: one }) => (one ? [[id, one.expected, one.actual, one.at]] : [])),
    levels: levels.map(({ id, status, pass, of }) => ({ id, status, pass, of })),
    requests,
    'what was created': created.map(({ kind, id }) => ({ kind, id })),
  };
}

async function judgedAgain(report: Report, folder: string): Promise<Report | string> {
  const ids = new Set(report.checks.map(({ id }) => id));
  const by = {
    checks: allChecks.filter(({ id }) => ids.has(id)),
    strict: report.options?.strict === true,
    secrets: [],
  };
  const judge = createForeignJudge({ ...by, baseUrl: report.target.baseUrl });
  const file = path.join(folder, HISTORY);
  try {
    const [isWhole] = await feedRecordings([{ chunks: createReadStream(file) }], judge);
    if (isWhole !== true) return 'the history has no end';
    return reportForeign(judge, { ...by, includeBodies: true });
  } catch (error) {
    return messageOf(error);
  }
}

function statementProblem(statement: unknown): string | undefined {
  if (!isObject(statement)) return 'the file is missing, or is no JSON object';
  if (stringAt(statement, '_type') !== STATEMENT_TYPE) return `its _type is not ${STATEMENT_TYPE}`;
  if (stringAt(statement, 'predicateType') !== PREDICATE_TYPE) return `its predicateType is not ${PREDICATE_TYPE}`;
  return undefined;
}

function subjectsOf(statement: unknown): ReadonlyMap<string, string> {
  const subjects = field(statement, 'subject');
  if (!Array.isArray(subjects)) return new Map();
  return new Map(
    subjects.map((one: unknown) => [stringAt(one, 'name') ?? '', stringAt(one, 'digest', 'sha256') ?? '']),
  );
}

function digestProblem(bytes: Uint8Array | undefined, stated: string | undefined): string | undefined {
  if (!bytes) return 'the file is missing';
  if (stated === undefined) return 'the statement has no digest of it';
  if (sha256Of(bytes) !== stated) return 'its digest is not the stated one: it was changed';
  return undefined;
}

/** A known failure counts in public only with a reason and a link. */
function exemptionProblem({ baseline }: Report): string | undefined {
  const bare = baseline?.known.find(({ reason, link }) => reason.trim() === '' || !/^https?:\/\//.test(link ?? ''));
  return bare && `the known failure of ${bare.check} has no reason with a link`;
}

function differs(one: unknown, other: unknown, than: string): string | undefined {
  if (JSON.stringify(one) === JSON.stringify(other)) return undefined;
  if (!isObject(one) || !isObject(other)) return `it is not ${than}`;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const wrong = names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name])).slice(0, 3);
  return `${wrong.join(', ') || 'the order'} differs from ${than}`;
}
