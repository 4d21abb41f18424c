import type { CallParameters } from '../probes/api/request.ts';
import type { Run } from '../probes/probe.ts';
import type { Probe } from '../probes/probe.ts';
import type { EndpointId } from '../../spec/index.ts';
import type { Answered } from '../http/exchange.ts';
import type { Facts } from '../history/facts/facts.ts';
import type { Observe, Observer } from './observe.ts';

/** A request that differs in one thing from an accepted one, and what its answer shows. */
export interface Question {
  readonly endpoint: EndpointId;
  /** The difference, in words, unique to this question. */
  readonly differs: string;
  readonly queue: Probe['queue'];
  /**
   * The accepted request and the question beside it; `undefined` if the question makes no sense here. @throws CannotProbe
   */
  readonly prepare: (run: Run) => Promise<{ readonly twin: Answered; readonly parameters: CallParameters } | undefined>;
  readonly note: (observe: Observe, exchange: Answered, facts: Facts) => void;
}

/** The answer to a question, which is asked once in a round; `undefined` if it is not asked. */
export const answerToQuestion = (run: Run, { endpoint, differs, prepare }: Question): Promise<Answered | undefined> =>
  run.once(`question ${endpoint} ${differs}`, async () => {
    const about = await prepare(run);
    return about && run.api.call(endpoint, { open: true, ...about.parameters, twin: about.twin, differs });
  });

/** Asks a question, and reports its answer only beside the accepted twin: one refusal alone shows no choice. */
export const observerOf = (question: Question): Observer => ({
  probes: [{ phase: 'open', queue: question.queue, send: async (run) => void (await answerToQuestion(run, question)) }],
  watch: (facts, observe) => {
    const accepted = new Set<number>();
    return {
      see(exchange) {
        if (exchange.answer.accepted && accepted.size < MAX_TWINS) accepted.add(exchange.n);
        const isAnswer = exchange.endpoint === question.endpoint && exchange.differs === question.differs;
        if (!isAnswer || exchange.twin === undefined || !accepted.has(exchange.twin)) return;
        // An answer that everybody gets now and then does not answer the question.
        if (exchange.answer.status !== 429 && exchange.answer.status < 500) question.note(observe, exchange, facts);
      },
    };
  },
});

const MAX_TWINS = 5_000;

export const seenAs = ({ answer }: Answered): string =>
  answer.accepted ? 'accepted' : `refused with ${answer.status}`;
