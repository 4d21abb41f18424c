import type { CreatingEndpoint, NewAgentEndpoint } from '../../../spec/index.ts';
import { endpointIds, endpoints, isCreating, isCreatingAgents, validate } from '../../../spec/index.ts';
import { addFailure, type Finding, type Judge, type Missing, type Verdict } from '../../check.ts';
import { oncePer, present } from '../../collections.ts';
import { digestOf } from '../../content/abridge.ts';
import { isDocumented } from '../../content/places.ts';
import { wordOf } from '../../history/facts/failures.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAccepted, isAnswered, isEntitled, type Answered, type Excerpt, type Exchange } from '../../http/exchange.ts';
import { NO_METHOD, NOT_SERVED } from '../../http/statuses.ts';
import { field, idsIn, isObject, stringAt, type JsonObject } from '../../json.ts';
import { differenceOfAlike, fieldLeftOut } from '../../probes/refused-values.ts';
import { show } from '../../show.ts';
import { origins } from './created.ts';
import { excuseFor, refusalOf, refused, type Refusal } from './refusals.ts';

interface RefusedCreation extends Refusal {
  readonly demand: string;
  readonly body: string;
  /** Of its names, in their order. */
  readonly lengths: readonly number[];
  readonly workspaceId: string | undefined;
  /** The workspace was so new that it may not have been found yet. */
  readonly isOfNewWorkspace: boolean;
}

/** A refusal beside the acceptance of something equal. */
type BesideAccepted = readonly [refusal: RefusedCreation, accepted: Excerpt];

/** Accepted creations that ask for the same: when, the lengths up to which names were accepted, and an example. */
interface Taken {
  lengths: readonly number[];
  readonly first: number;
  last: number;
  excerpt: Excerpt;
}

const MAX_KEPT = 100;
/** Bodies that a later one is compared with. */
const MAX_TWINS = 24;
/** Fields that make an agent: nobody has to set anything up for them, and no plan sells them. */
const OWN_FIELD = /^\/(?:name|description|tags|events|edges|variables|groups(?!.*\/blocks\/)|.*\/columnsOrder)(?:\/|$)/;

export type Acceptance = ReturnType<typeof createAcceptance>;

/** @param applies whether a valid request is of the judged kind. */
export function createAcceptance(
  { workspaces, excuses }: Facts,
  endpoint: CreatingEndpoint,
  applies: (exchange: Exchange) => boolean = () => true,
) {
  const taken = new Map<string, Taken>();
  /** When each body was last accepted. */
  const bodies = new Map<string, Pick<Answered, 'begun' | 'excerpt'>>();
  /** When each workspace last accepted an agent, of either kind. */
  const taking = new Map<string | undefined, number>();
  const twins: Answered[] = [];

  /** Notes a refusal beside the acceptance of a body that only lacks one field, or has another text there that is alike. */
  function noteBeside(exchange: Answered): void {
    const twin = twins.find(({ n }) => n === exchange.twin);
    const [refusal, accepted] = exchange.answer.accepted ? [twin, exchange] : [exchange, twin];
    if (!refusal || accepted?.answer.accepted !== true || wordOf(refusal.answer.status) !== 'refused') return;
    const actual = `the answer was ${refusal.answer.status}`;
    const exchanges = [accepted.excerpt, refusal.excerpt];
    const place = fieldLeftOut(refusal.sent, accepted.sent);
    const apart = differenceOfAlike(refusal.sent, accepted.sent);
    if (place !== undefined && OWN_FIELD.test(place) && isDocumented(place.slice(1))) {
      const unlessTaken = place.slice(1);
      const expected = `${unlessTaken} is accepted in some form, as the same body without it is`;
      acceptance.ofValues.set(refusal.n, { unlessTaken, expected, actual, at: `/agent${place}`, exchanges });
    } else if (apart) {
      const expected = `${show(apart.refused)} is accepted at ${apart.pointer}, as ${show(apart.accepted)} is`;
      acceptance.ofValues.set(refusal.n, { expected, actual, exchanges });
    }
  }

  function noteAccepted({ begun, n, excerpt }: Answered, { demand, body, lengths }: Asked): void {
    acceptance.accepted++;
    acceptance.lastAccepted = begun;
    if (bodies.size < MAX_KEPT * 5) bodies.set(body, { begun, excerpt });
    const known = taken.get(demand);
    if (known) {
      const longest = lengths.map((length, i) => Math.max(length, known.lengths[i] ?? 0));
      Object.assign(known, { last: begun, excerpt, lengths: longest });
    } else if (taken.size < MAX_KEPT) taken.set(demand, { first: n, last: begun, excerpt, lengths });
  }

  /** An acceptance of the same demand before the refusal, if there was one. A server may limit the length of names. */
  function acceptedBefore({ demand, begun, lengths }: RefusedCreation): Taken | undefined {
    const known = taken.get(demand);
    if (known && known.first < begun && lengths.every((length, i) => length <= (known.lengths[i] ?? 0))) return known;
    return undefined;
  }

  function unexplainedBy(refusal: RefusedCreation): Excerpt | undefined {
    const { status, n, workspaceId, body } = refusal;
    const same = bodies.get(body);
    if (same && same.begun > n) return same.excerpt;
    const known = acceptedBefore(refusal);
    const isElsewiseTaken = workspaceId !== undefined && (taking.get(workspaceId) ?? -1) > n;
    if (known && (known.last > n || (NOT_SERVED.has(status) && isElsewiseTaken))) return known.excerpt;
    return undefined;
  }

  const beside = (acceptedFor: (refusal: RefusedCreation) => Excerpt | undefined): readonly BesideAccepted[] =>
    acceptance.refusals.flatMap((refusal): readonly BesideAccepted[] => {
      const twin = wordOf(refusal.status) === 'refused' && acceptedFor(refusal);
      return twin ? [[refusal, twin]] : [];
    });

  const acceptance = {
    accepted: 0,
    /** When the last accepted creation was sent; -1 if none was accepted. */
    lastAccepted: -1,
    refusals: [] as RefusedCreation[],
    /**
     * By their `n`, refusals of a text that no format, length or alphabet tells from one that was accepted, and of what a field
     * holds beside the acceptance of all the rest, unless another body was accepted with that field.
     */
    ofValues: new Map<number, Finding & { readonly unlessTaken?: string }>(),
    /**
     * Refusals of something that was accepted before, which no quota explains: it was accepted again later, or the
     * refusal denies the path while the workspace goes on to accept agents.
     */
    unexplained: () => beside(unexplainedBy),
    /** Whether such a creation was accepted before, with names of any length. */
    isRepeated: ({ demand, begun }: RefusedCreation): boolean => (taken.get(demand)?.first ?? Infinity) < begun,
    /** Refusals of something that was accepted before, whatever came later. */
    sinceAccepted: () => beside((refusal) => acceptedBefore(refusal)?.excerpt),
    see(exchange: Exchange): void {
      const { sent, begun } = exchange;
      const workspaceId = stringAt(sent, 'workspaceId');
      if (isEntitled(exchange.caller) && isAccepted(exchange) && taking.size < MAX_KEPT) taking.set(workspaceId, begun);
      if (exchange.endpoint !== endpoint || !isValidCreation(exchange) || !applies(exchange)) return;
      if (!isAnswered(exchange) || !isObject(sent)) return;
      const asked = askedBy(sent);
      if (twins.length >= MAX_TWINS) twins.shift();
      twins.push(exchange);
      noteBeside(exchange);
      if (exchange.answer.accepted) {
        // A new workspace may take a moment until every replica finds it.
        const late = acceptance.refusals.filter((one) => one.isOfNewWorkspace && one.workspaceId === workspaceId);
        for (const { n } of late) excuses.use('late', n);
        acceptance.refusals = acceptance.refusals.filter((one) => !late.includes(one));
        return noteAccepted(exchange, asked);
      }
      const isOfNewWorkspace = workspaces.isDeniedAsNew(exchange);
      if (acceptance.refusals.length < MAX_KEPT)
        acceptance.refusals.push({ ...refusalOf(exchange), ...asked, workspaceId, isOfNewWorkspace });
    },
  };
  return acceptance;
}

/** A request of the user's caller that keeps to the documentation. */
export function isValidCreation({ endpoint, caller, open, sent }: Exchange): boolean {
  const { request, holds, does } = endpoints[endpoint];
  if (!isEntitled(caller) || open || !isObject(sent) || request === null) return false;
  if (holds !== 'workspace') {
    const agent = field(sent, 'agent');
    if (stringAt(sent, 'workspaceId') === undefined || !isObject(agent)) return false;
    if (does === 'imports' && agent['version'] !== '6') return false;
  } else if (stringAt(sent, 'name') === undefined) return false;
  return validate(request, sent).length === 0;
}

type Asked = Pick<RefusedCreation, 'demand' | 'body' | 'lengths'>;

const OWN: ReadonlySet<string> = new Set(['workspaceId', 'id', 'shareId', 'selectedThemeTemplateId']);

/**
 * What a body asks for, also without its name and its identifiers: equal for bodies that differ only in these. Several checks
 * need it, so each body is read once: a twentieth of the time of a run.
 */
const askedBy = oncePer((sent: JsonObject): Asked => {
  const ids = idsIn(sent);
  const lengths: number[] = [];
  const plain = JSON.stringify(sent, (name, value: unknown) => {
    if (['name', 'slug', 'publicId'].includes(name) && typeof value === 'string') {
      lengths.push(value.length);
      // A server may accept or refuse a name for any of these characters.
      return [...new Set(value.match(/\W|^\d/gu))].toSorted().join('');
    }
    if (OWN.has(name) || (typeof value === 'string' && ids.has(value))) return '';
    if (isObject(value) && Object.keys(value).some((key) => ids.has(key)))
      return Object.fromEntries(Object.values(value).map((item, i) => [String(i), item]));
    return value;
  });
  return { demand: digestOf(plain), lengths, body: digestOf(JSON.stringify(sent)) };
});

/** Statuses with which one system or another says that a quota is used up. Any other must be that of both endpoints. */
const FULL: ReadonlySet<number> = new Set([400, 402, 403, 409, 422]);

/** A quota may be used up: creations were accepted before, and none is any more. */
function quota({ traffic }: Facts, endpoint: CreatingEndpoint, { status, begun, n }: Refusal): Missing | undefined {
  const { title, holds } = endpoints[endpoint];
  // An endpoint that creates the same shares the quota.
  const others = endpointIds.filter((id) => id !== endpoint && endpoints[id].holds === holds);
  const { firstAccepted, lastAccepted, refusedSince } = traffic.of(others.find(isCreating) ?? endpoint);
  if (!firstAccepted || !lastAccepted || firstAccepted.n > begun || lastAccepted.begun > n) return undefined;
  if (!FULL.has(status) && !refusedSince.has(status)) return undefined;
  return { reason: `${title} answered ${status} after the target stopped accepting any ${holds}.` };
}

/** Creations of one kind that must be accepted. */
export interface DueCreations {
  readonly endpoint: CreatingEndpoint;
  readonly request: string;
  readonly acceptance: Acceptance;
  /** Whether a refusal counts for this check; another check judges the rest. */
  readonly isOurs?: (refusal: RefusedCreation) => boolean;
  /** Further creations, which may ask for more. They need not be accepted, but must not be accepted only sometimes. */
  readonly further?: Acceptance;
}

/** Judges that creations of one kind are accepted, even with the smallest body. */
export function judgeAcceptance(facts: Facts, due: DueCreations): Judge {
  const { policy, traffic, workspaces, excuses, agents } = facts;
  const { endpoint, request, acceptance, further, isOurs = () => true } = due;
  const isKnown = ({ workspaceId }: RefusedCreation): boolean =>
    workspaceId === undefined || workspaces.known.has(workspaceId);

  /** A server may refuse a request for what it asks for, but not by denying that the endpoint exists. */
  function concludeWilful(verdict: Verdict, refusals: readonly RefusedCreation[]): void {
    const [first] = refusals;
    if (!first) return;
    if (traffic.accepted > 0 && refusals.every(({ status }) => NO_METHOD.has(status)))
      addFailure(verdict, refused(request, first));
    else verdict.missing = { reason: `The answer was ${first.status}, and the request itself may be the reason.` };
  }

  function concludeRefused(verdict: Verdict): void {
    const refusals = acceptance.refusals.filter(isOurs);
    if (policy.isWilful) return concludeWilful(verdict, refusals);
    const refusal = refusals.findLast(isKnown) ?? refusals.at(-1);
    if (!refusal) return;
    const excuse = excuseFor(refusal, facts, endpoint, isKnown(refusal));
    const full = quota(facts, endpoint, refusal);
    verdict.missing = full ?? excuse;
    if (!verdict.missing) return addFailure(verdict, refused(request, refusal));
    for (const { n } of refusals) excuses.use(full ? 'quota' : 'slip', n);
  }

  return {
    see(exchange) {
      acceptance.see(exchange);
      further?.see(exchange);
    },
    conclude(verdict) {
      if (acceptance.accepted === 0) return concludeRefused(verdict);
      verdict.judged = acceptance.accepted;
      // A request may use a taken name, or exceed a plan, and then be refused after earlier ones were accepted.
      if (policy.isWilful) return;
      // A larger request is accepted, so the quota is not used up.
      const refusedAlone = acceptance.sinceAccepted().filter(([{ n }]) => (further?.lastAccepted ?? -1) > n);
      const all = new Map([...acceptance.unexplained(), ...refusedAlone, ...(further?.unexplained() ?? [])]);
      const both = present(acceptance, further);
      const taken = isCreatingAgents(endpoint) ? agents.sent[origins[endpoint]] : undefined;
      const ofValues = new Map(
        both.flatMap((one) => [...one.ofValues]).filter(([, { unlessTaken = '' }]) => taken?.has(unlessTaken) !== true),
      );
      for (const refusal of both.flatMap(({ refusals }) => refusals))
        if (!all.has(refusal) && !ofValues.has(refusal.n))
          excuses.use(both.some((one) => one.isRepeated(refusal)) ? 'quota' : 'particular-values', refusal.n);
      for (const { unlessTaken: _, ...finding } of ofValues.values()) addFailure(verdict, finding);
      for (const [refusal, twin] of all) {
        if (!isOurs(refusal) || !isKnown(refusal)) continue;
        const made = further?.refusals.includes(refusal) ? 'A larger creation' : request;
        addFailure(
          verdict,
          refused(`${made}, which was accepted before with a body of the same kind,`, refusal, [twin]),
        );
      }
    },
  };
}

/** Judges that an endpoint that creates agents accepts them. If a new workspace accepts none at all, another check fails. */
export function judgeNewAgents(facts: Facts, endpoint: NewAgentEndpoint): Judge {
  const { created, used } = facts.workspaces;
  return judgeAcceptance(facts, {
    endpoint,
    request: endpoints[endpoint].title,
    acceptance: createAcceptance(facts, endpoint),
    isOurs: ({ workspaceId = '' }) => !created.has(workspaceId) || used.has(workspaceId) || used.size === 0,
  });
}
