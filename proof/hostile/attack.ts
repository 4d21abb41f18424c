import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { checks, type Report } from '../../conformance/index.ts';
import { reporters } from '../../conformance/reporters/index.ts';
import type { Mock } from '../../mock/index.ts';
import { createTarget, tokens, variablesOf } from './serve.ts';
import type { TriedServer } from './servers.ts';
import { parseJson } from '../../text/json.ts';
import { literal } from '../../text/literal.ts';

/** The result of running the program against a server. */
export type Attacked = Awaited<ReturnType<typeof attack>>;

/** What runs the program. */
export type RunProgram = (
  argv: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly cwd: string; readonly isTTY: boolean },
) => Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }>;

const TAGS = /<script>alert|<img src=x|<svg\/onload|(?:href|src)="(?:javascript|http:\/\/evil)/i;
/** What a browser or another viewer would interpret, by format. */
const MARKUP: Readonly<Record<string, RegExp>> = {
  html: TAGS,
  junit: TAGS,
  markdown: /(?<=(?:^|[^\\])(?:\\\\)*)<(?:script>|img|svg)|(?<!\\)!?\[x\]\(/i,
};
/** Markdown shows it literally. */
const CODE_SPAN = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;

/** Runs `agent-contract check` in this process, and examines its outputs. */
export async function attack(run: RunProgram, { start, ...options }: TriedServer) {
  const mock = createTarget();
  const server = await start(mock);
  const { status, ms, written } = await check(run, server.url, mock, options);
  const problems = [server.problems?.() ?? []].flat();
  await server.close();
  const report = parseJson(written['json'] ?? '') as Report | undefined;
  if (report) problems.push(...incomplete(report, options.arguments?.includes('--only') === true));
  else problems.push('there is no JSON report');
  for (const [format, text] of Object.entries(written)) problems.push(...problemsOf(format, text));
  if (/bug in agent-contract/.test(written.stderr)) problems.push(written.stderr);
  const judged = report?.checks ?? [];
  const reasons = judged.flatMap(({ reason, supply = 'nothing' }) =>
    reason === undefined ? [] : [`${reason} Supply ${supply}.`],
  );
  return {
    status,
    /** Milliseconds of processor time, since wall-clock time depends on what else the machine does. */
    ms,
    passed: report?.counts.pass ?? 0,
    requests: report?.requests ?? 0,
    /** Violations of safety: an output that leaks, executes or is incomplete, or a broken runner. */
    problems,
    failed: judged.filter((item) => item.status === 'fail').map(({ id }) => id),
    notJudged: judged.filter((item) => item.status === 'not-judged').map(({ id }) => id),
    /** The reasons, with what to supply. */
    reasons,
  };
}

/** Runs the program. @returns its outputs by format, and the processor time */
async function check(
  run: RunProgram,
  url: string,
  mock: Mock,
  { timeoutMs, maxTimeMs, arguments: more = [], ...options }: Omit<TriedServer, 'start'>,
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-hostile-'));
  const formats = options.formats ?? Object.keys(reporters).filter((format) => format !== 'text');
  const limits = [`--timeout=${timeoutMs}`, `--max-time=${maxTimeMs}`];
  const reports = formats.flatMap((format) => ['--report', `${format}=${path.join(folder, format)}`]);
  const began = process.cpuUsage();
  const env = {
    AGENT_CONTRACT_TOKEN: tokens.write,
    AGENT_CONTRACT_READ_TOKEN: tokens.read,
    AGENT_CONTRACT_GUEST_TOKEN: tokens.guest,
    ...variablesOf(mock),
    ...options.env,
  };
  const argv = ['check', url, ...limits, ...reports, ...more];
  const { status, ...output } = await run(argv, { env, cwd: folder, isTTY: true });
  const { user, system } = process.cpuUsage(began);
  // A format that was not written is empty, which is a problem of its own.
  const written: typeof output & Record<string, string> = { ...output };
  for (const format of formats) written[format] = '';
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (statSync(path.join(folder, file)).isFile()) written[file] = readFileSync(path.join(folder, file), 'utf8');
  rmSync(folder, { recursive: true });
  return { status, ms: Math.round((user + system) / 1000), written };
}

/** What a report lacks, if it `isPart` of all checks or not. */
function incomplete({ checks: judged, counts }: Report, isPart: boolean): readonly string[] {
  const ids = new Set(judged.map(({ id }) => id));
  const problems = judged.filter(({ status }) => status === 'error').map(({ id, reason }) => `${id} broke: ${reason}`);
  const missing = checks.filter(({ id }) => !isPart && !ids.has(id));
  problems.push(...missing.map(({ id }) => `the report does not say what became of ${id}`));
  const { pass, fail, notJudged, error } = counts;
  if (pass + fail + notJudged + error !== judged.length) problems.push('the counts do not add up');
  return problems;
}

const near = (text: string, index: number): string => JSON.stringify(text.slice(Math.max(0, index - 60), index + 60));

/** Our own colours, and the progress line on a terminal. A body that the judge sent holds a line separator, as it is. */
// oxlint-disable-next-line no-control-regex
const OWN_CODES = /\u001b\[(?:\d+(?:;\d+)*m|2K)|\r/g;

function problemsOf(format: string, text: string): readonly string[] {
  const problems: string[] = [];
  if (text === '' && format !== 'stderr') problems.push(`${format} is empty`);
  const bare = text.replaceAll('\\', '').toLowerCase();
  const leak = leaks.exec(bare);
  if (leak) problems.push(`${format} shows a part of a token: ${near(bare, leak.index)}`);
  let plain = text;
  if (format.startsWith('std')) plain = text.replace(OWN_CODES, '');
  if (format.startsWith('json.bodies')) plain = text.replaceAll('\u2028', '');
  const control = plain.search(
    // oxlint-disable-next-line no-control-regex
    /[\0-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/u,
  );
  if (control >= 0) problems.push(`${format} holds a control character: ${near(plain, control)}`);
  const read = format === 'markdown' ? text.replace(CODE_SPAN, '') : text;
  const markup = read.search(MARKUP[format] ?? /(?!)/);
  if (markup >= 0) problems.push(`${format} holds markup of the target: ${near(read, markup)}`);
  try {
    const onError = (level: string, message: string): void => {
      if (level !== 'warning') throw new Error(message);
    };
    if (format === 'junit') new DOMParser({ onError }).parseFromString(text, 'text/xml');
  } catch (error) {
    problems.push(`junit is no XML: ${String(error)}`);
  }
  if (['json', 'ctrf', 'sarif'].includes(format) && parseJson(text) === undefined)
    problems.push(`${format} is no JSON`);
  if (format === 'tap') {
    const lines = text.split('\n').filter((line) => /^(?:not )?ok\b/.test(line)).length;
    const [, plan] = /^1\.\.(\d+)$/m.exec(text) ?? [];
    if (lines !== Number(plan)) problems.push(`tap holds ${lines} results and plans ${plan}`);
  }
  return problems;
}

/** Eight consecutive characters of a token, in every notation, in lower case and without backslashes. */
const leaks = new RegExp(
  Object.values(tokens)
    .flatMap((token) => {
      const last = token.length - 8;
      const starts = [0, 4, 8, 12, 16, last].filter((one) => one <= last);
      return starts.flatMap((start) => formsOf(token, start));
    })
    .map((form) => literal(form.toLowerCase().replaceAll('\\', '')))
    .join('|'),
);

function formsOf(token: string, start: number): readonly string[] {
  const part = token.slice(start, start + 8);
  const each = (write: (code: string) => string): string =>
    Array.from(part, (character) => write(character.charCodeAt(0).toString(16))).join('');
  // The base64 of eleven bytes, at any offset.
  const inBase64 = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(token.slice(start, start + 11))]);
    if (bytes.length === shift + 11) return [bytes.toString('base64').slice([0, 2, 3][shift], 12)];
    return [];
  });
  return [
    part,
    encodeURIComponent(part),
    part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    Buffer.from(part).toString('hex'),
    each((code) => `%${code}`),
    each((code) => `&#x${code};`),
    each((code) => `u00${code}`),
    ...inBase64,
  ];
}
