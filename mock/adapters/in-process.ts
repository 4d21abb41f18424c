import { createCore } from '../core.ts';
import type { MockCore, MockOptions } from '../mock-core.ts';
import { createFetch } from '../hosts/fetch.ts';

/** A mock without a server, for browsers and Node.js. */
export interface InProcessMock extends MockCore {
  /** Answers like the global `fetch`, without sending anything. The origin of the URL does not matter. */
  readonly fetch: typeof fetch;
}

/**
 * Creates a stateful mock of the service that needs nothing from Node.js.
 * @throws MockError for an unknown persona, profile, gap, choice or fault, a setting out of range, or an invalid state
 * or seed.
 */
export function createMock(options: MockOptions = {}): InProcessMock {
  const core = createCore(options);
  return Object.assign(core, { fetch: createFetch(core) });
}
