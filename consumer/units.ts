import type { MetExchange } from '../mock/index.ts';
import { senderOf } from '../mock/steering/steering.ts';
import { parseJson, type JsonObject } from '../text/json.ts';
import type { TestOf } from './attribution.ts';
import type { Twins } from './twins.ts';

/** Tests that are steered together: one test, or several of which one uses what another has made. */
export interface Unit {
  readonly id: string;
  readonly tests: readonly string[];
  /** Who sends their requests; missing if a steering holds for all requests. */
  readonly senders?: readonly string[];
  /** The files of the tests, if they are known. */
  readonly files: readonly string[];
}

/** The unit of the test that sent a request. All tests are one unit for a request of which nobody knows that. */
export type UnitOf = (met: MetExchange) => Unit;

/** Parts the tests into units that can be steered each in another way in the same run. */
export function unitsOf(twins: Twins, tests: readonly string[], testOf: TestOf): UnitOf {
  const whole: Unit = { id: '', tests, files: [] };
  const all = twins.sessions.flatMap(({ alike }) => alike.flat());
  const known = all.filter((one) => senderOf(one) !== '' && tests.includes(testOf(one) ?? ''));
  const groups = new Map(known.map((one) => [testOf(one), new Set([testOf(one) ?? ''])]));
  for (const [test, other] of dependencies(twins, testOf)) {
    const joined = new Set([...(groups.get(test) ?? []), ...(groups.get(other) ?? [])]);
    for (const one of joined) groups.set(one, joined);
  }
  const units = new Map<Set<string>, Unit>();
  for (const group of groups.values()) {
    const own = known.filter((one) => group.has(testOf(one) ?? ''));
    const senders = new Set(own.map(senderOf));
    const files = new Set(own.map((one) => one.file ?? /^\S+\.[cm]?[jt]sx?(?= › )/.exec(testOf(one) ?? '')?.[0] ?? ''));
    // A file that is not known leaves all of them to be run.
    if (files.has('')) files.clear();
    units.set(group, { id: [...group].join(), tests: [...group], senders: [...senders], files: [...files] });
  }
  return (met) => {
    if (senderOf(met) === '') return whole;
    const group = groups.get(testOf(met));
    return (group && units.get(group)) ?? whole;
  };
}

/** Pairs of tests of which one names what the other has made. What is steered changes nothing else in a session. */
function dependencies({ sessions, answers }: Twins, testOf: TestOf): readonly (readonly [string, string])[] {
  return sessions.flatMap((session) => {
    const made = answers(session).map((answer) => {
      const { agent, workspace } = (parseJson(answer?.body ?? '') ?? {}) as {
        agent?: JsonObject;
        workspace?: JsonObject;
      };
      return (agent ?? workspace)?.['id'];
    });
    const pairs = session.exchanges.flatMap(({ request: { target, body = '' } }, user) =>
      made.flatMap((id, maker) => {
        const isMaker = session.exchanges[maker]?.request.method === 'POST' && typeof id === 'string';
        return isMaker && maker < user && `${target} ${body}`.includes(id) ? [[maker, user] as const] : [];
      }),
    );
    return session.alike.flatMap((exchanges) =>
      pairs.map((pair) => {
        const [maker = '', user = ''] = pair.map((index) => exchanges[index] && testOf(exchanges[index]));
        return [maker, user] as const;
      }),
    );
  });
}
