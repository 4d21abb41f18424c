import { besides } from '../hosts/stream.ts';
import { createHandler } from '../hosts/mounted/handler.ts';
import { MockError } from '../mock-error.ts';
import type { MockOptions } from '../mock-core.ts';
import type { Mock } from '../mock.ts';
import { createMock as createInProcess } from './in-process.ts';

// Bundlers use this module for `agent-contract/mock` when they build for browsers: the same names, without a server.

export { createCaches } from '../caches.ts';
export { createCore, defaultTokens } from '../core.ts';
export { connectionFaults } from '../wire/wire.ts';
export { shapeMutants } from '../faults/shape.ts';
export { mockFetch } from './fetch.ts';
export { MockError } from '../mock-error.ts';
export { profileNames, profiles, resolveProfile } from '../profiles/index.ts';
export { unseenFaults } from '../session/unseen-faults.ts';
export { readState, stateText } from '../state/state.ts';
export { readSeed } from '../store/seed/seed.ts';

/**
 * A mock that answers through `fetch`, `handle` and `handler`, without pages; members that need a server throw MockError.
 * @throws MockError for an unknown persona, profile, gap, choice or fault, a setting out of range, or an invalid state
 * or seed.
 */
export function createMock(options: MockOptions = {}): Mock {
  const mock = createInProcess(options);
  return Object.assign(mock, {
    app: needsNode('app'),
    router: needsNode('router'),
    handler: createHandler.bind(undefined, mock, besides(mock)),
    listen: () => Promise.resolve().then(needsNode('listen')),
  });
}

const needsNode = (member: string) => (): never => {
  throw new MockError(
    `mock.${member} needs Node.js, and this runs in a browser. mock.fetch and mock.handler work here, and so do the handlers of agent-contract/msw.`,
  );
};
