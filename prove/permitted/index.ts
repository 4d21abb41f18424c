import { agents } from './agents.ts';
import { credentials } from './credentials.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import type { Permitted } from './server.ts';
import { times } from './times.ts';

/** Behaviour of compliant servers that a check once blamed, or might blame. Nothing fails on any of it. */
export const permitted: ReadonlyMap<string, Permitted> = new Map(
  Object.entries({ ...credentials, ...times, ...lists, ...agents, ...limits }).map(([does, server]) => [
    does,
    typeof server === 'function' ? { wrap: server } : server,
  ]),
);
