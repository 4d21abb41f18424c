import { endpoints, isCreatingAgents, type EndpointId } from '../../spec/index.ts';
import { circumstancesFor, committedOn, isRateLimited, readCall, remember, type AnswerContext } from '../answer.ts';
import { refuse, type Call, type Refusal } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import type { Fault } from '../faults/fault.ts';
import { isObject, parseJson, type JsonObject } from '../../text/json.ts';
import { bytesOf } from '../../text/curl.ts';
import { excessOf } from '../../text/json-limits.ts';
import { render } from '../service/render.ts';
import type { Underway } from '../session/behind.ts';
import { storeOf, type Behind, type Running } from '../session/running.ts';
import { originOf } from '../store/overlay.ts';
import type { Store } from '../store/store.ts';
import { warning, type Warning } from '../teaching/warnings.ts';
import { platform } from '../../text/platform.ts';
import { SOURCE } from '../../http/headers.ts';
import type { UpstreamAnswer, NoAnswer, Send } from './http/send.ts';
import { controlsOf, type UpstreamPlan, type Way } from './options.ts';
import { withFaults } from './faulty.ts';
import { learn } from './learn.ts';
import { subjectOf, tokensFromAnswer, tokensWithUpstream, whoAnswers, withOtherWorkspaces } from './routing.ts';

export const createUpstream = (plan: UpstreamPlan, send: Send): Behind => ({
  learns: plan.learns,
  join(session) {
    const seen = emptied(session);
    const part: Part = { session, plan, send, ways: new Map(plan.ways), seen, size: 0, worked: new Set() };
    const adapted = withOtherWorkspaces();
    return {
      controls: controlsOf(plan, part.ways),
      ownHeaders: { [SOURCE]: 'mock' },
      adapt: (context, request) => ({
        ...context,
        tokens: tokensWithUpstream(plan, context.tokens, request),
        profile: adapted(context.profile),
      }),
      answer(underway, contextOf) {
        const { request, endpoint } = underway;
        const context = contextOf();
        if (request.oversize === true || isRateLimited(context)) return undefined;
        const call = readCall(underway, context);
        const way = endpoint && part.ways.get(endpoint);
        if (whoAnswers(call, way, session.store) === 'mock') return undefined;
        return forward(part, underway, call, context).then((wire) => {
          if (wire && request.headers['x-mock-now'] !== undefined) underway.warnings.push(nowIsNotTheirs);
          return wire;
        });
      },
    };
  },
});

interface Part {
  readonly session: Running;
  readonly plan: UpstreamPlan;
  readonly send: Send;
  readonly ways: Map<EndpointId, Way>;
  /** What it has returned, learned or not. Triggers and faults read it. */
  seen: Store;
  size: number;
  readonly worked: Set<EndpointId>;
}

/** At more characters, `seen` starts empty again. */
const MOST_SEEN = 20_000_000;

const emptied = ({ beginning, profile }: Running): Store =>
  storeOf({ ...beginning, base: undefined }, undefined, profile);

/** Forwards a request, and commits the session's faults on the answer. `undefined` if the mock has to answer. */
async function forward(
  part: Part,
  underway: Underway,
  call: Call | Refusal,
  { memory, tokens, faults }: AnswerContext,
): Promise<Wire | undefined> {
  const { request, extra, warnings, applied } = underway;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // Triggers of a write look at the data before it; those of a read also look at the answer.
  const before = { memory, tokens, faults, store: part.seen };
  const early = !('kind' in call) && !isRead && committedOn(call, request, before);
  const came = await part.send(request);
  if ('why' in came) return withoutAnswer(part, call, came, warnings);
  const wire = wireOf(came);
  if ('kind' in call) return fromUpstream(wire);
  if (part.ways.get(call.endpoint) === 'fallback' && isWithoutRoute(part, call, wire)) {
    const said = `The upstream has no such route, as far as its status ${wire.status} tells. The mock answered.`;
    warnings.push(aboutUpstream('absent', said));
    return undefined;
  }

  const shown = jsonOf(wire);
  if (wire.status < 300 && shown) warnings.push(...rememberAnswer(part, call, wire, shown));
  const answered: Call = { ...call, isLastPage: shown?.['nextCursor'] === null };
  const store = part.seen;
  const about = { memory, tokens: tokensFromAnswer(tokens, request, shown), faults, store };
  const wanted = early || committedOn(answered, request, about);
  const circumstances = circumstancesFor(answered, request, about);
  remember(call, about);
  const faulty = withFaults(wire, shown, wanted, { call: answered, store });
  if (extra && faulty.committed.includes(extra)) applied.add('fault');
  for (const fault of faulty.idle)
    if (fault.about?.(answered, store, circumstances) ?? true) warnings.push(notCommitted(part.session, fault));
  return fromUpstream(faulty.wire);
}

const fromUpstream = (wire: Wire): Wire => ({ ...wire, headers: { ...wire.headers, [SOURCE]: 'upstream' } });

/** A refusal that says what is wrong with the upstream; `undefined` if the mock answers in its place. */
function withoutAnswer(
  { session, plan, ways }: Part,
  call: Call | Refusal,
  { why, words }: NoAnswer,
  warnings: Warning[],
): Wire | undefined {
  const said = `The upstream gave no answer. ${words}`;
  if (why === 'absent' || why === 'late') {
    const isFallback = !('kind' in call) && ways.get(call.endpoint) === 'fallback';
    if (isFallback || (plan.learns && !('kind' in call) && isLearned(session.store, call))) {
      warnings.push(aboutUpstream('absent', `${said} The mock answered.`));
      return undefined;
    }
  }
  const { status, advice = '' } = failures[why];
  return render({ ...refuse('failed', `${said}${advice}`), status }, session.profile);
}

const FALL_BACK = ' With --fallback, or the way "fallback", the mock answers in its place.';

const failures: Readonly<Record<NoAnswer['why'], { readonly status: number; readonly advice?: string }>> = {
  absent: { status: 502, advice: FALL_BACK },
  late: { status: 504, advice: FALL_BACK },
  unusable: { status: 502 },
  loop: { status: 508, advice: ' Name another one.' },
  misdirected: { status: 421 },
};

function isLearned(store: Store, { agentId }: Call): boolean {
  if (agentId === '') return false;
  if (store.agent(agentId)?.origin === 'upstream' || store.results(agentId).count > 0) return true;
  return store.publishedAgent(agentId) !== undefined;
}

/** Whether the upstream lacks the route, and not just the resource, as far as one can tell. */
function isWithoutRoute({ session, seen, worked }: Part, call: Call, wire: Wire): boolean {
  if (wire.status === 405 || wire.status === 501) return true;
  if (wire.status !== 404 || worked.has(call.endpoint)) return false;
  const { kind, id } = subjectOf(call);
  // Services say in JSON that a resource is missing; frameworks mostly use other formats to say that of a route.
  if (id === '' || jsonOf(wire) === undefined) return true;
  if (seen.isOwn(kind, id) && endpoints[call.endpoint].mayBeAbsent !== true) return true;
  return session.store[kind](id) !== undefined;
}

/** Records what the upstream has returned, and copies it into the session if the upstream is learned. */
function rememberAnswer(part: Part, call: Call, { body }: Wire, shown: JsonObject): readonly Warning[] {
  const { session, plan, worked } = part;
  const { endpoint, agentId } = call;
  worked.add(endpoint);
  part.size += body.length;
  if (part.size > MOST_SEEN) {
    part.seen = emptied(session);
    part.size = body.length;
  }
  if (agentId !== '' && !part.seen.isOwn('agent', agentId)) part.seen.putAgent(agentId, { id: agentId }, 'seed');
  learn(part.seen, call, shown, isCreatingAgents(endpoint) ? originOf(endpoint) : 'seed');

  if (!plan.learns) return [];
  const { room } = session.beginning;
  const refusal = room.refusal(session.id, body.length);
  if (refusal !== undefined) return [aboutUpstream('learn', refusal)];
  const leftOut = learn(session.store, call, shown, 'upstream');
  room.take(session.id, body.length);
  if (leftOut === 0) return [];
  return [aboutUpstream('learn', `${leftOut} results were not learned: the mock cannot read their createdAt or id.`)];
}

const NOT_COMMITTED =
  'changes what the mock does with a request. The upstream answered this one, so it was not committed.';

function notCommitted({ faults }: Running, fault: Fault): Warning {
  const id = faults.find((named) => named.fault === fault)?.id ?? 'that was asked for';
  const changesAnswers = fault.reply ?? fault.wire ?? fault.piecemeal;
  const why = changesAnswers ? 'found nothing to change in this answer of the upstream.' : NOT_COMMITTED;
  return aboutUpstream('fault', `The fault ${id} ${why}`);
}

const aboutUpstream = (code: string, message: string): Warning => warning(`upstream-${code}`, message, ['response']);

const nowIsNotTheirs = warning(
  'x-mock-now',
  'Is the time of the mock. The upstream answered this request by its own.',
  ['request', 'header', 'x-mock-now'],
);

function wireOf({ status, headers, cookies, body }: UpstreamAnswer): Wire {
  const head = { status, headers, cookies: cookies?.length ? cookies : undefined };
  try {
    const text = new platform.TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return { ...head, body: text };
  } catch {
    return { ...head, body: bytesOf(body), encoding: 'latin1' };
  }
}

function jsonOf({ body, encoding }: Wire): JsonObject | undefined {
  if (encoding !== undefined || excessOf(body) !== undefined) return undefined;
  const value = parseJson(body);
  if (isObject(value)) return value;
  return undefined;
}
