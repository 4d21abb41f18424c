import type { AuthenticatedCall, Reply } from '../call.ts';
import type { Store } from '../store/store.ts';

/** What an operation does: a valid call, applied to the data. It knows no status codes. */
export type EndpointLogic = (call: AuthenticatedCall, store: Store) => Reply;
