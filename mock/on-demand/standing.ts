import type { MockRequest } from '../call.ts';
import { MockError } from '../mock-error.ts';
import type { EndpointRoute } from '../service/route.ts';
import type { Match } from '../generated/patterns.ts';
import { checkMatch, checkOn, checkStep, matches, type PlanRequest, type PlanStep } from './plans.ts';

/** An answer to every request to one endpoint, or to all, until it is removed. */
export interface StandingAnswer {
  readonly on: PlanRequest['on'];
  /** For which of these requests. Default: for all. */
  readonly match?: Match;
  readonly answer: Omit<PlanStep, 'times'>;
}

export interface StandingAnswers extends ReturnType<typeof createStandingAnswers> {}

export function createStandingAnswers() {
  const answers = new Map<PlanRequest['on'], StandingAnswer>();
  return {
    /** Replaces an earlier one. An answer for one endpoint takes precedence over that for all. @throws MockError */
    set(on: PlanRequest['on'], answer: StandingAnswer['answer'], match?: Match): void {
      checkOn(on, 'A standing answer is for');
      checkStep(answer, on, 'answer');
      if ('times' in answer) throw new MockError('answer/times: a standing answer stays; a plan counts.');
      checkMatch(match, 'match: ');
      answers.set(on, { on, match, answer });
    },
    remove: answers.delete.bind(answers),
    clear: answers.clear.bind(answers),
    list: (): readonly StandingAnswer[] => [...answers.values()],
    of({ endpoint, agentId }: EndpointRoute, request: MockRequest): StandingAnswer['answer'] | undefined {
      const possible = [answers.get(endpoint), answers.get('every')];
      return possible.find((one) => one && matches(one.match ?? {}, agentId, request))?.answer;
    },
  };
}
