import { hostile } from './hostile.ts';
import { living } from './living.ts';
import type { ServerBehaviour, ServerBehaviours } from './serve.ts';

/** A server that the program is tried on. */
export interface TriedServer extends ServerBehaviour {
  /** Completes "a server that ...". */
  readonly name: string;
  /** Whether it keeps the contract, so that nothing may fail. Any other is never conformant. */
  readonly isCompliant: boolean;
  /** Milliseconds for an answer, and for the run. */
  readonly timeoutMs: number;
  readonly maxTimeMs: number;
}

const rows = (behaviours: ServerBehaviours): (ServerBehaviour & { readonly name: string })[] =>
  Object.entries(behaviours).map(([name, behaviour]) =>
    typeof behaviour === 'function' ? { name, start: behaviour } : { name, ...behaviour },
  );

/** Every server that the program is tried on. */
export const servers: readonly TriedServer[] = [
  ...rows(hostile).map((server) => ({
    isCompliant: false,
    timeoutMs: server.hangs ? 100 : 2000,
    maxTimeMs: server.isHeavy ? 500 : 1000,
    ...server,
  })),
  ...rows(living).map((server) => ({
    isCompliant: true,
    timeoutMs: 5000,
    maxTimeMs: 20_000,
    formats: ['json'],
    ...server,
  })),
];
