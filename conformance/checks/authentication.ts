import type { Check } from '../check.ts';

/** Section 5: every endpoint refuses a caller who does not show a token that was issued. */
export const authenticationChecks: readonly Check[] = [];
