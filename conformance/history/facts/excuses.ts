import { isReadingAgent, type ViolationId } from '../../../spec/index.ts';
import { isWithoutAccess, type Exchange } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import type { Agents } from './agents.ts';
import { wordOf } from './failures.ts';

/** One excuse: answers that it explains, so that no check fails because of them. */
interface Excuse {
  /** Completes "12 answers were excused:". */
  readonly excuses: string;
  /** What it could hide. */
  readonly couldHide: string;
  /** The violation that is caught all the same: it is what the excuse could hide. */
  readonly shownBy: ViolationId;
  /** The permitted server that needs it, by its name in `prove/permitted`. */
  readonly permits: string;
}

/** The inventory of excuses. A check that excuses something by itself is not in it, and should be. */
export const excuses = {
  'not-now': {
    excuses: 'they asked for patience (408, 409, 423, 425, 429, 503)',
    couldHide: 'an endpoint that never serves anybody',
    shownBy: 'list-results-refused',
    permits: 'answers one list at a time, and 409 to the others',
  },
  'not-allowed': {
    excuses: 'a permission or a plan explains them (401, 402, 403)',
    couldHide: 'an endpoint that refuses what it must accept',
    shownBy: 'create-agent-refused',
    permits: 'accepts three agents and one workspace, and answers 402 to more',
  },
  late: {
    excuses: 'they denied a new agent that could be read within three seconds',
    couldHide: 'an agent that was never stored',
    shownBy: 'created-agent-not-stored',
    permits: 'finds a new agent only after three seconds',
  },
  provoked: {
    excuses: 'they show an agent that was made from a body which breaks its schema',
    couldHide: 'a value of a wrong type in every answer',
    shownBy: 'get-agent-answer-misshapen',
    permits: 'keeps an icon that is a number as it was sent',
  },
} as const satisfies Record<string, Excuse>;

export type ExcuseId = keyof typeof excuses;

/** How often each excuse was used. */
export interface Excuses {
  see(exchange: Exchange): void;
  readonly counts: ReadonlyMap<ExcuseId, number>;
}

const MAX_DENIED = 1_000;

export function createExcuses(agents: Pick<Agents, 'creationOf'>): Excuses {
  const counts = new Map<ExcuseId, number>();
  /** How often each new agent was denied before it was shown. */
  const denied = new Map<string, number>();
  const note = (id: ExcuseId, times = 1): void => void counts.set(id, (counts.get(id) ?? 0) + times);
  return {
    counts,
    see({ caller, answer, endpoint, agentId = '', open }) {
      if (isWithoutAccess(caller) || open || !answer) return;
      const word = wordOf(answer.status);
      if (word === 'not-now' || word === 'not-allowed') note(word);
      const creation = isReadingAgent(endpoint) ? agents.creationOf(agentId) : undefined;
      if (!creation) return;
      if (GONE.has(answer.status) && denied.size < MAX_DENIED) denied.set(agentId, (denied.get(agentId) ?? 0) + 1);
      if (word !== 'served') return;
      if (creation.isProvoked) note('provoked');
      const times = denied.get(agentId) ?? 0;
      denied.delete(agentId);
      if (times > 0) note('late', times);
    },
  };
}
