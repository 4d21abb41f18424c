import { endpoints, isCreatingAgents, isReadingAgent } from '../../../spec/index.ts';
import { valueFor } from '../../collections.ts';
import { isEntitled, isWithoutAccess, type Exchange } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import { field, isObject, stringAt } from '../../json.ts';
import type { Agents } from './agents.ts';
import excuses from './excuses.json';
import { wordOf } from './failures.ts';

/**
 * The inventory of excuses: answers that each explains, so that no check fails because of them, and what it could hide. `as`
 * completes "Answers excused: 12 as", `excuses` "12 answers were excused:". `shownBy` is a violation that is caught all the same,
 * `permits` the permitted server that needs the excuse (`null` if only traffic of others can need it). Where that server would
 * hide the violation itself, the two are tried apart. A check that excuses something by itself is not in it, and should be.
 */
export { excuses };

export type ExcuseId = keyof typeof excuses;

/** The members of a sharing that a server has no reason to hide (section 2.8). */
const SHARING = ['enabled', 'requirePassword', 'allowExport'];

function isOther(wanted: unknown, shown: unknown, name: string): boolean {
  if (!isObject(wanted) || !isObject(shown)) return false;
  return Object.hasOwn(wanted, name) && Object.hasOwn(shown, name) && wanted[name] !== shown[name];
}

/** Answers that checks excuse; of more, none is counted. */
const MAX_USED = 20_000;

export function createExcuses(agents: Pick<Agents, 'get' | 'creationOf'>, failures: { strays(): number }) {
  const seen = new Map<ExcuseId, number>();
  const used = new Map<ExcuseId, Set<number>>();
  /** How often the path of each new agent was denied before it was served. */
  const denied = new Map<string, number>();
  const note = (id: ExcuseId, times = 1): void => void seen.set(id, (seen.get(id) ?? 0) + times);

  function seeNew({ endpoint, agentId = '', answer }: Exchange): void {
    const path = `${endpoint} ${agentId}`;
    const isNull = answer?.accepted === true && field(answer.json, endpoints[endpoint].holds) === undefined;
    if (GONE.has(answer?.status ?? 0) || isNull) {
      if (denied.size < 1_000) denied.set(path, (denied.get(path) ?? 0) + 1);
    } else if (answer?.accepted === true) {
      note('late', denied.get(path) ?? 0);
      denied.delete(path);
    }
  }

  function seeServed({ endpoint, agentId, sent, answer, begun }: Exchange): void {
    const { holds } = endpoints[endpoint];
    const version = stringAt(answer?.json, holds, 'version');
    if (version !== undefined && version !== '6' && version !== '5') note('another-version');
    if (isReadingAgent(endpoint) && agents.creationOf(agentId)?.isProvoked === true) note('provoked');
    if (!isCreatingAgents(endpoint)) return;
    const made = agents.creationOf(stringAt(answer?.json, 'agent', 'id'));
    if (made && made.n < begun) note('same-import');
    const [wanted, shown] = [field(sent, 'agent'), field(answer?.json, 'agent')];
    const [sharing, other] = [field(wanted, 'sharing'), field(shown, 'sharing')];
    if (isOther(wanted, shown, 'shareId') || SHARING.some((name) => isOther(sharing, other, name))) note('own-sharing');
  }

  return {
    see(exchange: Exchange): void {
      const { caller, answer, endpoint, agentId, open } = exchange;
      if (isWithoutAccess(caller) || !answer || open) return;
      const isOfPublic = endpoints[endpoint].holds === 'publicAgent';
      const fact = agents.get(agentId);
      if (isOfPublic && GONE.has(answer.status) && fact?.isPublished !== true) return note('unpublished');
      const word = wordOf(answer.status);
      if (word === 'not-now' || word === 'not-allowed') note(word);
      else if (word === 'refused' && (caller === 'read' || caller === 'guest')) note('less-access');
      if (fact?.creation && isEntitled(caller)) seeNew(exchange);
      if (word === 'served') seeServed(exchange);
    },
    /** Notes that a check excuses an answer, by its `n`. The same answer counts once, whoever excuses it how often. */
    use(id: ExcuseId, n: number): void {
      const all = valueFor(used, id, () => new Set());
      if (all.size < MAX_USED) all.add(n);
    },
    get counts(): ReadonlyMap<ExcuseId, number> {
      const ids = Object.keys(excuses) as readonly ExcuseId[];
      // No permission explains what is allowed when it is repeated.
      const less: Partial<Record<ExcuseId, number>> = { 'not-allowed': failures.strays() };
      const counts = ids.map((id) => [id, (seen.get(id) ?? 0) + (used.get(id)?.size ?? 0) - (less[id] ?? 0)] as const);
      return new Map(counts.filter(([, count]) => count > 0));
    },
  };
}
