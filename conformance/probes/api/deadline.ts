import { TransportError } from '../../../http/explain-failure.ts';
import type { Transport, HttpRequest, HttpAnswer } from '../../../http/exchange.ts';

/**
 * Sends a request, and waits at most `ms` milliseconds. @throws TransportError if no complete answer arrives in time,
 * or if the run was stopped.
 */
export async function withDeadline(
  transport: Transport,
  request: HttpRequest,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // Rejects before the request is aborted, since an abort has a reason of its own.
      reject(new TransportError('timeout', `No complete answer arrived within ${Math.round(ms)} ms.`));
      controller.abort();
    }, ms);
    controller.signal.addEventListener('abort', () => reject(new TransportError('other', 'The run was stopped.')));
  });
  try {
    return await Promise.race([transport(request, controller.signal), overdue]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
