import type { EndpointId } from '../../spec/index.ts';
import { unenvelop } from './envelope.ts';

type Slip = readonly [expected: string, actual: string, at: string, isAll?: boolean];
const workspace = { id: 'w', name: 'W' };
const agent = { id: 'a', name: 'A', version: '6' };
const asError = (said: string): Slip => [
  'the documented answer, or a status that is not 2xx',
  `an error${said} with a success status`,
  '',
  true,
];

test.each<[EndpointId, unknown, unknown, Slip?]>([
  ['create-workspace', { workspace }, { workspace }, undefined],
  ['create-workspace', { workspace, error: 'no' }, { workspace, error: 'no' }, undefined],
  ['get-agent', { agent, currentUserMode: 'read' }, { agent, currentUserMode: 'read' }, undefined],
  ['get-agent', { agent }, { agent }, undefined],
  [
    'get-agent',
    { agent, current_user_mode: 'read' },
    { agent, currentUserMode: 'read' },
    ['the name currentUserMode', 'the name "current_user_mode"', '/current_user_mode'],
  ],
  ['get-agent', { data: { agent } }, { agent }, ['agent at the top of the body', 'found under /data', '/data/agent']],
  ['get-agent', { data: { agent }, old: { agent } }, { data: { agent }, old: { agent } }, undefined],
  [
    'create-workspace',
    { Workspaces: workspace },
    { workspace },
    ['the name workspace', 'the name "Workspaces"', '/Workspaces'],
  ],
  ['create-agent', agent, { agent }, ['an object with agent', 'the object itself, with nothing around it', '']],
  ['create-agent', { id: 'a', name: 'A' }, { id: 'a', name: 'A' }, undefined],
  ['create-agent', { ...agent, id: 7 }, { ...agent, id: 7 }, undefined],
  ['list-results', [], { results: [] }, ['an object with results', 'the array itself, with nothing around it', '']],
  ['create-agent', [], [], undefined],
  ['get-agent', { error: 'no' }, { error: 'no' }, asError(' (error: "no")')],
  ['get-agent', { success: false }, { success: false }, asError('')],
  ['get-agent', { ok: false }, { ok: false }, asError('')],
  ['get-agent', { ok: true }, { ok: true }, undefined],
  ['get-agent', 'no', 'no', undefined],
  ['get-agent', null, null, undefined],
])('%s: %j is read as %j', (endpoint, body, json, expected) => {
  const [wanted, actual, at, isAll] = expected ?? [];
  const slip = expected && { expected: wanted, actual, at, isAll };
  expect(unenvelop(endpoint, body)).toEqual({ json, slip });
});
