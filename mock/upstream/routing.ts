import { endpoints, type Profile } from '../../spec/index.ts';
import { bodyOf, type Call, type MockRequest, type Refusal, type Tokens } from '../call.ts';
import { isObject, textOf, type JsonObject } from '../../text/json.ts';
import type { Store } from '../store/store.ts';
import type { UpstreamPlan, Way } from './options.ts';

/** What a request is about: the agent in the path, or the workspace for a new one. The id is empty if it names none. */
export function subjectOf(call: Call): { readonly kind: 'agent' | 'workspace'; readonly id: string } {
  if (call.agentId !== '') return { kind: 'agent', id: call.agentId };
  const body = bodyOf(call);
  return { kind: 'workspace', id: textOf(isObject(body) && body['workspaceId']) };
}

/** An id belongs to whoever made it: the mock answers about those of its data and its session, and the upstream the rest. */
export function whoAnswers(call: Call | Refusal, way: Way | undefined, store: Store): 'mock' | 'upstream' {
  // Only the upstream may have routes that are not in the contract.
  if ('kind' in call) return 'upstream';
  const { kind, id } = subjectOf(call);
  const isListOwn = endpoints[call.endpoint].holds === 'results' && store.isOwn('results', id);
  if (way === 'mock' || (id !== '' && (isListOwn || store.isKnown(kind, id)))) return 'mock';
  return 'upstream';
}

/** Without `upstream.token` a client sends the upstream's token, and has no other, so it may write in the mock too. */
export function tokensWithUpstream({ token }: UpstreamPlan, tokens: Tokens, { headers }: MockRequest): Tokens {
  const sent = token === undefined ? bearerOf(headers) : undefined;
  if (sent === undefined || tokens.has(sent)) return tokens;
  return new Map([...tokens, [sent, 'write']]);
}

/** The tokens, with the caller's access from `currentUserMode` of an upstream's answer. */
export function tokensFromAnswer(tokens: Tokens, { headers }: MockRequest, said: JsonObject | undefined): Tokens {
  const [sent, mode] = [bearerOf(headers), said?.['currentUserMode']];
  const isMode = mode === 'guest' || mode === 'read' || mode === 'write';
  if (sent === undefined || !isMode) return tokens;
  return new Map([...tokens, [sent, mode]]);
}

const bearerOf = (headers: MockRequest['headers']): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];

/** Profiles that accept any workspace: one that the mock does not know may be the upstream's. Each is made once. */
export function withOtherWorkspaces(): (profile: Profile) => Profile {
  let last: { readonly of: Profile; readonly adapted: Profile } | undefined;
  return (profile) => {
    if (last?.of !== profile) last = { of: profile, adapted: { ...profile, 'unknown-workspace': 'accepted' } };
    return last.adapted;
  };
}
