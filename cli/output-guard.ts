import { createGuard } from '../conformance/report/guard.ts';
import type { Secret } from '../conformance/report/redact.ts';
import type { Io, Output } from './io.ts';

/** Looks for secrets, to which a command may add, in everything on standard output and error. */
export function guardOutput(io: Io, secrets: readonly Secret[]) {
  let leaks = 0;
  /** The text, normally unchanged; without its secrets if one was left in it. */
  const clean = createGuard(secrets, () => {
    leaks++;
    if (leaks === 1)
      io.stderr.write(
        'error: An output would have shown a secret. This is a bug in agent-contract. Please report it.\n',
      );
  });
  const guarded = (output: Output): Output =>
    Object.create(output, { write: { value: (text: string) => output.write(clean(text)) } }) as Output;
  return {
    io: { ...io, stdout: guarded(io.stdout), stderr: guarded(io.stderr) } as Io,
    clean,
    /** Whether a secret was found. That is never the target's fault. */
    hasLeaked: () => leaks > 0,
  };
}
