import type { Check } from '../check.ts';
import type { Answered, Exchange } from '../history/exchange.ts';
import { createJudgement, type Judged, type Judgement } from '../history/judgement.ts';
import { createObservations, type Observations } from '../observations/observe.ts';
import { observers } from '../observations/index.ts';
import type { Finding } from '../finding.ts';
import { madeBy } from '../report/compose.ts';
import type { Secret } from '../report/redact.ts';
import type { CreatedOnTarget } from '../report/report.ts';
import type { TargetOptions } from '../target-options.ts';
import { createCallers } from './callers.ts';
import { createExchanges, type Place } from './exchange-of.ts';
import { createLeftOut, type LeftOut, type Met, type Reason } from './met.ts';
import { createRecogniser } from './recognise.ts';

export interface ForeignOptions {
  readonly checks: readonly Check[];
  readonly strictNull: boolean;
  /** What the documented paths are appended to. Default: found by the paths of the first request that fits them. */
  readonly baseUrl?: string | undefined;
  /** Every credential that is met is added, for whoever writes something. */
  readonly secrets: Secret[];
}

/** The data that some requests share: a file of its own, a session of the mock. Nothing is compared across worlds. */
interface World {
  readonly judgement: Judgement;
  readonly observations: Observations;
}

/** What of one world is told in the end. */
export interface WorldJudged {
  readonly judged: readonly Judged[];
  readonly facts: Judgement['facts'];
  readonly observed: ReturnType<Observations['conclude']>;
}

/** Judges what others ask and are answered. */
export interface ForeignJudge {
  /** Takes the next exchange, in the order of completion. What is wrong with its answer alone, or why it is left out. */
  see(met: Met, place: Place): readonly Omit<Finding, 'exchanges'>[] | Reason;
  /** One that nobody has time to judge: that it was made is known all the same. */
  miss(met: Met, place: Place): void;
  /** An exchange that was recorded by a run of our own, with all that the run knew of it. */
  seeOwn(exchange: Exchange): void;
  /** Ends the worlds so far: what comes next is compared with nothing of them. `own` is the target of a recorded run. */
  begin(own?: { readonly target: TargetOptions; readonly now: number | undefined }): void;
  /** What was established so far, world by world. */
  conclude(): readonly WorldJudged[];
  readonly baseUrl: string | undefined;
  readonly leftOut: { note(reason: Reason, about: string): void; all(): readonly LeftOut[] };
  readonly created: readonly CreatedOnTarget[];
  /** Exchanges that were judged, and when the first was sent and the last answered, in epoch milliseconds. */
  readonly seen: { readonly count: number; readonly from: number; readonly to: number };
}

const MAX_WORLDS = 100;
const MAX_CREATED = 1_000;
const SESSION_HEADER = 'x-mock-session';

export function createForeignJudge(options: ForeignOptions): ForeignJudge {
  const { checks, strictNull, secrets } = options;
  const recogniser = createRecogniser(options.baseUrl);
  const callers = createCallers(secrets);
  const exchangeOf = createExchanges();
  const leftOut = createLeftOut();
  const ended: WorldJudged[] = [];
  const worlds = new Map<string, World>();
  const created: CreatedOnTarget[] = [];
  const seen = { count: 0, from: Infinity, to: -Infinity };
  let own: { readonly target: TargetOptions; readonly now: number | undefined } | undefined;

  const worldOf = (name: string): World | undefined => {
    const known = worlds.get(name);
    if (known || worlds.size >= MAX_WORLDS) return known;
    const by = own ? { ...own, strictNull } : { target: {}, strictNull, isForeign: true };
    const judgement = createJudgement(checks, by);
    const fresh = { judgement, observations: createObservations(observers, judgement.facts) };
    worlds.set(name, fresh);
    return fresh;
  };

  function append({ judgement, observations }: World, exchange: Exchange): void {
    judgement.see(exchange);
    observations.see(exchange);
    seen.count++;
    seen.from = Math.min(seen.from, exchange.sentAt);
    seen.to = Math.max(seen.to, exchange.answeredAt);
    const made = created.length < MAX_CREATED ? madeBy(exchange) : undefined;
    if (made) created.push(made);
  }

  const concluded = (): readonly WorldJudged[] =>
    [...worlds.values()].map(({ judgement, observations }) => ({
      judged: judgement.conclude(),
      facts: judgement.facts,
      observed: observations.conclude(),
    }));

  const touchedBy = (agentId: string | undefined, method: string): void => {
    if (agentId === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return;
    for (const { judgement } of worlds.values()) judgement.facts.agents.touch(agentId);
  };

  const left = (reason: Reason, about: string): Reason => {
    leftOut.note(reason, about);
    return reason;
  };

  return {
    see(met, place) {
      const shown = callers.of(met.requestHeaders, met.hasAllHeaders);
      const by = recogniser.of(met.method, met.url);
      if ('reason' in by) {
        touchedBy(by.agentId, met.method);
        return left(by.reason, by.about);
      }
      const about = `${met.method} ${by.endpoint}`;
      if (!shown) return left('too-many-callers', about);
      const exchange: Answered | Reason = exchangeOf(met, by, shown, place);
      if (typeof exchange === 'string') return left(exchange, about);
      const world = worldOf(`${by.world} ${met.requestHeaders[SESSION_HEADER] ?? ''}`);
      if (!world) return left('too-many-callers', about);
      append(world, exchange);
      return world.judgement.facts.shapes.lastFound();
    },
    miss(met, place) {
      leftOut.note('not-judged', '');
      if (met.hasAllHeaders) callers.of(met.requestHeaders, true);
      if (met.method === 'GET' && !met.url.includes('cursor')) return;
      const by = recogniser.of(met.method, met.url);
      if ('reason' in by) return touchedBy(by.agentId, met.method);
      const { endpoint, agentId, query } = by;
      // Of the rest nothing follows from what nobody looked at.
      if (!query.some(([name]) => name === 'cursor')) return;
      const { method, url, sentAt, answeredAt } = met;
      const kept = { request: { method, url, headers: {} }, durationMs: answeredAt - sentAt, failure: 'not looked at' };
      const bare = { sent: undefined, open: true, caller: 'unknown' as const };
      for (const { judgement } of worlds.values())
        judgement.see({ ...place, ...bare, sentAt, answeredAt, method, endpoint, agentId, query, kept });
    },
    seeOwn(exchange) {
      const { origin, pathname } = new URL(exchange.kept.request.url);
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
