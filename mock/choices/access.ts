import { endpointIds, endpoints, type EndpointId } from '../../spec/index.ts';
import type { Mode } from '../call.ts';

export type Permissions = Readonly<Record<Mode, 'every' | readonly EndpointId[]>>;

const graded: Permissions = {
  guest: endpointIds.filter((id) => endpoints[id].leastMode === 'guest'),
  read: endpointIds.filter((id) => endpoints[id].leastMode !== 'write'),
  write: 'every',
};

export const accessChoices = {
  'mode-permissions': {
    graded,
    'reported-only': { guest: 'every', read: 'every', write: 'every' } satisfies Permissions,
  },
  /** Recognises the scheme of an Authorization header, and extracts the token. */
  'bearer-case': { exact: /^Bearer +(\S+) *$/, 'any-case': /^bearer +(\S+) *$/i },
};
