import type { AuthenticatedCall, Reply } from '../call.ts';
import type { JsonObject } from '../json.ts';
import type { Store } from '../store/store.ts';

/** The meaning of an operation: a valid call against the data. Knows no status codes. */
export type EndpointLogic = (call: AuthenticatedCall, store: Store) => Reply;

export const ok = (body: JsonObject): Reply => ({ kind: 'ok', body });
export const created = (body: JsonObject): Reply => ({ kind: 'created', body });
