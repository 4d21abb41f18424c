import { importAgentV5Body } from '../../fixtures/index.ts';
import { gapIds, gaps, type GapId, type Profile } from '../../spec/index.ts';
import { changes } from '../testing/test-differences.ts';
import { testMock, type TestRequest } from '../testing/test-client.ts';
import timestamps from '../testing/timestamps.json';

type Row = readonly [name: string, target: string, request?: TestRequest];
type Mock = ReturnType<typeof testMock>['mock'];

/** Each request reaches something that a gap leaves open. */
function requests({ target, store }: Mock): readonly Row[] {
  const { agentId, workspaceId, readToken = '', guestToken = '', publishedAgentId, v5AgentId } = target;
  const [agents, list] = ['/api/v1/agents', `/api/v1/agents/${agentId}/results`];
  const create = (agent: object, more: object = { workspaceId }): TestRequest => ({ body: { ...more, agent } });
  const unpublished = [0, 1, 2, 3, 4, 5].map((i) => store.agentId(i)).find((id) => !store.publishedAgent(id)) ?? '';
  const nested = (levels: number): string =>
    `{"workspaceId":"${workspaceId}","agent":{"name":"A","more":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
  return [
    ['read', `${agents}/${agentId}`],
    ['read version 5', `${agents}/${v5AgentId}`],
    ['read published', `${agents}/${publishedAgentId}/publishedAgent`],
    ['read unpublished', `${agents}/${unpublished}/publishedAgent`],
    ['read as reader', `${agents}/${agentId}`, { token: readToken }],
    ['create as reader', agents, { ...create({ name: 'A' }), token: readToken }],
    ['list as guest', list, { token: guestToken }],
    ['no token', `${agents}/${agentId}`, { authorization: null }],
    ['lower-case bearer', `${agents}/${agentId}`, { authorization: `bearer ${target.token}` }],
    ['unknown agent', `${agents}/nobody`],
    ['results of nobody', `${agents}/nobody/results`],
    ['other method', `${agents}/${agentId}`, { method: 'DELETE' }],
    ['create', agents, create({ name: 'A', publicId: 'mine', mood: 1 })],
    ['create the same', agents, create({ name: 'A', publicId: 'mine' })],
    ['create empty', agents, create({})],
    ['create anywhere', agents, create({ name: 'A' }, { workspaceId: 'nowhere' })],
    ['create mistyped', agents, create({ name: 'A', icon: 1 })],
    ['create with null', agents, create({ name: 'A', icon: null })],
    ['create with id', agents, create({ name: 'A', id: 'mine' })],
    ['create as text', agents, { ...create({ name: 'A' }), headers: { 'content-type': 'text/plain' } }],
    ['create nested', agents, { body: nested(200) }],
    ['import', `${agents}/import`, create({ version: '6', name: 'A', isPublished: true, groups: [], edges: [] })],
    ['import little', `${agents}/import`, create({ version: '6', name: 'A', createdAt: '2020-01-01T00:00:00Z' })],
    ['import version 5', `${agents}/import`, { body: importAgentV5Body({ workspaceId, tag: 'five', detail: 'full' }) }],
    ['workspace', '/api/v1/workspaces', { body: { name: 'W' } }],
    ['workspace again', '/api/v1/workspaces', { body: { name: 'W' } }],
    ['workspace without name', '/api/v1/workspaces', { body: {} }],
    ['list', list],
    ['limit 500', `${list}?limit=500`],
    ['limit many', `${list}?limit=many`],
    ['unknown filter', `${list}?timeFilter=lastYear`],
    ['today there', `${list}?timeFilter=today&timeZone=Asia/Tokyo`],
    ['today', `${list}?timeFilter=today`],
    ['last 7 days', `${list}?timeFilter=last7Days&limit=100`],
    ['start and filter', `${list}?timeFilter=today&start=2026-05-10&end=2026-05-18`],
    ['start before filter', `${list}?timeFilter=last7Days&start=2026-05-10&limit=20`],
    ['date with slashes', `${list}?start=2026/05/10`],
    ['interval', `${list}?interval=PT6H`],
    ['limit twice', `${list}?limit=2&limit=3`],
    ['unknown parameter', `${list}?page=2&limit=5`],
    ['broken cursor', `${list}?cursor=broken`],
    ['short pages', `${list}?limit=4&timeFilter=allTime`],
    ['last page', `${agents}/${store.agentId(1)}/results?limit=100&timeFilter=allTime`],
    ...['1', '2', '3', '4', '5', '6'].map((n): Row => [`list, ${n}`, `${list}?limit=1`]),
  ];
}

/** Large bodies, which take time to parse. */
function largeRequests({ target: { workspaceId } }: Mock): readonly Row[] {
  const create = (length: number): TestRequest => ({
    body: { workspaceId, agent: { name: 'A', description: 'x'.repeat(length) } },
  });
  return [
    ['create large', '/api/v1/agents', create(1_100_000)],
    ['create too large', '/api/v1/agents', create(10_500_000)],
  ];
}

interface Answered {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function answers(choices: Partial<Profile>, isAboutSize: boolean): readonly Answered[] {
  const { mock, call } = testMock({ choices });
  const list = `/api/v1/agents/${mock.target.agentId}/results`;
  const cursor = encodeURIComponent(call(`${list}?limit=3`).json.nextCursor);
  const paged: readonly Row[] = ['&timeFilter=today', '&limit=3'].map((more) => [
    `cursor${more}`,
    `${list}?cursor=${cursor}${more}`,
  ]);
  const rows = isAboutSize ? largeRequests(mock) : [...requests(mock), ...paged];
  return rows.map(([name, target, request]) => {
    const { status, headers, text } = call(target, request);
    return { name, status, headers, body: text };
  });
}

const [usual, usualOfSize] = [answers({}, false), answers({}, true)];

/** The number of answers that a choice changes, the number of places in them, and the places in the first. */
function change(gap: GapId, choice: string): string {
  const isAboutSize = gap === 'body-limit' || gap === 'too-large-status';
  const known = isAboutSize ? usualOfSize : usual;
  const found = answers({ [gap]: choice }, isAboutSize).flatMap((one, i) => {
    const where = known[i] === undefined ? [] : changes(known[i], one);
    return where.length === 0 ? [] : [{ name: one.name, where }];
  });
  const first = found.slice(0, 2).map(({ name, where }) => `; ${name}: ${where[0] || 'all'}`);
  return `${found.length}, ${found.reduce((sum, { where }) => sum + where.length, 0)}${first.join('')}`;
}

const choices = gapIds.flatMap((gap) =>
  Object.keys(gaps[gap].choices)
    .slice(1)
    .map((choice) => [gap, choice] as const),
);

// If a change is intended, write the snapshot with `npx jest mock/choices -u`, and read its difference.
test.each(choices)('%s: %s changes the same answers as before', (gap, choice) => {
  expect(change(gap, choice)).toMatchSnapshot();
});

const formats = timestamps as [Profile['timestamp-format'], string][];
test.each(formats)('a timestamp in the format %s is %s', (format, expected) => {
  const { mock, call } = testMock({ choices: { 'timestamp-format': format } });
  const body = { workspaceId: mock.target.workspaceId, agent: { name: 'A' } };
  expect(call('/api/v1/agents', { body }).json.agent.createdAt).toBe(expected);
});
