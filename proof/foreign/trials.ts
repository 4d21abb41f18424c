import { violationIds, triggersOf, type TriggerId, type ViolationId } from '../../spec/index.ts';
import { expectedOf } from '../claims.ts';
import { randomClient, typedClient } from './clients.ts';
import { judgeTraffic } from './witness.ts';

/** Who makes the traffic. */
export type ClientName = 'typed' | 'random';

/** Traffic of a client with a mock that commits a fault. Plain data, so that it can go to a worker. */
export interface ForeignTrial {
  readonly client: ClientName;
  readonly violation: ViolationId;
  readonly trigger?: TriggerId;
}

export interface ForeignVerdict {
  /** Checks that reported something. */
  readonly failed: readonly string[];
  /** Those of them that the fault does not explain, and what broke, with what they said. */
  readonly unexplained: readonly string[];
}

/** Every violation, and where `everything` is asked for also under every trigger that fits it. */
export const foreignTrials = ({ everything = false } = {}): readonly ForeignTrial[] =>
  violationIds.flatMap((violation) =>
    (['typed', 'random'] as const).flatMap((client): readonly ForeignTrial[] => [
      { client, violation },
      ...(everything && client === 'typed'
        ? triggersOf(violation).map((trigger) => ({ client, violation, trigger }))
        : []),
    ]),
  );

export const nameOf = ({ client, violation, trigger }: ForeignTrial): string =>
  `${trigger === undefined ? violation : `${violation}@${trigger}`} met by the ${client} client`;

/** Every check that reports is one that the fault may break. That none reports is no failure: few clients ask for all. */
export async function runForeign({ client, violation, trigger }: ForeignTrial): Promise<ForeignVerdict> {
  const fault = trigger === undefined ? violation : `${violation}@${trigger}`;
  const { checks } = await judgeTraffic({ faults: [fault] }, client === 'typed' ? typedClient : randomClient(1));
  const { must, may } = expectedOf(violation, trigger);
  const explained = new Set([...must, ...may]);
  const failures = checks.filter(({ status }) => status === 'fail');
  return {
    failed: failures.map(({ id }) => id),
    unexplained: checks.flatMap(({ id, status, failure, reason }) =>
      status === 'error' || (status === 'fail' && !explained.has(id))
        ? [`${id}: expected ${failure?.expected}; met ${failure?.actual ?? reason}`]
        : [],
    ),
  };
}
