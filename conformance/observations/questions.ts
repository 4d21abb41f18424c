import type { ChoiceOf, EndpointId, GapId } from '../../spec/index.ts';
import type { Run } from '../probes/probe.ts';
import type { Note } from './observe.ts';
import { byAcceptance, type Question } from './question.ts';
import table from './questions.json';
import { alsoRefused, type RefusalReason } from './refusals.ts';

type Table = typeof table;

/** What a row of `questions.json` says of the question about a gap. */
interface Row {
  readonly endpoint: string;
  readonly differs: string;
  /** What an acceptance and a refusal show, if nothing else counts, in a sentence that begins so; and why it is refused. */
  readonly says?: string;
  readonly accepted?: string;
  readonly refused?: string;
  readonly reason?: string;
}

type Asks = (run: Run, differs: string) => ReturnType<Question['parameters']>;

/** How a question is asked; and what notes its answer, if more counts than whether it is accepted. */
type Asked = readonly [asks: Asks, note?: Note];

/** The questions of a group, by the gaps that they are about. */
export function questionsOf<Group extends keyof Table>(
  group: Group,
  asked: Readonly<Record<keyof Table[Group], Asked>>,
): Readonly<Record<keyof Table[Group], Question>> {
  const rows = Object.entries<Row>(table[group]) as [keyof Table[Group] & GapId, Row][];
  const questions = rows.map(([gap, row]): [string, Question] => {
    const [asks, note = noteOf(gap, row)] = asked[gap];
    const { endpoint, differs } = row;
    return [gap, { endpoint: endpoint as EndpointId, differs, parameters: (run) => asks(run, differs), note }];
  });
  return Object.fromEntries(questions) as Record<keyof Table[Group], Question>;
}

function noteOf(gap: GapId, { says = 'it is', accepted, refused, reason }: Row): Note {
  const note = byAcceptance(gap, says, accepted as ChoiceOf<GapId>, refused as ChoiceOf<GapId>);
  if (reason === undefined) return note;
  return alsoRefused(reason as RefusalReason, note);
}
