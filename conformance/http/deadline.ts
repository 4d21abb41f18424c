import { TransportError } from '../../http/explain-failure.ts';

/** Works until `ms` are over (`late` says what that means), `sooner` if in vain, or until a stop. @throws TransportError */
export async function withDeadline<T>(
  ms: number,
  late: string,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<T>,
  sooner = { ms, late, isInVain: (): boolean => false },
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(stopped(signal));
  const end = (why: string): void => controller.abort(new TransportError('timeout', why));
  const timers = [setTimeout(() => end(late), ms), setTimeout(() => sooner.isInVain() && end(sooner.late), sooner.ms)];
  signal?.addEventListener('abort', stop);
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as TransportError));
  });
  if (signal?.aborted === true) stop();
  try {
    return await Promise.race([aborted, work(controller.signal)]);
  } catch (error) {
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    timers.forEach(clearTimeout);
    signal?.removeEventListener('abort', stop);
  }
}

function stopped(signal: AbortSignal | undefined): TransportError {
  const cause: unknown = signal?.reason;
  if (Object(cause).name === 'TimeoutError')
    return new TransportError('timeout', 'The time for the run was over before the answer was complete.', { cause });
  return new TransportError('other', 'The run was stopped before the answer was complete.', { cause });
}
