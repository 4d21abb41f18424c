import { once } from 'node:events';

/** The signal that aborted, or SIGTERM if something else did. */
export function signalOf({ reason }: AbortSignal): NodeJS.Signals {
  const { signal } = Object(reason) as { readonly signal?: unknown };
  if (signal === 'SIGINT') return signal;
  return 'SIGTERM';
}

/** Resolves when the user wants the program to stop. */
export async function interrupted(signal: AbortSignal = new AbortController().signal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Resolves with the first error that nothing caught, which does not end the process then. */
export function nextUncaught(): { readonly error: Promise<string>; readonly ignore: () => void } {
  let ignore = (): void => undefined;
  const error = new Promise<string>((resolve) => {
    const listener = (thrown: unknown): void => resolve(String(thrown).slice(0, 500));
    process.on('uncaughtException', listener);
    ignore = () => process.off('uncaughtException', listener);
  });
  return { error, ignore };
}
