import type { RequestListener } from 'node:http';
import { checks } from '../../conformance/checks/index.ts';
import { roles } from '../../fixtures/index.ts';
import { served, serverOf } from '../../http/testing/test-server.ts';
import { createMock } from '../../mock/index.ts';
import { testFolder } from '../testing/test-io.ts';

interface Found {
  readonly status: number;
  readonly findings: readonly { what: string; state: string; says: string }[];
  readonly judged?: readonly string[];
  readonly notJudged?: readonly { id: string; supply?: string }[];
}

// These are whole runs, possibly on a busy machine.
const { run, write } = testFolder();
const mock = createMock();
const methods = new Set<string>();
let url = '';

const serve = async (listener: RequestListener): Promise<string> => (await serverOf(listener)).url;
beforeAll(async () => {
  url = await serve((request, response) => {
    methods.add(request.method ?? '');
    mock.app(request, response);
  });
});

const { token, agentId, publishedAgentId, v5AgentId, workspaceId, readToken = '', guestToken = '' } = mock.target;
const ALL: Readonly<Record<string, string>> = {
  '--token': token,
  '--agent-id': agentId,
  '--published-agent-id': publishedAgentId,
  '--v5-agent-id': v5AgentId,
  '--read-token': readToken,
  '--guest-token': guestToken,
  '--workspace-id': workspaceId,
};
const flags = (given: Readonly<Record<string, string | undefined>> = {}): string[] =>
  Object.entries({ ...ALL, ...given }).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));

async function doctor(base: string, argv: readonly string[]): Promise<Found> {
  const { status, stdout, stderr } = await run(['doctor', base, ...argv, '--json']);
  expect(stderr.replace(/^note: .*\n/gm, '')).toBe('');
  return { ...(JSON.parse(stdout) as Found), status };
}
/** What the checks that cannot be judged need. */
const needs = ({ notJudged = [] }: Found) => [...new Set(notJudged.map(({ supply }) => supply))];

test('a target with every option given can be judged completely, which GET requests alone show', async () => {
  const { status, stdout, stderr } = await run(['doctor', url, ...flags()]);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`\\nAll ${checks.length} checks can be judged\\.\\n$`));
  expect(stdout.match(/ ✓ [a-z0-9 ]+?(?= {2}|U)/gi)?.length).toBeGreaterThan(7);
  for (const secret of [token, readToken, guestToken]) expect(stdout).not.toContain(secret);
  expect([...methods]).toEqual(['GET']);
});

test('what can be judged keeps to --only and --read-only', async () => {
  const only = await doctor(url, [...flags(), '--only', 'get-agent,create-agent', '--read-only']);
  expect([only.status, needs(only)]).toEqual([3, ['a run without --read-only']]);
  const ids = [...(only.judged ?? []), ...(only.notJudged ?? []).map((one) => one.id)];
  const endpoints = new Set(ids.map((id) => checks.find((check) => check.id === id)?.endpoint));
  expect([...endpoints].toSorted()).toEqual(['create-agent', 'get-agent']);
  const { status, stderr } = await run(['doctor', url, ...flags(), '--only', 'nonsense']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('"nonsense" matches no check')]);
});

test.each([
  ['--agent-id', '--agent-id of an agent with results', 'list-results-walks-agree'],
  ['--published-agent-id', '--published-agent-id', 'get-published-agent-refuses-no-authorization'],
])('without %s it names the checks that this would unlock, and a run agrees', async (flag, supply, check) => {
  const given = flags({ [flag]: undefined });
  const found = await doctor(url, given);
  expect(found.status).toBe(3);
  expect(found.notJudged?.find(({ id }) => id === check)?.supply).toBe(supply);
  expect((found.judged?.length ?? 0) + (found.notJudged?.length ?? 0)).toBe(checks.length);
  const { stdout } = await run(['check', url, ...given, '--json']);
  const { checks: ran } = JSON.parse(stdout) as { checks: { id: string; status: string }[] };
  const notJudged = ran.filter(({ status }) => status === 'not-judged').map(({ id }) => id);
  expect(found.notJudged?.map(({ id }) => id)).toEqual(notJudged);
});

test('what is missing appears in the text, with the most useful first', async () => {
  const { stdout } = await run(['doctor', url, '--token', token]);
  expect(stdout).toMatch(/\n {2}– agent +--agent-id was not given\.\n +Give the --agent-id of an agent with results\n/);
  const needed = / {2}To judge these: --agent-id of an agent with results\n {4}\d+ checks?: \S/.source;
  expect(stdout).toMatch(new RegExp(`\\n\\d+ of \\d+ checks can be judged\\.\\n[^]*${needed}`));
});

test.each<[string, string | undefined, string]>([
  ['--token', undefined, '--token'],
  ['--token', 'unknown-token', '--token'],
  ['--token', readToken, 'a token that may create agents'],
  ['--agent-id', 'nobody', '--agent-id of an agent with results'],
  ['--agent-id', mock.store.agentId(roles.withoutResults), '--agent-id of an agent with results'],
  ['--published-agent-id', mock.store.agentId(roles.draft), '--published-agent-id'],
])('%s %s is of no use, so some checks need %s', async (flag, value, supply) => {
  const found = await doctor(url, flags({ [flag]: value }));
  expect([found.status, needs(found).includes(supply)]).toEqual([3, true]);
});

test('a base URL where nothing listens makes a run useless', async () => {
  const found = await doctor('http://127.0.0.1:1', flags());
  const says = expect.stringMatching(/^Nothing accepts connections at 127\.0\.0\.1:1/) as string;
  expect(found).toMatchObject({ status: 4, findings: [{ what: 'base URL', state: 'fatal', says }] });
  expect(found.judged).toBeUndefined();
  const { stdout } = await run(['doctor', 'http://127.0.0.1:1', '--token', 'x']);
  expect(stdout).toMatch(/\nA run makes no sense until this is fixed\.\n$/);
});

test.each(['contrarian', 'trpc', 'minimal'] as const)(
  'reports nothing wrong with a server of the profile %s',
  async (profile) => {
    const other = createMock({ profile });
    const target = write(`${profile}.json`, { baseUrl: await serve(other.app), ...other.target });
    const { status, stdout } = await run(['doctor', '--target', target, '--only', '4.3']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining('✗') as string });
  },
);

test('its words do not depend on the token', async () => {
  const said = async (secret: string): Promise<string> => {
    const own = createMock({ tokens: { [secret]: 'write' } });
    const server = await served(own, { port: 0, host: '127.0.0.1' });
    const given = ['--token', secret, '--agent-id', own.target.agentId, '--only', 'get-agent', '--read-only'];
    const ways = [given, [...given, '--json']].map((argv) => run(['doctor', server.url, ...argv]));
    const text = (await Promise.all(ways)).map(({ stdout, stderr }) => stdout + stderr).join('');
    return text.replaceAll(server.url, 'URL').replace(/\d+ (m?s)\b/g, 'N $1');
  };
  const plain = await said('a-token-1-that-is-no-word');
  for (const word of ['ok', 'wrong', 'agent', 'what', 'state']) expect(await said(word)).toBe(plain);
});

test('text from a target shows no token, whatever its words', async () => {
  const base = await serve((request, response) => {
    const sent = request.headers.authorization?.slice('Bearer '.length) ?? '';
    response.writeHead(302, { location: `http://other.test/${sent}/api/v1` }).end();
  });
  const { stdout } = await run(['doctor', base, '--token', 'other-word']);
  expect(stdout).toContain('It redirects (302) to "http://other.test/$TOKEN/api/v1"');
  expect(stdout).not.toContain('other-word');
});
