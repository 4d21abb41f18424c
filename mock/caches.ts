import type { EndpointId } from '../spec/index.ts';
import { createValidators, type Validators } from './wording/validators.ts';
import { createRenderings, type Renderings } from './service/renderings.ts';
import { createUniverses, type WorldOptions } from './store/universes.ts';
import { createAnswerCheck, type Warning } from './teaching/warnings.ts';
import type { Universe } from '../fixtures/index.ts';
import type { Wire } from './wire/wire.ts';

/** What a mock has generated, rendered, compiled and validated. It depends on nothing else, so several mocks may share it. */
export interface Caches {
  readonly universe: (options: WorldOptions) => Universe;
  readonly renderings: Renderings;
  readonly validators: Validators;
  readonly warningsOfAnswer: (endpoint: EndpointId, wire: Wire) => readonly Warning[];
}

export function createCaches(): Caches {
  const renderings = createRenderings();
  return {
    universe: createUniverses(),
    renderings,
    validators: createValidators(),
    warningsOfAnswer: createAnswerCheck(renderings),
  };
}
