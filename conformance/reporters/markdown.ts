import { visible } from '../../text/visible.ts';
import { present } from '../collections.ts';
import { counted, cutTo, optional } from '../show.ts';
import type { Report, Reporter, Status } from '../report/report.ts';
import type { BodyOutline } from './outline/body.ts';
import type { CheckItem, ExchangeItem } from './outline/check-item.ts';
import type { Entry, Line } from './outline/line.ts';
import { outlineOf, type CheckGroup, type Outline } from './outline/outline.ts';
import type { Section } from './outline/sections.ts';

/** GitHub accepts job summaries up to 1 MiB, and refuses a larger one as a whole. */
const MOST_BYTES = 1_000_000;
/** Full failures take at most this much, so that the later parts have room. */
const MOST_FOR_FAILURES = 600_000;
const FEW_FAILURES = 3;
const LONGEST_TEXT = 600;

export const statusMarks: Readonly<Record<Status, string>> = {
  pass: '✅',
  fail: '❌',
  'not-judged': '⚪',
  error: '💥',
};

/** The report as GitHub Flavored Markdown, short enough for the summary of a CI job. */
export const markdownReporter = (report: Report, { includeBodies }: Partial<Parameters<Reporter>[1]> = {}): string => {
  const outline = outlineOf(report, { includeBodies, isShort: true });
  const { checks, baseline, causes, sections } = outline;
  const blocks = [...heading(outline), ...present(causes).flatMap(sectionBlocks)];
  if (baseline) {
    const { title, remark = '', entries } = baseline;
    blocks.push(`**${title}.** ${prose(remark)}\n\n${list(entries)}`.trimEnd());
  }
  blocks.push(...failures(checks.flatMap(({ items }) => items)), ...everyCheck(checks));
  blocks.push(...sections.flatMap(sectionBlocks));
  return within(blocks, MOST_BYTES);
};

/** The blocks that fit; earlier ones take precedence. */
function within(blocks: readonly string[], most: number): string {
  const CUT = '_The rest did not fit here. The other formats have it._';
  let left = most - Buffer.byteLength(CUT) - 3;
  const fitting = blocks.filter((block) => {
    const fits = Buffer.byteLength(block) + 2 <= left;
    if (fits) left -= Buffer.byteLength(block) + 2;
    return fits;
  });
  if (fitting.length < blocks.length) fitting.push(CUT);
  return `${fitting.join('\n\n')}\n`;
}

function heading({ look, verdict, target, tool, summary, counts, facts }: Outline): string[] {
  return [
    `## ${statusMarks[look]} ${verdict}`,
    counts.map(({ status, text }) => `${statusMarks[status]} ${text}`).join(' · '),
    prose(summary),
    [literal(target), ...facts.map(({ name, value }) => prose(`${name} ${value}`)), prose(tool)].join(' · '),
  ];
}

function sectionBlocks({ title, hint = title, entries, remark }: Section): string[] {
  const inner = [list(entries), ...present(remark).map(prose)].join('\n\n');
  return [`### ${title}`, folded(tagged(hint), inner)];
}

function failures(items: readonly CheckItem[]): string[] {
  const broken = items.filter(({ status }) => status === 'fail' || status === 'error');
  if (broken.length === 0) return [];
  const blocks = ['### Failures'];
  let size = 0;
  for (const [index, item] of broken.entries()) {
    const block = failure(item, broken.length <= FEW_FAILURES);
    size += Buffer.byteLength(block);
    if (size > MOST_FOR_FAILURES) {
      const rest = counted(broken.length - index, 'more failure');
      blocks.push(`_${rest} in short under “All checks”. The other formats have all of them._`);
      break;
    }
    blocks.push(block);
  }
  return blocks;
}

function failure({ id, title, status, facts, exchanges, proof }: CheckItem, isOpen: boolean): string {
  const mark = statusMarks[status];
  const lines = facts.map(
    ({ label, line }) => `- **${label.charAt(0).toUpperCase()}${label.slice(1)}** ${inline(line)}`,
  );
  const details = [[...lines, `- **Check** ${literal(id)}`].join('\n')];
  for (const exchange of exchanges) details.push(...exchangeBlocks(exchange));
  if (proof.length > 0) details.push(folded('Proven to catch', list(proof)));
  const inner = details.join('\n\n');
  if (isOpen) return `#### ${mark} ${prose(title)}\n\n${inner}`;
  return folded(`${mark} <b>${tagged(title)}</b>`, inner);
}

function exchangeBlocks({ curl, answer }: ExchangeItem): string[] {
  let command = fenced('sh', visible(curl));
  if (curl.length > 2_000) command = `_A command of ${curl.length} characters, which is in the JSON report._`;
  const blocks = [command, `Answer${optional` after ${answer.took}`}: ${literal(answer.line)}`];
  if (answer.body) blocks.push(folded(answer.bodyTitle, fenced('', bodyText(answer.body))));
  if (answer.remark !== undefined) blocks.push(prose(answer.remark));
  return blocks;
}

function bodyText({ lines, place, from, to }: BodyOutline): string {
  const near = lines.slice(from, to).map((line, index) => (from + index === place ? `${line}   ← here` : line));
  if (from > 0) near.unshift(`… ${from} lines`);
  if (to < lines.length) near.push(`… ${lines.length - to} lines`);
  return cutTo(3_000, near.join('\n'));
}

function everyCheck(groups: readonly CheckGroup[]): string[] {
  if (groups.length === 0) return ['_No check was run._'];
  const blocks = ['### All checks'];
  for (const { number, title, tally, items } of groups) {
    const lines = items.map(({ status, title: fact, id }) => `- ${statusMarks[status]} ${prose(fact)} ${literal(id)}`);
    blocks.push(folded(`${tagged(`${number} ${title}`.trim())}: ${tally}`, lines.join('\n')));
  }
  return blocks;
}

function list(entries: readonly Entry[], indent = ''): string {
  const lines: string[] = [];
  for (const { line, below = [], list: long } of entries) {
    const literals = long?.literals.map(literal).join(', ');
    lines.push(`${indent}- ${inline(line)}${optional`, ${long?.title}: ${literals}`}`);
    if (below.length > 0) lines.push(list(below, `${indent}  `));
  }
  return lines.join('\n');
}

function inline(line: Line): string {
  const pieces = line.map((piece) => {
    if (typeof piece === 'string') return prose(piece);
    if ('strong' in piece) return `**${prose(piece.strong.trim())}**`;
    if ('quiet' in piece) return prose(piece.quiet);
    return 'check' in piece ? prose(piece.title) : literal(piece.literal);
  });
  return pieces.join('').trim();
}

/** `summary` is already HTML. */
function folded(summary: string, inner: string): string {
  return `<details><summary>${summary}</summary>\n\n${inner}\n\n</details>`;
}

function fenced(language: string, text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** More backticks than the text has anywhere. */
function fenceFor(text: string, least: number): string {
  const runs = Array.from(text.matchAll(/`+/g), ([run]) => run.length + 1);
  return '`'.repeat(Math.max(least, ...runs));
}

/** Readers of Markdown miss the end of a code span with a longer run of backticks. */
const LONGEST_RUN = /`{17,}/g;

/** Text from the target as a code span, so that nothing in it becomes Markdown, HTML, a link or a mention. */
function literal(text: string): string {
  const shown = visible(cutTo(LONGEST_TEXT, text)).replace(LONGEST_RUN, (run) => String.raw`\u0060`.repeat(run.length));
  if (shown.trim() === '') return shown === '' ? '_nothing_' : '_blanks_';
  const fence = fenceFor(shown, 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Escapes what would become Markdown, HTML or mathematics; a zero-width space breaks mentions and references. */
function prose(text: string): string {
  return visible(cutTo(LONGEST_TEXT, text))
    .replace(/[\\`*_{}[\]<>#|~&@!:^=]/g, String.raw`\$&`)
    .replace(/\\([@#])/g, '\\$1&#8203;')
    .replace(/^(\s*\d*)([.)+-])/, String.raw`$1\$2`)
    .replace(/www\./gi, String.raw`www\.`)
    .replaceAll('$', '<span>$</span>');
}

/** The same for a line of HTML, where Markdown does not apply. */
function tagged(text: string): string {
  return visible(cutTo(LONGEST_TEXT, text)).replace(/[^\w ,;'"()/?\u0080-\u{10ffff}-]/gu, (mark) => {
    return `&#${mark.charCodeAt(0)};${mark === '@' || mark === '#' ? '&#8203;' : ''}`;
  });
}
