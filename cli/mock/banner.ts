import { isDeepStrictEqual } from 'node:util';
import { createColors } from 'picocolors';
import { shellWord, toCurl } from '../../text/curl.ts';
import { visible } from '../../conformance/report/redact.ts';
import { profileNames, profiles, type UpstreamControls, type Way } from '../../mock/index.ts';
import { flagName } from '../flags.ts';
import { hasColor, type Io } from '../io.ts';
import type { MockSettings } from './flags.ts';
import { targetToCheck, type RunningMock } from './start.ts';

export const docsOf = (url: string): string => `${url}/docs`;
export const dashboardOf = (url: string): string => `${url}/__admin/ui`;

/** The output for programs once the mock is ready: one line of JSON. */
export function readyLine(running: RunningMock, { state }: MockSettings): string {
  const { mock, server } = running;
  const { baseUrl: _, ca, insecure: __, ...target } = targetToCheck(running);
  return JSON.stringify({
    url: server.url,
    port: server.port,
    pid: process.pid,
    docs: docsOf(server.url),
    dashboard: dashboardOf(server.url),
    seed: mock.seed,
    persona: mock.persona,
    now: new Date(mock.now()).toISOString(),
    target,
    tokens: Object.fromEntries(mock.tokens),
    state,
    ...(mock.upstream ? { upstream: mock.upstream.url } : {}),
    certificate: ca,
  });
}

/** The output for people once the mock is ready. */
export function banner(running: RunningMock, settings: MockSettings, io: Io): string {
  const { mock, server, trust } = running;
  const { url } = server;
  const { bold, dim, cyan } = createColors(hasColor(io.stdout, io.env));
  const { target } = mock;
  const row = (name: string, value: string, remark = ''): string =>
    `  ${name.padEnd(11)}${value}${remark && dim(`  ${remark}`)}`;
  const ids = [
    ['workspace', target.workspaceId, ''],
    ['agent', target.agentId, agentRemark(running, target.agentId)],
    ['published', target.publishedAgentId, ''],
    ['version 5', target.v5AgentId, agentRemark(running, target.v5AgentId)],
  ].filter(([, id]) => id !== '') as [name: string, id: string, remark: string][];
  const flags = trust === undefined ? [] : trust === 'anything' ? ['--insecure'] : ['--cacert', trust.file];
  const headers = { Authorization: `Bearer ${target.token}` };
  const agentPath = target.agentId === '' ? '/api/v1/agents/none' : `/api/v1/agents/${target.agentId}`;
  const { baseUrl, ...known } = targetToCheck(running);
  const check = [
    'npx --no agent-contract check',
    shellWord(String(baseUrl)),
    ...Object.entries(known).map(([key, value]) =>
      value === true ? flagName(key) : `${flagName(key)} ${shellWord(String(value))}`,
    ),
  ];
  return [
    `${bold('Agent Builder Service, a mock')} on ${cyan(url)}`,
    dim(
      `persona ${mock.persona}, seed ${mock.seed}, clock at ${new Date(mock.now()).toISOString()}${mock.clock.isFrozen ? ' and frozen' : ''}, profile ${profileWords(settings, mock)}`,
    ),
    row(
      'dashboard',
      cyan(dashboardOf(url)),
      settings.adminToken === undefined ? '' : 'asks for the admin token as its password',
    ),
    row('docs', cyan(docsOf(url))),
    ...(settings.state === undefined ? [] : [row('state', visible(settings.state), createdWords(mock))]),
    ...(mock.faults.length === 0 ? [] : [row('faults', mock.faults.join(', '))]),
    ...(trust === undefined ? [] : [row('trust', ...trustWords(trust))]),
    ...(mock.upstream ? [row('upstream', cyan(visible(mock.upstream.url)), wayWords(mock.upstream))] : []),
    '',
    bold('Tokens'),
    ...[...mock.tokens].map(([token, mode]) => row(mode, token)),
    ...(ids.length === 0 ? [] : [bold('Ids')]),
    ...ids.map((one) => row(...one)),
    bold('Try'),
    `  ${toCurl({ method: 'GET', url: `${url}${agentPath}`, headers }, { flags })}`,
    bold('A separate world for each test: a session, named in a header or in the path'),
    `  ${toCurl({ method: 'GET', url: `${url}${agentPath}`, headers: { ...headers, 'X-Mock-Session': 'my-test' } }, { flags })}`,
    `  ${url}/_s/my-test ${dim('does the same as the base URL')}`,
    bold('Judge it from another terminal'),
    `  ${check.join(' ')}`,
    '',
    dim('Ctrl+C stops it.'),
    '',
  ].join('\n');
}

/** Who answers which endpoints, if they differ. */
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
  known: 'the mock where it knows the id, else the upstream',
  upstream: 'the upstream',
  fallback: 'the upstream, or else the mock',
  mock: 'the mock',
};

function createdWords({ store }: RunningMock['mock']): string {
  const { agents, workspaces } = store.created();
  const count = agents.length + workspaces.length;
  return count === 0 ? '' : `${count} created before`;
}

function agentRemark({ mock: { store } }: RunningMock, id: string): string {
  const found = id === '' ? undefined : store.agent(id);
  return found ? `${JSON.stringify(found.agent['name'])}, ${store.results(id).count} results` : '';
}

/** The name of a built-in profile or of a file; after a restart, neither may be known. */
function profileWords({ profile, choice, state }: MockSettings, { profile: taken }: RunningMock['mock']): string {
  if (profile && 'file' in profile) return withChoices(visible(profile.file), choice);
  const known = profileNames.find((name) => isDeepStrictEqual(profiles[name], taken));
  return (
    known ?? (profile || state === undefined ? withChoices(profile?.name ?? 'default', choice) : 'from the state file')
  );
}

const withChoices = (name: string, choices: MockSettings['choice']): string =>
  choices.length === 0 ? name : `${name} with ${choices.map((one) => one.join('=')).join(', ')}`;

const trustWords = (trust: NonNullable<RunningMock['trust']>): [value: string, remark: string] =>
  trust === 'anything'
    ? [
        'no authority signed the certificate',
        '--write-certificate FILE saves it for clients; curl --insecure skips the check',
      ]
    : [visible(trust.file), 'curl --cacert, check --ca, or NODE_EXTRA_CA_CERTS for Node.js'];
