import type { MockRequest } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { sessionOf } from '../access/address.ts';
import type { MockCore } from '../mock-core.ts';

/**
 * The body limit in bytes, from the profile of the request's session, or from the mock's if the session does not exist
 * yet.
 */
export function bodyLimit(mock: MockCore, request: MockRequest): number {
  const { id } = sessionOf(request);
  const { profile } = id !== '' && mock.sessions.has(id) ? mock.session(id) : mock;
  return chosen(profile, 'body-limit');
}
