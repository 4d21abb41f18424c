import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import { aspects } from '../../consumer/report.ts';
import { personaNames } from '../../fixtures/index.ts';
import { isLocalName } from '../../http/local-names.ts';
import { createMock, profileNames, profiles, type Mock, type MockOptions, type MockServer } from '../../mock/index.ts';
import {
  endpointIds,
  endpoints,
  gapIds,
  levelIds,
  schemas,
  type EndpointId,
  type SchemaName,
} from '../../spec/index.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { secretFlags } from '../check/target.ts';
import type { Cli } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { flagName, variableName } from '../flags.ts';
import type { Io } from '../io.ts';
import { dashboardOf } from '../mock/banner.ts';
import texts from './tools.json';

interface Answer {
  readonly says: string;
  readonly isError?: boolean;
}

/** Lists of values that an argument can have, by what tools.json calls them. */
const lists: Readonly<Record<string, readonly string[]>> = {
  personas: personaNames,
  profiles: profileNames,
  endpoints: endpointIds,
  schemas: Object.keys(schemas),
  levels: levelIds,
  questions: aspects,
};

interface Schema {
  readonly properties: Record<string, object>;
  readonly required: string[];
}

const secretVariables = Object.keys(secretFlags).map(variableName);

type Args = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The tools of one process, which share a mock and the reports of checks; `close` ends and removes both. */
export function createTools({ io, secrets }: Cli) {
  for (const name of secretVariables)
    for (const value of (io.env[name] ?? '').split('\n'))
      if (value !== '') secrets.push({ value: value.replace(/^[^:\s]+:\s*/, ''), placeholder: `$${name}` });
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-mcp-'));
  let made = 0;
  let latest: string | undefined;
  let running: { readonly mock: Mock; readonly server: MockServer } | undefined;

  /** A command of the program, with all that it says. Its arguments pass no shell. */
  async function program(argv: readonly string[], env: Io['env'] = io.env): Promise<Answer> {
    const { main } = await import('../main.ts');
    let says = '';
    const output = { write: (part: string): void => void (says += part) };
    const world = { ...io, env: { ...env, NO_COLOR: '1', GITHUB_ACTIONS: '' }, stdout: output, stderr: output };
    const status = await main({ ...world, argv, ask: undefined });
    const isError = status === exitStatus.usage || status === exitStatus.broken;
    return { says: `${says}exit status ${status}\n`, isError };
  }

  /** Runs a command on a server, with credentials only if it is the user's, of this machine, or our mock. */
  async function onServer(url: string, argv: readonly string[]): Promise<Answer> {
    if (running && parseUrl(url)?.origin === running.server.url) {
      const own = Object.entries(running.mock.target).map(([key, value]) => [variableName(key), value]);
      return program(argv, { ...io.env, ...Object.fromEntries(own) });
    }
    const { origin, hostname = '' } = parseUrl(url) ?? {};
    const named = parseUrl(io.env[variableName('baseUrl')] ?? '')?.origin;
    if (isLocalName(hostname) || origin === named) return program(argv);
    const hidden = new Set([...secretVariables, variableName('target')]);
    const { says, isError } = await program(
      argv,
      Object.fromEntries(Object.entries(io.env).filter(([name]) => !hidden.has(name))),
    );
    const note = `No token was sent: ${variableName('baseUrl')} of this server's environment does not name ${origin}.\n`;
    return { says: `${note}${says}`, isError };
  }

  function mockAnswer(): Answer {
    if (!running) throw new UsageError('No mock runs. start_mock starts one.');
    const { mock, server } = running;
    const { workspaceId, agentId, publishedAgentId, v5AgentId } = mock.target;
    const choices = gapIds.filter((gap) => mock.profile[gap] !== profiles.default[gap]);
    const says = {
      url: server.url,
      dashboard: dashboardOf(server.url),
      admin: `${server.url}/__admin/openapi.json`,
      ids: { workspaceId, agentId, publishedAgentId, v5AgentId },
      seed: mock.seed,
      faults: mock.faults,
      choices: Object.fromEntries(choices.map((gap) => [gap, mock.profile[gap]])),
      clock: { now: new Date(mock.clock.now()).toISOString(), isFrozen: mock.clock.isFrozen },
    };
    return { says: JSON.stringify(says, null, 2) };
  }

  async function closeMock(): Promise<void> {
    await running?.server.close();
    running = undefined;
  }

  const works = {
    async start_mock({ now, ...options }: MockOptions & { readonly now?: string }) {
      const mock = createMock({ ...options, now: now === undefined ? undefined : Date.parse(now) });
      await closeMock();
      running = { mock, server: await mock.listen() };
      return mockAnswer();
    },
    steer_mock(wanted: MockOptions & { readonly at?: string; readonly advance?: number; readonly reset?: boolean }) {
      const { reset, faults, choices, profile, at, advance, frozen } = wanted;
      const before = mockAnswer();
      const { mock } = running ?? {};
      if (!mock) return before;
      if (reset) mock.reset();
      if (profile !== undefined || choices !== undefined) mock.setProfile(profile ?? mock.profile, choices);
      if (faults !== undefined) mock.setFaults(faults);
      if (at !== undefined) mock.clock.set(Date.parse(at));
      if (advance !== undefined) mock.clock.advance(advance);
      if (frozen === true) mock.clock.freeze();
      if (frozen === false) mock.clock.resume();
      return mockAnswer();
    },
    async what_may_answer({ endpoint, schema }: { readonly endpoint: EndpointId; readonly schema?: SchemaName }) {
      if (schema !== undefined) return { says: JSON.stringify(schemas[schema], null, 1) };
      const { says } = await program(['explain', endpoint]);
      const { response } = endpoints[endpoint];
      return { says: `${says}schema of the answer: ${response}\n${JSON.stringify(schemas[response], null, 1)}` };
    },
    async check_server({ baseUrl: url, ...settings }: Args & { readonly baseUrl: string }) {
      const report = path.join(folder, `${++made}.json`);
      const argv = ['check', url, `--report=json=${report}`, '--report=text=-', ...flagsOf(settings)];
      const { says, isError } = await onServer(url, argv);
      latest = report;
      return { says: `${says}report ${report}\n`, isError };
    },
    explain: ({ id }: { readonly id: string }) => program(['explain', '--', id]),
    replay_finding(wanted: Readonly<Record<'finding' | 'baseUrl', string>> & { readonly report?: string }) {
      const { finding, baseUrl: url, report = latest } = wanted;
      if (report === undefined) throw new UsageError('There is no report yet. check_server makes one.');
      return onServer(url, ['replay', `--base-url=${url}`, '--', report, finding]);
    },
    judge_client: ({ command, ...settings }: Args & { readonly command: readonly string[] }) =>
      program(['client', ...flagsOf(settings), '--', ...command]),
  } satisfies Readonly<Record<keyof typeof texts, (given: never) => Promise<Answer> | Answer>>;
  const tools = Object.entries(works).map(([name, work]) => {
    const { description, ...input } = texts[name as keyof typeof works];
    const schema = JSON.parse(JSON.stringify(input), (key, value: string) => (key === 'enum' ? lists[value] : value));
    return { name, description, input: schema as Schema, work: work as (given: object) => Promise<Answer> | Answer };
  });
  const close = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true });
    await closeMock();
  };
  return { tools, close };
}

function flagsOf(settings: Args): string[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [flagName(key)];
    return [value].flat().map((one) => `${flagName(key)}=${one}`);
  });
}
