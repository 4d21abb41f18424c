import { visible } from '../conformance/report/redact.ts';
import type { CheckReport } from '../conformance/report/report.ts';
import type { Output } from './io.ts';

/** A line that is written over and over on a terminal, and nothing at all elsewhere. */
export function createProgress(output: Output): {
  show(check: CheckReport, progress: { readonly done: number; readonly total: number }): void;
  clear(): void;
} {
  const erase = '\r\u001b[2K';
  let failed = 0;
  let isShown = false;
  return {
    show({ title, status }, { done, total }) {
      if (status === 'fail') failed++;
      if (output.isTTY !== true) return;
      isShown = true;
      const line = `${done}/${total}${failed > 0 ? `, ${failed} failed` : ''}  ${visible(title)}`;
      output.write(`${erase}${line.slice(0, (output.columns ?? 80) - 1)}`);
    },
    clear() {
      if (isShown) output.write(erase);
      isShown = false;
    },
  };
}
