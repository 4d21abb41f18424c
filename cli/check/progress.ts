import type { Progress } from '../../conformance/run-options.ts';
import type { Output } from '../io.ts';

/** A line that is overwritten on a terminal; nothing elsewhere. */
export function createProgress(output: Output): { show(progress: Progress): void; clear(): void } {
  const erase = '\r\u001b[2K';
  let isShown = false;
  return {
    show({ requests, round }) {
      if (output.isTTY !== true) return;
      isShown = true;
      const line = `${round > 1 ? `round ${round}, ` : ''}${requests} requests`;
      output.write(`${erase}${line.slice(0, (output.columns ?? 80) - 1)}`);
    },
    clear() {
      if (isShown) output.write(erase);
      isShown = false;
    },
  };
}
