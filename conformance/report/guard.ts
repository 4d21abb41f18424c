import { findSecrets } from '../http/canary.ts';
import { createRedactor, type Secret } from './redact.ts';

/** Stands for a text that would have shown a secret even when redacted. */
export const WITHHELD = 'agent-contract withheld this output, since it would have shown a secret.\n';

/**
 * The last thing that every text passes before it leaves the process. It normally changes nothing.
 * @param secrets more may be added later
 * @param onLeak is told of each text that held one: redaction has missed it
 */
export function createGuard(secrets: readonly Secret[], onLeak: () => void = () => undefined) {
  return (text: string): string => {
    const found = findSecrets(text, secrets);
    if (found.length === 0) return text;
    onLeak();
    const redacted = createRedactor(found).text(text);
    return findSecrets(redacted, secrets).length === 0 ? redacted : WITHHELD;
  };
}
