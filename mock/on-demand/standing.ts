import type { EndpointId } from '../../spec/index.ts';
import { MockError } from '../mock-error.ts';
import { checkOn, checkStep, type PlanRequest, type PlanStep } from './plans.ts';

/** An answer to every request to one endpoint, or to all, until it is removed. */
export interface StandingAnswer {
  readonly on: PlanRequest['on'];
  readonly answer: Omit<PlanStep, 'times'>;
}

export type StandingAnswers = ReturnType<typeof createStandingAnswers>;

export function createStandingAnswers() {
  const answers = new Map<PlanRequest['on'], StandingAnswer['answer']>();
  return {
    /** Replaces an earlier one. An answer for one endpoint takes precedence over that for all. @throws MockError */
    set(on: PlanRequest['on'], answer: StandingAnswer['answer']): void {
      checkOn(on, 'A standing answer is for');
      checkStep(answer, on, 'answer');
      if ('times' in answer) throw new MockError('answer/times: a standing answer stays; a plan counts.');
      answers.set(on, answer);
    },
    remove: (on: PlanRequest['on']): boolean => answers.delete(on),
    clear: (): void => answers.clear(),
    list: (): readonly StandingAnswer[] => [...answers].map(([on, answer]) => ({ on, answer })),
    of: (endpoint: EndpointId): StandingAnswer['answer'] | undefined => answers.get(endpoint) ?? answers.get('every'),
  };
}
