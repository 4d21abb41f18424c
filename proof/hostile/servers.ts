import { hostile } from './hostile.ts';
import { living } from './living.ts';
import type { ServerBehaviours, Unusual } from './serve.ts';

/** A server that the program is tried on. */
export interface TriedServer extends Unusual {
  /** Completes "a server that ...". */
  readonly name: string;
  /** Whether it keeps the contract, so that nothing may fail. Any other is never conformant. */
  readonly isCompliant: boolean;
  /** Milliseconds for an answer, and for the run. */
  readonly timeoutMs: number;
  readonly maxTimeMs: number;
}

const rows = (
  behaviours: ServerBehaviours,
  expected: (one: Unusual) => Omit<TriedServer, 'name' | 'start'>,
): TriedServer[] =>
  Object.entries(behaviours).map(([name, behaviour]) => {
    const one = typeof behaviour === 'function' ? { start: behaviour } : behaviour;
    return { name, ...expected(one), ...one };
  });

/** Every server that the program is tried on. */
export const servers: readonly TriedServer[] = [
  ...rows(hostile, ({ hangs, isHeavy }) => ({
    isCompliant: false,
    timeoutMs: hangs ? 100 : 2000,
    maxTimeMs: isHeavy ? 500 : 1000,
  })),
  ...rows(living, () => ({ isCompliant: true, timeoutMs: 5000, maxTimeMs: 20_000, formats: ['json'] })),
];
