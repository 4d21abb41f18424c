import { defined } from '../../fixtures/universe/defined.ts';
import type { EndpointId, GapId, Profile } from '../../spec/index.ts';
import { SOURCE } from '../../http/headers.ts';
import { attempt } from '../../text/errors.ts';
import { isObject, parseJson } from '../../text/json.ts';
import type { Mode, MockRequest } from '../call.ts';
import { committed, resolveFaults } from '../faults/index.ts';
import type { MockExchange } from '../journal/journal-entry.ts';
import { MockError } from '../mock-error.ts';
import type { PersonaName } from '../../fixtures/index.ts';
import type { ProfileChoice } from '../profiles/index.ts';
import type { Settings } from '../session/settings.ts';
import { sessionsToJson, type MockState } from '../state/state.ts';
import type { SessionState } from '../state/snapshots.ts';
import type { Seed } from '../store/seed/seed.ts';
import { TELLING, testOfExpect } from './telling.ts';

/** The environment variable that names a file with a {@link Steering}; every mock of a process below obeys it. */
export const STEERING = 'AGENT_CONTRACT_CLIENT_RUN';

/** What one run of a client's tests imposes on every mock that they make, whatever their own options say. */
export interface Steering {
  /** With what a mock begins where its options say nothing. */
  readonly world?: BeginningOptions;
  /** Choices in place of those of the profile. What a test names as `choices` stays. */
  readonly choices?: Partial<Profile>;
  /** Faults and alterations that stay on, whatever a test switches off. */
  readonly faults?: readonly string[];
  /** Milliseconds before each answer, unless the options say otherwise. */
  readonly latency?: number;
  /** Whether only each other answer waits, so that the next one overtakes it. */
  readonly isUneven?: boolean;
  /** What is imposed on the requests of single senders besides, by {@link senderOf}: for each turn of the tests. */
  readonly senders?: readonly Readonly<Record<string, Omit<Steering, 'senders' | 'onExchange' | 'record'>>>[];
  /** Called for each exchange. */
  readonly onExchange?: (met: MetExchange) => void;
  /** A file to which each exchange is appended, as a line of JSON. */
  readonly record?: string;
}

/** The options with which a mock begins. */
export interface BeginningOptions extends Partial<Omit<MockBeginning, 'anchor' | 'held' | 'profile'>> {
  readonly profile?: ProfileChoice;
  readonly choices?: Partial<Profile>;
  readonly now?: number;
  readonly frozen?: boolean;
  readonly settings?: Settings;
}

/** How a mock began: with these options another one begins alike. */
export interface MockBeginning {
  readonly seed: number;
  readonly persona: PersonaName;
  readonly anchor: number;
  readonly profile: Profile;
  readonly tokens: Readonly<Record<string, Mode>>;
  readonly seedData: Seed | undefined;
  /** The gaps that the options name as `choices`. */
  readonly held: readonly GapId[];
}

/** One exchange of a steered mock. Plain JSON, and it holds the token. */
export interface MetExchange {
  /** Differs between the mocks of a run. */
  readonly mock: string;
  readonly session: string;
  /** The name of the running test, if its runner tells. */
  readonly test?: string;
  readonly file?: string;
  /** Epoch milliseconds of the real clock, and of the session's. */
  readonly came: number;
  readonly at: number;
  readonly request: Omit<MockRequest, 'body'> & { readonly body?: string };
  readonly endpoint?: EndpointId;
  /** `null` if the connection broke. */
  readonly status: number | null;
  /** What was answered if a plan, a preference or another server shaped it, so that no other mock gives it again. */
  readonly prepared?: string;
  /** With the first exchange of a mock. */
  readonly began?: MockBeginning;
  /** The state of the session before the exchange, if anything but requests has changed it. */
  readonly state?: Pick<MockState, 'sessions'>;
}

/** Who sent a request, as far as a mock can tell: a test with its file, or what a session is named after; '' for nobody. */
export function senderOf({ test = '', file = '', session }: Pick<MetExchange, 'test' | 'file' | 'session'>): string {
  if (test !== '') return `${file}\n${test}`;
  // A fixture makes another session for each retry of a test.
  return session.replace(/-\d+$/, '');
}

const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };

/** The files of Node.js, if this runs there: the mock runs in browsers too. */
const files: Partial<typeof import('node:fs')> = process?.getBuiltinModule?.('node:fs') ?? {};

/** The steering of the environment. @throws MockError for a file that cannot be read. */
function steeringOfRun(): Steering | undefined {
  const file = process?.env?.[STEERING] ?? '';
  if (file === '') return undefined;
  const read = parseJson(attempt(() => files.readFileSync?.(file, 'utf8')));
  if (isObject(read)) return read;
  throw new MockError(`${STEERING} must name a file that "agent-contract client" has written. Unset it.`);
}

/** The options of a mock with what the run says where they say nothing. @throws MockError */
export function optionsInRun<T extends { readonly steering?: Steering; readonly settings?: Settings }>(options: T): T {
  const { steering = steeringOfRun() } = options;
  const settings = { ...steering?.world?.settings, ...defined(options.settings ?? {}) };
  return { ...steering?.world, ...defined(options), settings, steering };
}

export type Steered = NonNullable<ReturnType<typeof steeredBy>>;

/** Each sender counts as having asked so often, so that the first request of every test meets the limit of a rate. */
const REQUESTS_BEFORE = 22;

/** What a new mock obeys; `undefined` if nothing steers it. @throws MockError */
export function steeredBy(
  options: Pick<Steering, 'choices'> & { readonly steering?: Steering },
  began: () => MockBeginning,
) {
  const { steering } = options;
  if (!steering) return undefined;
  const { choices = {}, senders = [], record, onExchange } = steering;
  const write = (met: MetExchange): void => {
    onExchange?.(met);
    if (record !== undefined) files.appendFileSync?.(record, `${JSON.stringify(met)}\n`);
  };
  /** What the options name stays. */
  const withOwn = (some?: Partial<Profile>): Partial<Profile> => ({ ...some, ...options.choices });
  const imposed = (one: Steering) => ({
    faults: committed(resolveFaults(one.faults ?? []), undefined),
    choices: withOwn(one.choices),
    latency: one.latency,
    isUneven: one.isUneven,
  });
  const onAll = { ...imposed(steering), choices: undefined };
  const byTurn = senders.map((some) => new Map(Object.entries(some).map(([sender, one]) => [sender, imposed(one)])));
  const asked = new Map<string, number>();
  /** What is imposed on one request; the choices are besides those of the mock's beginning. */
  const imposedOn = (session: Sender, { headers }: MockRequest) => {
    const { turn = 0, ...told } = runningTest(headers);
    const sender = senderOf({ ...told, session: session.id });
    // Those of other tests, which ask between them, must decide nothing.
    const requestNumber = (asked.get(`${turn} ${sender}`) ?? REQUESTS_BEFORE) + 1;
    asked.set(`${turn} ${sender}`, requestNumber);
    const { isUneven, latency, ...one } = byTurn[turn]?.get(sender) ?? onAll;
    const waits = isUneven !== true || requestNumber % 2 === 1;
    return { ...one, latency: (waits && latency) || undefined, requestNumber };
  };
  const recorder = record === undefined && !onExchange ? undefined : createRecorder(write, began);
  return { choices: withOwn(choices), imposedOn, recorder };
}

interface Sender {
  readonly id: string;
}

/** Sees each exchange of a mock, before and after it is answered. */
function createRecorder(write: (met: MetExchange) => void, began: () => MockBeginning) {
  const mock = `${process?.pid ?? 0}.${Math.random().toString(36).slice(2)}`;
  const known = new WeakMap<Sender, string>();
  const changed = new WeakMap<Sender, MetExchange['state']>();
  let isFirst = true;
  const packed = (state: SessionState) => ({ sessions: sessionsToJson([['', state]]) });
  return {
    before(session: Sender, present: SessionState): void {
      const state = packed(present);
      const isKnown = known.get(session) === JSON.stringify(state);
      changed.set(session, isKnown ? undefined : state);
    },
    after(session: Sender, exchange: MockExchange, present: SessionState): void {
      const { request: sentRequest, endpoint, wire, at, plan, applied } = exchange;
      const { body, headers: told, ...request } = sentRequest;
      const { [TELLING]: _test, ...headers } = told;
      known.set(session, JSON.stringify(packed(present)));
      const isPrepared = plan !== undefined || applied.length > 0 || wire.headers[SOURCE] !== undefined;
      const sent = body && Array.from(body, (byte) => String.fromCharCode(byte)).join('');
      write({
        mock,
        session: session.id,
        ...runningTest(told),
        came: Date.now(),
        at,
        request: { ...request, headers, body: sent },
        endpoint,
        status: wire.delivery?.connection === undefined ? wire.status : null,
        prepared: isPrepared ? wire.body : undefined,
        began: isFirst ? began() : undefined,
        state: changed.get(session),
      });
      isFirst = false;
    },
  };
}

/** What is told of a test. */
type ToldTest = Pick<MetExchange, 'test' | 'file'> & {
  /** Which time it is that this run runs it; 0 for the first. */
  readonly turn?: number;
};

/** What a request or this process tells of the test: a preloaded module, or the state of `expect` in Jest and Vitest. */
function runningTest({ [TELLING]: told }: MockRequest['headers']): ToldTest {
  const known = parseJson(told ?? '');
  if (isObject(known)) return known;
  const { [Symbol.for(TELLING)]: teller = testOfExpect } = globalThis as { readonly [name: symbol]: unknown };
  return (teller as () => ToldTest)();
}
