import { isCreatingAgents } from '../../spec/index.ts';
import { committedOn, meet, readCall, remember, type Incoming, type World } from '../answer.ts';
import { refuse, type Call, type Refusal } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import type { Fault } from '../faults/fault.ts';
import { isObject, type JsonObject } from '../json.ts';
import { bytesOf } from '../../text/curl.ts';
import { excessOf } from '../../text/json-limits.ts';
import { render } from '../service/render.ts';
import { storeOf, type Running } from '../session/running.ts';
import { originOf } from '../store/overlay.ts';
import type { Store } from '../store/store.ts';
import type { Warning } from '../teaching/warnings.ts';
import { platform } from '../../text/platform.ts';
import type { UpstreamAnswer, NoAnswer } from './http/send.ts';
import { makeRoom, type UpstreamState, type Upstream } from './upstream.ts';
import { withFaults } from './faulty.ts';
import { learn, type Returned } from './learn.ts';
import { lacksRoute } from './missing-route.ts';
import { subjectOf, tokensFromAnswer } from './routing.ts';

/** The upstream's answer, or the reason why the mock has to answer. */
export interface ForwardResult {
  /** `undefined` if the mock has to answer. */
  readonly wire: Wire | undefined;
  readonly source: 'mock' | 'upstream';
  /** Faults that changed the answer. */
  readonly committed: readonly Fault[];
  readonly warnings: readonly Warning[];
}

/** A request to forward, with its session's upstream. */
export interface ForwardedRequest extends Incoming {
  readonly world: World;
  readonly upstream: Upstream;
  readonly upstreamState: UpstreamState;
}

/** Forwards a request to the session's upstream, and commits the session's faults on the answer. Never rejects. */
export async function forward(session: Running, forwarded: ForwardedRequest): Promise<ForwardResult> {
  const { request, world, upstream, upstreamState } = forwarded;
  const call = readCall(forwarded, world);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const about = { memory: world.memory, tokens: world.tokens, faults: world.faults };
  // Triggers of a write look at the data before it; those of a read also look at the answer.
  const early =
    'kind' in call || isRead ? undefined : committedOn(call, request, { ...about, store: upstreamState.seen });
  const answer = await upstream.send(request);
  if ('why' in answer) return withoutAnswer(session, forwarded, call, answer);
  const wire = wireOf(answer);
  if ('kind' in call) return { wire, source: 'upstream', committed: [], warnings: [] };
  const missing =
    upstreamState.ways.get(call.endpoint) === 'fallback' ? missingRoute(session, upstreamState, call, wire) : undefined;
  if (missing) return missing;
  const shown = jsonOf(wire);
  const warnings = wire.status < 300 && shown ? rememberAnswer(session, forwarded, call, { wire, shown }) : [];
  const answered: Call = { ...call, isLastPage: shown?.['nextCursor'] === null };
  const tokens = tokensFromAnswer(about.tokens, request, shown);
  const store = upstreamState.seen;
  const faults = early ?? committedOn(answered, request, { ...about, tokens, store });
  const met = meet(answered, request, { ...about, tokens, store });
  remember(call, { memory: world.memory, store });
  const faulty = withFaults(wire, shown, faults, { call: answered, store });
  const idle = faulty.idle.filter((fault) => fault.about?.(answered, store, met) ?? true);
  return {
    wire: faulty.wire,
    source: 'upstream',
    committed: faulty.committed,
    warnings: [...warnings, ...idle.map((fault) => notCommitted(session, fault))],
  };
}

/** The mock's own answer if the endpoint falls back to it, or a refusal that says what is wrong with the upstream. */
function withoutAnswer(
  { store, profile }: Running,
  { upstream, upstreamState }: ForwardedRequest,
  call: Call | Refusal,
  { why, words }: NoAnswer,
): ForwardResult {
  const said = `The upstream gave no answer. ${words}`;
  const stands = why === 'absent' || why === 'late';
  const endpoint = 'kind' in call ? undefined : call.endpoint;
  const isFallback = endpoint !== undefined && upstreamState.ways.get(endpoint) === 'fallback';
  if (stands && (isFallback || (upstream.plan.learns && !('kind' in call) && isLearned(store, call))))
    return mockInstead(`${said} The mock answered.`);
  const advice =
    why === 'loop'
      ? ' Name another one.'
      : stands
        ? ' With --fallback, or the way "fallback", the mock answers in its place.'
        : '';
  const status = why === 'loop' ? 508 : why === 'late' ? 504 : 502;
  const wire = render({ ...refuse('failed', `${said}${advice}`), status }, profile);
  return { wire, source: 'mock', committed: [], warnings: [] };
}

const mockInstead = (why: string): ForwardResult => ({
  wire: undefined,
  source: 'mock',
  committed: [],
  warnings: [aboutUpstream('absent', why)],
});

/** Whether the requested resource was copied from the upstream. */
function isLearned(store: Store, call: Call): boolean {
  if (call.agentId === '') return false;
  return (
    store.agent(call.agentId)?.origin === 'upstream' ||
    store.publishedAgent(call.agentId) !== undefined ||
    store.results(call.agentId).count > 0
  );
}

/** Lets the mock answer if the upstream lacks the route, or if that is unclear and the mock has the resource. */
function missingRoute(
  { store }: Running,
  upstreamState: UpstreamState,
  call: Call,
  { status, body }: Wire,
): ForwardResult | undefined {
  const { kind, id } = subjectOf(call);
  const lacks = lacksRoute({
    status,
    text: body,
    endpoint: call.endpoint,
    id,
    isThere: upstreamState.seen.isOwn(kind, id),
    hasWorked: upstreamState.worked.has(call.endpoint),
  });
  const isHere = (kind === 'agent' ? store.agent(id) : store.workspace(id)) !== undefined;
  return lacks === true || (lacks === 'unclear' && isHere)
    ? mockInstead(`The upstream has no such route, as far as its status ${status} tells. The mock answered.`)
    : undefined;
}

/** Records what the upstream has returned, and copies it into the session if the upstream is learned. */
function rememberAnswer(
  session: Running,
  { upstream, upstreamState }: ForwardedRequest,
  call: Call,
  { wire, shown }: { readonly wire: Wire; readonly shown: JsonObject },
): readonly Warning[] {
  const { endpoint, agentId } = call;
  const returned: Returned = { endpoint, agentId, body: shown };
  upstreamState.worked.add(endpoint);
  makeRoom(
    upstreamState,
    () => storeOf({ beginning: { ...session.beginning, base: undefined }, world: undefined }, session.profile),
    wire.body.length,
  );
  if (agentId !== '' && !upstreamState.seen.isOwn('agent', agentId))
    upstreamState.seen.putAgent(agentId, { id: agentId }, 'seed');
  learn(upstreamState.seen, returned, isCreatingAgents(endpoint) ? originOf(endpoint) : 'seed');
  if (!upstream.plan.learns) return [];
  const { room } = session.beginning;
  const refusal = room.refusal(session.id, wire.body.length);
  if (refusal !== undefined) return [aboutUpstream('learn', refusal)];
  const leftOut = learn(session.store, returned, 'upstream');
  room.take(session.id, wire.body.length);
  return leftOut === 0
    ? []
    : [aboutUpstream('learn', `${leftOut} results were not learned: the mock cannot read their createdAt or id.`)];
}

const notCommitted = ({ faults }: Running, fault: Fault): Warning => {
  const id = faults.find((one) => one.fault === fault)?.id ?? 'that was asked for';
  return aboutUpstream(
    'fault',
    fault.reply || fault.wire || fault.piecemeal
      ? `The fault ${id} found nothing to change in this answer of the upstream.`
      : `The fault ${id} changes what the mock does with a request. The upstream answered this one, so it was not committed.`,
  );
};

const aboutUpstream = (code: string, message: string): Warning => ({
  location: ['response'],
  severity: 'Warning',
  code: `upstream-${code}`,
  message,
});

/** Keeps every byte of the body. */
function wireOf({ status, headers, cookies = [], body }: UpstreamAnswer): Wire {
  const given = { status, headers, ...(cookies.length === 0 ? {} : { cookies }) };
  try {
    const text = new platform.TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return { ...given, body: text };
  } catch {
    return { ...given, body: bytesOf(body), encoding: 'latin1' };
  }
}

/** The JSON object in an answer, if it is one and within the limits for parsing. */
function jsonOf({ body, encoding }: Wire): JsonObject | undefined {
  if (encoding !== undefined || excessOf(body) !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
