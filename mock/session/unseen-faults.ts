import { violations, type TriggerId, type ViolationId } from '../../spec/index.ts';
import type { Session } from './session.ts';

type Reason = (session: Session) => string | false;

const noResults: Reason = ({ target }) => target.agentId === '' && 'no agent of this world has results';
const noOtherMode: Reason = ({ target: { readToken, guestToken } }) =>
  readToken === undefined && guestToken === undefined && 'every token may write';

const ofTriggers: Partial<Record<TriggerId, Reason>> = {
  'after-a-second': ({ clock }) => clock.isFrozen && 'the clock is stopped; advance it after the first request',
  'read-tokens': noOtherMode,
  'given-agents': noResults,
};
const ofViolations: Partial<Record<ViolationId, Reason>> = {
  'get-agent-mode-always-guest': ({ target }) => target.readToken === undefined && 'no token may only read',
  'get-agent-mode-always-write': noOtherMode,
};

/** Which active faults cannot show as the session is, and why: a sentence for each. */
export function unseenFaults(session: Session): readonly string[] {
  return session.faults.flatMap((id) => {
    const [named = '', trigger = ''] = id.split('@');
    const violation = named.replace(/:.*/s, '') as ViolationId;
    const isOfLists = violations[violation]?.at.every((endpoint) => endpoint === 'list-results');
    const reasons = [ofTriggers[trigger as TriggerId], ofViolations[violation], isOfLists && noResults];
    const why = reasons.map((reason) => reason && reason(session)).find((one) => typeof one === 'string');
    return why === undefined ? [] : [`The fault ${id} cannot show: ${why}.`];
  });
}
