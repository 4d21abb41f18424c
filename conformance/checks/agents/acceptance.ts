import { endpointIds, endpoints, isCreating, type CreatingEndpoint } from '../../../spec/index.ts';
import type { Judge, Missing, Verdict } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAnswered, isEntitled, type Answered, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { stringAt } from '../../json.ts';
import type { TargetOptions } from '../../target-options.ts';
import { demandOf, digest, isValidCreation } from './demand.ts';
import {
  excuseFor,
  failed,
  isExcused,
  isNoMethod,
  notJudged,
  refusalOf,
  refused,
  unanswered,
  type Refusal,
} from './refusals.ts';

/** A refused creation, and what it asked for. */
interface RefusedCreation extends Refusal {
  readonly demand: string;
  /** The whole body. */
  readonly body: string;
  readonly workspaceId: string | undefined;
}

/** A refusal beside the acceptance of something equal. */
type BesideAccepted = readonly [refusal: RefusedCreation, accepted: Excerpt];

/** Creations of one kind, accepted and refused. */
export interface Acceptance {
  see(exchange: Exchange): void;
  readonly accepted: number;
  readonly refusals: readonly RefusedCreation[];
  /**
   * Refusals of something that was accepted before, which no quota explains: it was accepted again later, or the refusal
   * denies the path while the workspace goes on to accept agents.
   */
  readonly unexplained: readonly BesideAccepted[];
  /** Refusals of something that was accepted before, whatever came later. */
  readonly sinceAccepted: readonly BesideAccepted[];
  /** When the last accepted creation was sent; -1 if none was accepted. */
  readonly lastAccepted: number;
  /** The creations without an answer. */
  readonly unanswered: readonly Excerpt[];
}

const MAX_KEPT = 100;
/** Statuses that deny a path, or a method of it. */
const NOT_SERVED: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Accepted creations that ask for the same: when, and an example. */
interface Taken {
  readonly first: number;
  last: number;
  excerpt: Excerpt;
}

/** @param applies whether a valid request is of the judged kind. */
export function createAcceptance(endpoint: CreatingEndpoint, applies: (exchange: Exchange) => boolean): Acceptance {
  /** Accepted creations by what they asked for. */
  const taken = new Map<string, Taken>();
  /** When each body was last accepted. */
  const bodies = new Map<string, { readonly begun: number; readonly excerpt: Excerpt }>();
  /** When each workspace last accepted an agent, of either kind. */
  const taking = new Map<string | undefined, number>();
  const refusals: RefusedCreation[] = [];
  const silent: Excerpt[] = [];
  let accepted = 0;
  let lastAccepted = -1;

  function noteAccepted({ begun, n, excerpt }: Answered, demand: string, body: string): void {
    accepted++;
    lastAccepted = begun;
    if (bodies.size < MAX_KEPT * 5) bodies.set(body, { begun, excerpt });
    const known = taken.get(demand);
    if (known) Object.assign(known, { last: begun, excerpt });
    else if (taken.size < MAX_KEPT) taken.set(demand, { first: n, last: begun, excerpt });
  }

  /** An acceptance of the same demand before the refusal, if there was one. */
  function acceptedBefore({ demand, begun }: RefusedCreation): Taken | undefined {
    const known = taken.get(demand);
    if (known && known.first < begun) return known;
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
    refusals.flatMap((refusal): readonly BesideAccepted[] => {
      const twin = isExcused(refusal.status) ? undefined : acceptedFor(refusal);
      if (twin) return [[refusal, twin]];
      return [];
    });

  return {
    see(exchange) {
      if (isEntitled(exchange.caller) && exchange.answer?.accepted === true && taking.size < MAX_KEPT)
        taking.set(stringAt(exchange.sent, 'workspaceId'), exchange.begun);
      if (exchange.endpoint !== endpoint || !isValidCreation(exchange) || !applies(exchange)) return;
      if (!isAnswered(exchange)) return void (silent.length < MAX_KEPT && silent.push(exchange.excerpt));
      const { sent } = exchange;
      const [demand, body] = [demandOf(sent), digest(JSON.stringify(sent))];
      if (exchange.answer.accepted) noteAccepted(exchange, demand, body);
      else if (refusals.length < MAX_KEPT)
        refusals.push({ ...refusalOf(exchange), demand, body, workspaceId: stringAt(sent, 'workspaceId') });
    },
    get accepted() {
      return accepted;
    },
    refusals,
    get unexplained() {
      return beside(unexplainedBy);
    },
    get sinceAccepted() {
      return beside((refusal) => acceptedBefore(refusal)?.excerpt);
    },
    get lastAccepted() {
      return lastAccepted;
    },
    unanswered: silent,
  };
}

/** Statuses with which one system or another says that a quota is used up. */
const FULL: ReadonlySet<number> = new Set([400, 402, 403, 409, 422, 429]);

/** Another endpoint that shares a quota with this one, since it creates the same; itself if there is none. */
function sharingWith(endpoint: CreatingEndpoint): CreatingEndpoint {
  const { holds } = endpoints[endpoint];
  const others = endpointIds.filter((id) => id !== endpoint && endpoints[id].holds === holds);
  return others.find(isCreating) ?? endpoint;
}

/** A quota may be used up: creations were accepted before, and none is any more. */
function quota({ traffic }: Facts, endpoint: CreatingEndpoint, { status, begun, n }: Refusal): Missing | undefined {
  if (!FULL.has(status)) return undefined;
  const { firstAccepted, lastAccepted } = traffic.of(sharingWith(endpoint));
  if (!firstAccepted || !lastAccepted || firstAccepted.n > begun || lastAccepted.begun > n) return undefined;
  const { title, holds } = endpoints[endpoint];
  return { reason: `${title} answered ${status} after the target stopped accepting any ${holds}.` };
}

/** Creations of one kind that must be accepted. */
export interface DueCreations {
  readonly endpoint: CreatingEndpoint;
  readonly request: string;
  readonly option: keyof TargetOptions | undefined;
  /** Whether a refusal counts for this check; another check judges the rest. */
  readonly isOurs?: (refusal: RefusedCreation) => boolean;
  /**
   * Further creations, which may ask for more. They need not be accepted, but must not be accepted only sometimes.
   */
  readonly further?: Acceptance;
}

/** Judges that creations of one kind are accepted, even with the smallest body. */
export function judgeAcceptance(facts: Facts, acceptance: Acceptance, due: DueCreations): Judge {
  const { policy, traffic, workspaces } = facts;
  const { endpoint, request, further, isOurs = () => true } = due;
  const isKnown = ({ workspaceId }: RefusedCreation): boolean =>
    workspaceId === undefined || workspaces.known.has(workspaceId);

  /** A server may refuse a request for what it asks for, but not by denying that the endpoint exists. */
  function refusedWilful(refusals: readonly RefusedCreation[]): Verdict {
    const [first] = refusals;
    if (!first) return notJudged();
    if (traffic.accepted > 0 && refusals.every(({ status }) => isNoMethod(status)))
      return failed(refused(request, first));
    return notJudged({ reason: `The answer was ${first.status}, and the request itself may be the reason.` });
  }

  /** The verdict if none was accepted. */
  function refusedOutright(): Verdict {
    const refusals = acceptance.refusals.filter(isOurs);
    if (policy.isWilful) return refusedWilful(refusals);
    const refusal = refusals.findLast(isKnown) ?? refusals.at(-1);
    if (refusal) {
      const missing =
        quota(facts, endpoint, refusal) ?? excuseFor(refusal, facts, { ...due, isKnown: isKnown(refusal) });
      if (missing) return notJudged(missing);
      return failed(refused(request, refusal));
    }
    const silent = acceptance.unanswered.length > 1 && traffic.accepted > 0 ? acceptance.unanswered.at(-1) : undefined;
    if (silent) return failed(unanswered(request, silent));
    return notJudged();
  }

  return {
    see(exchange) {
      acceptance.see(exchange);
      further?.see(exchange);
    },
    verdict() {
      const { accepted, unexplained, sinceAccepted } = acceptance;
      if (accepted === 0) return refusedOutright();
      // A request may use a taken name, or exceed a plan, and then be refused after earlier ones were accepted.
      if (policy.isWilful) return { findings: [], judged: accepted };
      const furtherUnexplained = further?.unexplained ?? [];
      // A larger request is accepted, so the quota is not used up.
      const refusedAlone = sinceAccepted.filter(([{ n }]) => (further?.lastAccepted ?? -1) > n);
      const all = new Map([...unexplained, ...refusedAlone, ...furtherUnexplained]);
      const findings = [...all]
        .filter(([refusal]) => isOurs(refusal) && isKnown(refusal))
        .map(([refusal, twin]) =>
          refused(`${request}, which was accepted before with a body of the same kind,`, refusal, [twin]),
        );
      return { findings, judged: accepted + findings.length };
    },
  };
}
