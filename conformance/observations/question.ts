import type { ChoiceOf, EndpointId, GapId } from '../../spec/index.ts';
import type { Facts } from '../history/facts/facts.ts';
import { readResultsPage } from '../history/facts/page.ts';
import type { Answered } from '../http/exchange.ts';
import type { CallParameters } from '../probes/api/request.ts';
import { acceptedRequest } from '../probes/prerequisites.ts';
import { probeOf, queueOf, type Run } from '../probes/probe.ts';
import type { Note, Observer } from './observe.ts';

/** A request that differs in one thing from an accepted one, and what its answer shows. */
export interface Question {
  readonly endpoint: EndpointId;
  /** The difference, in words, unique to this question. */
  readonly differs: string;
  /** Without a twin, it is beside the plain valid request; `undefined` if it makes no sense here. @throws CannotProbe */
  readonly parameters: (run: Run) => CallParameters | undefined | Promise<CallParameters | undefined>;
  readonly note: Note;
}

/** The answer to a question, which is sent once in a round; `undefined` if it is not sent. */
export const answerToQuestion = (run: Run, question: Question): Promise<Answered | undefined> =>
  run.once(`question ${question.endpoint} ${question.differs}`, async () => {
    const { endpoint, differs } = question;
    const parameters = await question.parameters(run);
    if (!parameters) return undefined;
    const { twin = await acceptedRequest(run, endpoint), ...rest } = parameters;
    return run.call(endpoint, { open: true, ...rest, twin, differs });
  });

/** Sends a question, and reports its answer only beside the accepted twin: one refusal alone shows no choice. */
export const observerOf = (question: Question): Observer => ({
  probes: [probeOf('open', queueOf(question.endpoint), (run) => answerToQuestion(run, question))],
  see(observe, exchange, facts) {
    const { endpoint, differs, twin } = exchange;
    if (differs !== question.differs || endpoint !== question.endpoint) return;
    if (twin === undefined || !facts.traffic.acceptedOnes.has(twin)) return;
    question.note(observe, exchange, facts);
  },
});

export function isEmptyPage(exchange: Answered): boolean {
  const page = readResultsPage(exchange);
  return typeof page === 'object' && page.count === 0;
}

export function seenAs({ answer }: Answered): string {
  if (answer.accepted) return 'accepted';
  return `refused with ${answer.status}`;
}

/** What an accepted answer shows: the choice, and how it was seen. `undefined` if it shows nothing. */
type Shows<G extends GapId> = (
  exchange: Answered,
  facts: Facts,
) => readonly [choice: ChoiceOf<G> | undefined, seen?: string] | undefined;

/** Notes what an accepted answer shows, or that the request is refused. `what` begins the sentence: `P1D is refused`. */
export function byAnswer<G extends GapId>(gap: G, refused: ChoiceOf<G> | undefined, shows: Shows<G>, what = ''): Note {
  return (observe, exchange, facts) => {
    const shown = exchange.answer.accepted ? shows(exchange, facts) : ([refused] as const);
    if (shown) observe(gap, shown[0], shown[1] ?? `${what}${seenAs(exchange)}`);
  };
}

/** Notes one choice if the request is accepted, and another if it is refused: `icon: null is` accepted. */
export function byAcceptance<G extends GapId>(gap: G, what: string, accepted: ChoiceOf<G>, refused: ChoiceOf<G>): Note {
  return byAnswer(gap, refused, () => [accepted], `${what} `);
}
