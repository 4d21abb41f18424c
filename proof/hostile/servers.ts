import { hostile } from './hostile.ts';
import { living } from './living.ts';
import type { ServerBehaviour, ServerBehaviours } from './serve.ts';

export type TriedServer = (typeof servers)[number];

const rows = (behaviours: ServerBehaviours): (ServerBehaviour & { readonly name: string })[] =>
  Object.entries(behaviours).map(([name, behaviour]) =>
    typeof behaviour === 'function' ? { name, start: behaviour } : { name, ...behaviour },
  );

/** Servers with the milliseconds for an answer and the run. Only on a compliant one may nothing fail. */
export const servers = [
  ...rows(hostile).map((server) => ({
    isCompliant: false,
    timeoutMs: server.hangs ? 100 : 2000,
    maxTimeMs: server.isHeavy ? 500 : 1000,
    ...server,
  })),
  ...rows(living).map((server) => ({
    isCompliant: true,
    // None of them keeps a run waiting, and a busy machine must not end it.
    timeoutMs: 60_000,
    maxTimeMs: 600_000,
    formats: ['json'],
    ...server,
  })),
];
