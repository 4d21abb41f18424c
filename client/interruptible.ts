/**
 * Runs `work` until it is done or the first of `signals` is aborted. Its own signal tells `work` when to stop.
 * @throws what `work` throws, or the reason of the aborted signal
 */
export async function interruptible<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const given = signals.filter((signal) => signal !== undefined);
  for (const signal of given) signal.throwIfAborted();
  const stop = new AbortController();
  const onAbort = (event: Event): void => stop.abort((event.target as AbortSignal).reason);
  for (const signal of given) signal.addEventListener('abort', onAbort);
  try {
    // A race, because a given fetch or clock may ignore its signal.
    return await Promise.race([rejectionOf(stop.signal), work(stop.signal)]);
  } finally {
    for (const signal of given) signal.removeEventListener('abort', onAbort);
  }
}

const rejectionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
