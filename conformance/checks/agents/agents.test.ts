import type { SampleExchange } from '../../testing/sample-exchange.ts';
import { verdictsOn } from '../../testing/verdicts.ts';
import type { TargetOptions } from '../../target-options.ts';
import { checks } from '../index.ts';

const ours = checks.filter(({ id, endpoint }) => endpoint !== 'list-results' && !/-shape$|-refus/.test(id));

const verdictsOf = (samples: readonly SampleExchange[], target: TargetOptions = {}) =>
  verdictsOn(
    ours,
    samples.map((sample, i) => ({ at: 10_000 * i, ...sample })),
    { target },
  );

const agent = { name: 'A', variables: [{ name: 'x', value: '1' }] };
const body = { workspaceId: 'w', agent };
const created = (id: string, more: object = {}): object => ({
  agent: { ...agent, id, version: '6', workspaceId: 'w', ...more },
});
const creates = (id: string, more: object = {}): SampleExchange => ({
  endpoint: 'create-agent',
  sent: body,
  status: 201,
  json: created(id, more),
});
const imports = (id: string, more: object = {}): SampleExchange => ({
  endpoint: 'import-agent',
  sent: { workspaceId: 'w', agent: { ...agent, version: '6' } },
  status: 201,
  json: created(id, more),
});
const reads = (id: string, more: object = {}, status = 200): SampleExchange => ({
  endpoint: 'get-agent',
  agentId: id,
  status,
  json: status < 300 ? { ...created(id, more), currentUserMode: 'write' } : {},
});

/** Names of equal length, since a server may accept or refuse a name for its length. */
const makesWorkspace = (id: string, more: object = {}, status = 201): SampleExchange => ({
  endpoint: 'create-workspace',
  sent: { name: `W ${id}`, ...more },
  status,
  json: status < 300 ? { workspace: { id, name: `W ${id}`, ...more } } : {},
});

/** The failing checks of a history, which others may have caused. */
const fails = (...samples: readonly SampleExchange[]): readonly string[] =>
  [...verdictsOf(samples)].flatMap(([id, { findings }]) => (findings.length > 0 ? [id] : []));

describe('traffic that the run did not cause', () => {
  test('fails nothing if the service keeps the contract', () => {
    expect(fails(creates('a'), imports('b'), reads('a'), reads('b'), reads('a'))).toEqual([]);
  });

  test.each<[string, string, readonly SampleExchange[]]>([
    ['a repeated identifier', 'create-agent-gives-new-ids', [creates('a'), creates('a')]],
    ['a repeated identifier of an imported agent', 'create-agent-gives-new-ids', [imports('a'), creates('a')]],
    ['an identifier that was read before', 'import-agent-gives-new-ids', [reads('a'), imports('a')]],
    ['another value', 'create-agent-keeps-what-was-sent', [creates('a', { variables: [{ name: 'x', value: '2' }] })]],
    ['another workspace', 'import-agent-in-the-workspace', [imports('a', { workspaceId: 'v' })]],
    [
      'another workspace when it is read',
      'created-agent-reads-as-answered',
      [creates('a'), reads('a', { workspaceId: 'v' })],
    ],
    ['another name later', 'imported-agent-reads-as-answered', [imports('a'), reads('a'), reads('a', { name: 'B' })]],
    [
      'an agent that never appears',
      'created-agent-can-be-read',
      [creates('a'), reads('g'), reads('a', {}, 404), reads('a', {}, 404)],
    ],
    ['an agent that disappears', 'created-agent-can-be-read', [creates('a'), reads('a'), reads('a', {}, 404)]],
    [
      'an agent that disappears for a while',
      'created-agent-can-be-read',
      [creates('a'), reads('a'), reads('a', {}, 404), reads('a')],
    ],
    [
      'another agent than the requested one',
      'get-agent-answers-the-agent-asked-for',
      [{ ...reads('a'), agentId: 'b' }],
    ],
    [
      'a refusal of a caller with a weaker token',
      'get-agent-accepts-valid-request',
      [reads('g'), { ...reads('g', {}, 400), caller: 'read' }],
    ],
    [
      'a refusal between two successful reads',
      'get-agent-accepts-valid-request',
      [reads('a'), reads('a', {}, 400), reads('a')],
    ],
    [
      'a refusal of what is accepted before and after',
      'create-agent-accepts-valid-body',
      [creates('a'), { ...creates('b'), status: 400 }, creates('c')],
    ],
    [
      'a path that no longer works, beside one that does',
      'create-agent-accepts-valid-body',
      [creates('a'), imports('b'), { ...creates('c'), status: 404 }, imports('d')],
    ],
    [
      'a refusal of a name alone, while a name with more is accepted',
      'create-workspace-accepts-name-alone',
      [makesWorkspace('a'), makesWorkspace('b', {}, 400), makesWorkspace('c', { icon: 'i', slug: 's' })],
    ],
    [
      'an icon that is no longer accepted',
      'create-workspace-accepts-optional-fields',
      [
        makesWorkspace('a', { icon: 'i', slug: 's' }),
        makesWorkspace('b', { icon: 'i' }, 400),
        makesWorkspace('c', { icon: 'j' }, 400),
        makesWorkspace('d'),
      ],
    ],
  ])('reports %s', (_, check, samples) => {
    expect(fails(...samples)).toEqual([check]);
  });

  test.each<[string, readonly SampleExchange[]]>([
    ['what one answer omits', [creates('a', { variables: undefined }), reads('a')]],
    ['what every answer omits', [creates('a', { variables: undefined }), reads('a', { variables: undefined })]],
    ['what one read omits', [creates('a'), reads('a', { variables: undefined }), reads('a')]],
    ['a quota', [reads('g'), creates('a'), { ...creates('b'), status: 400 }, { ...creates('c'), status: 400 }]],
    [
      'a workspace that disappears',
      [creates('a'), imports('b'), { ...creates('c'), status: 404 }, { ...imports('d'), status: 404 }],
    ],
    [
      'a quota of workspaces',
      [makesWorkspace('a', { icon: 'i' }), makesWorkspace('b', { icon: 'i' }, 400), makesWorkspace('c', {}, 400)],
    ],
    ['a busy server', [creates('a'), { ...creates('b'), status: 409 }, creates('c')]],
    ['an accident', [reads('a'), reads('a', {}, 500), reads('a')]],
    [
      'an agent of another version',
      [creates('a', { version: '7', name: 'B' }), reads('a', { version: '7', name: 'C' })],
    ],
    ['a refusal of callers with weaker tokens', [creates('a'), reads('a'), { ...reads('a', {}, 404), caller: 'read' }]],
    ['an agent that is hidden from others', [creates('a'), reads('a'), { ...reads('a', {}, 404), caller: 'guest' }]],
    ["another user's agent that disappears", [reads('g'), reads('g', {}, 404)]],
  ])('does not blame %s', (_, samples) => {
    expect(fails(...samples)).toEqual([]);
  });

  test('reports an omission if the server shows such a value elsewhere', () => {
    const lacking = { variables: undefined };
    expect(fails(creates('a', lacking), reads('a', lacking), imports('b'))).toEqual([
      'create-agent-keeps-what-was-sent',
    ]);
    expect(fails(creates('a'), reads('a', lacking), reads('a', lacking), reads('b'))).toEqual([
      'created-agent-reads-as-answered',
    ]);
  });

  test('reports what two agents no longer show, and not what they show late', () => {
    const lacking = { variables: undefined };
    const both = [creates('a'), creates('b'), reads('a'), reads('b')];
    expect(fails(...both, reads('a', lacking), reads('b', lacking))).toEqual(['created-agent-reads-as-answered']);
    expect(fails(...both, reads('a', lacking), reads('b'))).toEqual([]);
    expect(fails(creates('a'), creates('b'), reads('a', lacking), reads('b', lacking), reads('a'), reads('b'))).toEqual(
      [],
    );
  });
});

const inWorkspace = (workspaceId: string, status: number): SampleExchange => ({
  ...creates('z'),
  sent: { workspaceId, agent },
  status,
});

test.each<[string, readonly SampleExchange[], string | undefined]>([
  ['in a new workspace', [makesWorkspace('v'), inWorkspace('v', 400)], 'the answer was 400'],
  [
    'in a new workspace while another accepts agents: another check judges that',
    [makesWorkspace('v'), imports('a'), inWorkspace('v', 400)],
    undefined,
  ],
  [
    'if no more agents are accepted',
    [imports('a'), inWorkspace('w', 400)],
    'Create agent answered 400 after the target stopped accepting any agent.',
  ],
  ['while another workspace accepts agents', [imports('a'), inWorkspace('w', 400), imports('b')], 'the answer was 400'],
])('every creation is refused %s', (_, samples, expected) => {
  const { findings, missing } = verdictsOf(samples).get('create-agent-accepts-valid-body') ?? {};
  expect(findings?.[0]?.actual ?? missing?.reason).toBe(expected);
});

test('a frequent failure is reported a limited number of times', () => {
  const many = Array.from({ length: 40 }, (_, i) => i);
  const counts = (...samples: readonly SampleExchange[]): readonly number[] =>
    [...verdictsOf(samples).values()].flatMap(({ findings: { length } }) => (length > 0 ? [length] : []));
  expect(counts(...many.map(() => makesWorkspace('a')))).toEqual([25]);
  expect(counts(...many.map(() => creates('a')))).toEqual([25]);
  expect(counts(...many.map((i) => creates(`a${i}`, { workspaceId: 'v' })))).toEqual([25]);
  expect(counts(...many.map((i) => creates(`a${i}`, { variables: [{ name: 'x', value: '2' }] })))).toEqual([25]);
  expect(counts(creates('a'), ...many.map((i) => reads('a', { name: `N${i}` })))).toEqual([25]);
});

test.each<[string, readonly SampleExchange[], string, string | undefined]>([
  ['nothing was created', [reads('a')], 'create-agent-in-the-workspace', undefined],
  [
    'no answer shows a workspace',
    [creates('a', { workspaceId: undefined })],
    'create-agent-in-the-workspace',
    'No answer shows the workspaceId of the agent.',
  ],
  [
    'no more workspaces are accepted',
    [makesWorkspace('a', { icon: 'i' }), makesWorkspace('b', {}, 400)],
    'create-workspace-accepts-name-alone',
    'Create workspace answered 400 after the target stopped accepting any workspace.',
  ],
])('if %s, the check says so or says nothing', (_, samples, check, reason) => {
  expect(verdictsOf(samples).get(check)?.missing?.reason).toBe(reason);
});

const refuses = (sample: SampleExchange, status: number): SampleExchange => ({ ...sample, status, json: {} });
const readsPublished = (id: string, status = 200): SampleExchange => ({
  endpoint: 'get-published-agent',
  agentId: id,
  status,
  json: status < 300 ? { publicAgent: { id: 'p', agentId: id } } : {},
});
const target = { agentId: 'given', publishedAgentId: 'given' };
const isPublished = { isPublished: true };

test.each<[string, string, readonly SampleExchange[], string | undefined]>([
  ['no request was sent', 'get-agent', [creates('a')], undefined],
  ['a created agent', 'get-agent', [creates('a'), refuses(reads('a'), 404)], 'the answer was 404'],
  [
    'the given agent and a created one',
    'get-agent',
    [creates('a'), refuses(reads('given'), 404), refuses(reads('a'), 410)],
    'the answer was 410',
  ],
  [
    'the given agent, and a created one with another status',
    'get-agent',
    [creates('a'), refuses(reads('given'), 404), refuses(reads('a'), 403)],
    'Get agent answered 404: check --agent-id.',
  ],
  [
    'the given agent',
    'get-agent',
    [makesWorkspace('w'), refuses(reads('given'), 404)],
    'Get agent answered 404: check --agent-id.',
  ],
  [
    'the given agent, because of the token',
    'get-agent',
    [makesWorkspace('w'), refuses(reads('given'), 403)],
    'Get agent answered 403: check the token and --agent-id.',
  ],
  [
    'the given agent, temporarily',
    'get-agent',
    [makesWorkspace('w'), refuses(reads('given'), 409)],
    'Get agent answered 409 every time.',
  ],
  [
    'the given agent, without an excuse',
    'get-agent',
    [makesWorkspace('w'), refuses(reads('given'), 400)],
    'the answer was 400',
  ],
  [
    'everything',
    'get-agent',
    [refuses(makesWorkspace('w'), 400), refuses(reads('given'), 400)],
    'Get agent answered 400, and the target accepted nothing else: check base URL and token.',
  ],
  [
    'the given published agent and a created one',
    'get-published-agent',
    [creates('a'), reads('a', isPublished), refuses(readsPublished('given'), 404), refuses(readsPublished('a'), 410)],
    'Get published agent answered 404: check --published-agent-id.',
  ],
  [
    'a created published agent',
    'get-published-agent',
    [creates('a'), reads('a', isPublished), refuses(readsPublished('a'), 404)],
    'the answer was 404',
  ],
  ['an unpublished agent', 'get-published-agent', [creates('a'), refuses(readsPublished('a'), 404)], undefined],
])('if no agent can be read, the check says why: %s', (_, endpoint, samples, expected) => {
  const { findings, missing } = verdictsOf(samples, target).get(`${endpoint}-accepts-valid-request`) ?? {};
  expect(findings?.[0]?.actual ?? missing?.reason).toBe(expected);
});

const withIcon = (id: string, status = 201): SampleExchange => makesWorkspace(id, { icon: 'i' }, status);
const withBoth = (id: string, status = 201): SampleExchange => makesWorkspace(id, { icon: 'i', slug: 's' }, status);

test.each<[string, readonly SampleExchange[], string | undefined]>([
  ['refused twice', [withBoth('a'), withIcon('b', 400), withIcon('c', 400), makesWorkspace('d')], 'the answer was 400'],
  ['never taken', [withIcon('b', 400), withIcon('c', 400), makesWorkspace('d')], 'the answer was 400'],
  ['refused once', [withBoth('a'), withIcon('b', 400), makesWorkspace('d')], undefined],
  [
    'accepted once more and then refused',
    [withBoth('a'), withIcon('b'), withIcon('c', 400), makesWorkspace('d')],
    undefined,
  ],
  [
    'refused and then accepted',
    [withIcon('b', 400), withIcon('c', 400), withIcon('d'), makesWorkspace('e')],
    undefined,
  ],
  ['refused together with the slug', [withBoth('a', 400), withBoth('b', 400), makesWorkspace('d')], undefined],
  [
    'refused, with no name alone accepted afterwards',
    [makesWorkspace('a'), withIcon('b', 400), withIcon('c', 400)],
    undefined,
  ],
  ['refused because of the token', [withIcon('b', 403), withIcon('c', 403), makesWorkspace('d')], undefined],
  ['refused because of too many requests', [withIcon('b', 429), withIcon('c', 429), makesWorkspace('d')], undefined],
  ['refused by a server error', [withIcon('b', 500), withIcon('c', 500), makesWorkspace('d')], undefined],
  [
    'refused after so many others that they are no longer counted',
    [
      ...Array.from({ length: 50 }, () => withBoth('a', 400)),
      withIcon('b', 400),
      withIcon('c', 400),
      makesWorkspace('d'),
    ],
    undefined,
  ],
  [
    'refused after fewer',
    [
      ...Array.from({ length: 48 }, () => withBoth('a', 400)),
      withIcon('b', 400),
      withIcon('c', 400),
      makesWorkspace('d'),
    ],
    'the answer was 400',
  ],
])('an icon of a workspace that is %s', (_, samples, expected) => {
  expect(verdictsOf(samples).get('create-workspace-accepts-optional-fields')?.findings[0]?.actual).toBe(expected);
});

test.each<[string, string, readonly SampleExchange[], number]>([
  ['nothing', 'create-agent-accepts-valid-body', [], 0],
  ['acceptances', 'create-agent-accepts-valid-body', [creates('a'), creates('b')], 2],
  [
    'acceptances and a refusal',
    'create-agent-accepts-valid-body',
    [creates('a'), refuses(creates('b'), 400), creates('c')],
    3,
  ],
  ['a refusal alone', 'create-agent-accepts-valid-body', [reads('g'), refuses(creates('b'), 500)], 1],
  ['refusals because of the token', 'create-agent-accepts-valid-body', [reads('g'), refuses(creates('b'), 403)], 0],
  ['an icon and a slug', 'create-workspace-accepts-optional-fields', [withBoth('a')], 2],
  ['an icon', 'create-workspace-accepts-optional-fields', [withIcon('a')], 1],
  [
    'refused icons',
    'create-workspace-accepts-optional-fields',
    [withIcon('a', 400), withIcon('b', 400), makesWorkspace('c')],
    1,
  ],
  ['readings', 'get-agent-accepts-valid-request', [creates('a'), reads('a'), reads('a')], 2],
  ['reads and a refusal', 'get-agent-accepts-valid-request', [reads('a'), refuses(reads('a'), 400), reads('a')], 3],
])('the amount that %s judges with %s', (_, check, samples, expected) => {
  expect(verdictsOf(samples).get(check)?.judged).toBe(expected);
});

test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['of what was not sent', [creates('a', { icon: 'x' }), reads('a', { icon: 'y' })], []],
  [
    'of what was not sent, from one read to the next',
    [creates('a'), reads('a', { icon: 'x' }), reads('a', { icon: 'y' })],
    [],
  ],
  ['of what was sent', [creates('a'), reads('a', { name: 'B' })], ['created-agent-reads-as-answered']],
  [
    'of what was sent and not answered',
    [creates('a', { name: undefined }), reads('a'), reads('a', { name: 'B' })],
    ['created-agent-reads-as-answered'],
  ],
])('a change %s', (_, samples, expected) => {
  expect(fails(...samples)).toEqual(expected);
});

/** What a run costs stays bounded: later workspaces are not remembered, nor held against anybody. */
test.each([
  ['w1000', ['create-workspace-gives-new-ids']],
  ['w2999', ['create-workspace-gives-new-ids']],
  ['w3000', []],
])('the repeated %s of 2001 workspaces fails %j', (repeated, failing) => {
  const all = Array.from({ length: 2001 }, (_, i) => makesWorkspace(`w${i + 1000}`));
  expect(fails(...all, makesWorkspace(repeated))).toEqual(failing);
});

test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['once', [creates('a'), reads('a', {}, 404)], ['created-agent-can-be-read', 'get-agent-accepts-valid-request']],
  [
    'twice',
    [creates('a'), reads('a', {}, 404), reads('a', {}, 404)],
    ['created-agent-can-be-read', 'get-agent-accepts-valid-request'],
  ],
  ['to a caller who may read nothing', [creates('a'), reads('b'), reads('a', {}, 403), reads('a', {}, 403)], []],
  [
    'to a caller who reads another later',
    [creates('a'), reads('a', {}, 403), reads('a', {}, 403), reads('b')],
    ['created-agent-can-be-read'],
  ],
])('a created agent that is refused %s', (_, samples, failing) => {
  expect(fails(...samples)).toEqual(failing);
});

const silent = (one: SampleExchange): SampleExchange => ({ ...one, isSilent: true });

/** One answer that is lost proves nothing of the service. */
test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['one reading', [creates('a'), silent(reads('a'))], []],
  ['two readings', [creates('a'), silent(reads('a')), silent(reads('a'))], ['get-agent-accepts-valid-request']],
  ['two readings of a service that answers nothing', [silent(reads('a')), silent(reads('a'))], []],
  ['one creation', [reads('a'), silent(creates('b'))], []],
  ['two creations', [reads('a'), silent(creates('b')), silent(creates('b'))], ['create-agent-accepts-valid-body']],
  ['two creations of a service that answers nothing', [silent(creates('b')), silent(creates('b'))], []],
])('fails only on repeated silence, and only there: %s get no answer', (_, samples, failing) => {
  expect(fails(...samples)).toEqual(failing);
});
