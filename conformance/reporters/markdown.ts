import { visible } from '../report/redact.ts';
import type {
  CheckReport,
  FailureReport,
  Outcome,
  RecordedExchange,
  Report,
  Reporter,
  Status,
} from '../report/report.ts';
import { bodyText, viewBody } from './body/body.ts';
import { knownEntry, reasonOf } from './wording/known.ts';
import { bySection, compareSections } from './wording/sections.ts';
import {
  brokenFirst,
  choiceWords,
  countOf,
  counted,
  depthOf,
  derivationOf,
  duration,
  grouped,
  outcomeWords,
  statuses,
  statusWords,
  unjudgedBySupply,
} from './wording/wording.ts';

/** GitHub accepts job summaries up to 1 MiB, and refuses a larger one as a whole. */
const MOST_BYTES = 1_000_000;
/** Full failures take at most this much, so that the later parts have room. */
const MOST_FOR_FAILURES = 600_000;
/** Most failures that are open at first. */
const FEW_FAILURES = 3;
const LONGEST_TEXT = 600;
const LONGEST_CURL = 2_000;
const LONGEST_BODY = 3_000;
const MOST_EXCHANGES = 2;
const MOST_MORE = 5;
const MOST_NEVER_SEEN = 40;
const MOST_PROOFS = 10;
const MOST_NEWS = 100;

export const statusMarks: Readonly<Record<Status, string>> = {
  pass: '✅',
  fail: '❌',
  'not-judged': '⚪',
  error: '💥',
};

const outcomeMarks: Readonly<Record<Outcome, string>> = {
  conformant: '✅',
  partial: '⚪',
  nonconformant: '❌',
  unreachable: '💥',
};

/** The report as GitHub Flavored Markdown, short enough for the summary of a CI job. */
export const markdownReporter = (
  report: Report,
  { includeBodies = false }: Partial<Parameters<Reporter>[1]> = {},
): string => {
  const blocks = [
    ...heading(report),
    ...baselineNews(report),
    ...failures(report, includeBodies),
    ...errors(report),
    ...notJudged(report),
    ...everyCheck(report),
    ...evidence(report),
    ...observed(report),
    ...created(report),
    `<sub>${prose(`${report.tool.name} ${report.tool.version}, seed ${report.seed}, ${report.startedAt}`)}</sub>`,
  ];
  return within(blocks, MOST_BYTES);
};

/** The blocks that fit; earlier ones take precedence. */
function within(blocks: readonly string[], most: number): string {
  const CUT = '_The rest did not fit here. The other formats have it._';
  let left = most - Buffer.byteLength(CUT) - 3;
  const kept = blocks.filter((block) => {
    const size = Buffer.byteLength(block) + 2;
    const fits = size <= left;
    if (fits) left -= size;
    return fits;
  });
  return `${[...kept, ...(kept.length < blocks.length ? [CUT] : [])].join('\n\n')}\n`;
}

function heading(report: Report): string[] {
  const { outcome, target, summary, counts, requests, durationMs } = report;
  const columns = statuses.toReversed();
  const { typed, seen } = depthOf(report);
  const depth = typed > 0 ? [`${grouped(seen)} of ${grouped(typed)} typed locations seen`] : [];
  return [
    `## ${outcomeMarks[outcome]} ${outcomeWords[outcome]}`,
    `${code(target.baseUrl)} · ${[counted(requests, 'request'), duration(durationMs), ...depth].join(' · ')}`,
    prose(summary),
    [
      `| ${columns.map((status) => `${statusMarks[status]} ${statusWords[status]}`).join(' | ')} |`,
      `|${' ---: |'.repeat(columns.length)}`,
      `| ${columns.map((status) => grouped(countOf(counts, status))).join(' | ')} |`,
    ].join('\n'),
  ];
}

function baselineNews({ baseline }: Report): string[] {
  if (!baseline) return [];
  const { verdict, known, news } = baseline;
  const words = known.length === 0 ? 'no known findings' : counted(known.length, 'known finding');
  return [
    [
      `**${verdict === 'news' ? 'Different from the baseline' : 'Nothing new since the baseline'}**, ${words}.`,
      ...news.slice(0, MOST_NEWS).map(({ says }) => `- ${prose(says)}`),
      ...(news.length > MOST_NEWS ? [`- and ${grouped(news.length - MOST_NEWS)} more`] : []),
    ].join('\n'),
  ];
}

function failures(report: Report, includeBodies: boolean): string[] {
  const { checks } = report;
  const failed = checks.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return [];
  const blocks = [`### Failures`];
  let size = 0;
  for (const [index, check] of failed.entries()) {
    const inner = [...knownLine(report, check), failure(check, includeBodies)].join('\n\n');
    const block =
      failed.length <= FEW_FAILURES
        ? `#### ${statusMarks.fail} ${prose(check.title)}\n\n${inner}`
        : folded(`${statusMarks.fail} <b>${tagged(check.title)}</b>`, inner);
    size += Buffer.byteLength(block);
    if (size > MOST_FOR_FAILURES) {
      blocks.push(
        `_${counted(failed.length - index, 'more failure')} in short under “All checks”. The other formats have all of them._`,
      );
      break;
    }
    blocks.push(block);
  }
  return blocks;
}

function knownLine(report: Report, check: CheckReport): string[] {
  const entry = knownEntry(report, check);
  return entry ? [`Known to the baseline: ${prose(reasonOf(entry))}`] : [];
}

function failure(check: CheckReport, includeBodies: boolean): string {
  const { id, failure: found } = check;
  return [
    [
      ...(found ? findingLines(found) : []),
      ...brokenFirst(check).map((requirement) => {
        const { section, lane, statement } = requirement;
        const derivation = derivationOf(requirement);
        const because = derivation === undefined ? '' : ` ${prose(derivation)}`;
        return `- **Requirement** (section ${prose(section)}, ${prose(lane)}): ${prose(statement)}${because}`;
      }),
      `- **Check** ${code(id)}`,
    ].join('\n'),
    ...(found?.exchanges.slice(-MOST_EXCHANGES) ?? []).map((exchange, index, { length }) =>
      exchangeBlock(exchange, index === length - 1 ? found?.at : undefined, includeBodies),
    ),
    ...proofs(check),
  ].join('\n\n');
}

function findingLines({ expected, actual, at, more = [], exchanges }: FailureReport): string[] {
  const rest = more.length - MOST_MORE;
  const earlier = exchanges.length - MOST_EXCHANGES;
  return [
    `- **Expected** ${code(expected)}`,
    `- **Actual** ${code(actual)}`,
    ...(at === undefined ? [] : [`- **At** ${at === '' ? 'the whole body' : code(at)}`]),
    ...more
      .slice(0, MOST_MORE)
      .map(
        (one) =>
          `- **Also** expected ${code(one.expected)}, got ${code(one.actual)}${one.at === undefined ? '' : ` at ${code(one.at)}`}`,
      ),
    ...(rest > 0 ? [`- **Also** ${counted(rest, 'more place')}`] : []),
    ...(earlier > 0 ? [`- **Before these** ${counted(earlier, 'exchange')} that the other formats show`] : []),
  ];
}

function exchangeBlock(exchange: RecordedExchange, at: string | undefined, includeBodies: boolean): string {
  const { curl, status, body, failure: missing, durationMs } = exchange;
  const answer =
    status === undefined ? `no answer: ${missing ?? ''}` : `${status}${missing === undefined ? '' : `, ${missing}`}`;
  const took = durationMs === undefined ? '' : ` after ${duration(durationMs)}`;
  const command =
    curl.length <= LONGEST_CURL
      ? fenced('sh', visible(curl))
      : `_The command has ${grouped(curl.length)} characters; the JSON and HTML reports have it._`;
  return [command, `Answer${took}: ${code(answer)}`, ...bodyBlock(body, at, includeBodies)].join('\n\n');
}

function bodyBlock(body: string | undefined, at: string | undefined, includeBodies: boolean): string[] {
  if (body === undefined || body === '') return [];
  const view = viewBody(body, { values: includeBodies, at });
  if (!view && !includeBodies) return [];
  const text = view ? bodyText(view) : body.split('\n').map(visible).join('\n');
  const shown = text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY)}…`;
  return [folded(view && !includeBodies ? 'The shape of its body' : 'Its body', fenced('', shown))];
}

function proofs({ provenBy: all }: CheckReport): string[] {
  if (all.length === 0) return [];
  const rest = all.length - MOST_PROOFS;
  const items = all.slice(0, MOST_PROOFS).map(({ id, does }) => `- ${prose(does)} ${code(id)}`);
  return [folded('Proven to catch', [...items, ...(rest > 0 ? [`- and ${grouped(rest)} more`] : [])].join('\n'))];
}

function errors({ checks }: Report): string[] {
  const broken = checks.filter(({ status }) => status === 'error');
  if (broken.length === 0) return [];
  return [
    '### Errors of the runner',
    'The runner itself broke here. This is not a fault of the target.',
    broken.map(({ title, reason = '' }) => `- ${prose(title)}: ${code(reason.split('\n', 1)[0] ?? '')}`).join('\n'),
  ];
}

function notJudged({ checks }: Report): string[] {
  const groups = unjudgedBySupply(checks);
  if (groups.length === 0) return [];
  return [
    '### Not judged',
    ...groups.flatMap(({ supply, checks: members, reasons }) => {
      const title = supply === undefined ? 'Nothing that you could supply' : `Supply ${supply}`;
      const items = reasons.flatMap(({ says, checks: some }) => [
        `- ${prose(says)}`,
        ...some.map((check) => `  - ${prose(check.title)}`),
      ]);
      return [folded(`<b>${tagged(title)}</b>: ${counted(members.length, 'check')}`, items.join('\n'))];
    }),
  ];
}

function everyCheck({ checks }: Report): string[] {
  if (checks.length === 0) return ['_No check was run._'];
  return [
    '### All checks',
    ...bySection(checks).map(({ number, title, checks: members }) => {
      const passed = members.filter(({ status }) => status === 'pass').length;
      const items = members.map((check) => `- ${statusMarks[check.status]} ${prose(check.title)} ${code(check.id)}`);
      return folded(`${tagged(`${number} ${title}`.trim())}: ${passed} of ${members.length} passed`, items.join('\n'));
    }),
  ];
}

function evidence(report: Report): string[] {
  const { typed, seen, nulls } = depthOf(report);
  if (typed === 0) return [];
  const items = report.evidence.flatMap(({ schema, typed: all, seenValid, seenNull, neverSeen }) => {
    const rest = neverSeen.length - MOST_NEVER_SEEN;
    const asNull = seenNull > 0 ? `, ${grouped(seenNull)} as null` : '';
    return [
      `- ${code(schema)}: ${grouped(seenValid)} of ${grouped(all)}${asNull}`,
      ...neverSeen
        .slice(0, MOST_NEVER_SEEN)
        .map((pointer) => `  - never seen: ${pointer === '' ? 'the whole body' : code(pointer)}`),
      ...(rest > 0 ? [`  - and ${grouped(rest)} more`] : []),
    ];
  });
  const asNull = nulls > 0 ? `, ${grouped(nulls)} seen as null` : '';
  return [
    '### Depth of evidence',
    folded(`${grouped(seen)} of ${grouped(typed)} typed locations seen${asNull}`, items.join('\n')),
  ];
}

function observed({ observations, observedProfile }: Report): string[] {
  if (observations.length === 0) return [];
  const items = observations
    .toSorted((one, other) => compareSections(one.section, other.section))
    .map(({ gap, section, question, choice, seen }) => {
      const answer = choice === undefined ? 'none of the known choices' : choiceWords(gap, choice);
      return `- ${prose(section)} ${prose(question)} **${prose(answer)}** (seen: ${code(seen)})`;
    });
  const known = Object.keys(observedProfile).length;
  const asProfile = `${counted(known, 'choice')} as a profile, with which \`agent-contract mock --profile FILE\` answers like this target: \`observedProfile\` in the JSON report.`;
  return [
    '### Observed choices',
    folded(
      `${counted(items.length, 'question')} that the specification leaves open, so no answer is a failure`,
      [items.join('\n'), ...(known === 0 ? [] : [asProfile])].join('\n\n'),
    ),
  ];
}

function created(report: Report): string[] {
  if (report.created.length === 0) return [];
  const items = report.created.map(({ kind, id, name }) => `- ${kind} ${code(id)} ${code(name)}`);
  return [
    '### Created on the target',
    folded(`${counted(items.length, 'thing')} that no operation of the service deletes`, items.join('\n')),
  ];
}

/** `summary` is already HTML. */
function folded(summary: string, inner: string): string {
  return `<details><summary>${summary}</summary>\n\n${inner}\n\n</details>`;
}

function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}

/** Readers of Markdown miss the end of a code span with a longer run of backticks. */
const LONGEST_RUN = 16;

/** Text from the target as a code span, so that nothing in it becomes Markdown, HTML, a link or a mention. */
function code(text: string): string {
  const shown = visible(shortened(text)).replace(/`+/g, (run) =>
    run.length > LONGEST_RUN ? String.raw`\u0060`.repeat(run.length) : run,
  );
  if (shown.trim() === '') return shown === '' ? '_nothing_' : '_blanks_';
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/**
 * Plain text: escapes what would become Markdown, HTML or mathematics, and breaks mentions and references with a
 * zero-width space.
 */
function prose(text: string): string {
  return visible(shortened(text.trim()))
    .replace(/[\\`*_{}[\]<>#|~&@!:^=]/g, String.raw`\$&`)
    .replace(/\\([@#])/g, '\\$1&#8203;')
    .replace(/^(\d*)([.)+-])/, String.raw`$1\$2`)
    .replace(/www\./gi, String.raw`www\.`)
    .replaceAll('$', '<span>$</span>');
}

/** The same for a line of HTML, where Markdown does not apply. */
function tagged(text: string): string {
  return visible(shortened(text)).replace(/[^\w ,;'"()/?\u0080-\u{10ffff}-]/gu, (mark) => {
    const entity = `&#${mark.charCodeAt(0)};`;
    return mark === '@' || mark === '#' ? `${entity}&#8203;` : entity;
  });
}
