// Preloaded into the processes of a test runner, and into those that tests start: says which test runs, to a mock in this
// process and to a served one.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import children from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';
import { TELLING, testOfExpect } from '../../mock/steering/telling.ts';

/** A test of node:test, which is an asynchronous resource of this type. */
interface NodeTest {
  readonly name: string;
  readonly parent: NodeTest | null;
  runInAsyncScope: (work: (...args: unknown[]) => unknown, self: unknown, ...args: unknown[]) => unknown;
}

type Told = ReturnType<typeof testOfExpect>;

const running = new AsyncLocalStorage<NodeTest>();

/** Remembers in which test of node:test something happens. */
function followNodeTests(): void {
  const init = (_id: number, type: string, _trigger: number, resource: object): void => {
    if (type !== 'Test') return;
    const test = resource as NodeTest;
    const { runInAsyncScope } = test;
    test.runInAsyncScope = function (work, self, ...args) {
      return Reflect.apply(runInAsyncScope, this, [running.run.bind(running, test, work.bind(self)), self, ...args]);
    };
  };
  createHook({ init }).enable();
}

function fromNodeTest(): Told {
  const names: string[] = [];
  for (let test = running.getStore(); test?.parent; test = test.parent ?? undefined) names.unshift(test.name);
  if (names.length === 0) return {};
  return { test: names.join(' '), file: process.argv[1] };
}

/** The mock is local, and nobody else is to hear of it. */
function tellServedMock(host: string, tell: () => Told, set: (name: string, value: string) => void): void {
  const told = tell();
  if (host !== hostOfMock || told.test === undefined) return;
  // A header holds no other characters.
  const escaped = JSON.stringify(told).replaceAll(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  set(TELLING, escaped);
}

/** A program that a test starts learns which test that is. */
const INHERITED = 'AGENT_CONTRACT_CLIENT_TEST';

function tellChildren(tell: () => Told): void {
  const prototype = children.ChildProcess.prototype as unknown as {
    spawn: (options: { readonly envPairs?: string[] }) => unknown;
  };
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    const told = tell();
    if (told.test !== undefined) options.envPairs?.unshift(`${INHERITED}=${JSON.stringify(told)}`);
    return Reflect.apply(spawn, this, [options]);
  };
  const telling = (original: (...asked: never[]) => unknown) =>
    function (...asked: never[]): unknown {
      const { [INHERITED]: before } = process.env;
      process.env[INHERITED] = JSON.stringify(tell());
      try {
        return original(...asked);
      } finally {
        delete process.env[INHERITED];
        if (before !== undefined) process.env[INHERITED] = before;
      }
    };
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const)
    Object.assign(children, { [name]: telling(children[name]) });
}

/** Where tests may run: Jest makes a realm for each file of tests. Tests make others, in which none runs. */
const realms: WeakRef<object>[] = [];
const { createContext } = vm;
vm.createContext = (...asked) => {
  const made = createContext(...asked);
  realms.unshift(new WeakRef(made));
  return made;
};

function fromRealms(): Told {
  const told = realms.map((realm) => testOfExpect(realm.deref()));
  return told.find(({ file }) => file !== undefined) ?? testOfExpect();
}

const { NODE_TEST_CONTEXT, AGENT_CONTRACT_BASE_URL = '', [INHERITED]: inherited = '{}' } = process.env;
const hostOfMock = URL.canParse(AGENT_CONTRACT_BASE_URL) ? new URL(AGENT_CONTRACT_BASE_URL).host : undefined;
const isOfNode = NODE_TEST_CONTEXT !== undefined || process.execArgv.includes('--test');
if (isOfNode) followNodeTests();
const started = JSON.parse(inherited) as Told;
const tell = (): Told =>
  [isOfNode ? fromNodeTest() : fromRealms(), started].find(({ test }) => test !== undefined) ?? {};
tellChildren(tell);
(globalThis as unknown as Record<symbol, unknown>)[Symbol.for(TELLING)] = tell;
// The requests of the global fetch.
subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { origin: string; addHeader(name: string, value: string): void } };
  tellServedMock(new URL(request.origin).host, tell, (name, value) => request.addHeader(name, value));
});
const { request } = http;
const told = (...asked: Parameters<typeof request>): http.ClientRequest => {
  const made = request(...asked);
  const host = String(made.getHeader('host') ?? '');
  if (!made.headersSent) tellServedMock(host, tell, (name, value) => made.setHeader(name, value));
  return made;
};
Object.assign(http, { request: told, get: (...asked: Parameters<typeof told>) => told(...asked).end() });
syncBuiltinESMExports();
