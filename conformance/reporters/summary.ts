import { visible } from '../../text/visible.ts';
import { counted, cutTo, optional } from '../show.ts';
import type { Reporter } from '../report/report.ts';
import { contractWords, productWords, verdictWords } from './wording/wording.ts';

/** Most lines of each kind, so that the whole fits on a screen. */
const MOST = 6;

const states = { held: 'held', broken: 'BROKEN', 'not-judged': 'not judged' } as const;

/** What was judged, what holds, what is broken and what is open, in words that need no knowledge of the program. */
export const summaryReporter: Reporter = (report) => {
  const { target, startedAt, counts, checks, levels = [], conditions = [], excused = [], tool } = report;
  const listed = (title: string, items: readonly string[]): readonly string[] => {
    if (items.length === 0) return [];
    const shown = items.slice(0, MOST).map((item) => `  ${cutTo(110, visible(item))}`);
    if (items.length > MOST) shown.push(`  and ${items.length - MOST} more`);
    return ['', title, ...shown];
  };
  const titlesOf = (wanted: string): readonly string[] =>
    checks.filter(({ status }) => status === wanted).map(({ title }) => title);
  const claimed = levels.map(({ id, status, claimed: isClaimed }) => {
    return `${id.padEnd(10)}  ${states[status]}${optional`, ${isClaimed && 'claimed'}`}`;
  });
  const lines = [
    `${visible(productWords(report) || target.baseUrl)}: ${verdictWords(report)}`,
    `judged on ${startedAt.slice(0, 10)} by contract ${contractWords(report) || 'of an unknown edition'}, ${tool.name} ${tool.version}`,
    `${counted(counts.pass, 'fact')} held, ${counts.fail} broken, ${counts.notJudged + counts.error} not judged`,
    ...listed('Levels', claimed),
    ...listed('Broken: this should be true, and is not', titlesOf('fail')),
    ...listed('Not judged: the run could not see it', titlesOf('not-judged')),
    ...listed('Conditions', conditions),
    ...listed(
      'Excused: answers that no check blames',
      excused.map(({ count, why }) => `${counted(count, 'answer')}: ${why}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
};
