import type { EndpointId } from '../../spec/index.ts';
import { MockError } from '../mock-error.ts';
import { checkOn, checkStep, type PlanRequest, type PlanStep } from './plans.ts';

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
      checkOn(on, 'A standing answer is for');
      checkStep(answer, on, 'answer');
      if ('times' in answer) throw new MockError('answer/times: a standing answer stays; a plan counts.');
      answers.set(on, answer);
    },
    remove: (on) => answers.delete(on),
    clear: () => answers.clear(),
    list: () => [...answers].map(([on, answer]) => ({ on, answer })),
    of: (endpoint) => answers.get(endpoint) ?? answers.get('every'),
  };
}
