import { endpoints } from '../../spec/index.ts';
import type { Check } from '../check.ts';
import type { Exchange } from '../http/exchange.ts';
import { createJudgement, type Judgement } from '../history/judgement.ts';
import { foreignTraffic } from '../history/policy.ts';
import { createObservations } from '../observations/observe.ts';
import { observers } from '../observations/index.ts';
import type { Finding } from '../finding.ts';
import { madeBy } from '../report/compose.ts';
import type { Secret } from '../report/redact.ts';
import type { CreatedOnTarget } from '../report/report.ts';
import { shownBy } from '../report/shown.ts';
import type { TargetOptions } from '../target-options.ts';
import { createCallers, type IdentifiedCaller } from './callers.ts';
import { createExchanges, type Ticks } from './exchange-of.ts';
import { createLeftOut, type ForeignExchange, type Reason } from './foreign-exchange.ts';
import { createRecogniser } from './recognise.ts';
import { cleaned, together, type WorldJudged } from './worlds-together.ts';

export interface ForeignOptions {
  readonly checks: readonly Check[];
  readonly strict: boolean;
  /** The URL before the documented paths. Default: found from the first request that fits them. */
  readonly baseUrl?: string | undefined;
  /** Receives every credential, so that no output shows it. */
  readonly secrets: Secret[];
  /** How many of each a world may hold, and how many bytes of heap all worlds together. */
  readonly full?: typeof FULL;
}

/** Requests that share data: those of one file, or of one session of the mock. Nothing is compared across worlds. */
type World = ReturnType<typeof newWorld>;

/** How full a world may be. Then it is closed, and a new one begins: nothing is compared across them. */
export const FULL = { agents: 250, lists: 1_500, exchanges: 20_000, callers: 200, bytes: 80 * 1024 * 1024 };

export type Limit = keyof typeof FULL;

/** Bytes of heap that a world takes, and each exchange in it, and for each byte of a body by what it adds. All were measured. */
const COST = { world: 500_000, exchange: 1_000, creation: 3, list: 0.4, newAgent: 1, other: 0.1 };

export type ForeignJudge = ReturnType<typeof createForeignJudge>;

const SESSION_HEADER = 'x-mock-session';

export function createForeignJudge(options: ForeignOptions) {
  const { checks, strict, full = FULL } = options;
  const recogniser = createRecogniser(options.baseUrl);
  const callers = createCallers(options.secrets);
  const exchangeOf = createExchanges();
  const leftOut = createLeftOut();
  const seen = { count: 0, from: Infinity, to: -Infinity, creations: 0 };
  /** All worlds that have ended, as one. */
  let ended: readonly WorldJudged[] = [];
  const closed = new Map<Limit, number>();
  let bytes = 0;
  /** The one that was used last is the last. */
  const worlds = new Map<string, World>();
  const created: CreatedOnTarget[] = [];
  let forgotten = 0;
  let own: { readonly target: TargetOptions; readonly now: number | undefined } | undefined;

  const concluded = ({ judgement, observations }: World): WorldJudged => ({
    judged: judgement.conclude(),
    shown: shownBy(judgement.facts),
    observations: observations.conclude().observations,
  });

  /** Keeps what a world shows, and forgets the rest; for a limit, or since other worlds begin. */
  const close = (name: string, world: World, limit?: Limit): void => {
    if (limit) closed.set(limit, (closed.get(limit) ?? 0) + 1);
    ended = [together(checks, [...ended, concluded(world)])];
    worlds.delete(name);
    bytes -= world.bytes;
  };

  /** Every caller is known by its credentials. Where they become too many, they are forgotten with all that they did. */
  const callerOf = (headers: ForeignExchange['request']['headers'], hasAllHeaders: boolean): IdentifiedCaller => {
    if (callers.count >= full.callers) {
      for (const [name, world] of worlds) close(name, world, 'callers');
      ended = ended.map((one) => cleaned(one, options.secrets));
      forgotten += callers.count;
      callers.forget();
    }
    return callers.of(headers, hasAllHeaders);
  };

  const worldOf = (name: string): World => {
    let world = worlds.get(name);
    if (world) worlds.delete(name);
    else {
      const by = own ? { ...own, strict } : { target: {}, strict, policy: foreignTraffic };
      world = newWorld(createJudgement(checks, by));
      bytes += COST.world;
    }
    worlds.set(name, world);
    return world;
  };

  /** Closes what is full. Of too much in all, the worlds that were not used for longest go first. */
  const makeRoom = (name: string, world: World): void => {
    // A run of our own is judged whole.
    if (own !== undefined) return;
    const { agents, lists, exchanges } = world;
    const held = { agents: agents.size, lists, exchanges };
    const limit = (['agents', 'lists', 'exchanges'] as const).find((one) => held[one] >= full[one]);
    if (limit) close(name, world, limit);
    for (const [oldest, old] of worlds) {
      if (bytes <= full.bytes) return;
      close(oldest, old, 'bytes');
    }
  };

  const append = (world: World, exchange: Exchange, size: number): void => {
    const { judgement, observations, agents } = world;
    const { agentId, endpoint, query } = exchange;
    world.exchanges++;
    const before = agents.size;
    agents.add(agentId ?? `created ${world.exchanges}`);
    const cost = COST.exchange + size * COST[addedBy(exchange, agents.size > before)];
    world.bytes += cost;
    bytes += cost;
    if (endpoints[endpoint].does === 'lists' && !query.some(([name]) => name === 'cursor')) world.lists++;
    judgement.see(exchange);
    observations.see(exchange);
    seen.count++;
    seen.from = Math.min(seen.from, exchange.sentAt);
    seen.to = Math.max(seen.to, exchange.answeredAt);
    const item = madeBy(exchange);
    if (item) seen.creations++;
    if (item && created.length < 1_000) created.push(item);
  };

  /** An undocumented request may have changed an agent. */
  const touch = (agentId: string | undefined, method: string): void => {
    if (agentId === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return;
    for (const { judgement } of worlds.values()) judgement.facts.agents.touch(agentId);
  };

  return {
    /** Takes the next completed exchange. Returns what is wrong with its answer alone, or why it is left out. */
    see(foreign: ForeignExchange, place: Ticks): readonly Omit<Finding, 'exchanges'>[] | Reason {
      const { method, url, headers } = foreign.request;
      const shown = callerOf(headers, foreign.hasAllHeaders);
      const by = recogniser.of(method, url);
      if ('reason' in by) {
        touch(by.agentId, method);
        leftOut.note(by.reason, by.about);
        return by.reason;
      }
      const exchange = exchangeOf(foreign, by, shown, place);
      if (typeof exchange === 'string') {
        leftOut.note(exchange, `${method} ${by.endpoint}`);
        return exchange;
      }
      const name = `${by.world} ${headers[SESSION_HEADER] ?? ''}`;
      const world = worldOf(name);
      append(world, exchange, (foreign.answer?.body?.length ?? 0) + (foreign.request.body?.length ?? 0));
      const found = world.judgement.facts.shapes.lastFound();
      makeRoom(name, world);
      return found;
    },
    /** Learns the credentials of an exchange that is not judged, so that no output shows them. */
    know({ request, hasAllHeaders }: ForeignExchange): void {
      callerOf(request.headers, hasAllHeaders);
    },
    /** Takes an exchange that one of our own runs recorded, with everything that the run knew about it. */
    seeOwn(exchange: Exchange): void {
      const { origin, pathname } = new URL(exchange.excerpt.request.url);
      recogniser.of(exchange.method, origin + pathname);
      append(worldOf(''), exchange, 0);
    },
    /** Ends the current worlds: later exchanges are not compared with earlier ones. `next` is the target of a recorded run. */
    begin(next?: typeof own): void {
      for (const [name, world] of worlds) close(name, world);
      own = next;
    },
    conclude: (): WorldJudged => together(checks, [...ended, ...Array.from(worlds.values(), concluded)]),
    /** How many worlds were closed because something was too much to remember, by what it was. */
    closed: closed as ReadonlyMap<Limit, number>,
    full,
    get baseUrl() {
      return recogniser.baseUrl;
    },
    leftOut,
    created: created as readonly CreatedOnTarget[],
    /** How many credentials were met, at least. */
    get countCallers() {
      return forgotten + callers.count;
    },
    /** The number of judged exchanges and of creations, and when the first was sent and the last answered, in epoch milliseconds. */
    seen: seen as Readonly<typeof seen>,
  };
}

function newWorld(judgement: Judgement) {
  const observations = createObservations(observers, judgement.facts);
  // Bytes of the heap, about.
  return { judgement, observations, agents: new Set<string>(), lists: 0, exchanges: 0, bytes: COST.world };
}

function addedBy({ endpoint }: Exchange, isNewAgent: boolean): keyof typeof COST {
  const { method, does } = endpoints[endpoint];
  if (method === 'POST') return 'creation';
  if (does === 'lists') return 'list';
  return isNewAgent ? 'newAgent' : 'other';
}
