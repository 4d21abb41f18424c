import type { GapId, RequirementId } from '../../spec/index.ts';
import { gapIds, gaps, levelIds, requirementIds, requirements } from '../../spec/index.ts';
import { grouping } from '../../conformance/collections.ts';
import type { Report } from '../../conformance/report/report.ts';
import { compareSections, verdictWords } from '../../conformance/reporters/wording/wording.ts';

/** What a column says of a requirement: the worst of the checks that verify it. */
export type Cell = 'pass' | 'fail' | 'not-judged' | 'not-asked';

export type Column = ReturnType<typeof columnOf>;

export type TrendPoint = ReturnType<typeof pointOf>;

export type Board = ReturnType<typeof boardOf>;

const MOST_VERSIONS = 3;
const MOST_POINTS = 200;

/** Puts reports together: by product and version, newest first, whatever their order is. */
export function boardOf(reports: readonly Report[]) {
  const newestFirst = reports.toSorted((one, other) => other.startedAt.localeCompare(one.startedAt));
  const byProduct = grouping(newestFirst, (report) => nameOf(report).product);
  const columns: Column[] = [];
  /** What the newest run of a product breaks, and the run before it held. */
  const regressions: { readonly product: string; readonly requirement: RequirementId; readonly since: string }[] = [];
  const trends: Record<string, TrendPoint[]> = {};
  let leftOut = 0;
  for (const product of [...byProduct.keys()].toSorted((one, other) => one.localeCompare(other))) {
    const runs = byProduct.get(product) ?? [];
    const versions = new Map<string, Report>();
    for (const run of runs) {
      const { version } = nameOf(run);
      if (!versions.has(version)) versions.set(version, run);
    }
    const newest = [...versions.values()].slice(0, MOST_VERSIONS);
    leftOut += versions.size - newest.length;
    for (const run of newest) columns.push(columnOf(run, columns));
    trends[product] = runs.slice(0, MOST_POINTS).toReversed().map(pointOf);
    const [now, then] = runs.slice(0, 2).map(cellsOf);
    for (const requirement of requirementIds)
      if (now?.[requirement] === 'fail' && then?.[requirement] === 'pass')
        regressions.push({ product, requirement, since: runs[0]?.startedAt ?? '' });
  }
  return { columns, trends, regressions, leftOut };
}

function nameOf({ target }: Report): { readonly product: string; readonly version: string } {
  return { product: target.product?.name ?? target.baseUrl, version: target.product?.version ?? '' };
}

function columnOf(report: Report, others: readonly { readonly id: string }[]) {
  const { outcome, counts, contract, startedAt, target, levels = [], observations } = report;
  const { product, version } = nameOf(report);
  const words = `${product} ${version}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  const seen = observations.filter(({ gap, choice }) => choice !== undefined && Object.hasOwn(gaps, gap));
  return {
    // Names the report page, the same from board to board, so that links stay; only names that differ in signs get a number.
    id: others.some(({ id }) => id === words) ? `${words}-${others.length}` : words,
    product,
    version,
    commit: target.product?.commit,
    verdict: verdictWords(report),
    outcome,
    counts,
    edition: contract?.edition ?? '',
    digest: contract?.digest ?? '',
    startedAt,
    levels: Object.fromEntries(levels.map(({ id, status }) => [id, status])),
    cells: cellsOf(report),
    choices: Object.fromEntries(seen.map(({ gap, choice }) => [gap, choice])) as Partial<Record<GapId, string>>,
  };
}

const worst: readonly Cell[] = ['fail', 'not-judged', 'pass', 'not-asked'];

function cellsOf({ checks }: Report) {
  const cells = Object.fromEntries(requirementIds.map((id) => [id, 'not-asked'])) as Record<RequirementId, Cell>;
  for (const { requirements: verified, status, failure } of checks) {
    const cell: Cell = status === 'error' ? 'not-judged' : status;
    for (const { id } of verified) {
      if (!Object.hasOwn(cells, id)) continue;
      // A check of several requirements says which of them is broken.
      const isOther = cell === 'fail' && failure?.requirement !== undefined && failure.requirement !== id;
      const shown = isOther ? 'not-judged' : cell;
      if (worst.indexOf(shown) < worst.indexOf(cells[id])) cells[id] = shown;
    }
  }
  return cells;
}

function pointOf(report: Report) {
  const { startedAt, outcome, counts } = report;
  return { version: nameOf(report).version, startedAt, outcome, counts };
}

/** The requirements of the contract by section, in its order. */
export const rows = requirementIds.toSorted((one, other) =>
  compareSections(requirements[one].section, requirements[other].section),
);

/** The gaps that at least two columns answer differently come first. */
export function choiceRows(columns: readonly Column[]): readonly { readonly gap: GapId; readonly differs: boolean }[] {
  const answered = gapIds.flatMap((gap) => {
    const choices = new Set(columns.flatMap(({ choices: all }) => all[gap] ?? []));
    return choices.size === 0 ? [] : [{ gap, differs: choices.size > 1 }];
  });
  return answered.toSorted((one, other) => Number(other.differs) - Number(one.differs));
}

/** A cell as a sign. */
export const signs: Readonly<Record<Cell, string>> = { pass: '✓', fail: '✗', 'not-judged': '–', 'not-asked': '·' };
/** What a level has in place of a requirement's cell. */
export const levelCells = { held: 'pass', broken: 'fail', 'not-judged': 'not-judged' } as const;

/** The board as Markdown: levels, what is broken somewhere, and regressions. */
export function boardMarkdown({ columns, regressions }: Board): string {
  const cell = (text: string): string =>
    text.replace(/[|\\`<>*_[\]\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  const names = columns.map(({ product, version }) => `${product} ${version}`.trim());
  const broken = rows.filter((id) => columns.some(({ cells }) => cells[id] === 'fail'));
  const lines = [
    line(['', ...names]),
    `|${' --- |'.repeat(columns.length + 1)}`,
    line(['Verdict', ...columns.map(({ verdict }) => verdict)]),
    line(['Judged', ...columns.map(({ startedAt, edition }) => `${startedAt.slice(0, 10)}, contract ${edition}`)]),
    ...levelIds.map((id) => line([id, ...columns.map(({ levels }) => signs[levelCells[levels[id] ?? 'not-judged']])])),
    ...broken.map((id) => line([`${requirements[id].section} ${id}`, ...columns.map(({ cells }) => signs[cells[id]])])),
  ];
  if (regressions.length > 0) lines.push('', '**Regressions**', '');
  for (const { product, requirement, since } of regressions)
    lines.push(`- ${cell(product)}: ${requirement}, since ${since.slice(0, 10)}`);
  return `${lines.join('\n')}\n`;
}
