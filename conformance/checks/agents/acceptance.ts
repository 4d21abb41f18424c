import { endpoints, type EndpointId } from '../../../spec/index.ts';
import type { Finding, Judge, Missing } from '../../check.ts';
import { isAnswered, isEntitled, type Answered, type Exchange, type Kept } from '../../http/exchange.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { stringAt } from '../../json.ts';
import type { TargetOptions } from '../../target-options.ts';
import { demandOf, digest, isValidCreation } from './demand.ts';
import {
  excuseFor,
  isAccident,
  isNotNow,
  isNoMethod,
  isPermission,
  refusalOf,
  refused,
  unanswered,
  type KeptRefusal,
} from './refusals.ts';

type CreatingEndpoint = Extract<EndpointId, 'create-agent' | 'import-agent' | 'create-workspace'>;

/** A refused creation, and what it asked for. */
interface RefusedCreation extends KeptRefusal {
  readonly demand: string;
  /** The whole body. */
  readonly body: string;
  readonly workspaceId: string | undefined;
}

/** Creations of one kind, accepted and refused. */
export interface Acceptance {
  see(exchange: Exchange): void;
  readonly accepted: number;
  readonly refusals: readonly RefusedCreation[];
  /**
   * Refusals of something that was accepted before, each with that acceptance, which no quota explains: it was accepted
   * again later, or the refusal denies the path while the workspace goes on to accept agents.
   */
  readonly unexplained: readonly (readonly [RefusedCreation, Kept])[];
  /** Refusals of something that was accepted before, whatever came later, each with that acceptance. */
  readonly sinceAccepted: readonly (readonly [RefusedCreation, Kept])[];
  /** When the last accepted creation was sent; -1 if none was accepted. */
  readonly lastAccepted: number;
  readonly unanswered: { readonly times: number; readonly kept: Kept | undefined };
}

const MAX_KEPT = 100;
/** Statuses that deny a path, or a method of it. */
const NOT_SERVED: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Accepted creations: when, and an example. */
interface Taken {
  readonly first: number;
  last: number;
  kept: Kept;
}

/** The outcome of the creations of one kind. */
interface Creations {
  /** Accepted creations by what they asked for. */
  readonly taken: Map<string, Taken>;
  /** When each body was last accepted. */
  readonly bodies: Map<string, { readonly begun: number; readonly kept: Kept }>;
  readonly refusals: RefusedCreation[];
  /** When each workspace last accepted an agent, of either kind. */
  readonly taking: Map<string | undefined, number>;
}

/** @param applies whether a valid request is of the judged kind. */
export function createAcceptance(endpoint: CreatingEndpoint, applies: (exchange: Exchange) => boolean): Acceptance {
  const creations: Creations = { taken: new Map(), bodies: new Map(), refusals: [], taking: new Map() };
  const { refusals, taking } = creations;
  let accepted = 0;
  let lastAccepted = -1;
  let times = 0;
  let last: Kept | undefined;
  return {
    see(exchange) {
      if (isEntitled(exchange.caller) && exchange.answer?.accepted === true && taking.size < MAX_KEPT)
        taking.set(stringAt(exchange.sent, 'workspaceId'), exchange.begun);
      if (exchange.endpoint !== endpoint || !isValidCreation(exchange) || !applies(exchange)) return;
      if (!isAnswered(exchange)) {
        times++;
        last = exchange.kept;
        return;
      }
      note(creations, exchange);
      if (!exchange.answer.accepted) return;
      accepted++;
      lastAccepted = exchange.begun;
    },
    get accepted() {
      return accepted;
    },
    refusals,
    get unexplained() {
      return refusals.flatMap((refusal) => ifUnexplained(creations, refusal));
    },
    get sinceAccepted() {
      return refusals.flatMap((refusal) => {
        const twin = acceptedBefore(creations, refusal);
        return twin ? [[refusal, twin.kept] as const] : [];
      });
    },
    get lastAccepted() {
      return lastAccepted;
    },
    get unanswered() {
      return { times, kept: last };
    },
  };
}

function note({ taken, bodies, refusals }: Creations, exchange: Answered): void {
  const { begun, n, kept, sent } = exchange;
  const [demand, body] = [demandOf(sent), digest(JSON.stringify(sent))];
  if (!exchange.answer.accepted) {
    if (refusals.length < MAX_KEPT)
      refusals.push({ ...refusalOf(exchange), demand, body, workspaceId: stringAt(sent, 'workspaceId') });
    return;
  }
  if (bodies.size < MAX_KEPT * 5) bodies.set(body, { begun, kept });
  const known = taken.get(demand);
  if (known) Object.assign(known, { last: begun, kept });
  else if (taken.size < MAX_KEPT) taken.set(demand, { first: n, last: begun, kept });
}

const isExcused = ({ status }: KeptRefusal): boolean => isPermission(status) || isNotNow(status) || isAccident(status);

/** An acceptance of the same demand before the refusal, if there was one. */
function acceptedBefore({ taken }: Creations, refusal: RefusedCreation): Taken | undefined {
  const twin = isExcused(refusal) ? undefined : taken.get(refusal.demand);
  return twin && twin.first < refusal.begun ? twin : undefined;
}

/** The refusal with an acceptance, if no quota explains it. */
function ifUnexplained(creations: Creations, refusal: RefusedCreation): readonly (readonly [RefusedCreation, Kept])[] {
  const { status, n, workspaceId } = refusal;
  if (isExcused(refusal)) return [];
  const same = creations.bodies.get(refusal.body);
  if (same && same.begun > n) return [[refusal, same.kept]];
  const twin = acceptedBefore(creations, refusal);
  if (!twin) return [];
  const isTakenElsewise = workspaceId !== undefined && (creations.taking.get(workspaceId) ?? -1) > n;
  return twin.last > n || (NOT_SERVED.has(status) && isTakenElsewise) ? [[refusal, twin.kept]] : [];
}

/** Statuses with which one system or another says that a quota is used up. */
const FULL: ReadonlySet<number> = new Set([400, 402, 403, 409, 422, 429]);

/** The creations that share a quota with this kind. */
const SHARING: Readonly<Record<CreatingEndpoint, CreatingEndpoint>> = {
  'create-agent': 'import-agent',
  'import-agent': 'create-agent',
  'create-workspace': 'create-workspace',
};

/** A quota may be used up: creations were accepted before, and none is any more. */
function quota({ traffic }: Facts, endpoint: CreatingEndpoint, { status, begun, n }: KeptRefusal): Missing | undefined {
  if (!FULL.has(status)) return undefined;
  const { firstAccepted, lastAccepted } = traffic.of(SHARING[endpoint]);
  if (!firstAccepted || !lastAccepted || firstAccepted.n > begun || lastAccepted.begun > n) return undefined;
  const what = endpoint === 'create-workspace' ? 'workspace' : 'agent';
  return { reason: `${endpoints[endpoint].title} answered ${status} after the target stopped accepting any ${what}.` };
}

/** A server may refuse foreign requests for what they hold, but not by denying that the endpoint exists. */
function refusedElsewhere(
  { traffic }: Facts,
  request: string,
  refusals: readonly RefusedCreation[],
): { readonly finding?: Finding; readonly missing?: Missing } {
  const [first] = refusals;
  if (!first) return {};
  const denied = refusals.find(({ status }) => isNoMethod(status));
  if (denied && traffic.accepted > 0 && refusals.every(({ status }) => isNoMethod(status)))
    return { finding: refused(request, denied) };
  return {
    missing: { reason: `The answer was ${first.status}, and the request itself may be the reason.` },
  };
}

/** Judges that creations of one kind are accepted, even with the smallest body. */
export function judgeAcceptance(
  facts: Facts,
  acceptance: Acceptance,
  asked: {
    readonly endpoint: CreatingEndpoint;
    readonly request: string;
    readonly option: keyof TargetOptions | undefined;
    /** Whether a refusal counts for this check; another check judges the rest. */
    readonly isOurs?: (refusal: RefusedCreation) => boolean;
    /**
     * Further creations, which may ask for more. They need not be accepted, but must not be accepted only sometimes.
     */
    readonly further?: Acceptance;
  },
): Judge {
  const { request } = asked;
  const isKnown = ({ workspaceId }: RefusedCreation): boolean =>
    workspaceId === undefined || facts.workspaces.known.has(workspaceId);
  const ours = (refusal: RefusedCreation): boolean => asked.isOurs?.(refusal) ?? true;

  function outright(): { readonly finding?: Finding; readonly missing?: Missing } {
    const own = acceptance.refusals.filter(ours);
    if (facts.isForeign === true) return refusedElsewhere(facts, request, own);
    const refusal = own.findLast(isKnown) ?? own.at(-1);
    const { times, kept } = acceptance.unanswered;
    if (!refusal) return times > 1 && kept && facts.traffic.accepted > 0 ? { finding: unanswered(request, kept) } : {};
    const missing =
      quota(facts, asked.endpoint, refusal) ?? excuseFor(refusal, facts, { ...asked, isKnown: isKnown(refusal) });
    return missing ? { missing } : { finding: refused(request, refusal) };
  }

  return {
    see(exchange) {
      acceptance.see(exchange);
      asked.further?.see(exchange);
    },
    verdict() {
      const { accepted } = acceptance;
      if (accepted === 0) {
        const { finding, missing } = outright();
        return { findings: finding ? [finding] : [], judged: finding ? 1 : 0, missing };
      }
      // A foreign request may use a taken name, or exceed a plan, and then be refused after earlier ones were accepted.
      if (facts.isForeign === true) return { findings: [], judged: accepted };
      // A larger request is accepted, so the quota is not used up.
      const further = asked.further?.lastAccepted ?? -1;
      const refusedAlone = acceptance.sinceAccepted.filter(([refusal]) => further > refusal.n);
      const unexplained = [...acceptance.unexplained, ...refusedAlone, ...(asked.further?.unexplained ?? [])];
      const findings = [...new Map(unexplained.map((one) => [one[0], one])).values()]
        .filter(([refusal]) => ours(refusal) && isKnown(refusal))
        .map(([refusal, twin]) =>
          refused(`${request}, which was accepted before with a body of the same kind,`, refusal, [twin]),
        );
      return { findings, judged: accepted + findings.length };
    },
  };
}
