import { isDeepStrictEqual } from 'node:util';
import { shellWord, toCurl } from '../../text/curl.ts';
import { visible } from '../../text/visible.ts';
import { profileNames, profiles, unseenFaults, type UpstreamControls, type Way } from '../../mock/index.ts';
import { flagWords } from '../flags.ts';
import { colorsOf, type Io } from '../io.ts';
import type { MockSettings } from './flags.ts';
import { targetToCheck, type RunningMock } from './start.ts';

export const dashboardOf = (url: string): string => `${url}/__admin/ui`;

/** The output for programs once the mock is ready: one line of JSON. */
export function readyLine(running: RunningMock, { state }: MockSettings): string {
  const { mock, server } = running;
  const { baseUrl: url, ca: certificate, insecure: _, ...target } = targetToCheck(running);
  return JSON.stringify({
    url,
    port: server.port,
    pid: process.pid,
    docs: `${server.url}/docs`,
    dashboard: dashboardOf(server.url),
    seed: mock.seed,
    persona: mock.persona,
    now: new Date(mock.clock.now()).toISOString(),
    target,
    tokens: Object.fromEntries(mock.tokens),
    state,
    upstream: mock.upstream?.url,
    certificate,
  });
}

export function banner(running: RunningMock, settings: MockSettings, io: Io): string {
  const { mock, server, trust } = running;
  const { url } = server;
  const { bold, dim, cyan } = colorsOf(io);
  const { target } = mock;
  const { baseUrl, ...known } = targetToCheck(running);
  const lines: string[] = [];
  /** A row, unless there is nothing to show. */
  const row = (name: string, value: string | undefined, remark = ''): void => {
    if (value !== undefined && value !== '') lines.push(`  ${name.padEnd(11)}${value}${remark && dim(`  ${remark}`)}`);
  };
  const now = `${new Date(mock.clock.now()).toISOString()}${mock.clock.isFrozen ? ' and frozen' : ''}`;
  lines.push(
    `${bold('Agent Builder Service, a mock')} on ${cyan(url)}`,
    dim(`persona ${mock.persona}, seed ${mock.seed}, clock at ${now}, profile ${profileWords(settings, mock)}`),
  );
  row('dashboard', cyan(dashboardOf(url)), settings.adminToken && 'asks for the admin token as its password');
  row('docs', cyan(`${url}/docs`));
  const { agents, workspaces } = mock.store.created();
  const created = agents.length + workspaces.length;
  row('state', settings.state && visible(settings.state), created === 0 ? '' : `${created} created before`);
  row('faults', mock.faults.join(', '));
  for (const note of unseenFaults(mock)) row('', note);
  let flags: readonly string[] = [];
  if (trust.insecure) {
    flags = ['--insecure'];
    row(
      'trust',
      'no authority signed the certificate',
      '--write-certificate FILE saves it for clients; curl --insecure skips the check',
    );
  } else if (trust.ca !== undefined) {
    flags = ['--cacert', trust.ca];
    row('trust', visible(trust.ca), 'curl --cacert, check --ca, or NODE_EXTRA_CA_CERTS for Node.js');
  }
  row('upstream', mock.upstream && cyan(visible(mock.upstream.url)), mock.upstream && wayWords(mock.upstream));

  lines.push('', bold('Tokens'));
  for (const [token, mode] of mock.tokens) row(mode, token);
  if (target.workspaceId !== '' || target.agentId !== '') lines.push(bold('Ids'));
  row('workspace', target.workspaceId);
  row('agent', target.agentId, agentRemark(running, target.agentId));
  row('published', target.publishedAgentId);
  row('version 5', target.v5AgentId, agentRemark(running, target.v5AgentId));

  const headers = { Authorization: `Bearer ${target.token}` };
  const agentUrl = `${url}/api/v1/agents/${target.agentId || 'none'}`;
  const words = Object.entries(known).map(([key, value]) => flagWords(key, value));
  lines.push(
    bold('Try'),
    `  ${toCurl({ method: 'GET', url: agentUrl, headers }, { flags })}`,
    bold('A separate world for each test: a session, named in a header or in the path'),
    `  ${toCurl({ method: 'GET', url: agentUrl, headers: { ...headers, 'X-Mock-Session': 'my-test' } }, { flags })}`,
    `  ${url}/_s/my-test ${dim('does the same as the base URL')}`,
    bold('Judge it from another terminal'),
    `  ${['npx --no agent-contract check', shellWord(baseUrl), ...words].join(' ')}`,
    '',
    dim('Ctrl+C stops it.'),
    '',
  );
  return lines.join('\n');
}

function wayWords({ ways }: UpstreamControls): string {
  const all = Object.entries(ways);
  return [...new Set(Object.values(ways))]
    .map((way) => {
      const ids = all.filter(([, one]) => one === way).map(([id]) => id);
      return `${ids.length === all.length ? 'every endpoint' : ids.join(', ')}: ${wayMeanings[way]}`;
    })
    .join('; ');
}

const wayMeanings: Readonly<Record<Way, string>> = {
  upstream: 'the upstream',
  fallback: 'the upstream, or else the mock',
  mock: 'the mock',
};

function agentRemark({ mock: { store } }: RunningMock, id: string): string {
  const found = id === '' ? undefined : store.agent(id);
  if (found) return `${JSON.stringify(found.agent['name'])}, ${store.results(id).count} results`;
  return '';
}

/** The name of a built-in profile or of a file; after a restart, neither may be known. */
function profileWords({ profile, choice, state }: MockSettings, { profile: taken }: RunningMock['mock']): string {
  const isFile = profile !== undefined && 'file' in profile;
  const known = profileNames.find((name) => isDeepStrictEqual(profiles[name], taken));
  if (!isFile && known !== undefined) return known;
  if (!profile && state !== undefined) return 'from the state file';
  const name = isFile ? visible(profile.file) : (profile?.name ?? 'default');
  if (choice.length === 0) return name;
  return `${name} with ${choice.map((one) => one.join('=')).join(', ')}`;
}
