import { FORWARDING, PROXY, type Passing } from './measures/passing.ts';
import type { Replicas } from './measures/replicas.ts';
import { LATENCY, type CheckRun, type Runner } from './measures/runner.ts';
import type { Scale } from './measures/scale.ts';
import type { StartTimes } from './measures/start.ts';
import { CONNECTIONS, MOCK, MOCK_FULL, type Throughput } from './measures/throughput.ts';

interface Circumstances {
  readonly machine: string;
  readonly node: string;
  readonly pinning: string;
  readonly date: string;
  /** The load average of the last minute, before each section and at the end. */
  readonly load: readonly number[];
}

/** The page of results, from its sections. */
export const page = (sections: readonly string[], { machine, node, pinning, date, load }: Circumstances): string =>
  [
    '# Results',
    `Written by \`npm run bench\` on ${date}: ${machine}, Node.js ${node}; ${pinning}. The load average of the last minute was ${load
      .map((one) => one.toFixed(1))
      .join(
        ', ',
      )} before, between and after the sections. Other work on the machine affects rates and times more than ratios. So compared servers take turns, and ratios are medians over the turns.`,
    ...sections,
  ].join('\n\n') + '\n';

type Row = readonly (string | number)[];

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

interface Target {
  readonly what: string;
  readonly wanted: string;
  readonly got: string;
  readonly isMet: boolean;
}

const atLeast = (what: string, got: number, least: number, unit = ''): Target => ({
  what,
  wanted: `at least ${least}${unit}`,
  got: `${got.toFixed(2)}${unit}`,
  isMet: got >= least,
});
const atMost = (what: string, got: number, most: number, unit = ''): Target => ({
  what,
  wanted: `at most ${most}${unit}`,
  got: `${got.toFixed(2)}${unit}`,
  isMet: got <= most,
});
const targets = (all: readonly Target[]): string =>
  table(
    ['Target', 'Wanted', 'Measured', 'Met'],
    all.map(({ what, wanted, got, isMet }) => [what, wanted, got, isMet ? 'yes' : '**no**']),
  );

const whole = (n: number): string => (Number.isNaN(n) ? '?' : Math.round(n).toLocaleString('en'));
const megabytes = (bytes: number): string => `${whole(bytes / 1e6)} MB`;

export function throughput({ samples, notes }: Throughput): string {
  const all = [...samples].flatMap(([operation, byName]) => {
    const isRead = operation !== 'create agent';
    return [...byName].flatMap(([name, { toExpress, mockToThis }]): Target[] => {
      if (name === MOCK && isRead) return [atLeast(`${operation}: ${MOCK}, to bare Express`, toExpress, 0.85)];
      if (name === MOCK_FULL && isRead) return [atLeast(`${operation}: ${MOCK_FULL}, to bare Express`, toExpress, 0.6)];
      if (!operation.startsWith('list')) return [];
      if (/^(?:Prism|Mockoon)/.test(name)) return [atLeast(`${operation}: ${MOCK}, to ${name}`, mockToThis, 4)];
      if (name.startsWith('json-server')) return [atLeast(`${operation}: ${MOCK}, to ${name}`, mockToThis, 8)];
      return [];
    });
  });
  return [
    '## Throughput',
    `${CONNECTIONS} connections, one request in flight on each, from a separate process. Both mocks authenticate and keep the journal; the second also judges requests and answers. Bare Express has the documented routes and sends a constant buffer with the mock's headers; the mock bypasses Express for requests without a body. Prism, Mockoon and json-server have the same data, in the configuration that costs them least. µs is the processor time of the server for each answer, which depends less on other programs than the rate.`,
    targets(all),
    ...[...samples].flatMap(([operation, byName]) => [
      `### ${operation}`,
      table(
        [
          '',
          'requests/s',
          'µs',
          'p50 ms',
          'p99 ms',
          'bytes',
          'failed',
          'to bare Express',
          'by µs',
          'mock to this',
          'by µs',
        ],
        [...byName].map(([name, one]) => [
          name,
          whole(one.perSecond),
          whole(one.processor),
          one.p50.toFixed(2),
          one.p99.toFixed(2),
          whole(one.bytes),
          one.failures,
          one.toExpress.toFixed(2),
          one.toExpressByProcessor.toFixed(2),
          one.mockToThis.toFixed(1),
          one.mockToThisByProcessor.toFixed(1),
        ]),
      ),
    ]),
    ...notes,
  ].join('\n\n');
}

export function scale(measured: Scale): string {
  const { listing, personas, sessions, created } = measured;
  return [
    '## Scale',
    targets(scaleTargets(measured)),
    'Microseconds for a page of 50 results that was not read before, in process, by the number of results of the agent:',
    table(
      ['results', 'first pages', 'in the middle', 'last pages', 'a window in the middle'],
      listing.map((one) => [
        whole(one.results),
        whole(one.first),
        whole(one.middle),
        whole(one.last),
        whole(one.window),
      ]),
    ),
    'The program, from its start to its first answer:',
    table(
      ['persona', 'ms', 'memory'],
      personas.map((one) => [one.persona, whole(one.start), megabytes(one.resident)]),
    ),
    `A session costs ${whole(sessions.idle)} bytes on the heap before it is used and ${whole(sessions.used)} after one request. With ${whole(sessions.sessions)} of them the heap holds ${megabytes(sessions.heap)}, and the process occupies ${megabytes(sessions.resident)}.`,
    ...createdTable(created),
  ].join('\n\n');
}

function scaleTargets({ listing, personas, sessions, created }: Scale): readonly Target[] {
  const pages = listing.flatMap(({ first, middle, last }) => [first, middle, last]);
  const windows = listing.map(({ window }) => window);
  const spread = (values: readonly number[]): number => Math.max(...values) / Math.min(...values);
  const growth = (values: readonly number[]): number => Math.max(...values) / (values[0] ?? Number.NaN);
  return [
    atMost('a page of 50, from the fastest size and depth to the slowest', spread(pages), 1.3),
    atMost('a window in the middle, from the fastest size to the slowest', spread(windows), 1.3),
    atMost('start, from the fastest persona to the slowest', spread(personas.map((one) => one.start)), 1.3),
    atMost('memory, from the smallest persona to the largest', spread(personas.map((one) => one.resident)), 1.1),
    atMost(`heap of ${whole(sessions.sessions)} sessions with a request each`, sessions.heap / 1e6, 200, ' MB'),
    ...(['create', 'get'] as const).flatMap((what) => [
      atMost(
        `${what} agent over sockets, the slowest to that with the fewest created before`,
        growth(created.map(({ overSockets }) => overSockets[what])),
        1.3,
      ),
      atMost(`${what} agent in process, likewise`, growth(created.map(({ inProcess }) => inProcess[what].all)), 1.3),
      atMost(
        `${what} agent in process, likewise, without garbage collection`,
        growth(created.map(({ inProcess }) => inProcess[what].all - inProcess[what].collecting)),
        1.3,
      ),
    ]),
  ];
}

const createdTable = (created: Scale['created']): readonly string[] => [
  'Microseconds for a request, by the number of agents created before in the session (over sockets: processor time):',
  table(
    [
      'created',
      'create, over sockets',
      'get, over sockets',
      'create, in process',
      'collecting garbage',
      'get, in process',
      'collecting garbage',
      'bytes on the heap for each',
    ],
    created.map(({ created: count, overSockets, inProcess: { create, get }, bytesEach }) => [
      whole(count),
      ...[overSockets.create, overSockets.get, create.all, create.collecting, get.all, get.collecting].map((one) =>
        one.toFixed(1),
      ),
      whole(bytesEach),
    ]),
  ),
];

export const start = ({ express, mock, ratio }: StartTimes): string =>
  [
    '## Start',
    targets([atMost('`agent-contract mock` to bare Express', ratio, 1.5)]),
    `From the start of the process to its first answer: bare Express ${whole(express)} ms, \`agent-contract mock\` ${whole(mock)} ms (medians). A test, bench/loaded-modules.e2e.test.ts, asserts which modules are loaded by then.`,
  ].join('\n\n');

export function runner({ loopback, large, latentByDefault, latent }: Runner): string {
  const row = (run: CheckRun): Row => [
    run.what,
    run.seconds.toFixed(2),
    run.runSeconds.toFixed(2),
    run.requests,
    whole(run.megabytes),
    run.outcome,
  ];
  const chain = latent.at(-1)?.runSeconds ?? Number.NaN;
  const [few, many, most, mostInSmallHeap] = large.map(({ megabytes: occupied }) => occupied);
  const to = (more = Number.NaN, less = Number.NaN): number => more / less;
  return [
    '## Runner',
    targets([
      atMost('`check` on loopback', loopback.seconds, 2, ' s'),
      atMost('its memory', loopback.megabytes, 150, ' MB'),
      atMost('memory with a million results, to that with ten thousand', to(most, many), 1.1),
      atMost('memory with a million results, to that with 360', to(most, few), 1.1),
      atMost('the same, with little room for garbage', to(mostInSmallHeap, few), 1.1),
      atMost(`${LATENCY} ms latency, to the longest chain`, latentByDefault.runSeconds / chain, 1.5),
    ]),
    table(
      ['', 's', 's of the run', 'requests', 'MB', 'outcome'],
      [loopback, ...large, latentByDefault, ...latent].map(row),
    ),
    `If requests wait only for those that they depend on, the longest chain remains: the run with ${latent.at(-1)?.what ?? ''}, ${(chain / (LATENCY / 1000)).toFixed(0)} times the latency. By default checks that create something also wait for each other, and four run at once.`,
    'A run reads a few thousand results at most, so more results need no more memory. The difference from 360 results is garbage: V8 parses texts of 100,000 characters and more directly into its old generation, which it rarely collects while there is room. A page of 100 results is twice as long.',
  ].join('\n\n');
}

export function passing({ passages, notes }: Passing): string {
  const wanted = [...passages].flatMap(([what, byName]) =>
    [...byName].flatMap(([name, { toForwarding, longer, proxyToThis }]): Target[] => {
      if (name === PROXY)
        return [
          atLeast(`${what}: ${PROXY}, to ${FORWARDING}`, toForwarding, 0.8),
          atMost(`${what}: the added median latency`, longer, 1, ' ms'),
        ];
      return name.startsWith('Prism') ? [atLeast(`${what}: ${PROXY}, to ${name}`, proxyToThis, 3)] : [];
    }),
  );
  return [
    '## Proxy',
    'The upstream is a server with prepared answers, on the core of the load. If the proxy cannot keep up, it judges a sample, and says how large it is.',
    targets(wanted),
    ...[...passages].flatMap(([what, byName]) => [
      `### ${what}`,
      table(
        ['', 'requests/s', 'µs', 'p50 ms', 'failed', `to ${FORWARDING}`, 'proxy to this'],
        [...byName].map(([name, one]) => [
          name,
          whole(one.perSecond),
          whole(one.processor),
          one.p50.toFixed(2),
          one.failures,
          one.toForwarding.toFixed(2),
          one.proxyToThis.toFixed(1),
        ]),
      ),
    ]),
    ...notes,
  ].join('\n\n');
}

export function replicas(measured: Replicas | string): string {
  if (typeof measured === 'string') return `## Replicas\n\nNot tested: ${measured}`;
  const { findings, throughput: rates, nginx } = measured;
  const names = Object.keys(rates) as (keyof typeof rates)[];
  return [
    '## Replicas',
    `Two mocks with the same seed and the same frozen clock behind ${nginx}, with bench/nginx.conf:`,
    findings.map(({ what, isRight }) => `- ${what}${isRight ? '' : ' (**wrong**)'}`).join('\n'),
    `Requests per second, list 50 results, from ${CONNECTIONS} sessions at once:`,
    table(
      ['', 'requests/s', 'to one, directly'],
      names.map((name) => [name, whole(rates[name]), (rates[name] / rates['one, directly']).toFixed(2)]),
    ),
    'Mocks, nginx and load share the cores of one machine here, so the second replica competes with nginx and the load. This shows what nginx costs, and not what a second machine would gain.',
  ].join('\n\n');
}
