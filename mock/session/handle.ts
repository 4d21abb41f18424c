import { answer, readCall, type AnswerContext } from '../answer.ts';
import { bodyOf, refuse, type MockRequest } from '../call.ts';
import { isConnectionFault, waitingTime, type Wire } from '../wire/wire.ts';
import { faultNamed, committed, delayFor } from '../faults/index.ts';
import { fitToStatus, violationsHeader } from '../wire/sendable.ts';
import { appliedOf, readPreferences, type Preferred } from '../on-demand/preferences.ts';
import { wantedAnswer } from '../on-demand/wanted-answer.ts';
import { readQuery, route } from '../service/route.ts';
import { render } from '../service/render.ts';
import { warningsOfRequest } from '../teaching/request-warnings.ts';
import { warning, type Warning } from '../teaching/warnings.ts';
import { isInstant, parseInstant } from './clock.ts';
import { stateOf, type Running } from './running.ts';
import { drawDelay } from './settings.ts';
import { gapIds, type Profile } from '../../spec/index.ts';
import type { Json } from '../../text/json.ts';

const IN_HEADER = ['request', 'header', 'prefer'];

/** Answers one request of a session by the mock alone, and records it in the journal. */
export function handle(session: Running, request: MockRequest): Wire {
  const underway = receive(session, request);
  return finish(session, underway, preparedAnswer(session, underway) ?? ownAnswer(session, underway));
}

/** The same, but for what is answered by who stands behind the mock. Never rejects. */
export function respond(session: Running, request: MockRequest): Wire | Promise<Wire> {
  const underway = receive(session, request);
  const prepared = preparedAnswer(session, underway);
  if (prepared) return finish(session, underway, prepared);
  const theirs = session.behind.answer(underway, () => contextOf(session, underway));
  if (!theirs) return finish(session, underway, ownAnswer(session, underway));
  return theirs.then((wire) => finish(session, underway, wire ?? ownAnswer(session, underway)));
}

const sessionEnded = warning(
  'session-ended',
  'The session of this name ended: it was idle for long, or others needed its room. It begins anew, without its data.',
  ['request', 'header', 'x-mock-session'],
);

type Received = ReturnType<typeof receive>;

/** What a request means, and what else shapes its answer: the clock, preferences, plans, standing answers and faults. */
function receive(session: Running, request: MockRequest) {
  session.requests++;
  session.beginning.steered?.recorder?.before(session, stateOf(session));
  const { clock, plans, standing } = session;
  const warnings: Warning[] = [];
  const [path = '', ...search] = request.target.split('?');
  const query = readQuery(search.join('?'));
  const found = route(request.method, path);
  const routed = 'endpoint' in found ? found : undefined;

  if (session.beginning.room.tellsEnd(session.id)) warnings.push(sessionEnded);
  const { wanted: own, refused } = readPreferences(request.headers['prefer'], query);
  for (const { name, message, location } of refused)
    warnings.push(warning(`prefer-${name}`, message, ['request', ...location]));
  const at = instantOf(request, warnings) ?? clock.now();
  const planned = routed && plans.take(routed, request);
  const stays = (routed && !planned && standing.of(routed, request)) || undefined;
  const step = planned?.step ?? stays;
  const preferred: Preferred = { ...step, ...own };
  const { fault: named = '' } = preferred;
  const isBreak = isConnectionFault(named);
  const active = session.faults.map((one) => one.fault).find((one) => typeof one === 'string');
  const connection = isBreak ? named : active;
  const fault = !isBreak && named !== '' && faultNamed(named);
  if (typeof fault === 'string') warnings.push(warning('prefer-fault', fault, IN_HEADER));
  return {
    request,
    query,
    found,
    endpoint: routed?.endpoint,
    agentId: routed?.agentId ?? '',
    began: performance.now(),
    /** Epoch milliseconds at which it is answered. */
    at,
    /** The preferences of the request itself, which take precedence over a plan. */
    own,
    preferred,
    plan: planned?.plan ?? (stays && 'standing'),
    planned,
    step,
    extra: (typeof fault === 'object' && fault) || undefined,
    connection,
    imposed: session.beginning.steered?.imposedOn(session, request),
    warnings,
    applied: new Set<keyof Preferred>(),
    body: undefined as Json | undefined,
  };
}

/** An answer that replaces any other: too many requests, or what a preference or a plan says. */
function preparedAnswer(session: Running, underway: Received): Wire | undefined {
  const { settings, limiter, profile, journal } = session;
  const { request, found, preferred, warnings, applied } = underway;
  const { rateLimit } = settings;
  const wait = rateLimit && limiter.admit(rateLimit, underway.at);
  if (wait !== undefined) {
    const limit = `The limit is ${rateLimit?.requests} requests in ${rateLimit?.seconds} seconds.`;
    return render({ ...refuse('rate-limited', limit), headers: { 'retry-after': String(wait) } }, profile);
  }
  if ('kind' in found) return undefined;
  const about = { accept: request.headers['accept'], number: journal.next() };
  const wanted = wantedAnswer(found, about, preferred, profile);
  if (wanted && 'wire' in wanted) {
    for (const name of wanted.shapedBy) applied.add(name);
    return wanted.wire;
  }
  if (wanted) warnings.push(warning('prefer-prefer', wanted.refusal, IN_HEADER));
  return undefined;
}

function ownAnswer(session: Running, underway: Received): Wire {
  const { id, beginning } = session;
  const { request, endpoint, extra } = underway;
  const context = contextOf(session, underway);
  const call = readCall(underway, context);
  if ('body' in call) underway.body = bodyOf(call);
  const wire = answer(call, request, context);
  if (request.body !== undefined && wire.status < 300) beginning.room.take(id, wire.body.length);
  if (endpoint && (extra?.on === 'every' || extra?.on.includes(endpoint))) underway.applied.add('fault');
  return wire;
}

function contextOf(session: Running, { request, extra, at, imposed }: Received): AnswerContext {
  const { id, store, memory, beginning, behind } = session;
  const { room, tokens, caches } = beginning;
  const faults = committed(session.faults, extra);
  const context = {
    full: request.body && room.refusal(id, request.body.length),
    store,
    tokens,
    profile: profileUnder(session, imposed?.choices),
    faults: imposed ? [...faults, ...imposed.faults] : faults,
    now: at,
    requestNumber: imposed?.requestNumber ?? session.requests,
    memory,
    renderings: caches.renderings,
  };
  return behind.adapt(context, request);
}

/** The choices of a session, and those of a steering in which the session has not chosen itself. */
function profileUnder({ profile, beginning }: Running, choices: Partial<Profile> | undefined): Profile {
  if (!choices) return profile;
  const free = gapIds.filter((gap) => choices[gap] !== undefined && profile[gap] === beginning.profile[gap]);
  if (free.length === 0) return profile;
  return { ...profile, ...Object.fromEntries(free.map((gap) => [gap, choices[gap]])) };
}

/** The longest header that the mock sends, in characters. */
const MOST_CHARACTERS = 4000;

/** The final answer, with its date, applied preferences, warnings and delivery. It is also recorded in the journal. */
function finish(session: Running, underway: Received, answered: Wire): Wire {
  const { request, endpoint, agentId, began, at, own, preferred, plan, planned, connection } = underway;
  const { warnings, applied, extra, imposed } = underway;
  const { settings, profile, journal, beginning } = session;

  const isOtherSuccess = preferred.code !== undefined && preferred.code < 300 && answered.status < 300;
  if (isOtherSuccess) applied.add('code');
  const complete = isOtherSuccess ? { ...answered, status: preferred.code } : answered;
  if (beginning.validate && endpoint) {
    // A refusal states the errors of its request itself.
    if (complete.status < 400) warnings.push(...warningsOfRequest(endpoint, request, underway.query, underway.body));
    warnings.push(...beginning.caches.warningsOfAnswer(endpoint, complete));
  }

  const fitting = fitToStatus(complete);
  const usual = settings.latency && drawDelay(settings.latency, session.random);
  const delay = preferred.delay ?? usual ?? imposed?.latency ?? delayFor(session.faults, extra);
  if (delay !== undefined) applied.add('delay');
  if (connection !== undefined) applied.add('fault');
  else if (fitting.body !== '' && request.method !== 'HEAD') applied.add('rate');
  const shown = appliedOf(own, applied);
  const headers: Record<string, string> = { ...session.behind.ownHeaders, ...fitting.headers };
  headers['date'] ??= new Date(at).toUTCString();
  if (shown.length > 0) headers['preference-applied'] = shown.join(', ');
  if (warnings.length > 0) headers['sl-violations'] = violationsHeader(warnings, MOST_CHARACTERS);
  const isPlain = (delay ?? 0) <= 0 && preferred.rate === undefined && connection === undefined;
  const delivery = isPlain ? undefined : { delay, rate: preferred.rate, connection };
  const { status, body, cookies, encoding } = fitting;
  const wire: Wire = { status, headers, body, cookies, encoding, delivery };

  const duration = Math.round((performance.now() - began + waitingTime(wire)) * 100) / 100;
  planned?.metBy(journal.next());
  const { seed, persona } = session.world ?? beginning;
  const { anchor, tokens } = beginning;
  const faults = session.faults.map((fault) => fault.id);
  const under = { seed, persona, anchor, tokens, profile, faults, step: underway.step };
  const exchange = { request, endpoint, agentId, wire, at, duration, warnings, applied: shown, plan, under };
  beginning.steered?.recorder?.after(session, exchange, stateOf(session));
  journal.record(exchange);
  return wire;
}

/** Epoch milliseconds that `X-Mock-Now` names: RFC 3339, or a number, within the years that the clock supports. */
function instantOf({ headers }: MockRequest, warnings: Warning[]): number | undefined {
  const text = headers['x-mock-now'];
  if (text === undefined) return undefined;
  const at = /^\d{1,15}$/.test(text) ? Number(text) : parseInstant(text);
  if (isInstant(at)) return at;
  const message = `Must be an instant such as 2026-05-20T15:30:00Z; it is ${JSON.stringify(text.slice(0, 60))}.`;
  warnings.push(warning('x-mock-now', message, ['request', 'header', 'x-mock-now']));
  return undefined;
}
