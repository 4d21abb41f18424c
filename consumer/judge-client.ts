import { availableParallelism } from 'node:os';
import { endpointIds } from '../spec/index.ts';
import { counted, optional } from '../conformance/show.ts';
import { UsageError } from '../conformance/usage-error.ts';
import { serveMock } from '../mock/adapters/served-mock.ts';
import type { MockOptions } from '../mock/index.ts';
import { version } from '../package.json';
import { shellWord } from '../text/curl.ts';
import { coverageOf } from './coverage.ts';
import { judgeFaults } from './faults.ts';
import { firstRunOf } from './first-run.ts';
import { judgeFreedom } from './freedom.ts';
import { findNeeds, needsFile } from './needs.ts';
import { aspects, withOutcome, type Aspect, type ClientReport } from './report.ts';
import { creationsAgain, judgeSent, SLOW } from './sent.ts';
import { reportingCommand } from './runs/recognise-runner.ts';
import { commandTests, type CommandOptions } from './runs/run-command.ts';
import { functionTests, type ClientTests } from './runs/run-functions.ts';
import type { RunTests } from './runs/test-run.ts';
import { beginTrials, type TrialOptions } from './trials.ts';

export interface JudgeClientOptions extends TrialOptions {
  /** The tests as functions in this process, by their names. */
  readonly tests?: ClientTests;
  /** Or a command that runs them: `['npm', 'test']`. */
  readonly command?: readonly string[];
  /** Of the command. Default: those of this process. */
  readonly cwd?: string;
  readonly env?: CommandOptions['env'];
  /** The file to which the command writes its results, if its runner is not known. */
  readonly results?: string | undefined;
  /** Starts the mock for each run of a command. Default: with `mock`, on a free loopback port. */
  readonly serve?: CommandOptions['serve'];
  /** The flags with which `run` begins in the same world, as words of a shell: `['--seed', '7']`. */
  readonly world?: readonly string[];
  /** The options of the mock. */
  readonly mock?: MockOptions;
  /** The name of the client in what is written. */
  readonly client?: string;
  /** The questions to answer. Default: all four. */
  readonly only?: readonly Aspect[] | undefined;
  /** Only about so many of the faults that the tests reach. */
  readonly sample?: number | undefined;
  /** Parts of the names of tests that send wrong requests on purpose. */
  readonly onPurpose?: readonly string[];
}

/**
 * Judges a client by its own tests: it runs them against the mock as they are, twice, and then under permitted choices, under
 * violations, and with fields altered. It says what the client sent that the contract does not allow, on which choices it
 * leans, which violations the tests notice, and what of the answers it needs.
 * @throws UsageError if there are no tests, none passes, or none reaches a mock
 */
export async function judgeClient(options: JudgeClientOptions): Promise<ClientReport> {
  const { only = aspects, onPurpose = [], sample, client = 'client' } = options;
  const startedAt = new Date();
  const trials = await beginTrials(testsOf(options), { ...options, parallel: parallelIn(options) });
  const first = firstRunOf(trials.first);
  const coverage = coverageOf(first);
  const isAgain = only.includes('sent') && creationsAgain(first.exchanges, first.testOf, Infinity).length > 0;
  const slowly = isAgain ? await trials.recorded({ latency: SLOW }) : [];
  const sent = only.includes('sent') ? judgeSent(first, onPurpose, slowly) : [];
  const asked = endpointIds.filter((endpoint) => endpoint in coverage.endpoints);
  // At the same time, so that their runs can be shared.
  const [free, faulty, found] = await Promise.all([
    only.includes('freedom') ? judgeFreedom(first, trials) : undefined,
    only.includes('faults') ? judgeFaults(first, trials, sample) : undefined,
    only.includes('needs') ? findNeeds(first, trials, asked) : undefined,
  ]);
  const { untried = [], noticed = [] } = faulty?.score ?? {};
  const [choices, fields] = [free?.open ?? [], found?.open ?? []];
  const open = [
    ...choices.map((id) => `${id} was not decided, for want of time.`),
    optional`Without harm alone, and not tried in every pair, for want of time: ${free?.unpaired.length && counted(free.unpaired.length, 'choice')}.`,
    optional`${sample === undefined && untried.length} faults that the tests reach were not tried, for want of time.`,
    optional`${fields.length} fields were not decided, for want of time: ${fields.slice(0, 3).join(', ')}.`,
  ].filter(Boolean);
  const left = choices.length + untried.length + fields.length;
  const { steady, failing } = trials;
  const made = startedAt.toISOString().slice(0, 10);
  const told = options.command?.map(shellWord).join(' ') ?? '<test command>';
  const again = ['npx --no agent-contract run', ...(options.world ?? [])];
  return withOutcome({
    tool: { name: 'agent-contract', version },
    kind: 'agent-contract-client-report',
    client,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    runs: trials.runs,
    asked: only,
    outcome: 'partial',
    tests: { steady, flaky: [...trials.flaky], failing, durationMs: trials.first.durationMs },
    findings: [...sent, ...(free?.findings ?? []), ...(faulty?.findings(found?.unread ?? new Set()) ?? [])].map(
      (one) => ({ ...one, again: one.again && [...again, one.again.replace('<test command>', () => told)].join(' ') }),
    ),
    open,
    coverage,
    freedoms: free?.freedoms,
    held: free?.held,
    faults: faulty?.score,
    needs: found && needsFile({ client, made }, coverage, found.needed, free?.red ?? [], noticed, left),
  });
}

/** As many runs at the same time as there are processors, where each run of the runner has ports of its own; else as many tests. */
function parallelIn({ parallel, command, cwd = process.cwd() }: JudgeClientOptions): number {
  if (parallel !== undefined) return parallel;
  const { runner } = reportingCommand(command ?? [], { cwd, file: '', only: [] });
  if (runner === undefined) return 1;
  // Of itself Playwright takes half of them; tests that fail mostly wait.
  return Math.min(availableParallelism(), runner === 'playwright' ? 16 : 4);
}

/** @throws UsageError unless there is either a command or functions */
function testsOf(options: JudgeClientOptions): RunTests {
  const { tests, command, cwd = process.cwd(), env = process.env, results, mock = {} } = options;
  if ((tests === undefined) === (command === undefined))
    throw new UsageError('Give either tests, as functions, or a command that runs them.');
  if (tests) return functionTests(tests, mock);
  const {
    serve = async (steering) => {
      const { env: told, server } = await serveMock({ ...mock, steering });
      const { seed, persona, tokens, profile, choices, seedData, now, frozen } = mock;
      const world = { seed, persona, tokens, profile, choices, seedData, now, frozen };
      return { env: told, world, stop: () => server.close() };
    },
  } = options;
  return commandTests({ command: command ?? [], cwd, env, results, serve });
}
