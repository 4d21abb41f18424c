import { profileNames, type MockOptions, type ProfileName } from '../../mock/index.ts';
import { endpointIds, triggersOf, violationIds, type TriggerId, type ViolationId } from '../../spec/index.ts';
import missedViolations from './missed.json';
import { exceptionsFor, expectedOf, faultOf } from '../claims.ts';
import { pagesClient } from './pages-client.ts';
import { fuzzingClient, randomClient } from '../random/clients.ts';
import { typedClient } from './typed-client.ts';
import { judgeTraffic } from './witness.ts';
import type { Report } from '../../conformance/index.ts';

const clients = ['typed', 'random', 'pages', 'fuzzer'] as const;

/** Trials with foreign traffic: a client that knows nothing of the judge, and a mock that may commit a fault. */
export interface ForeignTrial {
  readonly kind: 'foreign';
  readonly client: (typeof clients)[number];
  /** Seeds of the random client and the fuzzer. */
  readonly seed?: number;
  readonly violation?: ViolationId;
  readonly trigger?: TriggerId;
  readonly profile: ProfileName;
}

/** Every client with a mock without faults, under every profile. The traffic of the random one is short, and differs much. */
export const cleanForeign = (): readonly ForeignTrial[] =>
  profileNames.flatMap((profile) => [
    ...(['typed', 'pages', 'fuzzer'] as const).map((client) => ({ kind: 'foreign', client, profile }) as const),
    ...[1, 2, 3].map((seed) => ({ kind: 'foreign', client: 'random', seed, profile }) as const),
  ]);

/** Every violation with every client, without a trigger and under every trigger that fits. */
export const faultyForeign = (): readonly ForeignTrial[] =>
  violationIds.flatMap((violation) =>
    clients.flatMap((client): readonly ForeignTrial[] => {
      const plain = { kind: 'foreign', client, violation, profile: 'default' } as const;
      return [plain, ...triggersOf(violation).map((trigger) => ({ ...plain, trigger }))];
    }),
  );

export function explains({ violation, trigger }: ForeignTrial, check: string): boolean {
  if (violation === undefined) return false;
  const { must, may } = expectedOf({ violation, trigger });
  return [...must, ...may, ...exceptionsFor(violation, ['foreign traffic']).may].includes(check);
}

/** Violations that foreign traffic does not reveal, for the typed client under the default profile; `*` is any endpoint. */
export const missed: ReadonlySet<string> = new Set(
  missedViolations.flatMap((id) => (id.startsWith('*') ? endpointIds.map((endpoint) => endpoint + id.slice(1)) : [id])),
);

/** Whether the fault of a trial must be found; `undefined` if that is not recorded. */
export function mustFind({ client, violation, trigger, profile }: ForeignTrial): boolean | undefined {
  const isRecorded = client === 'typed' && trigger === undefined && profile === 'default';
  if (violation === undefined || !isRecorded) return undefined;
  return !missed.has(violation);
}

export function judgeForeign({ client, seed = 1, violation, trigger, profile }: ForeignTrial): Promise<Report> {
  const options: MockOptions = { profile, faults: violation === undefined ? [] : [faultOf(violation, trigger)] };
  const isPlain = violation === undefined && profile === 'default';
  const programs = {
    typed: typedClient,
    random: randomClient(seed),
    pages: pagesClient,
    fuzzer: fuzzingClient(seed, isPlain),
  };
  return judgeTraffic(options, programs[client]);
}
