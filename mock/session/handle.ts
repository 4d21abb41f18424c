import type { EndpointId } from '../../spec/index.ts';
import { answerTo, httpDate, readCall, type World } from '../answer.ts';
import { refuse, type MockRequest, type Refusal } from '../call.ts';
import type { Wire, Delivery } from '../wire/wire.ts';
import type { Json } from '../json.ts';
import type { Fault } from '../faults/fault.ts';
import { faultNamed, whyNoFault, breakOf, committed } from '../faults/index.ts';
import type { ConnectionFault } from '../wire/broken-connections.ts';
import { waitingTime } from '../wire/delivery.ts';
import { fitToStatus } from '../wire/sendable.ts';
import { appliedOf, readPreferences, splitFault, type Preferred } from '../on-demand/preferences.ts';
import type { PlannedStep } from '../on-demand/plans.ts';
import { asksForAnswer, shapedBy, wantedAnswer } from '../on-demand/wanted-answer.ts';
import { readQuery } from '../service/query.ts';
import { render } from '../service/render.ts';
import { route, type Route } from '../service/route.ts';
import { warningsOfRequest } from '../teaching/request-warnings.ts';
import { warningsHeader, warningsOfAnswer, type Warning } from '../teaching/warnings.ts';
import { quote } from '../wording/slips.ts';
import { isInstant, parseInstant } from './clock.ts';
import type { Running } from './running.ts';
import { drawDelay, type Settings } from './settings.ts';
import type { UpstreamState } from '../upstream/upstream.ts';
import { forward, type ForwardResult } from '../upstream/forward.ts';
import { SOURCE } from '../../http/headers.ts';
import type { Way } from '../upstream/options.ts';
import { profileWithUpstream, isRateLimited, tokensWithUpstream, whoAnswers } from '../upstream/routing.ts';

/** A request, and everything that affects its answer. */
interface Understood {
  readonly request: MockRequest;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly found: Route | Refusal;
  /** `undefined` if the request belongs to no endpoint. */
  readonly endpoint: EndpointId | undefined;
  /** When it arrived, by the process clock. */
  readonly began: number;
  /** Epoch milliseconds at which it is answered. */
  readonly at: number;
  /** The preferences of the request itself, which take precedence over a plan. */
  readonly own: Preferred;
  readonly preferred: Preferred;
  readonly plan: string | undefined;
  readonly planned: PlannedStep | undefined;
  /** The fault for this request, besides the active ones. */
  readonly extra: Fault | undefined;
  readonly connection: ConnectionFault | undefined;
  readonly warnings: readonly Warning[];
}

/** An answer, and how it came about. */
interface Answered {
  readonly wire: Wire;
  /** Who made it. Default: the mock. */
  readonly source?: 'mock' | 'upstream';
  /** The preferences that were applied. */
  readonly met: readonly (keyof Preferred)[];
  readonly warnings: readonly Warning[];
  /** The parsed body of the request, if it was parsed. */
  readonly body?: Json;
}

/** Answers one request of a session without the upstream, and records it in the journal. */
export function handle(session: Running, request: MockRequest): Wire {
  const asked = understand(session, request);
  const early = instead(session, asked);
  return close(session, asked, 'wire' in early ? early : ownAnswer(session, asked, early));
}

/** The same, with the upstream, if there is one. Never rejects. */
export function respond(session: Running, request: MockRequest): Wire | Promise<Wire> {
  const { upstream } = session.beginning;
  const { upstreamState } = session;
  if (!upstream || !upstreamState) return handle(session, request);
  const asked = understand(session, request);
  const early = instead(session, asked);
  if ('wire' in early) return close(session, asked, early);
  const world = worldOf(session, asked);
  const call = readCall(asked, world);
  const where =
    request.oversize === true || isRateLimited(world)
      ? 'mock'
      : whoAnswers(call, wayOf(upstreamState, asked), session.store);
  if (where === 'mock') return close(session, asked, ownAnswer(session, asked, early));
  return forward(session, { ...asked, world, upstream, upstreamState }).then((forwarded) =>
    close(
      session,
      asked,
      forwarded.wire ? sentOn(asked, early, forwarded, forwarded.wire) : standIn(session, asked, early, forwarded),
    ),
  );
}

const wayOf = ({ ways }: UpstreamState, { endpoint }: Understood): Way | undefined => endpoint && ways.get(endpoint);

/** The mock's own answer, if the upstream has none. */
function standIn(session: Running, asked: Understood, early: Early, { warnings }: ForwardResult): Answered {
  const own = ownAnswer(session, asked, early);
  return { ...own, warnings: [...own.warnings, ...warnings] };
}

/** The answer of the upstream. */
function sentOn(
  asked: Understood,
  early: Early,
  { source, committed: done, warnings }: ForwardResult,
  wire: Wire,
): Answered {
  const { extra, preferred } = asked;
  const isOtherSuccess = preferred.code !== undefined && preferred.code < 300 && wire.status < 300;
  return {
    wire: isOtherSuccess ? { ...wire, status: preferred.code } : wire,
    source,
    met: [
      ...(extra && done.includes(extra) ? (['fault'] as const) : []),
      ...(isOtherSuccess ? (['code'] as const) : []),
    ],
    warnings: [
      ...early.warnings,
      ...warnings,
      ...(asked.request.headers['x-mock-now'] === undefined ? [] : [nowIsNotTheirs]),
    ],
  };
}

/** The final answer, which is also recorded in the journal. */
function close(session: Running, asked: Understood, answered: Answered): Wire {
  const warnings = [
    ...asked.warnings,
    ...answered.warnings,
    ...(session.beginning.validate ? judged(asked, answered) : []),
  ];
  const { wire, applied } = finish(session, asked, answered, warnings);
  const { request, found, endpoint, at, planned, plan } = asked;
  const agentId = 'endpoint' in found ? found.agentId : '';
  const duration = Math.round((performance.now() - asked.began + waitingTime(wire)) * 100) / 100;
  planned?.metBy(session.journal.next());
  session.journal.record({ request, endpoint, agentId, wire, at, duration, warnings, applied, plan });
  return wire;
}

function understand({ clock, plans, standing, faults }: Running, request: MockRequest): Understood {
  const [path = '', ...search] = request.target.split('?');
  const query = search.length === 0 ? [] : readQuery(search.join('?'));
  const found = route(request.method, path);
  const endpoint = 'endpoint' in found ? found.endpoint : undefined;
  const askedAt = request.headers['x-mock-now'];
  const at = askedAt === undefined ? undefined : askedInstant(askedAt);
  const { wanted: own, refused } = readPreferences(request.headers['prefer'], query);
  const planned = endpoint === undefined ? undefined : plans.take(endpoint);
  const stays = endpoint === undefined || planned ? undefined : standing.of(endpoint);
  const preferred = { ...(planned?.step ?? stays), ...own };
  const { connection = breakOf(faults), violation } = splitFault(preferred.fault);
  const extra = violation === undefined ? undefined : faultNamed(violation);
  return {
    request,
    query,
    found,
    endpoint,
    began: performance.now(),
    at: at ?? clock.now(),
    own,
    preferred,
    plan: planned?.plan ?? (stays && 'standing'),
    planned,
    extra,
    connection,
    warnings: [
      ...refused.map(({ name, message, location }) => preferenceRefused(name, message, location)),
      ...(askedAt !== undefined && at === undefined ? [nowRefused(askedAt)] : []),
      ...(violation !== undefined && !extra
        ? [preferenceRefused('fault', whyNoFault(violation) ?? `There is no fault ${quote(violation)}.`)]
        : []),
    ],
  };
}

/** Additional headers for an answer of the mock or of the upstream. */
type Early = Pick<Answered, 'warnings'>;

/** An answer that replaces any other: too many requests, or a preference. */
function instead(session: Running, asked: Understood): Answered | Early {
  session.requests++;
  const { settings, limiter, profile, journal } = session;
  const { request, found, endpoint, preferred, at } = asked;
  const tooSoon = settings.rateLimit && limiter.admit(settings.rateLimit, at);
  if (tooSoon !== undefined) return { wire: render(tooMany(settings, tooSoon), profile), met: [], warnings: [] };
  if (endpoint === undefined || !asksForAnswer(preferred)) return { warnings: [] };
  const agentId = 'endpoint' in found ? found.agentId : '';
  const otherSeed = String(journal.next());
  const { accept } = request.headers;
  const drawn = wantedAnswer({ endpoint, agentId, preferred, accept, otherSeed }, profile);
  if ('refusal' in drawn) return { warnings: [preferenceRefused('prefer', drawn.refusal)] };
  return drawn.wire ? { wire: drawn.wire, met: shapedBy(preferred), warnings: [] } : { warnings: [] };
}

function worldOf(session: Running, { request, extra, at }: Understood): World {
  const { id, store, profile, memory, beginning, requests } = session;
  const { room, tokens, upstream } = beginning;
  return {
    full: request.body && room.refusal(id, request.body.length),
    store,
    tokens: upstream ? tokensWithUpstream(upstream.plan, tokens, request) : tokens,
    profile: upstream ? profileWithUpstream(profile) : profile,
    faults: committed(session.faults, extra),
    now: at,
    requestNumber: requests,
    memory,
  };
}

function ownAnswer(session: Running, asked: Understood, { warnings }: Early): Answered {
  const { request, endpoint, extra, preferred } = asked;
  const { id, beginning } = session;
  const world = worldOf(session, asked);
  const call = readCall(asked, world);
  const wire = answerTo(call, request, world);
  if (request.body !== undefined && wire.status < 300) beginning.room.take(id, wire.body.length);
  const isFaulty = endpoint !== undefined && extra && (extra.on === 'every' || extra.on.includes(endpoint));
  const isOtherSuccess = preferred.code !== undefined && preferred.code < 300 && wire.status < 300;
  return {
    wire: isOtherSuccess ? { ...wire, status: preferred.code } : wire,
    met: [...(isFaulty ? (['fault'] as const) : []), ...(isOtherSuccess ? (['code'] as const) : [])],
    warnings,
    ...('body' in call && call.body && 'value' in call.body ? { body: call.body.value } : {}),
  };
}

function tooMany({ rateLimit }: Settings, seconds: number): Refusal {
  const says = `The limit is ${rateLimit?.requests ?? 0} requests in ${rateLimit?.seconds ?? 0} seconds.`;
  return { ...refuse('rate-limited', says), headers: { 'retry-after': String(seconds) } };
}

/** Warnings: errors in an answer, and oddities in an accepted request. A refusal states its errors itself. */
function judged({ endpoint, request, query }: Understood, { wire, body }: Answered): readonly Warning[] {
  if (endpoint === undefined) return [];
  return [
    ...(wire.status < 400 ? warningsOfRequest(endpoint, request, query, body) : []),
    ...warningsOfAnswer(endpoint, wire),
  ];
}

/** The final answer: with its date, applied preferences, warnings and delivery. */
function finish(
  session: Running,
  { request, preferred, own, connection, at }: Understood,
  answered: Answered,
  warnings: readonly Warning[],
): { readonly wire: Wire; readonly applied: readonly string[] } {
  const { shown: _, ...wire } = fitToStatus(answered.wire);
  const { latency } = session.settings;
  const delay = preferred.delay ?? (latency && drawDelay(latency, session.random));
  const isSent = connection === undefined && wire.body !== '' && request.method !== 'HEAD';
  const met = new Set<keyof Preferred>([
    ...answered.met,
    ...(delay === undefined ? [] : (['delay'] as const)),
    ...(connection === undefined ? [] : (['fault'] as const)),
    ...(isSent ? (['rate'] as const) : []),
  ]);
  const applied = appliedOf(own, met);
  const delivery = deliveryOf(delay, preferred.rate, connection);
  return {
    wire: {
      ...wire,
      headers: {
        ...wire.headers,
        date: wire.headers['date'] ?? httpDate(at),
        ...(session.upstreamState ? { [SOURCE]: answered.source ?? 'mock' } : {}),
        ...(applied.length > 0 ? { 'preference-applied': applied.join(', ') } : {}),
        ...(warnings.length > 0 ? { 'sl-violations': warningsHeader(warnings) } : {}),
      },
      ...(delivery ? { delivery } : {}),
    },
    applied,
  };
}

function deliveryOf(
  delay: number | undefined,
  rate: number | undefined,
  connection: ConnectionFault | undefined,
): Delivery | undefined {
  if ((delay ?? 0) <= 0 && rate === undefined && connection === undefined) return undefined;
  return {
    delay,
    rate,
    connection,
  };
}

const preferenceRefused = (
  name: string,
  message: string,
  location: readonly string[] = ['header', 'prefer'],
): Warning => ({
  location: ['request', ...location],
  severity: 'Warning',
  code: `prefer-${name}`,
  message,
});

const nowRefused = (wanted: string): Warning => ({
  location: ['request', 'header', 'x-mock-now'],
  severity: 'Warning',
  code: 'x-mock-now',
  message: `Must be an instant such as 2026-05-20T15:30:00Z; it is ${JSON.stringify(wanted.slice(0, 60))}.`,
});

const nowIsNotTheirs: Warning = {
  location: ['request', 'header', 'x-mock-now'],
  severity: 'Warning',
  code: 'x-mock-now',
  message: 'Is the time of the mock. The upstream answered this request by its own.',
};

/** Epoch milliseconds from RFC 3339, or from a number in epoch milliseconds; only for years that the clock supports. */
function askedInstant(text: string): number | undefined {
  const at = /^\d{1,15}$/.test(text) ? Number(text) : parseInstant(text);
  return isInstant(at) ? at : undefined;
}
