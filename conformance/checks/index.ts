import type { Check } from '../check.ts';
import { endpointChecks } from '../generated/checks.ts';
import { endpointIds } from '../../spec/index.ts';
import { doesNotFail } from './failing.ts';
import { authenticationChecks } from './authentication.ts';

/** Every check, in the order in which it is reported. */
export const checks: readonly Check[] = [...endpointChecks, ...authenticationChecks, ...endpointIds.map(doesNotFail)];
