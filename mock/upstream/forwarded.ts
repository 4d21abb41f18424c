import type { EndpointId } from '../../spec/index.ts';
import { committedOn, meet, readCall, remember, type Incoming, type World } from '../answer.ts';
import { refuse, type Call, type Refusal, type Wire } from '../call.ts';
import type { Fault } from '../faults/fault.ts';
import { isObject, type JsonObject } from '../json.ts';
import { excessOf } from '../service/json-limits.ts';
import { render } from '../service/render.ts';
import { noRoom } from '../session/limits/room.ts';
import { storeOf, type Running } from '../session/running.ts';
import type { Store } from '../store/store.ts';
import type { Warning } from '../teaching/warnings.ts';
import { platform } from '../../text/platform.ts';
import type { Came, Missing } from './http/ask.ts';
import { makeRoom, type Behind, type Upstream } from './behind.ts';
import { withFaults } from './faulty.ts';
import { learn, type Returned } from './learn.ts';
import { lacksRoute } from './missing-route.ts';
import { subjectOf, tokensAsSaid } from './whither.ts';

/** What became of a request that was sent on: the upstream's answer, or why the mock is to answer. */
export interface Forwarded {
  /** `undefined` where the mock's own answer is wanted. */
  readonly wire: Wire | undefined;
  readonly source: 'mock' | 'upstream';
  /** Faults that changed the answer. */
  readonly committed: readonly Fault[];
  readonly warnings: readonly Warning[];
}

/** A request on its way to an upstream. */
export interface Onward extends Incoming {
  readonly world: World;
  readonly upstream: Upstream;
  readonly behind: Behind;
}

/** Sends a request to the upstream of a session, and makes of its answer what the session says. Never rejects. */
export async function forward(session: Running, onward: Onward): Promise<Forwarded> {
  const { request, world, upstream, behind } = onward;
  const call = readCall(onward, world);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const about = { memory: world.memory, tokens: world.tokens, faults: world.faults };
  // What is made is not there yet; what is read is known only once it has come.
  const early = 'kind' in call || isRead ? undefined : committedOn(call, request, { ...about, store: behind.seen });
  const came = await upstream.ask(request);
  if ('why' in came) return withoutAnswer(session, onward, call, came);
  const wire = wireOf(came);
  if ('kind' in call) return { wire, source: 'upstream', committed: [], warnings: [] };
  const missing = behind.ways.get(call.endpoint) === 'fallback' ? missingRoute(session, behind, call, wire) : undefined;
  if (missing) return missing;
  const shown = jsonOf(wire);
  const warnings = wire.status < 300 && shown ? noteSeen(session, onward, call, { wire, shown }) : [];
  const answered: Call = { ...call, isLastPage: shown?.['nextCursor'] === null };
  const tokens = tokensAsSaid(about.tokens, request, shown);
  const store = behind.seen;
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

/** The mock's answer where it is to stand in, or a refusal that says what became of the upstream. */
function withoutAnswer(
  { store, profile }: Running,
  { upstream, behind }: Onward,
  call: Call | Refusal,
  { why, words }: Missing,
): Forwarded {
  const said = `The upstream ${upstream.plan.url.origin} ${words}.`;
  const stands = why === 'absent' || why === 'late';
  const endpoint = 'kind' in call ? undefined : call.endpoint;
  const isFallback = endpoint !== undefined && behind.ways.get(endpoint) === 'fallback';
  if (stands && (isFallback || (upstream.plan.learns && !('kind' in call) && isLearned(store, call))))
    return instead(`${said} The mock answered.`);
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

const instead = (why: string): Forwarded => ({
  wire: undefined,
  source: 'mock',
  committed: [],
  warnings: [aboutUpstream('absent', why)],
});

/** Whether what a request asks for was copied from the upstream. */
function isLearned(store: Store, call: Call): boolean {
  if (call.agentId === '') return false;
  return (
    store.agent(call.agentId)?.origin === 'upstream' ||
    store.publishedAgent(call.agentId) !== undefined ||
    store.results(call.agentId).count > 0
  );
}

/** That the mock is to answer, where the upstream lacks the route, or nobody can tell and the mock knows what is asked for. */
function missingRoute({ store }: Running, behind: Behind, call: Call, { status, body }: Wire): Forwarded | undefined {
  const { kind, id } = subjectOf(call);
  const lacks = lacksRoute({
    status,
    text: body,
    endpoint: call.endpoint,
    id,
    isThere: behind.seen.isOwn(kind, id),
    hasWorked: behind.worked.has(call.endpoint),
  });
  const isHere = (kind === 'agent' ? store.agent(id) : store.workspace(id)) !== undefined;
  return lacks === true || (lacks === 'unclear' && isHere)
    ? instead(`The upstream has no such route, as far as its status ${status} tells. The mock answered.`)
    : undefined;
}

/** Notes what the upstream has returned, and copies it into the session where that is wanted. */
function noteSeen(
  session: Running,
  { upstream, behind }: Onward,
  call: Call,
  { wire, shown }: { readonly wire: Wire; readonly shown: JsonObject },
): readonly Warning[] {
  const { endpoint, agentId } = call;
  const returned: Returned = { endpoint, agentId, body: shown };
  behind.worked.add(endpoint);
  makeRoom(
    behind,
    () => storeOf({ beginning: { ...session.beginning, base: undefined }, world: undefined }, session.profile),
    wire.body.length,
  );
  if (agentId !== '' && !behind.seen.isOwn('agent', agentId)) behind.seen.putAgent(agentId, { id: agentId }, 'seed');
  learn(behind.seen, returned, origins[endpoint] ?? 'seed');
  if (!upstream.plan.learns) return [];
  const { room } = session.beginning;
  if (!room.has(session.id, wire.body.length)) return [aboutUpstream('learn', noRoom(room))];
  const leftOut = learn(session.store, returned, 'upstream');
  room.take(session.id, wire.body.length);
  return leftOut === 0
    ? []
    : [aboutUpstream('learn', `${leftOut} results were not learned: the mock cannot read their createdAt or id.`)];
}

const origins: Readonly<Partial<Record<EndpointId, 'create' | 'import'>>> = {
  'create-agent': 'create',
  'create-workspace': 'create',
  'import-agent': 'import',
};

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

/** Every byte stays as it came. */
function wireOf({ status, headers, cookies = [], body }: Came): Wire {
  const given = { status, headers, ...(cookies.length === 0 ? {} : { cookies }) };
  try {
    const text = new platform.TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return { ...given, body: text };
  } catch {
    return { ...given, body: charactersOf(body), encoding: 'latin1' };
  }
}

/** One character for each byte. */
function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += PIECE) text += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  return text;
}

const PIECE = 8192;

/** The object that an answer holds, where it keeps to the limits of what is taken apart. */
function jsonOf({ body, encoding }: Wire): JsonObject | undefined {
  if (encoding !== undefined || excessOf(body) !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
