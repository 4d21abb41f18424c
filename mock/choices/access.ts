import { endpointIds, type EndpointId } from '../../spec/index.ts';
import type { Mode } from '../caller.ts';

/** The endpoints that each mode may use. */
export type Permissions = Readonly<Record<Mode, 'every' | readonly EndpointId[]>>;

/** The least mode that may use an endpoint. */
const least: Readonly<Record<EndpointId, Mode>> = {
  'create-agent': 'write',
  'import-agent': 'write',
  'get-agent': 'guest',
  'get-published-agent': 'guest',
  'list-results': 'read',
  'create-workspace': 'write',
};

const graded: Permissions = {
  guest: endpointIds.filter((id) => least[id] === 'guest'),
  read: endpointIds.filter((id) => least[id] !== 'write'),
  write: 'every',
};

export const modePermissions = {
  graded,
  'reported-only': { guest: 'every', read: 'every', write: 'every' } satisfies Permissions,
};

/** Recognises the scheme of an Authorization header and takes the token out of it. */
export const bearerCase = { exact: /^Bearer +(\S+) *$/, 'any-case': /^bearer +(\S+) *$/i };
