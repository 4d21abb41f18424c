import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import type { Report } from '../conformance/index.ts';
import { createAgentBody } from '../fixtures/index.ts';
import { createMock } from '../mock/index.ts';
import { freePort } from '../proof/free-port.ts';
import { attempt } from '../text/errors.ts';
import openApi from '../spec/generated/openapi.json';
import versions from './package.json';
import type { Answers } from './servers.ts';

// Every figure is a ratio to a reference in the same run, since machines differ and other work disturbs. Servers run on one
// core, and who asks them on the other; compared servers take turns, and a ratio is the median over the turns.

const root = path.join(__dirname, '..', '..');
const SERVERS = path.join(__dirname, 'servers.js');
const CLI = path.join(__dirname, '..', 'cli', 'bin.js');
const TOOLS = path.join(root, 'bench', 'node_modules', '.bin');
/** The instant at which every clock is frozen. */
const NOW = '2026-05-20T15:30:00Z';
const CONNECTIONS = 16;
const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-bench-'));
const {
  quick = false,
  only,
  worker,
} = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' }, worker: { type: 'string' } } }).values;
/** Turns, the seconds of each load and of the one before the first turn, and the agents that are created in all. */
const [rounds, duration, warming, most] = quick ? [2, 1, 1, 100_000] : [5, 2, 4, 1_000_000];

type Row = readonly (string | number)[];
const figure = (what: string, measured: number, wanted: string, isMet: boolean, unit: string): Row => [
  what,
  `${wanted}${unit}`,
  `${measured.toFixed(2)}${unit}`,
  isMet ? 'yes' : '**no**',
];
const atLeast = (what: string, measured: number, bound: number): Row =>
  figure(what, measured, `at least ${bound}`, measured >= bound, '');
const atMost = (what: string, measured: number, bound: number, unit = ''): Row =>
  figure(what, measured, `at most ${bound}`, measured <= bound, unit);
interface Section {
  readonly says: string;
  readonly targets: readonly Row[];
  readonly tables?: readonly { readonly title: string; readonly rows: readonly Row[] }[];
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? Number.NaN) + (sorted[sorted.length >> 1] ?? Number.NaN)) / 2;
};
/** Of the pairs of one turn each, which the same disturbances met. */
const medianRatio = (of: readonly number[] = [], to: readonly number[] = []): number =>
  median(of.map((value, turn) => value / (to[turn] ?? Number.NaN)));

// Processes

const pins = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;
const pinned = (core: number, command: readonly string[]): [string, string[]] => {
  const [program = '', ...rest] = pins ? ['taskset', '-c', String(core), ...command] : command;
  return [program, rest];
};
const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

type Server = Awaited<ReturnType<typeof start>>;

/** Starts a server on the first core; its first line, or `readyAt` answering, says that it is ready. */
async function start(name: string, command: readonly string[], readyAt?: string, core = 0) {
  const [program, rest] = pinned(core, command);
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'ignore'], cwd: folder });
  started.add(child.once('exit', () => started.delete(child)));
  if (readyAt === undefined) {
    const lines = createInterface({ input: child.stdout });
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown];
    const url = /https?:\/\/[\w.:]+/.exec(String(line))?.[0];
    if (url === undefined) throw new Error(`${command.join(' ')} did not start: ${String(line)}`);
    child.stdout.resume();
    return { name, url, child };
  }
  child.stdout.resume();
  for (let tries = 0; tries < 600; tries++) {
    const answered = await fetch(readyAt).then(
      () => true,
      () => false,
    );
    if (answered) return { name, url: new URL(readyAt).origin, child };
    await sleep(50);
  }
  throw new Error(`${command.join(' ')} does not answer at ${readyAt}.`);
}

async function stop({ child }: Server): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const node = (...rest: readonly string[]): readonly string[] => [process.execPath, ...rest];
const mockCommand = (...flags: readonly string[]): readonly string[] =>
  node(CLI, 'mock', '--port', '0', '--json', '--now', NOW, '--freeze', ...flags);

/** Milliseconds of processor time of a process so far; NaN where the system does not tell. */
function processorTime({ pid = 0 }: ChildProcess): number {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

// Requests and their load

interface Request {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const world = createMock({ now: Date.parse(NOW), frozen: true });
const { agentId, workspaceId, token } = world.target;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const get = (target: string): Request => ({ method: 'GET', target, headers });
const list = (limit: number): Request => get(`/api/v1/agents/${agentId}/results?limit=${limit}&timeFilter=allTime`);
const requests: Readonly<Record<string, Request>> = {
  'get agent': get(`/api/v1/agents/${agentId}`),
  'list 50 results': list(50),
  'list 100 results': list(100),
  'create agent': {
    method: 'POST',
    target: '/api/v1/agents',
    headers,
    body: JSON.stringify(createAgentBody({ workspaceId, tag: 'bench', detail: 'plain' })),
  },
};

function answerOf({ body, ...request }: Request, mock = world): Answers[string] {
  const answer = mock.handle({ ...request, body: body === undefined ? undefined : Buffer.from(body) });
  if (answer.status > 299) throw new Error(`The mock refused ${request.method} ${request.target}: ${answer.body}`);
  return { status: answer.status, headers: answer.headers, body: answer.body };
}

/** Writes a value as a file. @returns its path */
function inFile(name: string, value: unknown): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const answersFile = (): string =>
  inFile(
    'answers.json',
    Object.fromEntries(Object.values(requests).map((one) => [`${one.method} ${one.target}`, answerOf(one)])),
  );

type Load = Awaited<ReturnType<typeof load>>;

async function load({ url, child }: Server, request: Request, { connections = CONNECTIONS, seconds = duration } = {}) {
  const { method, target, headers: sent, body } = request;
  const flags = ['--json', '-c', String(connections), '-d', String(seconds), '-m', method];
  for (const [name, value] of Object.entries(sent)) flags.push('-H', `${name}: ${value}`);
  if (body !== undefined) flags.push('-b', body);
  const [program, rest] = pinned(1, node(path.join(TOOLS, 'autocannon'), ...flags, url + target));
  const before = processorTime(child);
  // This process goes on meanwhile, and so hears which of its kept connections a server closes.
  const { stdout } = await promisify(execFile)(program, rest);
  const did = JSON.parse(stdout) as Record<'errors' | 'non2xx' | 'duration', number> & {
    readonly requests: { readonly total: number };
    readonly latency: { readonly p99: number };
  };
  const { total } = did.requests;
  return {
    perSecond: total / did.duration,
    p99: did.latency.p99,
    failures: did.errors + did.non2xx,
    /** Microseconds of the server's processor time for each answer. */
    processor: ((processorTime(child) - before) * 1000) / total,
  };
}

type Asking = Server & { readonly request: Request };

/** Loads of each server in turns. The turn before the first is for the compilers. */
async function inTurns(servers: readonly Asking[], connections = CONNECTIONS) {
  const loads = new Map(servers.map(({ name }): [string, Load[]] => [name, []]));
  for (const server of servers) await load(server, server.request, { connections, seconds: warming });
  for (let turn = 0; turn < rounds; turn++)
    for (const server of servers) {
      // A mock refuses what is more than it holds; the other servers do not know this path.
      await fetch(`${server.url}/__admin/reset`, { method: 'POST', headers }).then((response) =>
        response.arrayBuffer(),
      );
      loads.get(server.name)?.push(await load(server, server.request, { connections }));
    }
  const rates = (name: string): readonly number[] => (loads.get(name) ?? []).map(({ perSecond }) => perSecond);
  const ratio = (of: string, to: string): number => medianRatio(rates(of), rates(to));
  const rows = (reference: string): readonly Row[] => [
    ['', 'requests/s', 'µs of processor', 'p99 ms', 'failed', `to ${reference}`],
    ...[...loads].map(([name, all]) => [
      name,
      Math.round(median(all.map(({ perSecond }) => perSecond))),
      Math.round(median(all.map(({ processor }) => processor))),
      median(all.map(({ p99 }) => p99)),
      all.reduce((sum, { failures }) => sum + failures, 0),
      ratio(name, reference).toFixed(2),
    ]),
  ];
  return { rates, ratio, rows };
}

// Other mocks, with the same data

const version = versions.dependencies;
const PRISM = `Prism ${version['@stoplight/prism-cli']}`;
const MOCKOON = `Mockoon ${version['@mockoon/cli']}`;
const JSON_SERVER = `json-server ${version['json-server']}`;

/** Our document with the mock's answer as the only example of one request. */
function documentFor(request: Request): string {
  const { status, body } = answerOf(request);
  const document = structuredClone(openApi) as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, object> }> }>>;
  };
  const place = (request.target.split('?')[0] ?? '').replace(agentId, '{agentId}');
  const operation = document.paths[place]?.[request.method.toLowerCase()];
  if (!operation) throw new Error(`The OpenAPI document has no ${request.method} ${place}.`);
  operation.responses = {
    [status]: { ...operation.responses[status], content: { 'application/json': { example: JSON.parse(body) } } },
  };
  return inFile('openapi.json', document);
}

async function tool(name: string, program: string, flags: (port: string) => readonly string[]): Promise<Server> {
  const port = String(await freePort());
  return start(name, node(path.join(TOOLS, program), ...flags(port)), `http://127.0.0.1:${port}/`);
}

async function otherMocks(operation: string, request: Request): Promise<readonly Asking[]> {
  const document = documentFor(request);
  const { universe } = world.store;
  const listing = world.store.results(agentId);
  const data = inFile('db.json', {
    agents: Array.from({ length: universe.agentCount }, (_, i) => universe.agent(i)),
    results: Array.from({ length: listing.count }, (_, i) => listing.at(i)),
  });
  const [limit] = /\d+/.exec(operation) ?? [];
  const sorted = `/results?agentId=${agentId}&_sort=createdAt&_order=desc&_limit=${limit ?? ''}`;
  const quiet = ['--quiet', '--no-gzip', '--no-cors', '--host', '127.0.0.1'];
  const plain = limit === undefined ? request.target.replace('/api/v1', '') : sorted;
  return [
    await tool(PRISM, 'prism', (port) => ['mock', document, '-p', port, '-v', 'silent', '--no-multiprocess']),
    await tool(MOCKOON, 'mockoon-cli', (port) => ['start', '--data', document, '--port', port]),
    await tool(JSON_SERVER, 'json-server', (port) => [...quiet, '--port', port, data]),
  ].map((server) => ({ ...server, request: server.name === JSON_SERVER ? { ...request, target: plain } : request }));
}

// Sections

const EXPRESS = 'bare Express 5';
const MOCK = 'mock, answers not judged';
const FULL = 'mock, everything on';

async function throughput(): Promise<Section> {
  const answers = answersFile();
  const ours = [
    await start(EXPRESS, node(SERVERS, 'express', answers)),
    await start(MOCK, mockCommand('--no-validate')),
    await start(FULL, mockCommand()),
    await start('bare node:http', node(SERVERS, 'http', answers)),
  ];
  const targets: Row[] = [];
  const tables = [];
  for (const [operation, request] of Object.entries(requests)) {
    const others = await otherMocks(operation, request);
    const { ratio, rows } = await inTurns([...ours.map((server) => ({ ...server, request })), ...others]);
    for (const server of others) await stop(server);
    tables.push({ title: operation, rows: rows(EXPRESS) });
    const [plain, judged] = { GET: [0.85, 0.6], POST: [0.8, 0.8] }[request.method] as [number, number];
    targets.push(atLeast(`${operation}: ${MOCK}, to ${EXPRESS}`, ratio(MOCK, EXPRESS), plain));
    targets.push(atLeast(`${operation}: ${FULL}, to ${EXPRESS}`, ratio(FULL, EXPRESS), judged));
    if (operation.startsWith('list'))
      for (const { name } of others) {
        const bound = { [JSON_SERVER]: 8 }[name] ?? 4;
        targets.push(atLeast(`${operation}: ${MOCK}, to ${name}`, ratio(MOCK, name), bound));
      }
  }
  for (const server of ours) await stop(server);
  const says = `${CONNECTIONS} connections, one request in flight on each. Both mocks authenticate and keep the journal; the second also judges requests and answers. Bare Express sends a constant buffer. Prism, Mockoon and json-server have the same data, in the configuration that costs them least. Where bare node:http is no faster than the mock, the core of the load is the limit; processor time tells more there.`;
  return { says, targets, tables };
}

/** Milliseconds from the start of a program to its first answer, and for its first and second creation. */
async function beginning(command: readonly string[]): Promise<readonly number[]> {
  const began = performance.now();
  const server = await start('', command);
  const times: number[] = [];
  for (const name of ['get agent', 'create agent', 'create agent']) {
    const { target, ...request } = requests[name] ?? list(1);
    const sent = performance.now();
    const response = await fetch(server.url + target, request);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${command.join(' ')} answered ${name} with ${response.status}.`);
    times.push(performance.now() - (times.length === 0 ? began : sent));
  }
  await stop(server);
  return times;
}

async function starting(): Promise<Section> {
  const answers = answersFile();
  const turns: (readonly number[])[] = [];
  for (let turn = -1; turn < rounds * 2; turn++) {
    const both = [...(await beginning(node(SERVERS, 'express', answers))), ...(await beginning(mockCommand()))];
    if (turn >= 0) turns.push(both);
  }
  const [express, mock] = [0, 3].map((at) =>
    [0, 1, 2].map((what) => turns.map((both) => both[at + what] ?? Number.NaN)),
  );
  const times = (all: readonly (readonly number[])[] = []): Row => all.map((some) => median(some).toFixed(1));
  return {
    says: 'From the start of the process to its first answer; then two creations, of which the first may load code.',
    targets: [
      atMost('`agent-contract mock` to bare Express', medianRatio(mock?.[0], express?.[0]), 1.5),
      atMost('the first creation of the mock, to that of bare Express', medianRatio(mock?.[1], express?.[1]), 1.5),
    ],
    tables: [
      {
        title: 'Milliseconds',
        rows: [
          ['', 'first answer', 'first creation', 'second creation'],
          [EXPRESS, ...times(express)],
          ['mock', ...times(mock)],
        ],
      },
    ],
  };
}

/** Of processor time, that of the collector included: other work on the machine would count in any other. */
function microseconds(times: number, work: (i: number) => void): number {
  const began = process.cpuUsage();
  for (let i = 0; i < times; i++) work(i);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / times;
}

/** Bytes of ten thousand sessions, and what requests cost after many creations: in a process of its own, whose heap it fills. */
function costs() {
  const mock = createMock({ now: Date.parse(NOW), frozen: true, persona: 'large', mostWritten: 10_000_000_000 });
  const ask = (request: Request): unknown => answerOf(request, mock);
  const { roles } = mock.store.universe.persona;
  const pages: Record<string, number[]> = {};
  const turns: (() => void)[] = [];
  for (const [size, index = 0] of Object.entries({ '360 results': roles.main, '1,000,000 results': roles.busiest })) {
    const id = mock.store.agentId(index);
    const listing = mock.store.results(id);
    for (const [depth, part] of Object.entries({ first: 0, middle: 0.5, last: 0.8 })) {
      const place = Math.floor((listing.count - 60) * part);
      // Pages that begin at different results, so that each is made anew.
      const page = (i: number): string =>
        `/api/v1/agents/${id}/results?limit=50&timeFilter=allTime&end=${new Date(listing.createdAt(place + (i % 10))).toISOString()}`;
      const times: number[] = [];
      pages[`${size}, ${depth}`] = times;
      turns.push(() => times.push(microseconds(10, (i) => ask(get(page(i))))));
    }
  }
  // In turns, since what runs first runs before its code is optimised.
  for (let i = 0; i < 40; i++) for (const turn of turns) turn();
  const mine = requests['create agent'] ?? list(1);
  const create = { ...mine, body: JSON.stringify({ workspaceId: mock.target.workspaceId, agent: { name: 'One' } }) };
  const read = get(`/api/v1/agents/${mock.target.agentId}`);
  const created = [];
  let made = 0;
  for (const count of [5_000, 10_000, 100_000, most]) {
    const cost = microseconds(Math.max(5_000, count - made), () => ask(create));
    made += Math.max(5_000, count - made);
    created.push({ count, create: cost, get: median([1, 2, 3, 4, 5].map(() => microseconds(5_000, () => ask(read)))) });
  }
  const others = createMock({ now: Date.parse(NOW), frozen: true });
  for (let i = 0; i < 10_000; i++)
    answerOf({ ...list(1), headers: { ...headers, 'x-mock-session': `s-${i}`, host: '127.0.0.1' } }, others);
  mock.reset();
  globalThis.gc?.();
  const medians = Object.fromEntries(Object.entries(pages).map(([name, times]) => [name, median(times.slice(20))]));
  return { sessions: process.memoryUsage().heapUsed, pages: medians, created: created.slice(1) };
}

async function scale(): Promise<Section> {
  const flags = ['--expose-gc', '--max-old-space-size=6144', __filename, '--worker', 'costs'];
  if (quick) flags.push('--quick');
  const text = execFileSync(process.execPath, flags);
  const { sessions, pages, created } = JSON.parse(text.toString()) as ReturnType<typeof costs>;
  const starts = new Map<string, number[]>();
  for (let turn = 0; turn < rounds; turn++)
    for (const persona of ['tiny', 'demo', 'large']) {
      const began = performance.now();
      await stop(await start('', mockCommand('--persona', persona)));
      starts.set(persona, [...(starts.get(persona) ?? []), performance.now() - began]);
    }
  const spread = (values: readonly number[]): number => Math.max(...values) / Math.min(...values);
  // Pages of different depths hold different answers.
  const bySize = ['first', 'middle', 'last'].map((depth) =>
    spread(Object.entries(pages).flatMap(([what, cost]) => (what.endsWith(depth) ? [cost] : []))),
  );
  const growth = (what: 'create' | 'get'): number =>
    Math.max(...created.map((one) => one[what])) / (created[0]?.[what] ?? Number.NaN);
  return {
    says: 'In process, without sockets.',
    targets: [
      atMost('a page of 50 at one depth, from the fastest size to the slowest', Math.max(...bySize), 1.3),
      atMost('start, from the fastest persona to the slowest', spread([...starts.values()].map(median)), 1.3),
      atMost('heap of 10,000 sessions with a request each', sessions / 1e6, 200, ' MB'),
      atMost('create agent, the slowest to that with the fewest created before', growth('create'), 1.3),
      atMost('get agent, likewise', growth('get'), 1.3),
    ],
    tables: [
      {
        title: 'Microseconds of processor time for a page of 50',
        rows: [['', 'µs'], ...Object.entries(pages).map(([what, cost]) => [what, Math.round(cost)])],
      },
      {
        title: 'Microseconds of processor time for a request, by the agents created before',
        rows: [['', 'create', 'get'], ...created.map((one) => [one.count, one.create.toFixed(1), one.get.toFixed(1)])],
      },
    ],
  };
}

/** Milliseconds that the slow target takes for an answer. */
const LATENCY = 100;

async function runner(): Promise<Section> {
  const rows: Row[] = [['', 's', 's of the run', 'requests', 'MB', 'outcome']];
  const check = async (
    what: string,
    target: Readonly<Record<string, string>>,
    mockFlags: readonly string[],
    flags: readonly string[] = [],
  ) => {
    const server = await start(what, mockCommand(...mockFlags));
    const report = path.join(folder, 'report.json');
    const named = inFile('target.json', { ...target, baseUrl: server.url });
    const began = performance.now();
    const hook = path.join(__dirname, 'usage-hook.js');
    const args = ['--require', hook, CLI, 'check', '--target', named, '--report', `json=${report}`, ...flags];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    let usage = '';
    child.stdio[3]?.on('data', (data: Buffer) => (usage += data.toString()));
    await once(child, 'close');
    const seconds = (performance.now() - began) / 1000;
    await stop(server);
    const { kilobytes } = JSON.parse(usage) as { readonly kilobytes: number };
    const { requests: count, durationMs, outcome } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const run = { seconds, runSeconds: durationMs / 1000, megabytes: kilobytes / 1024 };
    rows.push([what, seconds.toFixed(2), run.runSeconds.toFixed(2), count, Math.round(run.megabytes), outcome]);
    return run;
  };
  const targetOf = (persona: 'demo' | 'large', busiest = false): Readonly<Record<string, string>> => {
    const { target, store } = createMock({ persona, now: Date.parse(NOW), frozen: true });
    const { busiest: index } = store.universe.persona.roles;
    const known = Object.entries({ ...target, agentId: busiest ? store.agentId(index ?? 0) : target.agentId });
    return Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== ''));
  };
  const near = targetOf('demo');
  const loopback = [];
  for (let turn = 0; turn < rounds; turn++) loopback.push(await check('demo world', near, []));
  const few = await check('360 results', targetOf('large'), ['--persona', 'large']);
  const million = await check('1,000,000 results', targetOf('large', true), ['--persona', 'large']);
  const slow = ['--latency', String(LATENCY)];
  const byDefault = await check(`${LATENCY} ms latency`, near, slow);
  const chain = await check(`${LATENCY} ms latency, --concurrency 100`, near, slow, ['--concurrency', '100']);
  return {
    says: `If requests wait only for those that they depend on, the longest chain remains: ${Math.round((chain.runSeconds * 1000) / LATENCY)} times the latency.`,
    targets: [
      atMost('`check` on loopback', median(loopback.map(({ seconds }) => seconds)), 3, ' s'),
      atMost('its memory', median(loopback.map(({ megabytes }) => megabytes)), 180, ' MB'),
      atMost('memory with a million results, to that with 360', million.megabytes / few.megabytes, 1.1),
      atMost(`${LATENCY} ms latency, to the longest chain`, byDefault.runSeconds / chain.runSeconds, 1.5),
    ],
    tables: [{ title: 'Runs', rows }],
  };
}

const FORWARDING = 'forwarding alone';
const PROXY = 'proxy, judging';

async function proxy(): Promise<Section> {
  const upstream = await start('no proxy', node(SERVERS, 'http', answersFile()), undefined, 1);
  const document = inFile('openapi.json', openApi);
  const ways = [
    upstream,
    await start(FORWARDING, node(SERVERS, 'forwarding', upstream.url)),
    await start(PROXY, node(CLI, 'proxy', upstream.url, '--port', '0')),
    await tool(PRISM, 'prism', (port) => ['proxy', document, upstream.url, '-p', port, '-v', 'silent']),
  ];
  const targets: Row[] = [];
  const tables = [];
  for (const operation of ['get agent', 'list 50 results'])
    for (const connections of [1, CONNECTIONS]) {
      const request = requests[operation] ?? list(50);
      const { rates, ratio, rows } = await inTurns(
        ways.map((server) => ({ ...server, request })),
        connections,
      );
      const what = `${operation}, ${connections} connection${connections === 1 ? '' : 's'}`;
      const milliseconds = (name: string): number => median(rates(name).map((rate) => (connections * 1000) / rate));
      targets.push(atLeast(`${what}: ${PROXY}, to ${FORWARDING}`, ratio(PROXY, FORWARDING), 0.8));
      const longer = milliseconds(PROXY) - milliseconds(FORWARDING);
      targets.push(atMost(`${what}: the added mean latency`, longer, 1, ' ms'));
      targets.push(atLeast(`${what}: ${PROXY}, to ${PRISM}`, ratio(PROXY, PRISM), 3));
      tables.push({ title: what, rows: rows(FORWARDING) });
    }
  for (const server of ways) await stop(server);
  const says =
    'The upstream has prepared answers, on the core of the load. If the proxy cannot keep up, it judges fewer agents, and says how many.';
  return { says, targets, tables };
}

const sections: Readonly<Record<string, () => Promise<Section>>> = { throughput, scale, starting, runner, proxy };

// The page

function table([head = [], ...rows]: readonly Row[]): string {
  const aligned = ['---', ...head.slice(1).map(() => '--:')];
  return [head, aligned, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function print(name: string, { says, targets, tables = [] }: Section): string {
  const parts = [`## ${name}`, says, table([['Target', 'Wanted', 'Measured', 'Met'], ...targets])];
  for (const one of tables) parts.push(`### ${one.title}`, table(one.rows));
  return parts.join('\n\n');
}

/** `--quick` measures roughly, `--only proxy,runner` some sections; both print, and leave results.md as it is. */
async function main(): Promise<void> {
  if (worker !== undefined) return void process.stdout.write(JSON.stringify(costs()));
  const names = only?.split(',') ?? Object.keys(sections);
  const unknown = names.filter((name) => sections[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`--only: there is no ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}.`);
  const parts = [
    '# Results',
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, Node.js ${process.version}${pins ? '; servers on core 0, load on core 1' : ''}. Other work on the machine affects rates more than ratios, so compared servers take turns, and ratios are medians over the turns.`,
  ];
  for (const name of names) {
    process.stderr.write(`${name} ...\n`);
    try {
      parts.push(print(name, (await sections[name]?.()) ?? { says: '', targets: [] }));
    } catch (error) {
      // The other sections took minutes, so their results are kept.
      parts.push(`## ${name}\n\nNot measured: ${String(error)}`);
      process.exitCode = 1;
    }
  }
  const text = `${parts.join('\n\n')}\n`;
  if (quick || only !== undefined) return void process.stdout.write(text);
  const { format } = await import('oxfmt');
  const file = path.join(root, 'bench', 'results.md');
  writeFileSync(file, (await format(file, text, { printWidth: 120 })).code);
}

main().catch((error: unknown) => {
  process.stderr.write(`error: ${String(error)}\n`);
  process.exitCode = 1;
});
