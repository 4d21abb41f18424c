import { readFileSync } from 'node:fs';
import { attempt } from '../../text/errors.ts';
import { personaNames } from '../../fixtures/index.ts';
import type { MockOptions } from '../mock-core.ts';
import type { MockTarget } from '../store/target.ts';
import { MockError } from '../mock-error.ts';
import type { ProfileChoice } from '../profiles/index.ts';
import { parseInstant } from '../session/clock.ts';
import { serveMock, type ServedMock } from './served-mock.ts';
import variables from './variables.json';

declare namespace startMock {
  /** What `inject('agentContract')` returns in Vitest tests: the URL of the mock, its ids and its tokens. */
  interface AgentContract extends MockTarget {
    readonly baseUrl: string;
  }
}

/** The argument of a runner's global setup: Vitest provides values to tests, and calls back when it runs them again. */
interface Context {
  readonly provide?: unknown;
  readonly onTestsRerun?: unknown;
}

interface Running extends Pick<ServedMock, 'mock' | 'server'> {
  /** The number of setups that share it: a runner calls the setup of each of its projects. */
  users: number;
}

/** Lets all loaders of one process find the same server, though each may load its own copy of this module. */
const KEY = Symbol.for('agent-contract.global-setup');
const shared = globalThis as { [KEY]?: Promise<Running> | undefined };

/**
 * The global setup of Jest, Vitest and Playwright Test. It starts a mock on a free loopback port, and puts its URL, ids
 * and tokens into the environment, under the names that the command line reads. If `AGENT_CONTRACT_BASE_URL` is already
 * set, tests are meant for that server, and no mock starts.
 *
 * `AGENT_CONTRACT_SEED`, `_PERSONA`, `_PROFILE` (a name or a file), `_NOW` and `_FREEZE` configure the mock. In watch
 * mode each run begins with the mock as it was at the start. Resolves with a function that stops the mock. Jest does
 * not call it, but the server does not keep the process alive.
 * @throws MockError for an invalid variable.
 */
async function startMock(context?: Context): Promise<() => Promise<void>> {
  if (process.env[variables.baseUrl] && !shared[KEY]) {
    provide(context);
    return () => Promise.resolve();
  }
  shared[KEY] ??= start(process.env);
  const running = await shared[KEY].catch((error: unknown) => {
    shared[KEY] = undefined;
    throw error;
  });
  running.users++;
  // Jest calls the setup again for each run in watch mode.
  beginAnew(running);
  if (typeof context?.onTestsRerun === 'function')
    (context as { onTestsRerun(listener: () => void): void }).onTestsRerun(() => beginAnew(running));
  provide(context);
  return async () => {
    if (--running.users > 0) return;
    shared[KEY] = undefined;
    for (const name of Object.values(variables)) delete process.env[name];
    await running.server.close();
  };
}

function beginAnew({ mock }: Running): void {
  mock.reset();
  for (const { id } of mock.sessions.list()) mock.sessions.end(id);
}

async function start(env: NodeJS.ProcessEnv): Promise<Running> {
  const served = await serveMock(optionsFrom(env));
  served.server.unref();
  for (const [name, value] of Object.entries(served.env)) if (value !== undefined) env[name] = value;
  return { ...served, users: 0 };
}

function provide(context: Context | undefined): void {
  if (typeof context?.provide !== 'function') return;
  const named = Object.entries(variables).map(([key, name]) => [key, process.env[name]] as const);
  const values = Object.fromEntries(named.filter(([, value]) => value !== undefined));
  (context as { provide(key: string, value: unknown): void }).provide('agentContract', values);
}

/** @throws MockError that names the variable, its value and what is allowed. */
function optionsFrom(env: NodeJS.ProcessEnv): MockOptions {
  const read = <T>(key: string, is: string, parse: (text: string) => T | undefined): T | undefined => {
    const name = `AGENT_CONTRACT_${key}`;
    const text = env[name]?.trim() ?? '';
    if (text === '') return undefined;
    const value = parse(text);
    if (value !== undefined) return value;
    throw new MockError(`${name} is ${JSON.stringify(text)}; it must be ${is}.`);
  };
  return {
    seed: read('SEED', 'a whole number', (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)),
    persona: read('PERSONA', `one of ${personaNames.join(', ')}`, (text) => personaNames.find((name) => name === text)),
    profile: read('PROFILE', 'the name of a profile, or of a JSON file that holds one', profileOf),
    now: read('NOW', 'an instant such as 2026-05-20T15:30:00Z', (text) => {
      const at = parseInstant(text);
      if (Number.isNaN(at)) return undefined;
      return at;
    }),
    frozen: read('FREEZE', 'true or false', (text) => {
      const isTrue = /^(?:true|1|yes|on)$/i.test(text);
      if (isTrue || /^(?:false|0|no|off)$/i.test(text)) return isTrue;
      return undefined;
    }),
  };
}

/** The mock itself validates names and the content of files. */
function profileOf(nameOrFile: string): ProfileChoice | undefined {
  if (!/[./\\]/.test(nameOrFile)) return nameOrFile as ProfileChoice;
  return attempt(() => JSON.parse(readFileSync(nameOrFile, 'utf8')) as ProfileChoice);
}

export = startMock;
