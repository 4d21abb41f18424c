import type { Profile } from '../../spec/index.ts';
import type { World } from '../answer.ts';
import { chosen } from '../choices/index.ts';
import type { Call, MockRequest, Refusal } from '../call.ts';
import type { Tokens } from '../caller.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { Store } from '../store/store.ts';
import type { UpstreamPlan, Way } from './options.ts';

/** The thing that a request is about, where the mock or the upstream may have it. */
export interface Subject {
  readonly kind: 'agent' | 'workspace';
  /** Empty if the request names none. */
  readonly id: string;
}

/** The agent that the path names, or the workspace that an agent is to be made in. */
export function subjectOf(call: Call): Subject {
  if (call.agentId !== '') return { kind: 'agent', id: call.agentId };
  const body = call.body && 'value' in call.body ? call.body.value : undefined;
  const id = isObject(body) ? body['workspaceId'] : undefined;
  return { kind: 'workspace', id: typeof id === 'string' ? id : '' };
}

/**
 * Who is asked first: the upstream about everything that the mock has not made itself, unless the endpoint is the mock's;
 * the mock also about what it knows otherwise, where the way says so.
 */
export function whither(call: Call | Refusal, way: Way | undefined, store: Store): 'mock' | 'upstream' {
  // What the contract does not have, only the upstream may have.
  if ('kind' in call) return 'upstream';
  if (way === 'mock') return 'mock';
  const { kind, id } = subjectOf(call);
  if (id === '') return 'upstream';
  if (call.endpoint === 'list-results' && store.isOwn('results', id)) return 'mock';
  return store.isOwn(kind, id) || (way === 'known' && store.isKnown(kind, id)) ? 'mock' : 'upstream';
}

/**
 * The tokens that the mock knows beside an upstream. A client that sends the upstream its own token has that token alone, so
 * it may write here too.
 */
export function tokensBeside({ token }: UpstreamPlan, tokens: Tokens, { headers }: MockRequest): Tokens {
  const sent = token === undefined ? bearerOf(headers) : undefined;
  return sent === undefined || tokens.has(sent) ? tokens : new Map([...tokens, [sent, 'write']]);
}

/** The tokens once an upstream has said, in its answer, which access the caller has. */
export function tokensAsSaid(tokens: Tokens, { headers }: MockRequest, said: JsonObject | undefined): Tokens {
  const [sent, mode] = [bearerOf(headers), said?.['currentUserMode']];
  return sent !== undefined && (mode === 'guest' || mode === 'read' || mode === 'write')
    ? new Map([...tokens, [sent, mode]])
    : tokens;
}

const bearerOf = (headers: MockRequest['headers']): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];

/** Whether the profile refuses a request because of its number. */
export function isOneTooMany({ profile, requestNumber }: Pick<World, 'profile' | 'requestNumber'>): boolean {
  const every = chosen(profile, 'rate-limit');
  return every > 0 && requestNumber % every === 0;
}

/** Profiles as they are beside an upstream; what is written under one is looked up by the object. */
const beside = new WeakMap<Profile, Profile>();

/** A workspace that the mock does not know may be one of the upstream. */
export function besideUpstream(profile: Profile): Profile {
  const known = beside.get(profile) ?? { ...profile, 'unknown-workspace': 'accepted' };
  beside.set(profile, known);
  return known;
}
