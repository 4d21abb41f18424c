/** Runs `work`, which must not reject, once for all requests of so many milliseconds, at their end, and never twice at a time. */
export function throttled(work: () => Promise<void>, pause: number) {
  let isRequested = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const begin = (): Promise<void> => {
    clearTimeout(timer);
    running = running.then(() => {
      timer = undefined;
      if (!isRequested) return undefined;
      isRequested = false;
      return work();
    });
    return running;
  };
  return {
    request: (): void => {
      isRequested = true;
      timer ??= setTimeout(() => void begin(), pause);
    },
    /** Runs pending work at once. */
    finish: begin,
  };
}
