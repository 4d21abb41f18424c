import type { RequestListener, Server } from 'node:http';
import { roles } from '../fixtures/index.ts';
import { gaps, gapIds, violationIds, type Profile } from '../spec/index.ts';
import { answer } from './answer.ts';
import type { Tokens } from './authenticate.ts';
import type { Mode, MockRequest, Wire } from './call.ts';
import { chosen } from './choices/index.ts';
import { faultNamed } from './faults/index.ts';
import type { Fault } from './faults/fault.ts';
import { MockError } from './mock-error.ts';
import { profiles, profileNames, type ProfileName } from './profiles/index.ts';
import { sharedUniverse } from './store/shared-universe.ts';
import { createStore, type Store } from './store/store.ts';

export interface MockOptions {
  /** Decimal; the same seed gives the same world. 1 unless given. */
  readonly seed?: number;
  /** Epoch milliseconds at which the clock starts and the world is anchored. The real time unless given. */
  readonly now?: number;
  /** Keeps the clock at `now` instead of letting it run. */
  readonly frozen?: boolean;
  /** A built-in profile or an answer to every gap. */
  readonly profile?: ProfileName | Profile;
  /** Answers to single gaps, over those of `profile`. */
  readonly choices?: Partial<Profile>;
  /** Ids of violations, or of broken shapes, to commit from the start. */
  readonly faults?: readonly string[];
  /** Tokens and their modes, in place of {@link defaultTokens}. */
  readonly tokens?: Readonly<Record<string, Mode>>;
}

/** The ids and tokens that a runner needs to judge everything. */
export interface MockTarget {
  readonly token: string;
  readonly readToken?: string;
  readonly guestToken?: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly publishedAgentId: string;
  readonly v5AgentId: string;
}

export interface Mock {
  /** Answers one request in process, without a port. Never throws. */
  handle(request: MockRequest): Wire;
  /** A request listener for `node:http`, supertest and the like; Express underneath. */
  readonly app: RequestListener;
  /** Starts a server, on loopback and any free port unless told otherwise. @throws the error of `listen`. */
  listen(options?: { readonly port?: number; readonly host?: string }): Promise<MockServer>;
  readonly target: MockTarget;
  readonly seed: number;
  readonly profile: Profile;
  readonly tokens: Tokens;
  readonly store: Store;
  /** Ids of the faults that are switched on. */
  readonly faults: readonly string[];
  /** Switches on these faults and no others. @throws MockError for an id that is none. */
  setFaults(ids: readonly string[]): void;
  /** Takes another profile; the data begins anew, since identifiers may look different. */
  setProfile(profile: ProfileName | Profile, choices?: Partial<Profile>): void;
  /** Publishes or unpublishes an agent; false where there is no such agent. */
  setPublished(agentId: string, published: boolean): boolean;
  /** Forgets everything that was written; the world is again what its seed made it. */
  reset(): void;
  /** Epoch milliseconds of the mock's clock. */
  now(): number;
}

export interface MockServer {
  /** `http://127.0.0.1:4010` */
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

export const defaultTokens: Readonly<Record<string, Mode>> = {
  'mock-write-token': 'write',
  'mock-read-token': 'read',
  'mock-guest-token': 'guest',
};

/**
 * Creates a stateful mock of the service: six endpoints over a generated world.
 * @throws MockError for an unknown profile, gap, choice or fault.
 */
export function createMock(options: MockOptions = {}): Mock {
  const seed = options.seed ?? 1;
  const startedAt = Date.now();
  const anchor = options.now ?? startedAt;
  const now = (): number => (options.frozen === true ? anchor : anchor + (Date.now() - startedAt));
  const tokens: Tokens = new Map(Object.entries(options.tokens ?? defaultTokens));

  let profile = resolveProfile(options.profile ?? 'default', options.choices);
  let store = freshStore();
  let switchedOn: readonly { readonly id: string; readonly fault: Fault }[] = resolveFaults(options.faults ?? []);
  let requestNumber = 0;
  let app: RequestListener | undefined;

  function freshStore(): Store {
    const identifiers = chosen(profile, 'identifier-format');
    return createStore(sharedUniverse({ seed, now: anchor, identifiers }), identifiers);
  }

  const mock: Mock = {
    handle(request) {
      requestNumber++;
      return answer(request, {
        store,
        tokens,
        profile,
        faults: switchedOn.map(({ fault }) => fault),
        now: now(),
        requestNumber,
      });
    },
    get app() {
      app ??= lazyApp(mock);
      return app;
    },
    async listen({ port = 0, host = '127.0.0.1' } = {}) {
      const { createServer } = require('node:http') as typeof import('node:http');
      return listening(createServer(mock.app), port, host);
    },
    get target() {
      return targetOf(store, tokens);
    },
    seed,
    get profile() {
      return profile;
    },
    tokens,
    get store() {
      return store;
    },
    get faults() {
      return switchedOn.map(({ id }) => id);
    },
    setFaults(ids) {
      switchedOn = resolveFaults(ids);
    },
    setProfile(next, choices) {
      profile = resolveProfile(next, choices);
      store = freshStore();
    },
    setPublished: (agentId, published) => (published ? store.publish(agentId, now()) : store.unpublish(agentId)),
    reset() {
      store = freshStore();
    },
    now,
  };
  return mock;
}

/**
 * Loads Express with the first request that comes over a socket; not by `import()`, which Jest permits only with a flag.
 */
function lazyApp(mock: Mock): RequestListener {
  let app: RequestListener | undefined;
  return (request, response) => {
    app ??= (require('./server') as typeof import('./server.ts')).createApp(mock);
    app(request, response);
  };
}

async function listening(server: Server, port: number, host: string): Promise<MockServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function targetOf(store: Store, tokens: Tokens): MockTarget {
  const tokenFor = (mode: Mode): string | undefined => [...tokens].find(([, m]) => m === mode)?.[0];
  const { universe } = store;
  const idOf = (index: number): string => store.agentId(index);
  const readToken = tokenFor('read');
  const guestToken = tokenFor('guest');
  return {
    token: tokenFor('write') ?? readToken ?? guestToken ?? '',
    ...(readToken === undefined ? {} : { readToken }),
    ...(guestToken === undefined ? {} : { guestToken }),
    workspaceId: universe.workspace(0).id ?? '',
    agentId: idOf(roles.main),
    publishedAgentId: idOf(roles.main),
    v5AgentId: idOf(roles.v5),
  };
}

const isProfileName = (name: string): name is ProfileName => profileNames.some((known) => known === name);

function resolveProfile(profile: ProfileName | Profile, choices: Partial<Profile> = {}): Profile {
  if (typeof profile === 'string' && !isProfileName(profile))
    throw new MockError(`There is no profile "${String(profile)}"; there are ${profileNames.join(', ')}.`);
  const resolved: Profile = { ...(typeof profile === 'string' ? profiles[profile] : profile), ...choices };
  for (const [gap, choice] of Object.entries(resolved)) {
    const known = gapIds.find((id) => id === gap);
    if (!known) throw new MockError(`There is no gap "${gap}"; "agent-contract list gaps" shows them all.`);
    const ids = Object.keys(gaps[known].choices);
    if (!ids.includes(choice))
      throw new MockError(`The gap "${gap}" has no choice "${choice}"; it has ${ids.join(', ')}.`);
  }
  const missing = gapIds.filter((gap) => !(gap in resolved));
  if (missing.length > 0)
    throw new MockError(`The profile answers no ${missing.join(', ')}; every gap needs a choice.`);
  return resolved;
}

function resolveFaults(ids: readonly string[]): readonly { readonly id: string; readonly fault: Fault }[] {
  return ids.map((id) => {
    const fault = faultNamed(id);
    if (!fault)
      throw new MockError(
        `There is no fault "${id}". A fault is the id of a violation ("${violationIds[0] ?? ''}"), or a broken shape ` +
          `("get-agent-answer-misshapen:/agent/name=wrong-type"); "agent-contract list faults" shows them all.`,
      );
    return { id, fault };
  });
}
