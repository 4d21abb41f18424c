import { UsageError } from '../conformance/usage-error.ts';
import { attempt, codeOf, messageOf } from '../text/errors.ts';
import { visible } from '../text/visible.ts';

export { attempt, codeOf, messageOf, UsageError };

/** The result of `work`. If it fails, `says` tells the user why, by {@link codeOf} the error. @throws UsageError */
export function readable<T>(work: () => T, says: (code: string) => string): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(says(codeOf(error)), { cause: error });
  }
}

/** An error of `listen` as the mistake of a user that it is, with the remedy; any other as it came. */
export function listenError(error: unknown, { port, host }: { readonly port: number; readonly host: string }): unknown {
  const noAddress = `--host: ${visible(JSON.stringify(host))} is not an address of this machine. 127.0.0.1 is one.`;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use. Stop whatever uses it, or choose another: --port 0 takes any free one.`,
    EACCES: `You may not use port ${port}. Choose one above 1023.`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
    // No name server answered.
    EAI_AGAIN: noAddress,
  };
  const reason = reasons[codeOf(error)];
  return reason === undefined ? error : new UsageError(reason, { cause: error });
}
