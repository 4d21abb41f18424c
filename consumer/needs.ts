import { violations, type EndpointId, type RequirementId, type ViolationId } from '../spec/index.ts';
import { grouping, valueFor } from '../conformance/collections.ts';
import { pointerTokens } from '../spec/json-pointer.ts';
import { locationsOf } from '../mock/faults/shape.ts';
import { alterationId, waysToAlter, type WayToAlter } from '../mock/steering/altered.ts';
import { culprits } from './bisect.ts';
import { together, type Freedom } from './freedom.ts';
import type { ClientNeeds, Coverage, EndpointNeeds } from './report.ts';
import { isRedUnder, type Trials } from './trials.ts';
import type { Twins } from './twins.ts';
import type { Unit, UnitOf } from './units.ts';

/** A documented place in the answers of an endpoint, altered in one way. */
type Alteration = ReturnType<typeof alterationOf>;

/**
 * What the tests need of the answers. Places are tried in groups, those of one depth together, and what is below a place only
 * if the tests need that: whoever reads no theme reads no colour in it.
 */
export async function findNeeds(
  { sessions, differences }: Twins,
  trials: Trials,
  unitOf: UnitOf,
  endpoints: readonly EndpointId[],
): Promise<{ readonly needed: readonly Alteration[]; readonly open: readonly string[] }> {
  const open: string[] = [];
  const all = endpoints.flatMap((endpoint) => placesOf(endpoint).map((pointer) => ({ endpoint, pointer })));
  const deepest = Math.max(0, ...all.map(({ pointer }) => depthOf(pointer)));
  const shows = new Map<string, ReadonlySet<Unit>>();
  const shownTo = ({ id, endpoint, steering }: Alteration): ReadonlySet<Unit> =>
    valueFor(shows, id, () => new Set(differences(steering, [endpoint]).map(({ exchange }) => unitOf(exchange))));
  /** What one unit needs, from the outside to the inside. */
  const needsOf = async (unit: Unit): Promise<readonly Alteration[]> => {
    const needed: Alteration[] = [];
    const isRed = (some: readonly Alteration[]) => isRedUnder(together(some), trials, unit);
    for (let depth = 1; depth <= deepest; depth++) {
      const here = all.filter(({ endpoint, pointer }) => {
        const around = pointer.replace(/(?:\/\*)?\/[^/]+$/, '');
        const isRead = needed.some((one) => one.endpoint === endpoint && one.pointer === around);
        return depthOf(pointer) === depth && (around === '' || isRead);
      });
      const shown = waysToAlter
        .flatMap((way) => here.map(({ endpoint, pointer }) => alterationOf(endpoint, pointer, way)))
        .filter((one) => shownTo(one).has(unit));
      // Two endpoints at once would hide what the second one is asked.
      const groups = grouping(shown, ({ endpoint, way }) => `${endpoint} ${way}`);
      const found = Array.from(groups.values(), (own) =>
        culprits(own, isRed, (late) => open.push(...late.map(({ id }) => id)), trials.parts),
      );
      needed.push(...(await Promise.all(found)).flat(2));
    }
    return needed;
  };
  const units = new Set(sessions.flatMap(({ alike }) => alike.flat().map(unitOf)));
  const needed = (await Promise.all(Array.from(units, needsOf))).flat();
  const distinct = new Map(needed.map((one) => [one.id, one]));
  return { needed: [...distinct.values()], open };
}

/** How many fields deep a place is. */
function depthOf(pointer: string): number {
  return pointerTokens(pointer).filter((name) => name !== '*').length;
}

function alterationOf(endpoint: EndpointId, pointer: string, way: WayToAlter) {
  const id = alterationId(endpoint, pointer, way);
  return { id, endpoint, pointer, way, steering: { alterations: [id] } };
}

/** The documented fields; an item of a list is none. */
const placesOf = (endpoint: EndpointId): readonly string[] =>
  locationsOf(endpoint)
    .map(({ pointer }) => pointer)
    .filter((pointer) => pointer !== '' && !pointer.endsWith('/*'));

/** What `client.needs.json` holds. */
export function needsFile(
  { client, made }: Pick<ClientNeeds, 'client' | 'made'>,
  coverage: Coverage,
  needed: readonly Alteration[],
  red: readonly Freedom[],
  noticed: readonly ViolationId[],
  undecided: number,
): ClientNeeds {
  const asked = Object.entries(coverage.endpoints) as [EndpointId, Coverage['endpoints'][EndpointId]][];
  const worksNotWith: Partial<Record<string, string[]>> = {};
  for (const { steering } of red)
    for (const [gap, choice] of Object.entries(steering.choices ?? {})) (worksNotWith[gap] ??= []).push(choice);
  const requirements = new Set<RequirementId>(noticed.map((id) => violations[id].breaks));
  return {
    kind: 'agent-contract-needs',
    version: 1,
    client,
    made,
    endpoints: Object.fromEntries(
      asked.map(([endpoint, used]): [EndpointId, EndpointNeeds] => {
        const fields: Record<string, WayToAlter[]> = {};
        for (const { pointer, way } of needed.filter((one) => one.endpoint === endpoint))
          (fields[pointer] ??= []).push(way);
        return [endpoint, { parameters: used?.parameters ?? [], fields }];
      }),
    ),
    worksNotWith,
    requirements: [...requirements],
    undecided: undecided > 0 ? undecided : undefined,
  };
}
