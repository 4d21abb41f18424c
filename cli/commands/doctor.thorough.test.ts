import type { RequestListener } from 'node:http';
import { checks } from '../../conformance/checks/index.ts';
import { roles } from '../../fixtures/index.ts';
import { served, serverOf } from '../../http/testing/test-server.ts';
import { createMock } from '../../mock/index.ts';
import { testFolder } from '../testing/test-io.ts';

interface Found {
  readonly status: number;
  readonly findings: readonly { what: string; state: string; says: string; fix?: string }[];
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

/** For tests of the target's state, not of what could be judged. */
const QUICK = ['--only', '4.3'];

async function doctor(base: string, argv: readonly string[]): Promise<Found> {
  const { status, stdout, stderr } = await run(['doctor', base, ...argv, '--json']);
  expect(stderr.replace(/^note: .*\n/gm, '')).toBe('');
  return { ...(JSON.parse(stdout) as Found), status };
}
/** What the checks that cannot be judged need. */
const needs = ({ notJudged = [] }: Found) => [...new Set(notJudged.map(({ supply }) => supply))];
const finding = ({ findings }: Found, what: string) => findings.find((one) => one.what === what);

describe('a target with every option given', () => {
  test('can be judged completely, which GET requests alone show', async () => {
    const { status, stdout, stderr } = await run(['doctor', url, ...flags()]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`\\nAll ${checks.length} checks can be judged\\.\\n$`));
    expect(stdout.match(/ ✓ [a-z0-9 ]+?(?= {2}|U)/gi)?.length).toBeGreaterThan(7);
    for (const secret of [token, readToken, guestToken]) expect(stdout).not.toContain(secret);
    expect([...methods]).toEqual(['GET']);
  });

  test('is judged within the limits of --only and --read-only', async () => {
    const only = await doctor(url, [...flags(), '--only', 'get-agent,create-agent', '--read-only']);
    expect(only.status).toBe(3);
    expect(needs(only)).toEqual(['a run without --read-only']);
    const judged = only.judged ?? [];
    expect(judged.length).toBeGreaterThan(0);
    for (const id of [...judged, ...(only.notJudged ?? []).map((one) => one.id)])
      expect(checks.find((check) => check.id === id)?.endpoint).toMatch(/^(get|create)-agent$/);
    const { status, stderr } = await run(['doctor', url, ...flags(), '--only', 'nonsense']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('"nonsense" matches no check')]);
  });
});

describe('a missing option', () => {
  test.each([
    ['--agent-id', '--agent-id of an agent with results', 'list-results-default-limit'],
    ['--published-agent-id', '--published-agent-id', 'get-published-agent-refuses-no-authorization'],
  ])('%s: names the checks that it would unlock, and a run agrees', async (flag, supply, check) => {
    const given = flags({ [flag]: undefined });
    const found = await doctor(url, given);
    expect(found.status).toBe(3);
    expect(found.notJudged?.find(({ id }) => id === check)?.supply).toBe(supply);
    expect((found.judged?.length ?? 0) + (found.notJudged?.length ?? 0)).toBe(checks.length);
    const { stdout } = await run(['check', url, ...given, '--json']);
    const notJudged = (JSON.parse(stdout) as { checks: { id: string; status: string }[] }).checks
      .filter(({ status }) => status === 'not-judged')
      .map(({ id }) => id);
    expect(found.notJudged?.map(({ id }) => id)).toEqual(notJudged);
  });

  test('the token: nothing is judged without it', async () => {
    const found = await doctor(url, []);
    expect([found.status, found.judged]).toEqual([3, []]);
    expect(finding(found, 'token')).toMatchObject({ state: 'missing' });
    expect(needs(found)).toContain('--token');
  });

  test('appears in the text, with the most useful first', async () => {
    const { stdout } = await run(['doctor', url, '--token', token]);
    expect(stdout).toMatch(
      /\n {2}– agent +--agent-id was not given\.\n +Give the --agent-id of an agent with results\n/,
    );
    expect(stdout).toMatch(
      /\n\d+ of \d+ checks can be judged\. The others need\n[^]* {2}--agent-id of an agent with results\n {6}\S+, .* and \d+ more/,
    );
  });
});

test.each<[string, string | undefined, string]>([
  ['--token', 'unknown-token', '--token'],
  ['--token', readToken, 'a token that may create agents'],
  ['--agent-id', 'nobody', '--agent-id of an agent with results'],
  ['--agent-id', mock.store.agentId(roles.withoutResults), '--agent-id of an agent with results'],
  ['--published-agent-id', mock.store.agentId(roles.draft), '--published-agent-id'],
])('%s %s is of no use, so some checks need %s', async (flag, value, supply) => {
  const found = await doctor(url, flags({ [flag]: value }));
  expect(found.status).toBe(3);
  expect(needs(found)).toContain(supply);
});

describe('a wrong base URL', () => {
  const fatal = async (base: string, argv: readonly string[] = flags()) => {
    const found = await doctor(base, argv);
    expect(found).toMatchObject({ status: 4, findings: [{ what: 'base URL', state: 'fatal' }] });
    expect(found.judged).toBeUndefined();
    return found.findings[0];
  };

  test('is recognised if nothing listens there', async () => {
    expect((await fatal('http://127.0.0.1:1'))?.says).toMatch(/^Nothing accepts connections at 127\.0\.0\.1:1/);
    const { stdout, status } = await run(['doctor', 'http://127.0.0.1:1', '--token', 'x']);
    expect([status, stdout]).toEqual([4, expect.stringMatching(/\nA run makes no sense until this is fixed\.\n$/)]);
  });
});

test.each(['contrarian', 'trpc', 'minimal'] as const)(
  'reports nothing wrong with a server of the profile %s',
  async (profile) => {
    const other = createMock({ profile });
    const base = await serve(other.app);
    const target = write(`${profile}.json`, { baseUrl: base, ...other.target });
    const { status, stdout } = await run(['doctor', '--target', target, ...QUICK]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining('✗') as string });
  },
);

describe('its words do not depend on the token', () => {
  const said = async (secret: string, argv: readonly string[]): Promise<string> => {
    const own = createMock({ tokens: { [secret]: 'write' } });
    const server = await served(own, { port: 0, host: '127.0.0.1' });
    const given = ['--token', secret, '--agent-id', own.target.agentId, '--only', 'get-agent', '--read-only', ...argv];
    const { stdout, stderr } = await run(['doctor', server.url, ...given]);
    return `${stdout}${stderr}`.replaceAll(server.url, 'URL').replace(/\d+ (m?s)\b/g, 'N $1');
  };
  test.each([[], ['--json']])('with the flags %j', async (...argv) => {
    const plain = await said('a-token-1-that-is-no-word', argv);
    for (const word of ['ok', 'wrong', 'agent', 'what', 'state']) expect(await said(word, argv)).toBe(plain);
  });
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
