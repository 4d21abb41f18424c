import type { CheckReport, Report } from '../../report/report.ts';
import { triggerIds } from '../../../spec/index.ts';
import { counted, cutTo, duration, grouped, optional } from '../../show.ts';
import { choiceWords, compareSections, depthOf, reasonOf, unjudgedBySupply } from '../wording/wording.ts';
import { findingLine, placeWords } from '../../report/findings.ts';
import words from '../wording/words.json';
import { firstOf, type Entry, type Line, type LinePiece, type OutlineOptions } from './line.ts';

/** A part of a report beside its checks. */
export interface Section {
  /** A word that a page can use as an id. */
  readonly id: string;
  readonly title: string;
  readonly hint?: string;
  readonly entries: readonly Entry[];
  readonly remark?: string | undefined;
  readonly block?: string | undefined;
}

export function sectionsOf(report: Report, { isShort = false, isBrief = false }: OutlineOptions): Section[] {
  const { latency = [], excused = [], created } = report;
  const entries: Readonly<Record<keyof typeof words.sections, readonly Entry[]>> = {
    causes: causes(report),
    'server-errors': serverErrors(report, isShort),
    'not-judged': notJudged(report, isBrief),
    observations: observed(report, isShort),
    levels: levels(report),
    evidence: evidence(report, isShort),
    met: met(report),
    latency: latency.map(({ endpoint, answers, medianMs, slowestMs }) => {
      const took = `: ${counted(answers, 'answer')}, median ${duration(medianMs)}, slowest ${duration(slowestMs)}`;
      return { line: [{ literal: endpoint }, took] };
    }),
    excused: excused.map(({ count, why }) => ({ line: [`${counted(count, 'answer')}: ${why}`] })),
    created: created.map(({ kind, id, name }) => {
      return { line: [kind.padEnd(9), ' ', { literal: id }, '  ', { literal: name }] };
    }),
  };
  const more: Partial<Record<string, Partial<Section>>> = { observations: profileOf(report, isShort) };
  return (Object.keys(words.sections) as (keyof typeof words.sections)[])
    .map((id): Section => ({ id, ...words.sections[id], entries: entries[id], ...more[id] }))
    .filter((section) => section.entries.length > 0);
}

function profileOf({ observedProfile }: Report, isShort: boolean): Partial<Section> {
  const known = Object.keys(observedProfile).length;
  if (known === 0) return {};
  const remark = `${counted(known, 'choice')} as a profile, ${TO_USE}`;
  return { remark, block: isShort ? undefined : JSON.stringify(observedProfile, null, 2) };
}

const TO_USE = 'with which mock --profile FILE answers like this target: observedProfile in the JSON report';

function causes({ causes: all = [], checks }: Report): readonly Entry[] {
  const shared = all.filter((cause) => cause.checks.length > 1 || cause.consequences !== undefined);
  return shared.map((cause) => {
    const links = cause.checks.flatMap((id): Line => [', ', linkTo(checks, id)]).slice(1);
    const consequences = (cause.consequences ?? []).map((id): Entry => {
      return { line: ['so also fails: ', linkTo(checks, id)] };
    });
    const line = [{ literal: findingLine(cause) }, { quiet: ` (${cause.requirement})` }];
    return { line, below: [{ line: links }, ...consequences] };
  });
}

function linkTo(checks: readonly CheckReport[], id: string): LinePiece {
  return checks.some((check) => check.id === id) ? { check: id, title: id } : { literal: id };
}

function serverErrors({ serverErrors: errors }: Report, isShort: boolean): readonly Entry[] {
  const { count, shown } = errors ?? { count: 0, shown: [] };
  // The JSON report has all of a command.
  const longest = isShort ? 300 : 2000;
  const { first } = firstOf(shown, 'serverErrors', isShort);
  const entries = first.map(({ status, curl }): Entry => {
    return { line: [{ strong: String(status) }, '  ', { literal: cutTo(longest, curl) }] };
  });
  const hidden = count - first.length;
  if (hidden > 0) entries.push({ line: [`and ${hidden} more`] });
  return entries;
}

function notJudged({ outcome, checks, requests }: Report, isBrief: boolean): readonly Entry[] {
  // If every request was refused, the summary says it all.
  if (outcome === 'unreachable') return [];
  const all = unjudgedBySupply(checks).map(({ supply, reasons }): Entry => ({
    line: supply === undefined ? ['Nothing that you can supply would help:'] : ['To judge these: ', { strong: supply }],
    below: reasons.map(({ says, checks: some }): Entry => {
      if (isBrief) return { line: [`${counted(some.length, 'check')}: `, { quiet: says }] };
      return { line: [{ quiet: says }], below: some.map(({ id, title }) => ({ line: [{ check: id, title }] })) };
    }),
  }));
  // If nothing was sent, what is needed first says it all.
  return isBrief && requests === 0 ? all.slice(0, 1) : all;
}

function observed({ observations }: Report, isShort: boolean): readonly Entry[] {
  const inOrder = observations.toSorted((one, other) => compareSections(one.section, other.section));
  return inOrder.map(({ gap, section, question, choice, seen }) => {
    const meant: LinePiece = { quiet: optional` (${!isShort && choice && choiceWords(gap, choice)})` };
    const answer = { strong: choice ?? 'none of the known choices' };
    return { line: [{ quiet: section.padEnd(5) }, ' ', question, ' → ', answer, meant, ': ', { literal: seen }] };
  });
}

function evidence(report: Report, isShort: boolean): readonly Entry[] {
  const { typed, seen, nulls } = depthOf(report);
  if (typed === 0) return [];
  const below = report.evidence.map((one): Entry => {
    const { first, rest } = firstOf(one.neverSeen.map(placeWords), 'neverSeen', isShort);
    const list = listOf('never seen', [...first, optional`and ${rest} more`].filter(Boolean));
    return {
      line: [{ literal: one.schema }, `: ${one.seenValid} of ${one.typed}${asNulls(one.seenNull)}`],
      list: one.neverSeen.length === one.typed ? listOf('never seen', ['all of it']) : list,
    };
  });
  return [{ line: [`judged ${grouped(seen)} of ${grouped(typed)} typed locations${asNulls(nulls)}`], below }];
}

function met({ met: all }: Report): readonly Entry[] {
  const { combinations = [], kinds = [], triggers = [] } = all ?? {};
  const entries = combinations.map(({ size, met: seen, of, unmet }): Entry => {
    const what = `Combinations of ${size} of the form`.replace('Combinations of 2 ', 'Pairs ');
    return {
      line: [`${what} of a request and of what it asks for: ${grouped(seen)} of ${grouped(of)}`],
      list: listOf('not met', unmet),
    };
  });
  if (kinds.length > 0) {
    const of = kinds.reduce((sum, one) => sum + one.kinds.length * one.fields.length, 0);
    const missed = kinds.reduce((sum, { unmet }) => sum + unmet.length, 0);
    entries.push({
      line: [`Fields with a kind of value: ${grouped(of - missed)} of ${grouped(of)}`],
      below: kinds.map(({ type, kinds: some, fields, unmet }) => ({
        line: [{ literal: type }, `: ${counted(fields.length, 'field')}, each with ${some.join(', ')}`],
        list: listOf('not met', unmet),
      })),
    });
  }
  if (triggers.length > 0)
    entries.push({
      line: [`Conditions under which servers fail: ${triggers.length} of ${triggerIds.length}`],
      list: { title: 'met', literals: triggers },
    });
  return entries;
}

function listOf(title: string, literals: readonly string[]): Entry['list'] {
  return literals.length > 0 ? { title, literals } : undefined;
}

const asNulls = (count: number): string => optional`, ${count > 0 && grouped(count)} seen as null`;

function levels({ levels: all = [] }: Report): readonly Entry[] {
  const states = { held: 'held', broken: 'broken', 'not-judged': 'not judged' } as const;
  return all.map(({ id, title, claimed, status, pass, of, missing }) => {
    const state = { strong: optional`claimed and ${claimed && states[status]}` || states[status] };
    const tally = `, ${pass} of ${counted(of, 'check')} passed${optional`; missing: ${missing}`}`;
    return { line: [{ literal: id }, ' ', state, tally, { quiet: ` (${title})` }] };
  });
}

export function baselineSection({ baseline, checks }: Report): Section | undefined {
  if (!baseline) return undefined;
  const { known, news } = baseline;
  const { first, rest } = firstOf(news, 'news', true);
  const entries: Entry[] = [
    ...known.map((entry): Entry => {
      const { check, at, status = 'fail' } = entry;
      const word = { fail: 'known', 'not-judged': 'known, not judged' }[status];
      return { line: [{ quiet: `${word}  ` }, linkTo(checks, check), ...placeOf(at), ': ', reasonOf(entry)] };
    }),
    ...first.map(({ kind, check, at, says, entry }): Entry => {
      const place = placeOf(at ?? entry?.at);
      return { line: [{ strong: words.news[kind] }, '  ', linkTo(checks, check), ...place, ': ', says] };
    }),
  ];
  if (rest > 0) entries.push({ line: [`and ${grouped(rest)} more`] });
  let remark = `${news.length} of these are new, and fail the run.`;
  if (news.length === 1) remark = '1 of these is new, and fails the run.';
  if (news.length === 0) remark = `Nothing is new: ${counted(known.length, 'finding')} known.`;
  return { id: 'baseline', title: 'Compared with the baseline', entries, remark };
}

function placeOf(at: string | undefined): Line {
  return at === undefined ? [] : [' at ', { literal: placeWords(at) }];
}
