import type { AuthenticatedCall, Reply } from '../call.ts';
import type { JsonObject } from '../../text/json.ts';
import type { Store } from '../store/store.ts';

/** What an operation does: a valid call, applied to the data. It knows no status codes. */
export type EndpointLogic = (call: AuthenticatedCall, store: Store) => Reply;

export const ok = (body: JsonObject): Reply => ({ kind: 'ok', body });
export const created = (body: JsonObject): Reply => ({ kind: 'created', body });
