/** Runs `work`, which must not reject, soon after requests: one run for all of them, with a pause in ms between two runs. */
export function throttled(work: () => Promise<void>, pause: number) {
  let isRequested = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let ended = Number.NEGATIVE_INFINITY;

  const begin = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    isRequested = false;
    running = work().finally(() => {
      running = undefined;
      ended = performance.now();
      if (isRequested) plan();
    });
    return running;
  };
  const plan = (): void => {
    timer ??= setTimeout(() => void begin(), Math.max(0, ended + pause - performance.now()));
  };
  return {
    request: (): void => {
      isRequested = true;
      if (!running) plan();
    },
    /** Runs pending work at once. */
    finish: async (): Promise<void> => {
      await running;
      if (isRequested) await begin();
    },
  };
}
