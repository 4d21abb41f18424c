import type { Check } from '../check.ts';
import type { Answered, Exchange } from '../http/exchange.ts';
import { createJudgement, type Judgement } from '../history/judgement.ts';
import { foreignTraffic } from '../history/policy.ts';
import { createObservations, type Observations } from '../observations/observe.ts';
import { observers } from '../observations/index.ts';
import type { Finding } from '../finding.ts';
import { endpoints } from '../../spec/index.ts';
import { madeBy, reportedFacts } from '../report/compose.ts';
import type { Secret } from '../report/redact.ts';
import type { CreatedOnTarget } from '../report/report.ts';
import type { TargetOptions } from '../target-options.ts';
import { createCallers, type IdentifiedCaller } from './callers.ts';
import { cleaned, together, type WorldJudged } from './together.ts';
import { createExchanges, type Ticks } from './exchange-of.ts';
import { createLeftOut, type LeftOut, type ForeignExchange, type Reason } from './foreign-exchange.ts';
import { createRecogniser, type Recognised } from './recognise.ts';

export interface ForeignOptions {
  readonly checks: readonly Check[];
  readonly strictNull: boolean;
  /** The URL before the documented paths. Default: found from the first request that fits them. */
  readonly baseUrl?: string | undefined;
  /** Receives every credential, so that no output shows it. */
  readonly secrets: Secret[];
}

/** Requests that share data: those of one file, or of one session of the mock. Nothing is compared across worlds. */
interface World {
  readonly judgement: Judgement;
  readonly observations: Observations;
  readonly agents: Set<string>;
  lists: number;
  exchanges: number;
}

/** How full a world may be. Then it is closed, and a new one begins: nothing is compared across them. */
export const FULL = { agents: 250, lists: 1_500, exchanges: 20_000, callers: 200 };

/** Judges foreign traffic. */
export interface ForeignJudge {
  /**
   * Takes the next exchange, in the order of completion. Returns what is wrong with its answer alone, or why it is left
   * out.
   */
  see(foreign: ForeignExchange, place: Ticks): readonly Omit<Finding, 'exchanges'>[] | Reason;
  /** Takes an exchange that there is no time to judge. The facts still learn that it happened. */
  miss(foreign: ForeignExchange, place: Ticks): void;
  /** Takes an exchange that one of our own runs recorded, with everything that the run knew about it. */
  seeOwn(exchange: Exchange): void;
  /**
   * Ends the current worlds: later exchanges are not compared with earlier ones. `own` is the target of a recorded run.
   */
  begin(own?: { readonly target: TargetOptions; readonly now: number | undefined }): void;
  /** What all worlds show together. */
  conclude(): WorldJudged;
  /** How many worlds were closed because they, or the callers, were too many to remember. */
  readonly closed: number;
  readonly baseUrl: string | undefined;
  readonly leftOut: { note(reason: Reason, about: string): void; all(): readonly LeftOut[] };
  readonly created: readonly CreatedOnTarget[];
  /** The number of judged exchanges, and when the first was sent and the last answered, in epoch milliseconds. */
  readonly seen: { readonly count: number; readonly from: number; readonly to: number };
}

const MAX_WORLDS = 100;
const MAX_CREATED = 1_000;
const SESSION_HEADER = 'x-mock-session';

/** What a foreign judge remembers. */
interface State {
  readonly options: ForeignOptions;
  /** All worlds that have ended, as one. */
  ended: readonly WorldJudged[];
  closed: number;
  /** The one that was used last is the last. */
  readonly worlds: Map<string, World>;
  readonly created: CreatedOnTarget[];
  readonly seen: { count: number; from: number; to: number };
  own: { readonly target: TargetOptions; readonly now: number | undefined } | undefined;
}

export function createForeignJudge(options: ForeignOptions): ForeignJudge {
  const recogniser = createRecogniser(options.baseUrl);
  const callers = createCallers(options.secrets);
  const exchangeOf = createExchanges();
  const leftOut = createLeftOut();
  const seen = { count: 0, from: Infinity, to: -Infinity };
  const worlds = new Map<string, World>();
  const state: State = { options, ended: [], closed: 0, worlds, created: [], seen, own: undefined };

  /** Every caller is known by its credentials. Where these become too many, they are forgotten, with all that they were for. */
  const callerOf = (headers: ForeignExchange['request']['headers'], hasAll: boolean): IdentifiedCaller => {
    if (callers.count >= FULL.callers) {
      for (const world of worlds.values()) close(state, world);
      state.ended = state.ended.map((one) => cleaned(one, options.secrets));
      callers.forget();
    }
    return callers.of(headers, hasAll);
  };
  const left = (reason: Reason, about: string): Reason => {
    leftOut.note(reason, about);
    return reason;
  };

  return {
    see(foreign, place) {
      const { method, url, headers } = foreign.request;
      const shown = callerOf(headers, foreign.hasAllHeaders);
      const by = recogniser.of(method, url);
      if ('reason' in by) {
        touch(state, by.agentId, method);
        return left(by.reason, by.about);
      }
      const about = `${method} ${by.endpoint}`;
      const exchange: Answered | Reason = exchangeOf(foreign, by, shown, place);
      if (typeof exchange === 'string') return left(exchange, about);
      const world = worldOf(state, `${by.world} ${headers[SESSION_HEADER] ?? ''}`);
      append(state, world, exchange);
      const found = world.judgement.facts.shapes.lastFound();
      if (isFull(world)) close(state, world);
      return found;
    },
    miss(foreign, place) {
      const { method, url, headers } = foreign.request;
      leftOut.note('not-judged', '');
      if (foreign.hasAllHeaders) callerOf(headers, true);
      if (method === 'GET' && !url.includes('cursor')) return;
      const by = recogniser.of(method, url);
      if ('reason' in by) return touch(state, by.agentId, method);
      seeUnjudged(state, foreign, place, by);
    },
    seeOwn(exchange) {
      const { origin, pathname } = new URL(exchange.excerpt.request.url);
      recogniser.of(exchange.method, origin + pathname);
      append(state, worldOf(state, ''), exchange);
    },
    begin(next) {
      for (const world of worlds.values()) end(state, world);
      state.own = next;
    },
    conclude: () => together(options.checks, [...state.ended, ...Array.from(worlds.values(), concluded)]),
    get closed() {
      return state.closed;
    },
    get baseUrl() {
      return recogniser.baseUrl;
    },
    leftOut,
    created: state.created,
    seen,
  };
}

/** The world of that name, begun if it is new. Of too many, the one that was not used for longest is closed. */
function worldOf(state: State, name: string): World {
  const { worlds, own, options } = state;
  const { checks, strictNull } = options;
  let world = worlds.get(name);
  if (world) worlds.delete(name);
  else {
    const by = own ? { ...own, strictNull } : { target: {}, strictNull, policy: foreignTraffic };
    const judgement = createJudgement(checks, by);
    const observations = createObservations(observers, judgement.facts);
    world = { judgement, observations, agents: new Set(), lists: 0, exchanges: 0 };
    const [oldest] = worlds.values();
    if (oldest && worlds.size >= MAX_WORLDS) close(state, oldest);
  }
  worlds.set(name, world);
  return world;
}

/** Only of traffic: a run of our own is judged whole. */
const isFull = ({ judgement, agents, lists, exchanges }: World): boolean =>
  judgement.facts.policy === foreignTraffic &&
  (agents.size >= FULL.agents || lists >= FULL.lists || exchanges >= FULL.exchanges);

function close(state: State, world: World): void {
  state.closed++;
  end(state, world);
}

/** Keeps what a world shows, and forgets the rest. */
function end(state: State, world: World): void {
  const { worlds, ended, options } = state;
  state.ended = [together(options.checks, [...ended, concluded(world)])];
  for (const [name, one] of worlds) if (one === world) worlds.delete(name);
}

function append({ seen, created }: State, world: World, exchange: Exchange): void {
  const { judgement, observations, agents } = world;
  const { agentId, endpoint, query } = exchange;
  world.exchanges++;
  if (agentId !== undefined) agents.add(agentId);
  else agents.add(`created ${world.exchanges}`);
  if (endpoints[endpoint].does === 'lists' && !query.some(([name]) => name === 'cursor')) world.lists++;
  judgement.see(exchange);
  observations.see(exchange);
  seen.count++;
  seen.from = Math.min(seen.from, exchange.sentAt);
  seen.to = Math.max(seen.to, exchange.answeredAt);
  const made = created.length < MAX_CREATED ? madeBy(exchange) : undefined;
  if (made) created.push(made);
}

const concluded = ({ judgement, observations }: World): WorldJudged => ({
  judged: judgement.conclude(),
  facts: reportedFacts(judgement.facts),
  observations: observations.conclude().observations,
});

/** An undocumented request may have changed an agent. */
function touch({ worlds }: State, agentId: string | undefined, method: string): void {
  if (agentId === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return;
  for (const { judgement } of worlds.values()) judgement.facts.agents.touch(agentId);
}

/** Of the unjudged reads, only one with a cursor matters: it moves a list forward. */
function seeUnjudged(
  { worlds }: State,
  { request, sentAt, answeredAt }: ForeignExchange,
  place: Ticks,
  { endpoint, agentId, query }: Recognised,
): void {
  if (!query.some(([name]) => name === 'cursor')) return;
  const { method, url } = request;
  const excerpt = { request: { method, url, headers: {} }, durationMs: answeredAt - sentAt, failure: 'not judged' };
  const bare = { sent: undefined, open: true, caller: 'unknown' as const };
  for (const { judgement } of worlds.values())
    judgement.see({ ...place, ...bare, sentAt, answeredAt, method, endpoint, agentId, query, excerpt });
}
