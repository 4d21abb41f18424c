import { endpoints, isCreatingAgents, isReadingAgent, type ViolationId } from '../../../spec/index.ts';
import { valueFor } from '../../collections.ts';
import { isWithoutAccess, type Exchange } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import { field, isObject, stringAt } from '../../json.ts';
import type { Agents } from './agents.ts';
import { wordOf } from './failures.ts';

/** One excuse: answers that it explains, so that no check fails because of them. */
interface Excuse {
  /** Completes "Answers excused: 12 as". */
  readonly as: string;
  /** Completes "12 answers were excused:", in the details. */
  readonly excuses: string;
  /** What it could hide. */
  readonly couldHide: string;
  /** The violation that is caught all the same: it is what the excuse could hide. */
  readonly shownBy: ViolationId;
  /** The permitted server that needs it, by its name in `prove/permitted`; `null` if only traffic of others can need it. */
  readonly permits: string | null;
  /** That server would hide the violation itself, so the two are tried apart. */
  readonly isApart?: true;
}

/** The inventory of excuses. A check that excuses something by itself is not in it, and should be. */
export const excuses = {
  'not-now': {
    as: 'asking for patience',
    excuses: 'they asked for patience (408, 409, 423, 425, 429, 503)',
    couldHide: 'an endpoint that never serves anybody',
    shownBy: 'list-results-refused',
    permits: 'answers one list at a time, and 409 to the others',
  },
  'not-allowed': {
    as: 'a permission',
    excuses: 'a permission, a plan or a lock explains them (401, 402, 403)',
    couldHide: 'an endpoint that refuses what it must accept',
    shownBy: 'get-agent-refused',
    permits: 'hides agents from weaker tokens behind 401',
  },
  'less-access': {
    as: 'refused to a weaker token',
    excuses: 'they refuse what a token of less access may not see, with any status below 500',
    couldHide: 'an endpoint that refuses everybody',
    shownBy: 'get-agent-refused',
    permits: 'hides agents from weaker tokens behind 422',
  },
  quota: {
    as: 'a quota',
    excuses: 'they refuse more of what was accepted before, and nothing like it is accepted later',
    couldHide: 'an endpoint that accepts some valid bodies and refuses others',
    shownBy: 'created-workspace-takes-no-agents',
    permits: 'accepts three agents and one workspace, and answers 422 to more',
    isApart: true,
  },
  'particular-values': {
    as: 'refused for particular values',
    excuses: 'they refuse a body with values unlike those in every accepted one',
    couldHide: 'an optional field that is always refused',
    shownBy: 'create-workspace-refuses-icon',
    permits: 'accepts no name longer than 30 characters, and no icon that is not an address',
  },
  slip: {
    as: 'a slip of the user',
    excuses: 'the settings of the run may be the cause: another token, workspace or agent',
    couldHide: 'an endpoint that is not there',
    shownBy: 'create-agent-not-there',
    permits: 'says that the token may only read, and answers 404 to every write',
    isApart: true,
  },
  unpublished: {
    as: 'not published',
    excuses: 'they deny the public form of an agent that no answer shows as published',
    couldHide: 'public forms that are never there',
    shownBy: 'get-published-agent-not-there',
    permits: 'no longer has a published form of the given agent',
    isApart: true,
  },
  late: {
    as: 'late',
    excuses: 'they denied a new agent, its public form or its list, which could be read within three seconds',
    couldHide: 'an agent that was never stored',
    shownBy: 'created-agent-not-stored',
    permits: 'finds a new agent only after three seconds',
  },
  'half-written': {
    as: 'half written',
    excuses: 'they show a new agent without values that it showed from three seconds after its creation on',
    couldHide: 'an agent that loses values when it is stored',
    shownBy: 'created-agent-reads-without-variables',
    permits: 'shows a new agent half written at first, with empty lists',
  },
  edited: {
    as: 'edited by others',
    excuses:
      'they show one of the new agents otherwise, with a later updatedAt, while others of its kind stay as they were',
    couldHide: 'agents that read otherwise than they were answered',
    shownBy: 'imported-agent-reads-otherwise',
    permits: 'has an editor who renames agents and adds to them while the run goes on',
  },
  'same-import': {
    as: 'the same import',
    excuses: 'they answer an import of the same body with the agent that it made before',
    couldHide: 'imports that share an identifier',
    shownBy: 'import-agent-repeats-id',
    permits: 'imports the same body once, and answers the same agent again',
  },
  'own-sharing': {
    as: 'given another sharing',
    excuses: 'they give an import another sharing, or another shareId, than was sent',
    couldHide: 'an import whose content is that of another agent',
    shownBy: 'import-agent-repeats-content',
    permits: 'gives imports a sharing and a share identifier of their own',
  },
  provoked: {
    as: 'provoked',
    excuses: 'they show an agent that was made from a body which breaks its schema',
    couldHide: 'a value of a wrong type in every answer',
    shownBy: 'get-agent-answer-misshapen',
    permits: 'keeps an icon that is a number as it was sent',
  },
  'another-version': {
    as: 'another version',
    excuses: 'they show an agent of another version than 6, whose fields are not documented',
    couldHide: 'an agent of another shape',
    shownBy: 'get-agent-answer-misshapen',
    permits: 'shows its own version in agents that are read',
  },
  example: {
    as: 'refusals with an example',
    excuses: 'they refuse credentials and show a thing, but nothing of what was asked for',
    couldHide: 'a refusal that holds the answer',
    shownBy: 'get-agent-refusal-holds-answer',
    permits: 'shows a made-up example in its refusals',
  },
  'polite-refusal': {
    as: 'refusals with a status of success',
    excuses: 'they refuse credentials with a status of success and an error or a page in the body',
    couldHide: 'an endpoint that serves callers without a token',
    shownBy: 'list-results-accepts-no-authorization',
    permits: 'refuses credentials with status 200 and an error body',
  },
  'lagging-replica': {
    as: 'from a replica that lags behind',
    excuses: 'they lack results that are no older than what heads of lists lack, an hour at most',
    couldHide: 'a cursor that loses a result',
    shownBy: 'page-boundary-loses-result',
    permits: 'reads from replicas that lag behind by a minute, ten minutes and fifty',
  },
  'used-cursor': {
    as: 'refused cursors',
    excuses: 'they refuse a cursor beside other parameters, or one alone, or one that may be used up',
    couldHide: 'cursors that lead nowhere',
    shownBy: 'second-list-ends-first',
    permits: 'accepts a cursor alone, and not with other parameters',
  },
  'another-notation': {
    as: 'in another notation',
    excuses: 'they show a value otherwise than it was sent, in a notation that means the same, or within limits',
    couldHide: 'values that are changed when they are stored',
    shownBy: 'create-agent-loses-leading-zeros',
    permits: 'writes colours as rgb()',
  },
  'left-out': {
    as: 'without what no answer shows',
    excuses: 'they lack a sent value, and no answer shows such a value, or an empty one like it',
    couldHide: 'values that get lost',
    shownBy: 'create-agent-loses-variables',
    permits: 'shows no theme and no settings, anywhere',
  },
  'odd-form': {
    as: 'left open to odd requests',
    excuses: 'requests of an unusual form without valid credentials had no answer',
    couldHide: 'an unusual form that is let in',
    shownBy: 'get-agent-accepts-path-in-other-form',
    permits: 'closes the connection on methods that nobody documented',
  },
  reset: {
    as: 'after data that began again',
    excuses: 'they show an identifier, or a result, as if the data had begun again, which others may do',
    couldHide: 'creations that share an identifier',
    shownBy: 'create-workspace-repeats-id',
    permits: null,
  },
} as const satisfies Record<string, Excuse>;

export type ExcuseId = keyof typeof excuses;

/** How often each excuse was used. */
export type Excuses = ReturnType<typeof createExcuses>;

/** The members of a sharing that a server has no reason to hide (section 2.8). */
const SHARING = ['enabled', 'requirePassword', 'allowExport'];

function isOther(wanted: unknown, shown: unknown, name: string): boolean {
  if (!isObject(wanted) || !isObject(shown)) return false;
  return Object.hasOwn(wanted, name) && Object.hasOwn(shown, name) && wanted[name] !== shown[name];
}

const MAX_DENIED = 1_000;
/** Answers that checks excuse; of more, none is counted. */
const MAX_USED = 20_000;

export function createExcuses(agents: Pick<Agents, 'get' | 'creationOf'>) {
  const seen = new Map<ExcuseId, number>();
  const used = new Map<ExcuseId, Set<number>>();
  /** How often the path of each new agent was denied before it was served. */
  const denied = new Map<string, number>();
  const note = (id: ExcuseId, times = 1): void => void seen.set(id, (seen.get(id) ?? 0) + times);

  function seeNew({ endpoint, agentId = '', answer }: Exchange): void {
    const path = `${endpoint} ${agentId}`;
    const isNull = answer?.accepted === true && field(answer.json, endpoints[endpoint].holds) === undefined;
    if (GONE.has(answer?.status ?? 0) || isNull) {
      if (denied.size < MAX_DENIED) denied.set(path, (denied.get(path) ?? 0) + 1);
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
      if (isWithoutAccess(caller) || !answer) return;
      if (open) return;
      const isOfPublic = endpoints[endpoint].holds === 'publicAgent';
      const fact = agents.get(agentId);
      if (isOfPublic && GONE.has(answer.status) && fact?.isPublished !== true) return note('unpublished');
      const word = wordOf(answer.status);
      if (word === 'not-now' || word === 'not-allowed') note(word);
      else if (word === 'refused' && (caller === 'read' || caller === 'guest')) note('less-access');
      if (fact?.creation) seeNew(exchange);
      if (word === 'served') seeServed(exchange);
    },
    /** Notes that a check excuses an answer, by its `n`. The same answer counts once, whoever excuses it how often. */
    use(id: ExcuseId, n: number): void {
      const all = valueFor(used, id, () => new Set());
      if (all.size < MAX_USED) all.add(n);
    },
    get counts(): ReadonlyMap<ExcuseId, number> {
      const ids = Object.keys(excuses) as readonly ExcuseId[];
      const countOf = (id: ExcuseId): number => (seen.get(id) ?? 0) + (used.get(id)?.size ?? 0);
      return new Map(ids.map((id) => [id, countOf(id)] as const).filter(([, count]) => count > 0));
    },
  };
}
