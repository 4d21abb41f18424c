import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMock } from '../../mock/index.ts';
import type { Measured } from '../load/load.ts';
import { CLI, file, load, processorTime, startServer } from '../processes.ts';
import { referenceServers, type AskedAndAnswered, type Reference } from '../references.ts';
import { NOW, operations, requests, type Asked, type Operation } from '../requests.ts';
import type { ConstantAnswer } from '../servers/answers.ts';
import { median, medianRatio } from '../statistics.ts';

/** Connections of each load. */
export const CONNECTIONS = 16;

/** Milliseconds of load before the first round, so that the code is compiled. */
const FIRST = 4000;

/** The measurements of one server in one operation; medians of the rounds. */
export interface Sample {
  readonly perSecond: number;
  /** Microseconds of processor time per answer, which is more reliable than the rate on a busy machine. */
  readonly processor: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** The body size of one answer. */
  readonly bytes: number;
  /** Answers other than 2xx, over all rounds. */
  readonly failures: number;
  /** The rate relative to plain Express, and the processor time of Express relative to this. */
  readonly toExpress: number;
  readonly toExpressByProcessor: number;
  /** How many times more requests the mock answers without judging, and how many times less time it takes. */
  readonly mockToThis: number;
  readonly mockToThisByProcessor: number;
}

export interface Throughput {
  readonly samples: ReadonlyMap<Operation, ReadonlyMap<string, Sample>>;
  readonly notes: readonly string[];
}

export const EXPRESS = 'bare Express 5';
export const MOCK = 'mock, answers not judged';
export const MOCK_FULL = 'mock, everything on';

/** The command line of a mock with a frozen world. */
export const mockCommand = (...flags: readonly string[]): readonly string[] => [
  process.execPath,
  CLI,
  'mock',
  '--port',
  '0',
  '--json',
  '--now',
  NOW,
  '--freeze',
  ...flags,
];

interface Options {
  readonly rounds: number;
  /** Milliseconds of each load. */
  readonly duration: number;
  readonly only?: readonly Operation[] | undefined;
  readonly hasReferences: boolean;
}

/** Sends the same requests to the mock and its references, in turns: once each per round. */
export async function measureThroughput({
  rounds,
  duration,
  only = operations,
  hasReferences,
}: Options): Promise<Throughput> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-throughput-'));
  const pairs = asksAndAnswers();
  const answers = answersFile(folder, pairs);
  const { servers, notes } = hasReferences ? referenceServers(folder, pairs) : { servers: [], notes: [] };
  const bare = (script: string): readonly string[] => [process.execPath, file('servers', script), answers];
  const contenders: readonly Reference[] = [
    { name: EXPRESS, start: () => startServer(bare('bare-express.js')) },
    { name: MOCK, start: () => startServer(mockCommand('--no-validate')) },
    { name: MOCK_FULL, start: () => startServer(mockCommand()) },
    { name: 'bare node:http', start: () => startServer(bare('bare-http.js')) },
    ...servers,
  ];
  const failed: string[] = [];
  const running: (Reference & { readonly server: Awaited<ReturnType<Reference['start']>> })[] = [];
  try {
    for (const contender of contenders)
      try {
        running.push({ ...contender, server: await contender.start() });
      } catch (error) {
        failed.push(`${contender.name} did not start: ${error instanceof Error ? error.message : String(error)}`);
      }
    const samples = new Map<Operation, ReadonlyMap<string, Sample>>();
    for (const operation of only) {
      const measured = new Map(running.map(({ name }): [string, Round[]] => [name, []]));
      // The round before the first is discarded: it is for the compilers.
      for (let round = 0; round <= rounds; round++)
        for (const { name, server, request } of running) {
          const pair = pairs.get(operation);
          if (!pair) continue;
          const { target, ...asked } = request?.(operation, pair.asked) ?? pair.asked;
          const url = `${server.url}${target}`;
          const before = processorTime(server.child);
          const one = await load({
            ...asked,
            url,
            connections: CONNECTIONS,
            warmUp: round === 0 ? FIRST : 150,
            duration,
          });
          const processor = ((processorTime(server.child) - before) * 1000) / one.answers;
          if (round > 0) measured.get(name)?.push({ ...one, processor });
        }
      samples.set(operation, samplesOf(measured));
    }
    return { samples, notes: [...notes, ...failed] };
  } finally {
    await Promise.all(running.map(({ server }) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

type Round = Measured & Pick<Sample, 'processor'>;

function samplesOf(measured: ReadonlyMap<string, readonly Round[]>): ReadonlyMap<string, Sample> {
  const rates = (name: string): number[] => (measured.get(name) ?? []).map(({ perSecond }) => perSecond);
  const times = (name: string): number[] => (measured.get(name) ?? []).map(({ processor }) => processor);
  return new Map(
    [...measured].map(([name, all]) => [
      name,
      {
        perSecond: median(rates(name)),
        p50: median(all.map(({ p50 }) => p50)),
        p99: median(all.map(({ p99 }) => p99)),
        bytes: all.at(-1)?.bytes ?? 0,
        failures: all.reduce((sum, { failures }) => sum + failures, 0),
        processor: median(times(name)),
        toExpress: medianRatio(rates(name), rates(EXPRESS)),
        toExpressByProcessor: medianRatio(times(EXPRESS), times(name)),
        mockToThis: medianRatio(rates(MOCK), rates(name)),
        mockToThisByProcessor: medianRatio(times(name), times(MOCK)),
      },
    ]),
  );
}

/** Writes the answers for the references. @returns the file */
export function answersFile(folder: string, pairs = asksAndAnswers()): string {
  const answers = path.join(folder, 'answers.json');
  const all = [...pairs.values()].map(({ asked, answer }) => [`${asked.method} ${asked.target}`, answer] as const);
  writeFileSync(answers, JSON.stringify(Object.fromEntries(all)));
  return answers;
}

/** The requests, and the mock's answers to them, which others repeat. @throws Error if the mock refuses */
function asksAndAnswers(): AskedAndAnswered {
  const mock = createMock({ now: Date.parse(NOW), frozen: true });
  const answerTo = ({ method, target, headers, body }: Asked): ConstantAnswer => {
    const wire = mock.handle({ method, target, headers, ...(body === undefined ? {} : { body: Buffer.from(body) }) });
    if (wire.status > 299) throw new Error(`The mock refused ${method} ${target}: ${wire.body}`);
    return { status: wire.status, headers: wire.headers, body: wire.body };
  };
  return new Map([...requests()].map(([operation, asked]) => [operation, { asked, answer: answerTo(asked) }]));
}
