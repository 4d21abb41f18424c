import { endpointIds, type EndpointId } from '../../spec/index.ts';
import type { Call } from '../call.ts';
import type { Fault } from './fault.ts';

/** Lets a caller in, as one who may write, where `when` matches the Authorization header. */
const letIn = (endpoint: EndpointId, when: (authorization: string | undefined) => boolean): Fault => ({
  on: [endpoint],
  about: (call) => when(call.authorization),
  request: (call: Call) => (when(call.authorization) ? { ...call, mode: 'granted' } : call),
});

const token = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)/i.exec(authorization ?? '')?.[1];

type Way = 'no-authorization' | 'other-scheme' | 'empty-token' | 'unknown-token';

const ways: Readonly<Record<Way, (authorization: string | undefined) => boolean>> = {
  'no-authorization': (header) => header === undefined,
  'other-scheme': (header) => header !== undefined && !/^bearer\b/i.test(header),
  'empty-token': (header) => header !== undefined && /^bearer *$/i.test(header),
  'unknown-token': (header) => token(header) !== undefined,
};

type AuthenticationViolation = `${EndpointId}-accepts-${Way}`;

export const authenticationFaults = Object.fromEntries(
  endpointIds.flatMap((endpoint) =>
    (Object.keys(ways) as Way[]).map((way) => [`${endpoint}-accepts-${way}`, letIn(endpoint, ways[way])]),
  ),
) as Record<AuthenticationViolation, Fault>;
