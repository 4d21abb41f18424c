import type { createColors } from 'picocolors';
import { visible } from '../../conformance/report/redact.ts';
import type { Diagnosis, Standing } from './diagnose.ts';
import type { Prospects } from './prospects.ts';

type Colors = ReturnType<typeof createColors>;

const MARKS: Readonly<Record<Standing, string>> = { ok: '✓', note: '·', missing: '–', wrong: '✗', fatal: '✗' };
const MOST_SHOWN = 4;

/** What was found of a target, and what a run could judge there: lines for people. `prospects` is absent if nothing. */
export function doctorText(
  baseUrl: string,
  { findings, requests }: Diagnosis,
  prospects: Prospects | undefined,
  colors: Colors,
): string {
  const paints: Readonly<Record<Standing, (text: string) => string>> = {
    ok: colors.green,
    note: colors.cyan,
    missing: colors.yellow,
    wrong: colors.red,
    fatal: colors.red,
  };
  const widest = Math.max(...findings.map(({ what }) => what.length));
  const lines = [
    `${colors.bold('agent-contract doctor')}  ${colors.cyan(visible(baseUrl))}  ${colors.dim(`${requests} GET requests`)}`,
    '',
    ...findings.flatMap(({ what, standing, says, fix }) => [
      `  ${paints[standing](MARKS[standing])} ${what.padEnd(widest)}  ${visible(says)}`,
      ...(fix === undefined ? [] : [`    ${' '.repeat(widest)}  ${colors.yellow(visible(fix))}`]),
    ]),
    '',
    ...(prospects === undefined
      ? [colors.red('A run makes no sense until this is fixed.')]
      : prospectsLines(prospects, colors)),
  ];
  return `${lines.join('\n')}\n`;
}

function prospectsLines({ judged, notJudged, unlocks, together }: Prospects, colors: Colors): string[] {
  const total = judged.length + notJudged.length;
  if (notJudged.length === 0) return [colors.green(`All ${total} checks can be judged.`)];
  const unlockable = new Set([...unlocks.flatMap(({ checks }) => checks), ...together]);
  const hopeless = notJudged.filter(({ id }) => !unlockable.has(id));
  const some = (ids: readonly string[]): string => {
    const rest = ids.length - MOST_SHOWN;
    return `${ids.slice(0, MOST_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more (--json lists all)` : ''}`;
  };
  const line = (supply: string, ids: readonly string[]): string[] => [
    `  ${colors.yellow(supply)} would unlock ${ids.length} ${ids.length === 1 ? 'check' : 'checks'}:`,
    `      ${colors.dim(some(ids))}`,
  ];
  return [
    colors.bold(`${judged.length} of ${total} checks can be judged.`),
    ...unlocks.flatMap(({ supply, checks }) => line(supply, checks)),
    ...(together.length > 0
      ? line(unlocks.length > 0 ? 'All of these together' : 'Everything that is missing', together)
      : []),
    ...(hopeless.length > 0
      ? [`  We know nothing that would unlock:`, `      ${colors.dim(some(hopeless.map(({ id }) => id)))}`]
      : []),
  ];
}
