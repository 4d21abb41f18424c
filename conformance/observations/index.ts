import { access } from './access.ts';
import { answers } from './answers.ts';
import { bodies } from './bodies.ts';
import { lists } from './lists.ts';
import type { Observer } from './observe.ts';
import { queries } from './queries.ts';
import { rateLimit, unauthorized } from './refusals.ts';

/** Everything that is observed about open choices. */
export const observers: readonly Observer[] = [
  ...answers,
  ...lists,
  ...queries,
  ...bodies,
  ...access,
  unauthorized,
  rateLimit,
];
