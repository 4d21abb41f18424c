import { createColors } from 'picocolors';
import type { CheckChange, ReportDiff } from '../../conformance/report/diff.ts';
import { visible } from '../../conformance/report/redact.ts';
import type { Report } from '../../conformance/report/report.ts';
import type { AddCommand } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { hasColor } from '../io.ts';
import { readReportFile } from '../check/report-file.ts';

const FOOTER = `
Exit status: 0 nothing is worse; 1 something is newly failing or newly not judged; 2 a file is wrong.`;

export const addDiff: AddCommand = (program, { io, action }) => {
  program
    .command('diff')
    .description('compare two JSON reports: newly failing, fixed, newly not judged, changed observations')
    .argument('<before.json>', 'report of the earlier run')
    .argument('<after.json>', 'report of the later run')
    .option('--json', 'as JSON')
    .addHelpText('after', FOOTER)
    .action(
      action(async (one: string, other: string, { json }: { readonly json?: boolean }) => {
        const { diffReports } = await import('../../conformance/report/diff.ts');
        const before = await readReportFile(one, io.cwd);
        const after = await readReportFile(other, io.cwd);
        const diff = diffReports(before, after);
        io.stdout.write(
          json === true
            ? `${JSON.stringify(diff, null, 2)}\n`
            : diffText(diff, [before, after], createColors(hasColor(io.stdout, io.env))),
        );
        return diff.isWorse ? exitStatus.nonconformant : exitStatus.conformant;
      }),
    );
};

type Colors = ReturnType<typeof createColors>;

/** A comparison for a reader. */
export function diffText(diff: ReportDiff, reports: readonly [Report, Report], colors: Colors): string {
  const { newlyFailing, newlyNotJudged, fixed, failingDifferently, newlyPassing, observations } = diff;
  const blocks = [
    heading(reports, colors),
    changes('Newly failing', newlyFailing, colors.red, colors),
    changes('Newly not judged', newlyNotJudged, colors.yellow, colors),
    changes('Failing differently', failingDifferently, colors.red, colors),
    changes('Fixed', fixed, colors.green, colors),
    changes('Newly passing, not judged before', newlyPassing, colors.green, colors),
    observations.length === 0
      ? []
      : [
          colors.bold('Observed choices that changed'),
          ...observations.map(
            ({ section, question, before = 'not observed', after = 'not observed' }) =>
              `  ${colors.dim(section.padEnd(5))} ${visible(question)} ${colors.cyan(visible(`${before} → ${after}`))}`,
          ),
        ],
    [verdict(diff, colors)],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function heading([before, after]: readonly [Report, Report], colors: Colors): string[] {
  const line = (name: string, { tool, target, startedAt, seed, counts }: Report): string => {
    const { pass, fail, notJudged, error } = counts;
    const sums = `${pass} passed, ${fail} failed, ${notJudged + error} not judged`;
    return `${colors.bold(name)}  ${colors.cyan(visible(target.baseUrl))}  ${colors.dim(`${startedAt}, seed ${seed}, version ${tool.version}`)}  ${sums}`;
  };
  const options = (['readOnly', 'strictNull'] as const).filter(
    (name) => before.options && after.options && before.options[name] !== after.options[name],
  );
  return [
    line('before', before),
    line('after ', after),
    ...options.map((name) => {
      const flag = { readOnly: '--read-only', strictNull: '--strict-null' }[name];
      return colors.yellow(`Only one run, ${before.options?.[name] === true ? 'before' : 'after'}, used ${flag}.`);
    }),
  ];
}

function changes(
  title: string,
  found: readonly CheckChange[],
  paint: (text: string) => string,
  colors: Colors,
): string[] {
  if (found.length === 0) return [];
  return [
    colors.bold(title),
    ...found.flatMap(({ id, title: fact, after, says, said }) => [
      `  ${paint(visible(fact))}  ${colors.dim(`[${visible(id)}]`)}`,
      ...(said === undefined ? [] : [`      ${colors.dim('before')}  ${visible(said)}`]),
      ...(after === undefined
        ? [`      ${colors.dim('now   ')}  no longer run`]
        : says === undefined
          ? []
          : [`      ${colors.dim('now   ')}  ${visible(says)}`]),
    ]),
  ];
}

function verdict({ newlyFailing, newlyNotJudged, fixed, isWorse }: ReportDiff, colors: Colors): string {
  const sums = `${newlyFailing.length} newly failing, ${newlyNotJudged.length} newly not judged, ${fixed.length} fixed`;
  return `${isWorse ? colors.bold(colors.red('WORSE')) : colors.bold(colors.green('NOT WORSE'))}: ${sums}`;
}
