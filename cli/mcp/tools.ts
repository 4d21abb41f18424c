import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checks } from '../../conformance/checks/index.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { aspects } from '../../consumer/report.ts';
import { personaNames } from '../../fixtures/index.ts';
import { isLocalName } from '../../http/local-names.ts';
import { createMock, profileNames, profiles, type Mock, type MockOptions, type MockServer } from '../../mock/index.ts';
import {
  endpointIds,
  endpoints,
  gapIds,
  gaps,
  levelIds,
  requirements,
  schemas,
  violationIds,
  violations,
  type EndpointId,
  type SchemaName,
} from '../../spec/index.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { Cli } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { flagName, variableName } from '../flags.ts';
import type { Io } from '../io.ts';
import { dashboardOf } from '../mock/banner.ts';

interface Answer {
  readonly says: string;
  readonly isError?: boolean;
}

/** What a coding agent can do: its arguments, as JSON Schemas by name, and the work. */
interface Tool<T = never> {
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly run: (given: T) => Promise<Answer> | Answer;
}

const tool = <T>(one: Tool<T>) => one as Tool<Readonly<Record<string, unknown>>>;

const text = (description: string, pattern = '') => ({ type: 'string', maxLength: 1000, pattern, description });
const oneOf = (names: readonly string[], description: string) => ({ type: 'string', enum: names, description });
const list = (items: object, description: string) => ({ type: 'array', maxItems: 200, items, description });
const map = (description: string) => ({ type: 'object', additionalProperties: { type: 'string' }, description });
const flag = (description: string) => ({ type: 'boolean', description });

const baseUrl = text('URL before the documented paths, such as http://127.0.0.1:3000', '^https?://');
const behaviour = {
  faults: list(text('fault, or fault@trigger'), 'what the mock does wrong, by the ids of violations; [] for nothing'),
  choices: map('what it does where the specification is silent: a choice for each gap'),
  profile: oneOf(profileNames, 'a choice for every gap; this and choices reset the data'),
};

/** Variables with credentials. */
const secretVariables = ['token', 'readToken', 'guestToken', 'header'].map(variableName);

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
    const ids = { workspaceId, agentId, publishedAgentId, v5AgentId };
    const choices = gapIds.filter((gap) => mock.profile[gap] !== profiles.default[gap]);
    const says = {
      url: server.url,
      dashboard: dashboardOf(server.url),
      admin: `${server.url}/__admin/openapi.json`,
      ids,
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

  const tools = {
    start_mock: tool<MockOptions & { readonly now?: string }>({
      description:
        'Start a mock of the service on a free port, in place of the one that runs, and get its URL and the ids of its data. It accepts the bearer tokens mock-write-token, mock-read-token and mock-guest-token.',
      properties: {
        seed: { type: 'integer', minimum: 0, description: 'the same seed gives the same data' },
        persona: oneOf(personaNames, 'what the data holds'),
        now: text('instant at which its clock starts, such as 2026-11-21T12:00:00Z', '^\\d{4}-'),
        frozen: flag('stop the clock there'),
        ...behaviour,
      },
      required: [],
      async run({ now, ...options }) {
        const mock = createMock({ ...options, now: now === undefined ? undefined : Date.parse(now) });
        await closeMock();
        running = { mock, server: await mock.listen() };
        return mockAnswer();
      },
    }),
    steer_mock: tool<MockOptions & { readonly at?: string; readonly advance?: number; readonly reset?: boolean }>({
      description: 'Change what the running mock does wrong, what it chooses, and its clock, and see its state.',
      properties: {
        reset: flag('first return to the beginning: data, clock, faults, choices'),
        ...behaviour,
        at: text('set its clock to this instant', '^\\d{4}-'),
        advance: { type: 'number', description: 'move its clock by this many milliseconds' },
        frozen: flag('stop its clock, or let it run'),
      },
      required: [],
      run({ reset, faults, choices, profile, at, advance, frozen }) {
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
    }),
    what_may_answer: tool<{ readonly endpoint: EndpointId; readonly schema?: SchemaName }>({
      description:
        'What the contract says of an endpoint: requirements, the schema of its answer, what is left open (gaps), and how a server breaks it (violations).',
      properties: {
        endpoint: oneOf(endpointIds, 'the endpoint'),
        schema: oneOf(Object.keys(schemas), 'instead of all this, one schema, to which a $ref leads'),
      },
      required: ['endpoint'],
      run: ({ endpoint, schema }) => ({
        says: schema === undefined ? contractOf(endpoint) : JSON.stringify(schemas[schema], null, 1),
      }),
    }),
    check_server: tool<Args & { readonly baseUrl: string }>({
      description:
        'Judge a server: what fails, why, and the request that shows it. It takes the tokens from the environment of this process. It creates agents and workspaces unless readOnly.',
      properties: {
        baseUrl,
        only: list(text('check, requirement, section or endpoint'), 'judge these alone'),
        level: list(oneOf(levelIds, 'level'), 'judge for these levels alone'),
        readOnly: flag('create nothing'),
        agentId: text('agent with results'),
        workspaceId: text('workspace in which the run may create agents'),
        publishedAgentId: text('published agent'),
        v5AgentId: text('agent in the version 5 form'),
      },
      required: ['baseUrl'],
      async run({ baseUrl: url, ...settings }) {
        const report = path.join(folder, `${++made}.json`);
        const argv = ['check', url, `--report=json=${report}`, '--report=text=-', ...flagsOf(settings)];
        const { says, isError } = await onServer(url, argv);
        latest = report;
        return { says: `${says}report ${report}\n`, isError };
      },
    }),
    explain: tool<{ readonly id: string }>({
      description: 'What a check, requirement, violation (fault), gap, trigger or endpoint means.',
      properties: { id: text('its id') },
      required: ['id'],
      run: ({ id }) => program(['explain', '--', id]),
    }),
    replay_finding: tool<{ readonly finding: string; readonly baseUrl: string; readonly report?: string }>({
      description: 'Repeat a failure of a report: FIXED, STILL FAILING, NOT REPEATED or GONE.',
      properties: {
        finding: text('id of the check that failed'),
        baseUrl,
        report: text('file of the report; without it, that of the latest check_server'),
      },
      required: ['finding', 'baseUrl'],
      run({ finding, baseUrl: url, report = latest }) {
        if (report === undefined) throw new UsageError('There is no report yet. check_server makes one.');
        return onServer(url, ['replay', `--base-url=${url}`, '--', report, finding]);
      },
    }),
    judge_client: tool<Args & { readonly command: readonly string[] }>({
      description:
        'Judge a client by its own tests, run many times against mocks: what it sends wrongly, leans on, would not notice, and needs. It runs the command, without a shell.',
      properties: {
        command: list({ type: 'string', maxLength: 1000 }, 'the test command and its arguments'),
        only: list(oneOf(aspects, 'question'), 'answer these questions alone'),
        time: text('begin no more runs after this long, such as 2m', '^\\d'),
      },
      required: ['command'],
      run: ({ command, ...settings }) => program(['client', ...flagsOf(settings), '--', ...command]),
    }),
  };
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

function contractOf(endpoint: EndpointId): string {
  const { method, path: where, description, section, request, response } = endpoints[endpoint];
  const verified = new Set(checks.filter((one) => one.endpoint === endpoint).flatMap(({ verifies }) => verifies));
  const elsewhere = new Set(endpointIds.filter((id) => id !== endpoint).map((id) => endpoints[id].section));
  const open = gapIds.filter((gap) => !elsewhere.has(gaps[gap].section));
  const broken = violationIds.filter((id) => violations[id].at.includes(endpoint));
  return [
    `${method} ${where} (section ${section}): ${description}`,
    `Requirements\n${[...verified].map((id) => `  ${id}: ${requirements[id].statement}`).join('\n')}`,
    `Gaps: any choice is right\n${open.map((id) => `  ${id}: ${Object.keys(gaps[id].choices).join(' | ')}`).join('\n')}`,
    `Violations\n${broken.map((id) => `  ${id}: ${violations[id].does}`).join('\n')}`,
    `Schema of the request: ${request ?? 'it has no body'}`,
    `Schema of the answer: ${response}\n${JSON.stringify(schemas[response], null, 1)}`,
  ].join('\n\n');
}
