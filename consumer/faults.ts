import { requirements, violationIds, violations, type ViolationId } from '../spec/index.ts';
import { culprits } from './bisect.ts';
import type { TestOf } from './attribution.ts';
import { harmOf, seenIn } from './harm.ts';
import type { ClientFinding, FaultScore } from './report.ts';
import type { Trials } from './trials.ts';
import type { Difference, Twins } from './twins.ts';

/** A violation that changes answers which the tests met. */
export interface ReachedFault {
  readonly id: ViolationId;
  /** The first answers that differ. */
  readonly shows: readonly Difference[];
}

/** The violations that the tests could notice, the most harmful first. */
export function faultsReached({ differences }: Twins): readonly ReachedFault[] {
  return violationIds
    .map((id): ReachedFault => ({ id, shows: differences({ faults: [id] }, violations[id].at) }))
    .filter(({ shows }) => shows.length > 0)
    .toSorted((a, b) => harmOf(b.id).harm - harmOf(a.id).harm);
}

export interface FaultResult {
  readonly findings: readonly ClientFinding[];
  readonly score: FaultScore;
}

/** Runs after which it shows whether faults are mostly noticed. */
const SINGLE = 6;
/** Faults that are committed together where most go unnoticed. */
const GROUP = 4;

/** Runs the tests under each violation that they reach. A sample takes some from each degree of harm. */
export async function judgeFaults(
  reached: readonly ReachedFault[],
  { run }: Trials,
  { testOf, sample }: { readonly testOf: TestOf; readonly sample?: number | undefined },
): Promise<FaultResult> {
  const noticed = new Set<ViolationId>();
  const unnoticed = new Set<ViolationId>();
  const step = sample === undefined ? 1 : Math.max(1, reached.length / sample);
  const chosen = reached.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const isRed = async (some: readonly ReachedFault[]): Promise<boolean | undefined> => {
    const trial = await run({ faults: some.map(({ id }) => id) });
    if (trial === undefined) return undefined;
    const isNoticed = trial.failed.length > 0;
    if (!isNoticed) for (const { id } of some) unnoticed.add(id);
    if (isNoticed && some.length === 1) for (const { id } of some) noticed.add(id);
    return isNoticed;
  };
  const waiting = [...chosen];
  while (waiting.length > 0) {
    const tried = noticed.size + unnoticed.size;
    const isMostlyBlind = tried >= SINGLE && noticed.size * 4 < tried;
    const group = takeApart(waiting, isMostlyBlind ? GROUP : 1);
    let isLate = false;
    await culprits(group, isRed, () => (isLate = true));
    if (isLate) break;
  }
  const isTried = (id: ViolationId): boolean => noticed.has(id) || unnoticed.has(id);
  const blind = reached.filter(({ id }) => unnoticed.has(id) && !noticed.has(id));
  return {
    findings: blind.map((one) => findingOf(one, testOf)),
    score: {
      noticed: [...noticed],
      unnoticed: blind.map(({ id }) => id),
      unreached: violationIds.filter((id) => !reached.some((one) => one.id === id)),
      untried: reached.map(({ id }) => id).filter((id) => !isTried(id)),
    },
  };
}

/** Takes faults that share no endpoint, so that one does not hide another. */
function takeApart(waiting: ReachedFault[], most: number): readonly ReachedFault[] {
  const taken: ReachedFault[] = [];
  for (const one of waiting.slice()) {
    if (taken.length === most) break;
    const isApart = taken.every(({ id }) => !violations[id].at.some((at) => violations[one.id].at.includes(at)));
    if (!isApart) continue;
    taken.push(one);
    waiting.splice(waiting.indexOf(one), 1);
  }
  return taken;
}

function findingOf({ id, shows }: ReachedFault, testOf: TestOf): ClientFinding {
  const { does, breaks } = violations[id];
  const { harm, says } = harmOf(id);
  const [first] = shows;
  const tests = [...new Set(shows.flatMap(({ exchange }) => testOf(exchange) ?? []))];
  const begin = tests[0] === undefined ? 'a test that asks for this' : `"${tests[0]}"`;
  return {
    id: `faults:${id}`,
    aspect: 'faults',
    says: `No test notices: ${does}`,
    why: [says, first && seenIn(first)].filter(Boolean).join(' '),
    section: requirements[breaks].section,
    remedy: `Begin with ${begin}: let it expect what is right there.`,
    tests,
    again: `agent-contract run --fault ${id} -- <test command>`,
    harm,
  };
}
