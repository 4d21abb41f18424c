import { endpointIds, type EndpointId } from '../../spec/index.ts';
import type { Call, Refusal } from '../call.ts';
import { inMode, onCall, onlyFor, onWire, type Fault } from './fault.ts';

type When = (call: Call) => boolean;

/** Lets a caller in with write access, if `when` matches the credentials. */
const letIn = (endpoint: EndpointId, when: When, change = (call: Call): Call => call): Fault =>
  onlyFor(when)(onCall(endpoint, (call) => ({ ...change(call), mode: 'granted' })));

/** Performs the request of a caller without a known token, and then refuses it; `show` changes the refusal. */
const refuseLate = (endpoint: EndpointId, show = (refusal: Refusal): Refusal => refusal): Fault => ({
  ...onCall(endpoint, (call) => ({ ...call, mode: 'refused-late' })),
  about: inMode(undefined),
  reply: (reply) => ('done' in reply ? show(reply) : reply),
});

const token = ({ authorization = '' }: Call): string | undefined => /^Bearer +(\S+)/i.exec(authorization)?.[1];

const COOKIE = 'session=signed-in';

const ways = {
  'no-authorization': ({ authorization, cookie, query, tokens }) =>
    authorization === undefined && cookie === undefined && !query.some(([, value]) => tokens.has(value)),
  'other-scheme': ({ authorization }) => authorization !== undefined && !/^bearer\b/i.test(authorization),
  'empty-token': ({ authorization }) => authorization !== undefined && /^bearer *$/i.test(authorization),
  'unknown-token': (call) => token(call) !== undefined && !isLikeKnown(call),
  'forwarded-request': ({ authorization, visit }) =>
    authorization === undefined && visit.headers['x-forwarded-for'] === '127.0.0.1',
  'path-in-other-form': ({ authorization, visit }) =>
    authorization === undefined && /%/.test(visit.target.split('?', 1)[0] ?? ''),
  'old-version': ({ authorization, visit }) => authorization === undefined && visit.httpVersion === '1.0',
  // Not counted are those with a meaning of their own.
  'token-in-other-header': ({ authorization, visit, tokens }) =>
    authorization === undefined &&
    Object.entries(visit.headers).some(
      ([name, value = '']) => name !== 'cookie' && tokens.has(value.replace(/^bearer +/i, '')),
    ),
  'page-request': ({ authorization, visit }) =>
    authorization === undefined && /\btext\/html\b/.test(visit.headers['accept'] ?? ''),
  'similar-token': (call) =>
    call.authorization?.startsWith('Bearer ') === true &&
    isLikeKnown(call) &&
    !call.tokens.has(call.authorization.replace(/^Bearer +/, '')),
} satisfies Record<string, When>;

function isLikeKnown(call: Call): boolean {
  return [...call.tokens.keys()].some((known) => isSimilar(token(call) ?? '', known));
}

/** Whether one text becomes the other by adding, removing or changing one character, or by changing case. */
function isSimilar(one: string, other: string): boolean {
  if (one === '') return false;
  if (one.toLowerCase() === other.toLowerCase()) return true;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(one.length, other.length) - start - end <= 1;
}

const signsIn: When = ({ authorization, cookie = '', tokens }) =>
  authorization === undefined && [COOKIE, ...tokens.keys()].some((known) => cookie.includes(known));

const acceptsCookie = (endpoint: EndpointId): Fault => ({
  ...letIn(endpoint, signsIn),
  about: (call, _store, { mode }) => mode !== undefined || signsIn(call),
  wire: onWire(endpoint, (wire) => ({
    ...wire,
    headers: { ...wire.headers, 'set-cookie': `${COOKIE}; Path=/; HttpOnly` },
  })).wire,
});

const acceptsTokenInQuery = (endpoint: EndpointId): Fault =>
  letIn(
    endpoint,
    ({ authorization, query, tokens }) => authorization === undefined && query.some(([, value]) => tokens.has(value)),
    (call) => ({ ...call, query: call.query.filter(([, value]) => !call.tokens.has(value)) }),
  );

type Way = keyof typeof ways;

type AuthenticationViolation =
  | `${EndpointId}-accepts-${Way | 'token-in-query' | 'cookie'}`
  | `${EndpointId}-refusal-holds-answer`
  | `create-${'agent' | 'workspace'}-made-in-spite-of-refusal`;

export const authenticationFaults = {
  ...Object.fromEntries(
    endpointIds.flatMap((endpoint): readonly (readonly [string, Fault])[] => [
      ...(Object.keys(ways) as Way[]).map((way) => [`${endpoint}-accepts-${way}`, letIn(endpoint, ways[way])] as const),
      [`${endpoint}-accepts-token-in-query`, acceptsTokenInQuery(endpoint)],
      [`${endpoint}-accepts-cookie`, acceptsCookie(endpoint)],
      [`${endpoint}-refusal-holds-answer`, refuseLate(endpoint, (refusal) => ({ ...refusal, holds: refusal.done }))],
    ]),
  ),
  'create-agent-made-in-spite-of-refusal': refuseLate('create-agent'),
  'create-workspace-made-in-spite-of-refusal': refuseLate('create-workspace'),
} as Record<AuthenticationViolation, Fault>;
