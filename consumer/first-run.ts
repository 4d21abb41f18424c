import path from 'node:path';
import type { EndpointId } from '../spec/index.ts';
import type { MetExchange, Steering } from '../mock/index.ts';
import { senderOf } from '../mock/steering/steering.ts';
import { oncePer } from '../conformance/collections.ts';
import { parseJson, type JsonObject } from '../text/json.ts';
import type { TestResult, TestRun } from './runs/test-run.ts';
import { createTwins, type Twins } from './twins.ts';

/** Tests that are steered together: one test, or several of which one uses what another has made. */
export interface Unit {
  readonly id: string;
  readonly tests: readonly string[];
  /** Who sends their requests; missing if a steering holds for all requests. */
  readonly senders?: readonly string[];
  /** The files of the tests, if they are known. */
  readonly files: readonly string[];
}

export type FirstRun = ReturnType<typeof firstRunOf>;

/** What the first run tells: its sessions, twins of them, and which tests sent what. */
export function firstRunOf({ tests, exchanges }: Pick<TestRun, 'tests' | 'exchanges'>) {
  const twins = createTwins(exchanges);
  const names = tests.map(({ name }) => name);
  const testOf = oncePer(attribution(tests));
  const unitOf = unitsOf(twins, names, testOf);
  // Who is steered without the others is answered as without them.
  const twinsOf = oncePer((unit: Unit) =>
    unit.senders ? createTwins(exchanges, (met) => unitOf(met) === unit) : twins,
  );
  const unitsUnder = (steering: Steering, at?: readonly EndpointId[]): ReadonlySet<Unit> =>
    new Set(twins.differences(steering, at).map(({ exchange }) => unitOf(exchange)));
  const inOrder = (some: Iterable<string>): readonly string[] => {
    const wanted = new Set(some);
    return [...new Set([...names.filter((name) => wanted.has(name)), ...wanted])];
  };
  return {
    ...twins,
    exchanges,
    testOf,
    unitOf,
    units: new Set(twins.sessions.flatMap(({ alike }) => alike.flat().map(unitOf))),
    /** The units whose answers differ under a steering. */
    unitsUnder,
    /** The answers that differ if the units that meet a steering are steered one by one. */
    differencesOfUnits: (steering: Steering, at?: readonly EndpointId[]) =>
      Array.from(unitsUnder(steering, at)).flatMap((unit) =>
        twinsOf(unit)
          .differences(steering, at)
          .filter(({ exchange }) => unitOf(exchange) === unit),
      ),
    /** What a unit is answered if it alone is steered. */
    answersOf: (unit: Unit, steering: Steering) => {
      const { sessions, answers } = twinsOf(unit);
      return sessions.flatMap((session) => {
        const isOwn = (index: number): boolean => session.alike.some(({ [index]: met }) => met && unitOf(met) === unit);
        return answers(session, steering).filter((_, index) => isOwn(index));
      });
    },
    /** Names of tests as the run lists them, and others after them. */
    inOrder,
    testsOf: (some: readonly MetExchange[]): readonly string[] => inOrder(some.flatMap((one) => testOf(one) ?? [])),
  };
}

/**
 * Parts the tests into units that can be steered each in another way in the same run. All tests are one unit for a request of
 * which nobody knows the test.
 */
function unitsOf(twins: Twins, tests: readonly string[], testOf: TestOf): (met: MetExchange) => Unit {
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
    const group = senderOf(met) && groups.get(testOf(met));
    return (group && units.get(group)) || whole;
  };
}

/** Pairs of tests of which one names what the other has made. What is steered changes nothing else in a session. */
function dependencies({ sessions, answers }: Twins, testOf: TestOf): readonly (readonly [string, string])[] {
  return sessions.flatMap((session) => {
    const made = answers(session).map((answer, index) => {
      if (session.exchanges[index]?.request.method !== 'POST') return undefined;
      const { agent, workspace } = (parseJson(answer?.body ?? '') ?? {}) as Readonly<Record<string, JsonObject>>;
      return (agent ?? workspace)?.['id'];
    });
    return session.exchanges.flatMap(({ request: { target, body = '' } }, user) => {
      const makers = made.flatMap((id, maker) =>
        maker < user && typeof id === 'string' && `${target} ${body}`.includes(id) ? maker : [],
      );
      return makers.flatMap((maker) =>
        session.alike.map((copy) => {
          const [from = '', to = ''] = [maker, user].map((index) => copy[index] && testOf(copy[index]));
          return [from, to] as const;
        }),
      );
    });
  });
}

/** The identifier of the agent in a target, as it was sent; empty if there is none. */
export function agentIdIn({ request: { target } }: MetExchange): string {
  return /\/agents\/(?!import(?:[/?]|$))([^/?]+)/.exec(target)?.[1] ?? '';
}

/** The test that sent a request, by the name that the report has for it; `undefined` if nothing tells. */
type TestOf = (met: MetExchange) => string | undefined;

/** Only what names of tests have in common, whatever a runner puts between their parts. */
const bare = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/**
 * Finds tests by what the runner tells inside a test, by the session that a fixture names after the test, by a W3C trace or
 * session header with the test's name, or by the time, if only one test ran then.
 */
function attribution(tests: readonly TestResult[]): TestOf {
  const byName = new Map(tests.map(({ name }) => [bare(name), name]));
  /** A title alone tells if only one test has it. */
  const byTitle = new Map<string, string | undefined>();
  for (const { name } of tests) {
    const title = bare(name.split(' › ').slice(1).join());
    byTitle.set(title, byTitle.has(title) ? undefined : name);
  }
  const found = (name: string): string | undefined => byName.get(bare(name)) ?? byTitle.get(bare(name));
  return ({ test, file, session, came, request: { headers } }) => {
    if (test !== undefined && test !== '') {
      // Results of pytest name modules, without the ending of their files.
      const place = bare(`${path.basename(file ?? '', '.py')}${test}`);
      return tests.find(({ name }) => bare(name).endsWith(place))?.name ?? found(test) ?? test;
    }
    const byId = tests.find(({ id = '' }) => id !== '' && session.startsWith(id));
    if (byId) return byId.name;
    const told = [session, headers['tracestate'] ?? '', headers['baggage'] ?? ''].map(found).find(Boolean);
    if (told !== undefined) return told;
    const then = tests.filter(({ from = Infinity, to = -Infinity }) => from <= came && came <= to);
    for (const some of [then, tests]) if (some.length === 1) return some[0]?.name;
    return session === '' ? undefined : `session ${session}`;
  };
}
