/**
 * Runs `work` soon after a request: one run at a time, for all requests so far, with a pause in milliseconds between
 * two runs. `work` must not reject.
 */
export function throttled(
  work: () => Promise<void>,
  pause: number,
): {
  readonly ask: () => void;
  /** Runs pending work at once. */
  readonly finish: () => Promise<void>;
} {
  let isAsked = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let ended = Number.NEGATIVE_INFINITY;

  const run = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    isAsked = false;
    running = work().finally(() => {
      running = undefined;
      ended = performance.now();
      if (isAsked) plan();
    });
    return running;
  };
  const plan = (): void => {
    timer ??= setTimeout(() => void run(), Math.max(0, ended + pause - performance.now()));
  };
  return {
    ask() {
      isAsked = true;
      if (!running) plan();
    },
    async finish() {
      await running;
      if (isAsked) await run();
    },
  };
}
