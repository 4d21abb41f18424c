import type { Check } from '../check.ts';
import type { Answered, Exchange } from '../http/exchange.ts';
import { createJudgement, type Judged, type Judgement } from '../history/judgement.ts';
import { foreignTraffic } from '../history/policy.ts';
import { createObservations, type Observations } from '../observations/observe.ts';
import { observers } from '../observations/index.ts';
import type { Finding } from '../finding.ts';
import { madeBy } from '../report/compose.ts';
import type { Secret } from '../report/redact.ts';
import type { CreatedOnTarget } from '../report/report.ts';
import type { TargetOptions } from '../target-options.ts';
import { createCallers } from './callers.ts';
import { createExchanges, type Ticks } from './exchange-of.ts';
import { createLeftOut, type LeftOut, type ForeignExchange, type Reason } from './foreign-exchange.ts';
import { createRecogniser } from './recognise.ts';

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
}

/** What one world contributes to the report. */
export interface WorldJudged {
  readonly judged: readonly Judged[];
  readonly facts: Judgement['facts'];
  readonly observed: ReturnType<Observations['conclude']>;
}

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
  /** The facts so far, world by world. */
  conclude(): readonly WorldJudged[];
  readonly baseUrl: string | undefined;
  readonly leftOut: { note(reason: Reason, about: string): void; all(): readonly LeftOut[] };
  readonly created: readonly CreatedOnTarget[];
  /** The number of judged exchanges, and when the first was sent and the last answered, in epoch milliseconds. */
  readonly seen: { readonly count: number; readonly from: number; readonly to: number };
}

const MAX_WORLDS = 100;
const MAX_CREATED = 1_000;
const SESSION_HEADER = 'x-mock-session';

export function createForeignJudge(options: ForeignOptions): ForeignJudge {
  const { checks, strictNull } = options;
  const recogniser = createRecogniser(options.baseUrl);
  const callerOf = createCallers(options.secrets);
  const exchangeOf = createExchanges();
  const leftOut = createLeftOut();
  const seen = { count: 0, from: Infinity, to: -Infinity };
  const ended: WorldJudged[] = [];
  const worlds = new Map<string, World>();
  const created: CreatedOnTarget[] = [];
  let own: { readonly target: TargetOptions; readonly now: number | undefined } | undefined;

  const left = (reason: Reason, about: string): Reason => {
    leftOut.note(reason, about);
    return reason;
  };

  /** The world of that name, begun if it is new; `undefined` if there are too many. */
  const worldOf = (name: string): World | undefined => {
    const known = worlds.get(name);
    if (known || worlds.size >= MAX_WORLDS) return known;
    const by = own ? { ...own, strictNull } : { target: {}, strictNull, policy: foreignTraffic };
    const judgement = createJudgement(checks, by);
    const fresh = { judgement, observations: createObservations(observers, judgement.facts) };
    worlds.set(name, fresh);
    return fresh;
  };

  const append = ({ judgement, observations }: World, exchange: Exchange): void => {
    judgement.see(exchange);
    observations.see(exchange);
    seen.count++;
    seen.from = Math.min(seen.from, exchange.sentAt);
    seen.to = Math.max(seen.to, exchange.answeredAt);
    const item = created.length < MAX_CREATED ? madeBy(exchange) : undefined;
    if (item) created.push(item);
  };

  const concluded = (): readonly WorldJudged[] =>
    [...worlds.values()].map(({ judgement, observations }) => ({
      judged: judgement.conclude(),
      facts: judgement.facts,
      observed: observations.conclude(),
    }));

  /** An undocumented request may have changed an agent. */
  const touch = (agentId: string | undefined, method: string): void => {
    if (agentId === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return;
    for (const { judgement } of worlds.values()) judgement.facts.agents.touch(agentId);
  };

  return {
    see(foreign, place) {
      const { method, url, headers } = foreign.request;
      const shown = callerOf(headers, foreign.hasAllHeaders);
      const by = recogniser.of(method, url);
      if ('reason' in by) {
        touch(by.agentId, method);
        return left(by.reason, by.about);
      }
      const about = `${method} ${by.endpoint}`;
      if (!shown) return left('too-many-callers', about);
      const exchange: Answered | Reason = exchangeOf(foreign, by, shown, place);
      if (typeof exchange === 'string') return left(exchange, about);
      const world = worldOf(`${by.world} ${headers[SESSION_HEADER] ?? ''}`);
      if (!world) return left('too-many-callers', about);
      append(world, exchange);
      return world.judgement.facts.shapes.lastFound();
    },
    miss({ request: { method, url, headers }, sentAt, answeredAt, hasAllHeaders }, place) {
      leftOut.note('not-judged', '');
      if (hasAllHeaders) callerOf(headers, true);
      if (method === 'GET' && !url.includes('cursor')) return;
      const by = recogniser.of(method, url);
      if ('reason' in by) return touch(by.agentId, method);
      // Of the unjudged reads, only one with a cursor matters: it moves a list forward.
      const { endpoint, agentId, query } = by;
      if (!query.some(([name]) => name === 'cursor')) return;
      const excerpt = { request: { method, url, headers: {} }, durationMs: answeredAt - sentAt, failure: 'not judged' };
      const bare = { sent: undefined, open: true, caller: 'unknown' as const };
      for (const { judgement } of worlds.values())
        judgement.see({ ...place, ...bare, sentAt, answeredAt, method, endpoint, agentId, query, excerpt });
    },
    seeOwn(exchange) {
      const { origin, pathname } = new URL(exchange.excerpt.request.url);
      recogniser.of(exchange.method, origin + pathname);
      const world = worldOf('');
      if (world) append(world, exchange);
    },
    begin(next) {
      ended.push(...concluded());
      worlds.clear();
      own = next;
    },
    conclude: () => [...ended, ...concluded()],
    get baseUrl() {
      return recogniser.baseUrl;
    },
    leftOut,
    created,
    seen,
  };
}
