import type { CallParameters } from '../asking/api.ts';
import type { Asking } from '../asking/asking.ts';
import { CannotAsk } from '../asking/cannot-ask.ts';
import type { Ask } from '../check.ts';
import type { EndpointId } from '../../spec/index.ts';
import type { Answered } from '../history/exchange.ts';
import type { Facts } from '../history/facts.ts';
import type { Observe, Observer } from './observe.ts';

/** A request that differs in one thing from one that was accepted, and what its answer tells. */
export interface Question {
  readonly endpoint: EndpointId;
  /** The one thing, in words; no other question has the same. */
  readonly differs: string;
  readonly lane: Ask['lane'];
  /** The accepted request, and what is asked beside it; nothing where it makes no sense to ask. @throws CannotAsk */
  readonly ask: (t: Asking) => Promise<{ readonly twin: Answered; readonly parameters: CallParameters } | undefined>;
  readonly note: (observe: Observe, exchange: Answered, facts: Facts) => void;
}

/** Asks a question, and hears the answer only beside its accepted twin: one refusal alone is no choice. */
export const asked = ({ endpoint, differs, lane, ask, note }: Question): Observer => ({
  asks: [
    {
      phase: 'open',
      lane,
      async send(t) {
        const about = await ask(t);
        if (!about) return;
        const { twin, parameters } = about;
        await t.once(keyOf(endpoint, differs), () =>
          t.api.call(endpoint, { open: true, ...parameters, twin, differs }),
        );
      },
    },
  ],
  watch: (facts, observe) => {
    const accepted = new Set<number>();
    return {
      see(exchange) {
        if (exchange.answer.accepted && accepted.size < MAX_TWINS) accepted.add(exchange.n);
        const isAnswer = exchange.endpoint === endpoint && exchange.differs === differs;
        if (!isAnswer || exchange.twin === undefined || !accepted.has(exchange.twin)) return;
        // What is answered to everybody now and then is no answer to the question.
        if (exchange.answer.status !== 429 && exchange.answer.status < 500) note(observe, exchange, facts);
      },
    };
  },
});

const keyOf = (endpoint: EndpointId, differs: string): string => `question ${endpoint} ${differs}`;

/** What another question of this round was answered with. @throws CannotAsk where it was not asked. */
export const answerTo = (t: Asking, endpoint: EndpointId, differs: string): Promise<Answered> =>
  t.once(keyOf(endpoint, differs), () => Promise.reject(new CannotAsk('Another question was not asked.')));

const MAX_TWINS = 5_000;

export const seenAs = ({ answer }: Answered): string =>
  answer.accepted ? 'accepted' : `refused with ${answer.status}`;
