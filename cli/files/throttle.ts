/**
 * Does `work` soon after it was asked for: one run at a time, for whatever was asked meanwhile, and with a pause of so many
 * milliseconds between two. `work` must not reject.
 */
export function throttled(
  work: () => Promise<void>,
  pause: number,
): {
  readonly ask: () => void;
  /** Does at once what was asked for and is not done yet. */
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
