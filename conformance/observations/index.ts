import { accessObservers } from './access.ts';
import { answerObservers } from './answers.ts';
import { bodyObservers } from './bodies.ts';
import { listObservers } from './lists.ts';
import type { Observer } from './observe.ts';
import { queryObservers } from './queries.ts';
import { rateLimitObserver, unauthorizedObserver } from './refusals.ts';

export const observers: readonly Observer[] = [
  ...answerObservers,
  ...listObservers,
  ...queryObservers,
  ...bodyObservers,
  ...accessObservers,
  unauthorizedObserver,
  rateLimitObserver,
];
