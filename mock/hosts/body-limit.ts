import type { MockRequest } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { sessionOf } from '../core.ts';
import type { MockCore } from '../mock-core.ts';

/** Bytes that the profile of a request's session allows in a body; a session that is not there yet has the mock's. */
export function bodyLimit(mock: MockCore, request: MockRequest): number {
  const { id } = sessionOf(request);
  const { profile } = id !== '' && mock.sessions.has(id) ? mock.session(id) : mock;
  return chosen(profile, 'body-limit');
}
