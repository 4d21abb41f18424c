import { createColors } from 'picocolors';
import { present } from '../collections.ts';
import { counted, cutTo, optional } from '../show.ts';
import type { Reporter, Status } from '../report/report.ts';
import { visible } from '../../text/visible.ts';
import type { CheckItem } from './outline/check-item.ts';
import type { Entry, Line } from './outline/line.ts';
import { outlineOf, type Outline } from './outline/outline.ts';
import type { Section } from './outline/sections.ts';

/** A longer command would bury the failure; the JSON report has it. */
const LONGEST_CURL = 2000;
const LONGEST_LINE = 300;

type Colors = ReturnType<typeof createColors>;

/** What only a verbose report shows: none of it decides a verdict. */
const VERBOSE = new Set(['observations', 'levels', 'evidence', 'met', 'latency', 'excused', 'created']);

/** The report for a person: what failed, in full, then what is open; verbose, one line also for each other check. */
export const textReporter: Reporter = (report, { color, verbose = false }) => {
  const colors = createColors(color);
  const outline = outlineOf(report, { isShort: true, isBrief: !verbose });
  const { checks, baseline, causes } = outline;
  const groups = checks.map(({ number, title, items }) => {
    const shown = items.filter(({ status }) => verbose || status === 'fail' || status === 'error');
    if (shown.length === 0) return [];
    return [colors.bold(`${number}  ${title}`.trim()), ...shown.flatMap((item) => checkLines(item, colors))];
  });
  const sections = outline.sections.filter(({ id }) => verbose || !VERBOSE.has(id));
  if (baseline) sections.push(baseline);
  const blocks = [
    heading(outline, colors),
    ...present(causes).map((section) => sectionLines(section, colors)),
    ...groups,
    ...sections.map((section) => sectionLines(section, colors)),
  ];
  if (!verbose && report.requests > 0) {
    const { counts, observations, created } = report;
    const rest = [`${counted(counts.pass, 'check')} that passed`, counted(observations.length, 'observed choice')];
    if (created.length > 0) rest.push(`${counted(created.length, 'resource')} on the target`);
    const words = `With --verbose, and in the HTML and JSON reports: ${rest.join(', ')}, evidence, levels and latency.`;
    blocks.push([colors.dim(words)]);
  }
  return blocksText([...blocks, verdict(outline, colors)]);
};

/** Blocks of lines as one text, with an empty line between them. */
export function blocksText(blocks: readonly (readonly string[])[]): string {
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.flatMap(wrapped).join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** A long line in several, none of which begins like that of a check. A command is one line, however long. */
function wrapped(line: string): readonly string[] {
  if (line.length <= LONGEST_LINE || /curl |^ {2}\S* ?[✓✗–!]/.test(line)) return [line];
  const [indent = ''] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let rest = line;
  while (rest.length > LONGEST_LINE) {
    const space = rest.lastIndexOf(' ', LONGEST_LINE);
    const end = space > indent.length + 6 ? space : LONGEST_LINE;
    lines.push(rest.slice(0, end));
    rest = `${indent}      ${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}

function heading({ tool, target, facts }: Outline, colors: Colors): string[] {
  const short = facts.filter(({ name }) => name !== 'Conditions');
  const conditions = facts.filter((fact) => !short.includes(fact));
  const words = short.map(({ name, value }) => `${name.toLowerCase()} ${value}`).join(', ');
  return [
    `${colors.bold(visible(tool))}  ${colors.cyan(visible(target))}  ${colors.dim(visible(words))}`,
    ...conditions.map(({ value }) => colors.dim(visible(value))),
  ];
}

/** The first character of each check's line, and its colour. */
export const marks: Readonly<Record<Status, string>> = { pass: '✓', fail: '✗', 'not-judged': '–', error: '!' };
const paints = { pass: 'green', fail: 'red', 'not-judged': 'yellow', error: 'magenta' } as const;

/** One check in a line, and below it what is wrong. */
export function checkLines(item: CheckItem, colors: Colors): string[] {
  const { id, title, status } = item;
  const line = `  ${colors[paints[status]](marks[status])} `;
  if (status === 'pass' || status === 'not-judged') return [line + visible(title)];
  // Of a consequence, its cause says the rest.
  const brief = item.facts.filter(({ label }) => label === 'follows' || label === 'actual');
  const isFollowing = brief[0]?.label === 'follows';
  const shown = isFollowing ? { ...item, facts: brief, exchanges: [] } : item;
  const details = detailLines(shown, colors).map((detail) => `      ${detail}`);
  return [`${line}${colors.bold(visible(title))}  ${colors.dim(`[${visible(id)}]`)}`, ...details];
}

/** What is wrong, and the requests that show it, with a label before each line. */
export function detailLines({ facts, exchanges }: CheckItem, colors: Colors, longestBody = 250): string[] {
  const lines: string[] = [];
  const add = (label: string, text: string): void => void lines.push(`${colors.dim(label.padEnd(9))} ${text}`);
  for (const { label, line } of facts) {
    const text = inline(line, colors);
    add(label, label === 'actual' ? colors.red(text) : text);
  }
  for (const [index, { curl, answer, excerpt }] of exchanges.entries()) {
    const long = curl.length > LONGEST_CURL && `a command of ${curl.length} characters, which is in the JSON report`;
    add(index === 0 ? 'request' : 'before', long || visible(curl));
    add('answer', `${visible(answer.line)} ${cutTo(longestBody, visible(excerpt))}`.trim());
  }
  return lines;
}

/** A section with its heading; nothing if it is empty. */
export function sectionLines({ title, hint, entries, remark }: Section, colors: Colors): string[] {
  if (entries.length === 0 && remark === undefined) return [];
  const lines = [colors.bold(title) + optional`${hint && colors.dim(` (${hint})`)}`];
  lines.push(...entryLines(entries, '  ', colors));
  if (remark !== undefined) lines.push(`  ${colors.dim(visible(remark))}`);
  return lines;
}

function entryLines(entries: readonly Entry[], indent: string, colors: Colors): string[] {
  return entries.flatMap(({ line, below = [], list }) => {
    let text = indent + inline(line, colors);
    if (list) text += colors.dim(`, ${list.title}: ${list.literals.map(visible).join(', ')}`);
    return [text, ...entryLines(below, `${indent}  `, colors)];
  });
}

function inline(line: Line, colors: Colors): string {
  const pieces = line.map((piece) => {
    if (typeof piece === 'string') return visible(piece);
    if ('strong' in piece) return colors.cyan(visible(piece.strong));
    if ('quiet' in piece) return colors.dim(visible(piece.quiet));
    return visible('check' in piece ? piece.title : piece.literal);
  });
  return pieces.join('');
}

function verdict({ verdict: words, look, summary, counts }: Outline, colors: Colors): string[] {
  const shown = words.replace(/^(?:\w+ new|\w+)/, (word) => colors.bold(colors[paints[look]](word.toUpperCase())));
  return [visible(summary), `${shown}: ${counts.map(({ text }) => text).join(', ')}`];
}
