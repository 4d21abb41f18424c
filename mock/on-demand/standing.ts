import { abridged } from '../wording/slips.ts';
import { endpointIds, type EndpointId } from '../../spec/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { MockError } from '../mock-error.ts';
import { checkStep, type PlanRequest, type PlanStep } from './plans.ts';

/** An answer to every request to one endpoint, or to all, until it is removed. */
export interface StandingAnswer {
  readonly on: PlanRequest['on'];
  readonly answer: Omit<PlanStep, 'times'>;
}

export interface StandingAnswers {
  /** Replaces an earlier one. An answer for one endpoint takes precedence over that for all. @throws MockError */
  set(on: PlanRequest['on'], answer: StandingAnswer['answer']): void;
  remove(on: PlanRequest['on']): boolean;
  clear(): void;
  list(): readonly StandingAnswer[];
  of(endpoint: EndpointId): StandingAnswer['answer'] | undefined;
}

export function createStandingAnswers(): StandingAnswers {
  const answers = new Map<PlanRequest['on'], StandingAnswer['answer']>();
  return {
    set(on, answer) {
      checkStep(answer, checkOn(on), 'answer');
      if ('times' in answer) throw new MockError('answer/times: a standing answer stays; a plan counts.');
      answers.set(on, answer);
    },
    remove: (on) => answers.delete(on),
    clear: () => answers.clear(),
    list: () => [...answers].map(([on, answer]) => ({ on, answer })),
    of: (endpoint) => answers.get(endpoint) ?? answers.get('every'),
  };
}

/** @throws MockError for a name that is neither an endpoint nor "every". */
function checkOn(on: PlanRequest['on']): PlanRequest['on'] {
  if (on === 'every' || endpointIds.includes(on)) return on;
  const given: unknown = on;
  throw new MockError(
    `A standing answer is for an endpoint (${endpointIds.join(', ')}) or "every"; this is ${abridged(given)}.${didYouMean(typeof given === 'string' ? given : '', [...endpointIds, 'every'])}`,
  );
}
