import { agents } from './agents.ts';
import { credentials } from './credentials.ts';
import { cursors } from './cursors.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import type { Permitted } from './server.ts';
import { times } from './times.ts';
import { writing } from './writing.ts';

export type { Permitted } from './server.ts';

/** What a compliant server may do that has blamed one, or may. Nothing fails on any of them. */
export const permitted: readonly Permitted[] = [
  ...credentials,
  ...writing,
  ...lists,
  ...cursors,
  ...times,
  ...agents,
  ...limits,
];
