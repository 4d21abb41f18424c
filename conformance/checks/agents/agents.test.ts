import { type SampleExchange, verdictsOn } from '../../testing/sample-exchange.ts';
import type { TargetOptions } from '../../target-options.ts';
import { checks } from '../index.ts';

const ours = checks.filter(({ id, endpoint }) => endpoint !== 'list-results' && !/-shape$|-refus/.test(id));

const verdictsOf = (samples: readonly SampleExchange[], target: TargetOptions = {}) =>
  verdictsOn(
    ours,
    samples.map((sample, i) => ({ at: 10_000 * i, ...sample })),
    { target },
  );

const CREATE = 'create-agent-accepts-valid-body';
const NAME_ALONE = 'create-workspace-accepts-name-alone';
const OPTIONAL = 'create-workspace-accepts-optional-fields';
const GET = 'get-agent-accepts-valid-request';
const READABLE = 'created-agent-can-be-read';
const AS_ANSWERED = 'created-agent-reads-as-answered';
const KEEPS = 'create-agent-keeps-what-was-sent';
const RIGHT = 'get-agent-answers-the-agent-asked-for';
const IN_WORKSPACE = 'create-agent-in-the-workspace';
const NEW_IDS = 'create-workspace-gives-new-ids';

const agent = { name: 'A', variables: [{ name: 'x', value: '1' }] };
const sends = (more: object) => ({ workspaceId: 'w', agent: { ...agent, ...more } });
const created = (id: string, more: object = {}): object => ({
  agent: { ...agent, id, version: '6', workspaceId: 'w', ...more },
});
const makes =
  (endpoint: 'create-agent' | 'import-agent', sent: object) =>
  (id: string, more: object = {}): SampleExchange => ({ endpoint, sent, status: 201, json: created(id, more) });
const creates = makes('create-agent', sends({}));
const imports = makes('import-agent', sends({ version: '6' }));
const reads = (id: string, more: object = {}): SampleExchange => ({
  endpoint: 'get-agent',
  agentId: id,
  json: { ...created(id, more), currentUserMode: 'write' },
});

/** Names of equal length, since a server may accept or refuse a name for its length. */
const adds = (id: string, more: object = {}): SampleExchange => ({
  endpoint: 'create-workspace',
  sent: { name: `W ${id}`, ...more },
  status: 201,
  json: { workspace: { id, name: `W ${id}`, ...more } },
});
const refuses = (sample: SampleExchange, status: number): SampleExchange => ({ ...sample, status, json: {} });
const icon = adds('a', { icon: 'i' });
const both = adds('b', { icon: 'i', slug: 's' });
const noIcon = refuses(icon, 400);
const neither = refuses(both, 400);
const plain = adds('c');
const lacking = { variables: undefined };
const changed = [{ name: 'x', value: '2' }];
const otherName = { ...creates('b'), sent: sends({ name: 'B' }) };

const [creation, importing, reading] = [creates('a'), imports('a'), reads('a')];
const [gone, forbidden] = [refuses(reading, 404), refuses(reading, 403)];
const [lackingA, lackingB] = [reads('a', lacking), reads('b', lacking)];
const two = [creation, creates('b'), reading, reads('b')];
/** An agent with a flow, which is created three times, each time shown as `shown` says. */
const flow = {
  ...agent,
  groups: [{ id: 'g', blocks: [{ id: 'b', type: 'choice', items: [{ id: 'i', outgoingEdgeId: 'e' }] }] }],
  edges: [{ id: 'e', from: { blockId: 'b', itemId: 'i' }, to: { groupId: 'g' } }],
};
const flows = (shown: (text: string) => string): readonly SampleExchange[] =>
  ['a', 'b', 'c'].map((id) => ({
    ...creates(id, JSON.parse(shown(JSON.stringify(flow))) as object),
    sent: { workspaceId: 'w', agent: flow },
  }));
const draft = { ...imports('a', { isPublished: false }), sent: sends({ version: '6', isPublished: false }) };
const issued = { ...draft, sent: sends({ version: '6', isPublished: true }) };
const formOf = (agentId: string, more: object): SampleExchange => ({
  endpoint: 'get-published-agent',
  agentId,
  json: { publicAgent: { ...agent, id: 'p', version: '6', agentId, ...more } },
});
/** Two agents that were imported as published, what their imports show, and what their public forms show. */
const publishedTwice = (shown: object, form: object): readonly SampleExchange[] =>
  ['a', 'b'].flatMap((id) => [
    { ...imports(id, shown), sent: sends({ ...blocks('x'), version: '6', isPublished: true }) },
    formOf(id, form),
  ]);
const forms = (...ids: readonly number[]) => ids.map((id) => formOf('g', { id: `p${id}` }));
const noBlocks = { groups: [{ id: 'g', blocks: null }] };
const named = { ...creates('a', { name: 'a name of this run' }), sent: sends({ name: 'a name of this run' }) };
const old = reads('old', { name: 'a name of this run' });
const themed = sends({ theme: { customCss: 'x' } });
const nameless = creates('a', { name: undefined });
/** An agent without variables. */
const bare = (shown: object) => ({ ...creates('b', shown), sent: { workspaceId: 'w', agent: { name: 'A' } } });
const PUBLIC = 'get-published-agent-shows-what-was-imported';
const at = (createdAt: string): object => ({ createdAt });
const refusesGiven = (status: number): SampleExchange => refuses(reads('given'), status);

const columns = (...columnsOrder: readonly string[]) => ({ resultsTablePreferences: { columnsOrder } });
const blocks = (...ids: readonly string[]) => ({ groups: [{ id: 'g', blocks: ids.map((id) => ({ id, type: id })) }] });
const items = (...ids: readonly string[]) => ({
  groups: [{ id: 'g', blocks: [{ id: 'b', items: ids.map((id) => ({ id })) }] }],
});

const choices = (choice: unknown) => ({ groups: [{ id: 'g', blocks: [{ id: 'b', choices: ['c', choice] }] }] });
const inModes = (...modes: readonly string[]) =>
  modes.map((currentUserMode) => ({ ...reads('g'), json: { ...created('g'), currentUserMode } }));

/** A creation whose answer shows what was sent. */
const keeps = (more: object): SampleExchange => ({ ...creates('a', more), sent: sends(more) });

/** The failing checks of a history, which others may have caused. */
const fails = (...samples: readonly SampleExchange[]): readonly string[] =>
  [...verdictsOf(samples)].flatMap(([id, { findings }]) => (findings.length > 0 ? [id] : []));

describe('traffic that the run did not cause', () => {
  test.each<[string, string, readonly SampleExchange[]]>([
    ['a repeated identifier', 'create-agent-gives-new-ids', [creation, creation]],
    ['a repeated identifier of an imported agent', 'create-agent-gives-new-ids', [importing, creation]],
    ['an identifier that was read before', 'import-agent-gives-new-ids', [reading, importing]],
    ['another value', KEEPS, [creates('a', { variables: changed })]],
    ['another workspace', 'import-agent-in-the-workspace', [imports('a', { workspaceId: 'v' })]],
    ['another workspace when it is read', AS_ANSWERED, [creation, reads('a', { workspaceId: 'v' })]],
    ['another name later', 'imported-agent-reads-as-answered', [importing, reading, reads('a', { name: 'B' })]],
    ['a change of what was sent', AS_ANSWERED, [creation, reads('a', { name: 'B' })]],
    ['a change of what was sent alone', AS_ANSWERED, [nameless, reading, reads('a', { name: 'B' })]],
    ['a variable of another agent', KEEPS, [creation, bare({})]],
    ['an agent that never appears', READABLE, [creation, reads('g'), gone, gone]],
    ['an agent that disappears', READABLE, [creation, reading, gone]],
    ['an agent that disappears for a while', READABLE, [creation, reading, gone, reading]],
    ['another agent than the requested one', RIGHT, [{ ...reading, agentId: 'b' }]],
    ['an agent in other letters than its creation gave', RIGHT, [creation, { ...reads('A'), agentId: 'a' }]],
    [
      'four identifiers of one public form, and one of them twice',
      'get-published-agent-answers-the-agent-asked-for',
      forms(1, 1, 2, 3, 4),
    ],
    ['what the server shows elsewhere', KEEPS, [creates('a', lacking), lackingA, imports('b')]],
    ['what a reading shows elsewhere', AS_ANSWERED, [creation, lackingA, lackingA, reads('b')]],
    ['what two agents no longer show', AS_ANSWERED, [...two, lackingA, lackingB]],
    ['a refusal of what is accepted before and after', CREATE, [creation, refuses(creates('b'), 400), creates('c')]],
    ['a refusal of another name between two acceptances', CREATE, [creation, refuses(otherName, 400), creates('c')]],
    ['a path lost beside another', CREATE, [creation, imports('b'), refuses(creates('c'), 404), imports('d')]],
    ['a refusal of a name alone, not of more', NAME_ALONE, [adds('a'), refuses(adds('b'), 400), both]],
    ['what edges join and no answer shows', KEEPS, flows((text) => text.replace('"itemId":"i"', '"x":1'))],
    ['the link of an item that no answer shows', KEEPS, flows((text) => text.replace(',"outgoingEdgeId":"e"', ''))],
    ['items in another order', KEEPS, [{ ...keeps(items('i', 'j')), json: created('a', items('j', 'i')) }]],
    ['a text for null in a block', KEEPS, [{ ...keeps(choices(null)), json: created('a', choices('')) }]],
    ['a lost column beside others', KEEPS, [{ ...keeps(columns('$x', 'y')), json: created('a', columns('$x')) }]],
    [
      'a mode that goes back and forth',
      'get-agent-mode-matches-token',
      inModes('write', 'read', 'write', 'read', 'write'),
    ],
    ['published draft', 'import-agent-keeps-what-was-sent', [{ ...draft, json: created('a', { isPublished: true }) }]],
    ['a draft that is published later', 'imported-agent-reads-as-answered', [draft, reads('a', { isPublished: true })]],
    ['another date', AS_ANSWERED, [creates('a', at('2026-05-20T10:00:00Z')), reads('a', at('2026-05-20T12:00:00Z'))]],
    ['another identifier to share it by', AS_ANSWERED, [creates('a', { shareId: 's' }), reads('a', { shareId: 't' })]],
    ['columns read in another order', AS_ANSWERED, [keeps(columns('x', 'y')), reads('a', columns('y', 'x'))]],
    ['blocks in another order when it is read', AS_ANSWERED, [keeps(blocks('x', 'y')), reads('a', blocks('y', 'x'))]],
    ['a block that is gone when it is read', AS_ANSWERED, [keeps(blocks('x', 'y')), reads('a', blocks('x'))]],
    ['another public form', PUBLIC, [issued, formOf('a', { name: 'B' })]],
    ['blocks that no public form shows', PUBLIC, publishedTwice(blocks('x'), noBlocks)],
    ['a public form in another workspace', PUBLIC, [issued, formOf('a', { workspaceId: 'v' })]],
    ['an older agent that reads as a new one', 'creations-leave-other-agents-alone', [named, old]],
    ['an icon that is no longer accepted', OPTIONAL, [both, noIcon, refuses(adds('c', { icon: 'j' }), 400), plain]],
  ])('reports %s', (_, check, samples) => {
    expect(fails(...samples)).toEqual([check]);
  });

  test.each<[string, readonly SampleExchange[]]>([
    ['a service that keeps the contract', [creation, imports('b'), reading, reads('b'), reading]],
    ['an agent in other letters than a caller wrote', [{ ...reads('G'), agentId: 'g' }]],
    ['three identifiers of one public form', forms(1, 2, 1, 3, 3)],
    ['columns that belong to nothing', [{ ...keeps(columns('x', 'y')), json: created('a', columns('x')) }]],
    ['access that is withdrawn for a while', inModes('write', 'read', 'write', 'read')],
    ['what one answer omits', [creates('a', lacking), reading]],
    ['a variable that every agent has', [creation, bare({ variables: [{ name: 'x' }] })]],
    ['what every answer omits', [creates('a', lacking), lackingA]],
    ['what one read omits', [creation, lackingA, reading]],
    ['what one agent no longer shows', [...two, lackingA, reads('b')]],
    ['what two agents show late', [creation, creates('b'), lackingA, lackingB, reading, reads('b')]],
    ['appearance that no answer shows', [1, 2, 3].map((n) => ({ ...creates(`t${n}`), sent: themed }))],
    ['an agent published late, or not', [issued, reads('a', { isPublished: true }), { ...issued, json: created('b') }]],
    ['another notation', [creates('a', at('2026-05-20T10:00:00.900Z')), reads('a', at('2026-05-20 10:00:00'))]],
    ['a change of what was not sent', [creates('a', { icon: 'x' }), reads('a', { icon: 'y' })]],
    ['such a change between two reads', [creation, reads('a', { icon: 'x' }), reads('a', { icon: 'y' })]],
    ['a public form without a theme', [issued, formOf('a', { theme: undefined })]],
    ['blocks that the agents do not show either', publishedTwice(noBlocks, noBlocks)],
    ['an older agent that had the name before', [old, named]],
    ['a quota', [reads('g'), creation, refuses(creates('b'), 400), refuses(creates('c'), 400)]],
    ['a workspace that disappears', [creation, imports('b'), refuses(creates('c'), 404), refuses(imports('d'), 404)]],
    ['a quota of workspaces', [icon, noIcon, refuses(plain, 400)]],
    ['an accident', [reading, refuses(reading, 500), reading]],
    ['an agent of version 7', [creates('a', { version: '7', name: 'B' }), reads('a', { version: '7', name: 'C' })]],
    ['a refusal of callers with weaker tokens', [creation, reading, { ...gone, caller: 'read' }]],
    ['any refusal of them', [reads('g'), { ...refuses(reads('g'), 422), caller: 'read' }]],
    ['an agent that is hidden from others', [creation, reading, { ...gone, caller: 'guest' }]],
    ["another user's agent that disappears", [reads('g'), refuses(reads('g'), 404)]],
  ])('does not blame %s', (_, samples) => {
    expect(fails(...samples)).toEqual([]);
  });
});

const inWorkspace = (workspaceId: string): SampleExchange =>
  refuses({ ...creates('z'), sent: { workspaceId, agent } }, 400);

const stopped = 'Create agent answered 400 after the target stopped accepting any agent.';

test.each<[string, readonly SampleExchange[], string | undefined]>([
  ['in a new workspace', [adds('v'), inWorkspace('v')], 'the answer was 400'],
  ['in a new workspace beside another', [adds('v'), importing, inWorkspace('v')], 'Create agent accepted no request.'],
  ['if no more agents are accepted', [importing, inWorkspace('w')], stopped],
  ['while another workspace accepts agents', [importing, inWorkspace('w'), imports('b')], 'the answer was 400'],
])('every creation is refused %s', (_, samples, expected) => {
  const { findings, missing } = verdictsOf(samples).get(CREATE) ?? {};
  expect(findings?.[0]?.actual ?? missing?.reason).toBe(expected);
});

test('a frequent failure is reported once, with its count, and a difference once', () => {
  const many = Array.from({ length: 40 }, (_, i) => i);
  const counts = (...samples: readonly SampleExchange[]): readonly number[] =>
    [...verdictsOf(samples).values()].flatMap(({ findings }) => findings.map(({ times = 1 }) => times));
  expect(counts(...many.map(() => adds('a')))).toEqual([39]);
  expect(counts(...many.map(() => creation))).toEqual([39]);
  expect(counts(...many.map((i) => creates(`a${i}`, { workspaceId: 'v' })))).toEqual([40]);
  expect(counts(...many.map((i) => creates(`a${i}`, { variables: changed })))).toEqual([1]);
  expect(counts(creation, ...many.map((i) => reads('a', { name: `N${i}` })))).toEqual([1]);
});

test.each<[string, readonly [agent: number, workspace: number, updated?: number], readonly string[]]>([
  ['at its creation', [0, 0], []],
  ['as in another zone', [540, 0], ['create-agent-gives-new-ids']],
  ['too early', [0, -360], [NEW_IDS]],
  ['by a clock that is off', [-360, -360], []],
  ['by machines that differ', [0, 10, 0], []],
  ['by the day', [0, -721], []],
  ['as updated before', [0, 0, -60], [NEW_IDS]],
])('what is made is dated %s', (_, [one, other, updated = other], expected) => {
  const noon = Date.UTC(2026, 4, 20, 12, 1);
  const after = (minutes: number): string => new Date(noon + minutes * 60_000).toISOString();
  const workspace = { id: 'v', createdAt: after(other), updatedAt: after(updated) };
  const samples = [creates('a', { createdAt: after(one) }), { ...adds('v'), json: { workspace } }];
  const verdicts = verdictsOf(samples.map((sample) => ({ ...sample, at: noon })));
  const dated = ['create-agent-gives-new-ids', NEW_IDS].filter((id) => verdicts.get(id)?.findings.length === 1);
  expect(dated).toEqual(expected);
});

const notShown = 'No answer shows the workspaceId of the agent.';
const noMore = 'Create workspace answered 400 after the target stopped accepting any workspace.';

test.each<[string, readonly SampleExchange[], string, string | undefined]>([
  ['nothing was created', [reading], IN_WORKSPACE, undefined],
  ['no answer shows a workspace', [creates('a', { workspaceId: undefined })], IN_WORKSPACE, notShown],
  ['no more workspaces are accepted', [icon, refuses(plain, 400)], NAME_ALONE, noMore],
])('if %s, the check says so or says nothing', (_, samples, check, reason) => {
  expect(verdictsOf(samples).get(check)?.missing?.reason).toBe(reason);
});

const [publicForm, givenForm] = [formOf('a', {}), formOf('given', {})];
const target = { agentId: 'given', publishedAgentId: 'given' };
const published = [creation, reads('a', { isPublished: true })];
const [wrongId, wrongToken, busy, wrongUrl, wrongPublicId] = [
  'Get agent answered 404: check --agent-id.',
  'Get agent answered 403: check the token and --agent-id.',
  'Get agent asked for patience each time, and never answered otherwise.',
  'Get agent answered 400, and the target accepted nothing else: check base URL and token.',
  'Get published agent answered 404: check --published-agent-id.',
];

test.each<[string, readonly SampleExchange[], string | undefined]>([
  ['no request was sent', [creation], undefined],
  ['a created agent', [creation, gone], 'the answer was 404'],
  ['given and created', [creation, refusesGiven(404), refuses(reading, 410)], 'the answer was 410'],
  ['given and created with another status', [creation, refusesGiven(404), refuses(reading, 403)], wrongId],
  ['the given agent', [adds('w'), refusesGiven(404)], wrongId],
  ['the given agent, because of the token', [adds('w'), refusesGiven(403)], wrongToken],
  ['the given agent, temporarily', [adds('w'), refusesGiven(409)], busy],
  ['the given agent, without an excuse', [adds('w'), refusesGiven(400)], 'the answer was 400'],
  ['everything', [refuses(adds('w'), 400), refusesGiven(400)], wrongUrl],
  [
    'a given and a created public form',
    [...published, refuses(givenForm, 404), refuses(publicForm, 410)],
    wrongPublicId,
  ],
  ['a published one', [...published, refuses(publicForm, 404)], 'the answer was 404'],
  ['an unpublished agent', [creation, refuses(publicForm, 404)], 'Get published agent accepted no request.'],
])('if no agent can be read, the check says why: %s', (_, samples, expected) => {
  const endpoint = samples.at(-1)?.endpoint === 'get-published-agent' ? 'get-published-agent' : 'get-agent';
  const { findings, missing } = verdictsOf(samples, target).get(`${endpoint}-accepts-valid-request`) ?? {};
  expect(findings?.[0]?.actual ?? missing?.reason).toBe(expected);
});

test.each<[string, readonly SampleExchange[], string | undefined]>([
  ['refused twice', [both, noIcon, noIcon, plain], 'the answer was 400'],
  ['never taken', [noIcon, noIcon, plain], 'the answer was 400'],
  ['refused once', [both, noIcon, plain], undefined],
  ['accepted once more and then refused', [both, icon, noIcon, plain], undefined],
  ['refused and then accepted', [noIcon, noIcon, icon, plain], undefined],
  ['refused together with the slug', [neither, neither, plain], undefined],
  ['refused, with no name alone accepted afterwards', [plain, noIcon, noIcon], undefined],
  ['refused because of the token', [refuses(icon, 403), refuses(icon, 403), plain], undefined],
  ['refused after too many to count', [...Array<SampleExchange>(50).fill(neither), noIcon, noIcon, plain], undefined],
  ['refused after fewer', [...Array<SampleExchange>(48).fill(neither), noIcon, noIcon, plain], 'the answer was 400'],
])('an icon of a workspace that is %s', (_, samples, expected) => {
  expect(verdictsOf(samples).get(OPTIONAL)?.findings[0]?.actual).toBe(expected);
});

const form = formOf('a', {});
const publishedNow = [issued, reads('a', { isPublished: true }), form];
const elsewhere = (id: string) => ({ ...creates(id, { workspaceId: 'v' }), sent: { workspaceId: 'v', agent } });
const inNew = [adds('v'), creation, elsewhere('b')];
const late = (sample: SampleExchange, ms: number) => ({ ...refuses(sample, 404), at: ms });

/** What a run costs stays bounded: later workspaces are not remembered, nor held against anybody. */
test.each([
  ['w1000', [NEW_IDS]],
  ['w2999', [NEW_IDS]],
  ['w3000', []],
])('the repeated %s of 2001 workspaces fails %j', (repeated, failing) => {
  const all = Array.from({ length: 2001 }, (_, i) => adds(`w${i + 1000}`));
  expect(fails(...all, adds(repeated))).toEqual(failing);
});

test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['a created agent once', [creation, gone], [READABLE, GET]],
  ['a created agent twice', [creation, gone, gone], [READABLE, GET]],
  ['to a caller who may read nothing', [creation, reads('b'), forbidden, forbidden], []],
  ['to one who reads another later', [creation, forbidden, forbidden, reads('b')], [READABLE]],
  ['a public form on one replica', [...publishedNow, late(form, 3000)], []],
  ['a public form', [...publishedNow, late(form, 3001), form], ['get-published-agent-accepts-valid-request']],
  ['a new workspace on one replica', [...inNew, late(elsewhere('c'), 3000), elsewhere('d')], []],
  ['a workspace', [...inNew, late(elsewhere('c'), 3001), elsewhere('d')], [CREATE]],
])('refused: %s', (_, samples, failing) => {
  expect(fails(...samples)).toEqual(failing);
});
