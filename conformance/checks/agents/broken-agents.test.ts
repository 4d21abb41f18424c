import type { TinyAnswer, TinyOptions, TinyRequest } from '../../testing/tiny-service.ts';
import { failuresOf } from '../../testing/test-broken.ts';

const ENDPOINTS = ['create-agent', 'import-agent', 'get-agent', 'get-published-agent', 'create-workspace'];

type Agent = Readonly<Record<string, unknown>>;

/** Accepted answers to these requests, with changed bodies. */
const answers =
  (is: (request: TinyRequest) => boolean, change: (body: Agent) => object): TinyOptions['before'] =>
  (request, answer): TinyAnswer | undefined => {
    if (!is(request)) return undefined;
    const given = answer();
    return given.status < 300 ? { ...given, body: { ...Object(given.body), ...change(Object(given.body)) } } : given;
  };

const creates = ({ method, path }: TinyRequest): boolean => method === 'POST' && path === '/api/v1/agents';
const imports = ({ path }: TinyRequest): boolean => path === '/api/v1/agents/import';
const makes = (request: TinyRequest): boolean => creates(request) || imports(request);
const reads = ({ method, path }: TinyRequest): boolean => method === 'GET' && /\/agents\/[^/]+$/.test(path);
const makesWorkspaces = ({ path }: TinyRequest): boolean => path === '/api/v1/workspaces';
const readsPublished = ({ path }: TinyRequest): boolean => path.endsWith('/publishedAgent');

const REFUSED = 'nowhere; the answer was N';
const OLDER = 'which an earlier answer held';
let creations = 0;
const agent = (change: object) => (body: Agent) => ({ agent: { ...Object(body['agent']), ...change } });

const refused =
  (is: (request: TinyRequest) => boolean, status = 400): TinyOptions['before'] =>
  (request) =>
    is(request) && request.authorization === 'Bearer good' ? { status, body: { message: 'no' } } : undefined;

const main = { id: 'main', version: '6', name: 'Main', workspaceId: 'w' };
const shown = { agent: main, currentUserMode: 'write' };

test.each<[string, TinyOptions['before'], readonly string[]]>([
  ['everything right', undefined, []],
  ['creation refused', refused(creates), [`create-agent-accepts-valid-body: ${REFUSED}; POST agents`]],
  [
    'icons refused',
    refused((request) => makesWorkspaces(request) && request.body['icon'] !== undefined),
    [`create-workspace-accepts-optional-fields: ${REFUSED}; POST workspaces; POST workspaces`],
  ],
  [
    'every third creation refused',
    refused((request) => makes(request) && ++creations % 3 === 0),
    [
      `create-agent-accepts-valid-body: ${REFUSED}; POST agents; POST agents`,
      `import-agent-accepts-valid-body: ${REFUSED}; POST agents/import; POST agents/import`,
    ],
  ],
  ['reading refused', refused(reads), [`get-agent-accepts-valid-request: ${REFUSED}; GET agents/main`]],
  [
    'the published agent refused',
    refused(readsPublished, 404),
    [`get-published-agent-accepts-valid-request: ${REFUSED}; GET agents/aN; GET agents/aN/publishedAgent`],
  ],
  [
    'agents that disappear after creation',
    refused((request) => reads(request) && !request.path.endsWith('/main'), 404),
    [
      'created-agent-can-be-read: nowhere; Get agent answered N; POST agents; GET agents/aN',
      'imported-agent-can-be-read: nowhere; Get agent answered N; POST agents/import; GET agents/aN',
    ],
  ],
  [
    'one id for all agents',
    answers(makes, agent({ id: 'same' })),
    [
      `create-agent-gives-new-ids: /agent/id; "…", ${OLDER}; POST agents; POST agents`,
      `import-agent-gives-new-ids: /agent/id; "…", ${OLDER}; POST agents; POST agents/import`,
    ],
  ],
  [
    'one id for all workspaces',
    answers(makesWorkspaces, () => ({ workspace: { id: 'same', name: 'W' } })),
    [
      'create-workspace-keeps-what-was-sent: /workspace/name; "…"; POST workspaces',
      `create-workspace-gives-new-ids: /workspace/id; "…", ${OLDER}; POST workspaces; POST workspaces`,
    ],
  ],
  [
    'another name in new agents',
    answers(makes, agent({ name: 'Other' })),
    [
      'create-agent-keeps-what-was-sent: /agent/name; "…"; POST agents',
      'created-agent-reads-as-answered: /agent/name; "…"; POST agents; GET agents/aN',
      'import-agent-keeps-what-was-sent: /agent/name; "…"; POST agents/import',
      'imported-agent-reads-as-answered: /agent/name; "…"; POST agents/import; GET agents/aN',
    ],
  ],
  [
    'another name when agents are read',
    answers(reads, agent({ name: 'Other' })),
    [
      'created-agent-reads-as-answered: /agent/name; "…"; POST agents; GET agents/aN',
      'imported-agent-reads-as-answered: /agent/name; "…"; POST agents/import; GET agents/aN',
    ],
  ],
  [
    'agents in another workspace',
    answers((request) => makes(request) || reads(request), agent({ workspaceId: 'other' })),
    [
      'create-agent-in-the-workspace: /agent/workspaceId; "…"; POST agents',
      'import-agent-in-the-workspace: /agent/workspaceId; "…"; POST agents/import',
    ],
  ],
  [
    'another agent than the requested one',
    answers(reads, agent({ id: 'other' })),
    ['get-agent-answers-the-agent-asked-for: /agent/id; the agent "…"; GET agents/main'],
  ],
  [
    'another published agent than the requested one',
    answers(readsPublished, () => ({ publicAgent: { id: 'p', agentId: 'other', version: '6' } })),
    [
      'get-published-agent-answers-the-agent-asked-for: /publicAgent/agentId; the public form of "…"; GET agents/main/publishedAgent',
    ],
  ],
  [
    'an agent shown to unauthorized callers',
    (request, answer) => (reads(request) && answer().status === 401 ? { status: 401, body: shown } : undefined),
    [
      'get-agent-refusal-gives-nothing: nowhere; status N with the requested data in the body; GET agents/main; GET agents/main',
    ],
  ],
])('of a service with %s every failing check says where', async (_, before, expected) => {
  expect(await failuresOf(ENDPOINTS, before)).toEqual(expected);
});
