import type { Profile } from '../spec/index.ts';
import { authenticate } from './service/authenticate.ts';
import type { Tokens, Mode } from './caller.ts';
import { parseBody } from './service/body.ts';
import { isAccepted, refuse, type Call, type MockRequest, type Refusal, type Reply } from './call.ts';
import type { Wire } from './wire/wire.ts';
import { chosen } from './choices/index.ts';
import { endpointLogic } from './endpoints/index.ts';
import { circumstancesOf, noteRead, type Circumstances, type Memory } from './faults/triggers/circumstances.ts';
import type { Fault } from './faults/fault.ts';
import { render } from './service/render.ts';
import type { Route } from './service/route.ts';
import type { Store } from './store/store.ts';

/** A request with its parsed target. */
export interface Incoming {
  readonly request: MockRequest;
  /** The endpoint of the request, or why there is none. */
  readonly found: Route | Refusal;
  /** Decoded pairs, in the order of the URL. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** Everything that an answer depends on besides the request. */
export interface World {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly profile: Profile;
  /** The active faults. */
  readonly faults: readonly Fault[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Why nothing more can be stored, as a sentence; absent if it can. */
  readonly full?: string | undefined;
  /** The number of the request, from 1; it drives the rate limit. */
  readonly requestNumber: number;
  /** Earlier requests; the answer adds this one. */
  readonly memory: Memory;
}

/**
 * Answers one request: request faults, authentication, validation and endpoint, reply faults, rendering, wire faults.
 * Synchronous; changes only the store.
 */
export const answer = (incoming: Incoming, world: World): Wire =>
  answerTo(readCall(incoming, world), incoming.request, world);

/** {@link answer}, for a parsed request. */
export function answerTo(read: Call | Refusal, request: MockRequest, world: World): Wire {
  const { profile, store } = world;
  if ('kind' in read) return render(read, profile);
  const faults = committedOn(read, request, world);
  remember(read, world);
  const call = faults.reduce((c, fault) => fault.request?.(c, store) ?? c, read);
  const reply = faults.reduce((r, fault) => fault.reply?.(r, call, store) ?? r, replyTo(call, world));
  const rendered = render(reply, profile);
  const wire = faults.reduce((w, fault) => fault.wire?.(w, call) ?? w, rendered);
  if (wire.body === rendered.body) return wire;
  const { shown: _, ...changed } = wire;
  return changed;
}

/** The faults that apply to a request. */
export function committedOn(
  call: Call,
  request: MockRequest,
  world: Pick<World, 'memory' | 'tokens' | 'store' | 'faults'>,
): readonly Fault[] {
  const faults = world.faults.filter((fault) => fault.on === 'every' || fault.on.includes(call.endpoint));
  if (faults.every(({ when }) => when === undefined)) return faults;
  const met = meet(call, request, world);
  return faults.filter(({ when }) => when?.(call, world.store, met) ?? true);
}

/** Refusals that come before the pipeline. */
export function meet(
  call: Call,
  request: MockRequest,
  { memory, tokens, store }: Pick<World, 'memory' | 'tokens' | 'store'>,
): Circumstances {
  const known = authenticate(call, tokens, store);
  return circumstancesOf(memory, request, { ...call, mode: typeof known === 'string' ? known : undefined });
}

/** Records a request for faults that depend on earlier ones. */
export function remember({ endpoint, agentId, now }: Call, { memory, store }: Pick<World, 'memory' | 'store'>): void {
  memory.requests++;
  memory.firstAt ??= now;
  if (store.agent(agentId)) noteRead(memory, endpoint, agentId);
}

function replyTo(call: Call, { tokens, store, requestNumber, profile }: World): Reply {
  const every = chosen(profile, 'rate-limit');
  if (every > 0 && requestNumber % every === 0)
    return { ...refuse('rate-limited', 'Too many requests.'), headers: { 'retry-after': '0' } };
  const known = authenticate(call, tokens, store);
  const inMode = (mode: Mode): Reply => endpointLogic[call.endpoint]({ ...call, mode }, store);
  if (typeof known === 'string') return inMode(known);
  if (known.kind !== 'unauthorized') return known;
  if (call.mode === 'granted') return inMode('write');
  if (call.mode !== 'refused-late') return known;
  const done = inMode('write');
  return isAccepted(done) ? { ...known, done: done.body } : known;
}

/** A request as a call, or a refusal if it belongs to no endpoint. */
export function readCall(
  { request, found, query }: Incoming,
  { profile, now, tokens, full }: Pick<World, 'profile' | 'now' | 'tokens' | 'full'>,
): Call | Refusal {
  if ('kind' in found) return found;
  const limit = chosen(profile, 'body-limit');
  const tooLarge = request.oversize === true || (request.body?.length ?? 0) > limit;
  const message = tooLarge ? `The body is larger than ${limit} bytes.` : full;
  return {
    endpoint: found.endpoint,
    agentId: found.agentId,
    query,
    authorization: request.headers['authorization'],
    cookie: request.headers['cookie'],
    tokens,
    body:
      message !== undefined
        ? { refusal: refuse('too-large', message, [{ location: 'body', message }]) }
        : parseBody(request.body, request.headers['content-type'], profile),
    now,
    profile,
    mode: 'unknown',
  };
}

let lastSecond = Number.NaN;
let lastDate = '';

/** An instant in the HTTP date format. The latest is cached, since many requests share a second. */
export function httpDate(instant: number): string {
  const second = Math.floor(instant / 1000);
  if (second !== lastSecond) {
    lastDate = new Date(instant).toUTCString();
    lastSecond = second;
  }
  return lastDate;
}
