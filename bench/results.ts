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
      )} before, between and after the sections. What others do on the machine changes rates and times more than ratios: what is compared was measured in turns, and ratios are medians of the turns.`,
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
    `${CONNECTIONS} connections, one request under way on each, from a process of its own. Both mocks authenticate and keep the journal; the second judges requests and answers as well. Bare Express has the documented routes and sends a constant buffer with the mock's headers; the mock answers requests without a body without going through Express. Prism, Mockoon and json-server hold the same data, set up so that it costs them least. µs is the processor time of the server for each answer, which other programs on the machine change less than the rate.`,
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
    'Microseconds for a page of 50 results that was not read before, in process, by how many results the agent has:',
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
    'The program, until it has answered once:',
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
        `${what} agent over sockets, at its dearest, to that with the fewest created before`,
        growth(created.map(({ overSockets }) => overSockets[what])),
        1.3,
      ),
      atMost(`${what} agent in process, likewise`, growth(created.map(({ inProcess }) => inProcess[what].all)), 1.3),
      atMost(
        `${what} agent in process, likewise, but for the collection of garbage`,
        growth(created.map(({ inProcess }) => inProcess[what].all - inProcess[what].collecting)),
        1.3,
      ),
    ]),
  ];
}

const createdTable = (created: Scale['created']): readonly string[] => [
  'Microseconds for a request when so many agents have been created in one session (over sockets, of processor time):',
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
    `From the start of the process to its first answer: bare Express ${whole(express)} ms, \`agent-contract mock\` ${whole(mock)} ms (medians). Which modules are loaded by then is asserted by a test, bench/loaded-modules.e2e.test.ts.`,
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
    `The longest chain of requests that depend on each other is what is left when nothing else is waited for: the run with ${latent.at(-1)?.what ?? ''}, ${(chain / (LATENCY / 1000)).toFixed(0)} times the latency. By default checks that create something wait for each other as well, and four are under way at once.`,
    'From some thousand results on a run reads no further, and nothing grows. That it then occupies more than with 360 is garbage: V8 parses texts of 100,000 characters and more straight into its old generation, which it collects seldom while there is room, and a page of 100 results is twice as long.',
  ].join('\n\n');
}

export function passing({ passages, notes }: Passing): string {
  const wanted = [...passages].flatMap(([what, byName]) =>
    [...byName].flatMap(([name, { toForwarding, longer, proxyToThis }]): Target[] => {
      if (name === PROXY)
        return [
          atLeast(`${what}: ${PROXY}, to ${FORWARDING}`, toForwarding, 0.8),
          atMost(`${what}: what its median takes longer`, longer, 1, ' ms'),
        ];
      return name.startsWith('Prism') ? [atLeast(`${what}: ${PROXY}, to ${name}`, proxyToThis, 3)] : [];
    }),
  );
  return [
    '## Proxy',
    'To a server that has its answers ready, on the core of the load. Where the proxy cannot keep pace it judges a sample, and says how much.',
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
  if (typeof measured === 'string') return `## Replicas\n\nNot tried: ${measured}`;
  const { findings, throughput: rates, nginx } = measured;
  const names = Object.keys(rates) as (keyof typeof rates)[];
  return [
    '## Replicas',
    `Two mocks of one seed and one frozen clock behind ${nginx}, with bench/nginx.conf:`,
    findings.map(({ what, isRight }) => `- ${what}${isRight ? '' : ' (**wrong**)'}`).join('\n'),
    `Requests a second, list 50 results, from ${CONNECTIONS} sessions at once:`,
    table(
      ['', 'requests/s', 'to one, directly'],
      names.map((name) => [name, whole(rates[name]), (rates[name] / rates['one, directly']).toFixed(2)]),
    ),
    'Mocks, nginx and load share the cores of one machine here: the second replica runs where nginx and the load run. That says what nginx costs, and nothing of what a second machine would bring.',
  ].join('\n\n');
}
