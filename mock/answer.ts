import type { Profile } from '../spec/index.ts';
import { authenticate } from './service/authenticate.ts';
import type { Tokens, Mode, Call, MockRequest, Refusal, Reply } from './call.ts';
import { isAccepted, refuse } from './call.ts';
import { parseBody } from './service/body.ts';
import type { Wire } from './wire/wire.ts';
import { chosen } from './choices/index.ts';
import { circumstancesOf, type Circumstances, type Memory } from './circumstances.ts';
import type { Fault } from './faults/fault.ts';
import { endpointMeanings } from './generated/endpoints.ts';
import { withGeneratedData } from './service/own-data.ts';
import { render } from './service/render.ts';
import type { Renderings } from './service/renderings.ts';
import type { EndpointRoute } from './service/route.ts';
import { pairKey } from './store/overlay.ts';
import type { Store } from './store/store.ts';
import { withHints } from './teaching/hints.ts';

export interface Incoming {
  readonly request: MockRequest;
  readonly found: EndpointRoute | Refusal;
  /** Decoded pairs, in the order of the URL. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** Everything that an answer depends on besides the request. */
export interface AnswerContext {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly profile: Profile;
  readonly faults: readonly Fault[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Why nothing more can be stored, as a sentence; absent if it can. */
  readonly full?: string | undefined;
  /** The number of the request, from 1; it drives the rate limit. */
  readonly requestNumber: number;
  /** Earlier requests; the answer adds this one. */
  readonly memory: Memory;
  readonly renderings?: Renderings;
}

/** A request as a call, or a refusal if it belongs to no endpoint. */
export function readCall(
  { request, found, query }: Incoming,
  { profile, now, tokens, full }: Pick<AnswerContext, 'profile' | 'now' | 'tokens' | 'full'>,
): Call | Refusal {
  if ('kind' in found) return found;
  const limit = chosen(profile, 'body-limit');
  const isTooLarge = request.oversize === true || (request.body?.length ?? 0) > limit;
  const message = isTooLarge ? `The body is larger than ${limit} bytes.` : full;
  const refusal = message !== undefined && refuse('too-large', message, { location: 'body', message });
  return {
    endpoint: found.endpoint,
    agentId: found.agentId,
    query,
    authorization: request.headers['authorization'],
    cookie: request.headers['cookie'],
    visit: request,
    tokens,
    body: refusal ? { refusal } : parseBody(request.body, request.headers['content-type'], profile),
    now,
    profile,
    mode: 'unknown',
  };
}

/** Synchronous; changes only the store and the memory. */
export function answer(read: Call | Refusal, request: MockRequest, context: AnswerContext): Wire {
  const { profile, store, renderings } = context;
  if ('kind' in read) return render(read, profile);
  const faults = committedOn(read, request, context);
  remember(read, context);

  let call = read;
  for (const fault of faults) call = fault.request?.(call, store) ?? call;
  let reply = replyTo(call, context);
  for (const fault of faults) reply = fault.reply?.(reply, call, store) ?? reply;
  let wire = render(reply, profile, renderings);
  for (const fault of faults) wire = fault.wire?.(wire, call) ?? wire;
  return wire;
}

export function committedOn(
  call: Call,
  request: MockRequest,
  context: Pick<AnswerContext, 'memory' | 'tokens' | 'store' | 'faults'>,
): readonly Fault[] {
  const faults = context.faults.filter((fault) => fault.on === 'every' || fault.on.includes(call.endpoint));
  if (faults.every(({ when }) => when === undefined)) return faults;
  const circumstances = circumstancesFor(call, request, context);
  return faults.filter(({ when }) => when?.(call, context.store, circumstances) ?? true);
}

export function circumstancesFor(
  call: Call,
  request: MockRequest,
  { memory, tokens, store }: Pick<AnswerContext, 'memory' | 'tokens' | 'store'>,
): Circumstances {
  const caller = authenticate(call, tokens, store);
  return circumstancesOf(call, request, memory, typeof caller === 'string' ? caller : undefined);
}

export function remember(call: Call, { memory, store }: Pick<AnswerContext, 'memory' | 'store'>): void {
  memory.requests++;
  memory.firstAt ??= call.now;
  if (call.agentId !== '' && store.agent(call.agentId)) memory.read.add(pairKey(call.endpoint, call.agentId));
}

/** Where there is a limit, each request of this number is refused. */
export const RATE = 23;

export function isRateLimited({ profile, requestNumber }: Pick<AnswerContext, 'profile' | 'requestNumber'>): boolean {
  return chosen(profile, 'rate-limit') !== undefined && requestNumber % RATE === 0;
}

function replyTo(call: Call, context: AnswerContext): Reply {
  const { tokens, store } = context;
  if (isRateLimited(context))
    return { ...refuse('rate-limited', 'Too many requests.'), headers: chosen(context.profile, 'rate-limit') };
  const caller = authenticate(call, tokens, store);
  /** What the endpoint does; a refusal also says how to correct the request. */
  const inMode = (mode: Mode): Reply => {
    const done = endpointMeanings[call.endpoint]({ ...call, mode }, store);
    if (isAccepted(done)) return withGeneratedData(done, call, store);
    return withHints(done, call, store);
  };
  if (typeof caller === 'string') return inMode(caller);
  if (caller.kind !== 'unauthorized') return caller;
  if (call.mode === 'granted') return inMode('write');
  if (call.mode !== 'refused-late') return caller;
  const done = inMode('write');
  if (isAccepted(done)) return { ...caller, done: done.body };
  return caller;
}
