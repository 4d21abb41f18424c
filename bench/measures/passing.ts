import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import openApi from '../../spec/generated/openapi.json';
import { freePort } from '../../proof/free-port.ts';
import type { Measured } from '../load/load.ts';
import {
  CLI,
  LOAD_CORE,
  file,
  load,
  processorTime,
  startServer,
  stop,
  untilAnswered,
  untilItEnds,
  type Started,
} from '../processes.ts';
import { install, launch, VERSIONS } from '../references.ts';
import { requests, type Asked } from '../requests.ts';
import { median, medianRatio } from '../statistics.ts';
import { answersFile } from './throughput.ts';

/** The measurements of one way to the upstream; medians of the rounds. */
export interface Passage {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  /** Microseconds of processor time per answer. */
  readonly processor: number;
  readonly failures: number;
  /** The rate relative to plain forwarding, and the added median latency in milliseconds. */
  readonly toForwarding: number;
  readonly longer: number;
  /** How many times more requests our proxy passes. */
  readonly proxyToThis: number;
}

export interface Passing {
  /** By request and number of connections. */
  readonly passages: ReadonlyMap<string, ReadonlyMap<string, Passage>>;
  readonly notes: readonly string[];
}

export const FORWARDING = 'forwarding alone';
export const PROXY = 'proxy, judging';
const OPERATIONS = ['get agent', 'list 50 results'] as const;
const CONNECTIONS = [1, 16] as const;
/** Milliseconds of load before the first round. */
const FIRST = 4000;

type Running = Pick<Started, 'url' | 'child' | 'stop'>;

/** Sends the same requests directly to a server with prepared answers, and through proxies, in turns. */
export async function measurePassing(rounds: number, duration: number): Promise<Passing> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-passing-'));
  const notes: string[] = [];
  const ways = new Map<string, Running>();
  const upstream = await startServer([process.execPath, file('servers', 'bare-http.js'), answersFile(folder)], {
    core: LOAD_CORE,
  });
  const starts: readonly (readonly [string, () => Promise<Running>])[] = [
    ['no proxy', () => Promise.resolve(upstream)],
    [FORWARDING, () => startServer([process.execPath, file('servers', 'forwarding.js'), upstream.url])],
    [PROXY, () => startServer([process.execPath, CLI, 'proxy', upstream.url, '--port', '0'], { read: urlIn })],
    [`Prism ${VERSIONS['@stoplight/prism-cli']}`, () => startPrism(folder, upstream.url)],
    ['nginx', () => startNginx(folder, upstream.url)],
  ];
  try {
    for (const [name, start] of starts)
      try {
        ways.set(name, await start());
      } catch (error) {
        notes.push(`${name} was not measured: ${error instanceof Error ? error.message : String(error)}`);
      }
    const passages = new Map<string, ReadonlyMap<string, Passage>>();
    for (const operation of OPERATIONS)
      for (const connections of CONNECTIONS) {
        const asked = requests().get(operation);
        if (asked)
          passages.set(
            `${operation}, ${connections === 1 ? '1 connection' : `${connections} connections`}`,
            await measured(ways, asked, { connections, rounds, duration }),
          );
      }
    return { passages, notes };
  } finally {
    for (const { stop: end } of ways.values()) await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const urlIn = (line: string): Readonly<Record<string, unknown>> => ({ url: /^proxy on (\S+),/.exec(line)?.[1] });

type Round = Measured & Pick<Passage, 'processor'>;

async function measured(
  ways: ReadonlyMap<string, Running>,
  { target, ...asked }: Asked,
  { connections, rounds, duration }: { connections: number; rounds: number; duration: number },
): Promise<ReadonlyMap<string, Passage>> {
  const all = new Map([...ways.keys()].map((name): [string, Round[]] => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, { url, child }] of ways) {
      const before = processorTime(child);
      const warmUp = round === 0 ? FIRST : 300;
      const one = await load({ ...asked, url: url + target, connections, warmUp, duration });
      const processor = ((processorTime(child) - before) * 1000) / one.answers;
      if (round > 0) all.get(name)?.push({ ...one, processor });
    }
  const of = (name: string, what: (one: Round) => number): number[] => (all.get(name) ?? []).map(what);
  return new Map(
    [...all].map(([name, found]) => [
      name,
      {
        perSecond: median(found.map((one) => one.perSecond)),
        p50: median(found.map((one) => one.p50)),
        processor: median(found.map((one) => one.processor)),
        failures: found.reduce((sum, { failures }) => sum + failures, 0),
        toForwarding: medianRatio(
          of(name, (one) => one.perSecond),
          of(FORWARDING, (one) => one.perSecond),
        ),
        longer: median(of(FORWARDING, (one) => one.p50).map((p50, i) => (found[i]?.p50 ?? Number.NaN) - p50)),
        proxyToThis: medianRatio(
          of(PROXY, (one) => one.perSecond),
          of(name, (one) => one.perSecond),
        ),
      },
    ]),
  );
}

async function startPrism(folder: string, upstream: string): Promise<Running> {
  const failed = install();
  if (failed !== undefined) throw new Error(failed);
  const document = path.join(folder, 'openapi.json');
  writeFileSync(document, JSON.stringify(openApi));
  return launch('prism', (port) => ['proxy', document, upstream, '-p', String(port), '-v', 'silent'], '/');
}

async function startNginx(folder: string, upstream: string): Promise<Running> {
  if (spawnSync('nginx', ['-v']).error)
    throw new Error('it is not installed (Debian and Ubuntu: apt-get install nginx-light).');
  const port = await freePort();
  const config = path.join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `${process.getuid?.() === 0 ? 'user root;' : ''} master_process off; daemon off; pid nginx.pid; error_log stderr warn;
events {}
http {
  access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  upstream one { server ${upstream.replace('http://', '')}; keepalive 32; keepalive_timeout 4s; }
  server { listen 127.0.0.1:${port}; keepalive_requests 10000000;
    location / { proxy_pass http://one; proxy_http_version 1.1; proxy_set_header Connection ''; } }
}`,
  );
  const child = untilItEnds(spawn('taskset', ['-c', '0', 'nginx', '-p', folder, '-c', config], { stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  await untilAnswered(url);
  return { url, child, stop: () => stop(child) };
}
