/** Why the program must stop: a signal. */
export const interruption = (signal: NodeJS.Signals): Error => Object.assign(new Error('interrupted'), { signal });

/** The signal that aborted, or SIGTERM if something else did. */
export function signalOf({ reason }: AbortSignal): NodeJS.Signals {
  const known = typeof reason === 'object' && reason !== null && 'signal' in reason ? reason.signal : undefined;
  if (known === 'SIGINT') return 'SIGINT';
  return 'SIGTERM';
}

/** Resolves when the user wants the program to stop. */
export const interrupted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    if (signal?.aborted === true) done();
    signal?.addEventListener('abort', () => done(), { once: true });
  });
