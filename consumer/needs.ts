import { violations, type EndpointId, type ViolationId } from '../spec/index.ts';
import { grouping, oncePer } from '../conformance/collections.ts';
import { pointerTokens } from '../spec/json-pointer.ts';
import { locationsOf } from '../mock/faults/shape.ts';
import { alterationId, waysToAlter, type WayToAlter } from '../mock/faults/altered.ts';
import { redParts } from './bisect.ts';
import type { FirstRun, Unit } from './first-run.ts';
import type { judgeFreedom } from './freedom.ts';
import type { ClientNeeds, RequestCoverage, EndpointNeeds } from './report.ts';
import type { Trials } from './trials.ts';
import { oneByOne } from './twins.ts';

/** A documented place in the answers of an endpoint, altered in one way. */
type Alteration = ReturnType<typeof alterationsOf>[number];

/**
 * What the tests need of the answers. Places are tried in groups, those of one depth together, and what is below a place only
 * if the tests need that: whoever reads no theme reads no colour in it.
 */
export async function findNeeds({ units, unitsUnder }: FirstRun, trials: Trials, endpoints: readonly EndpointId[]) {
  const open = new Set<string>();
  const all = endpoints.flatMap(alterationsOf);
  const shownTo = oncePer(({ endpoint, steering }: Alteration) => unitsUnder(steering, [endpoint]));
  /** What one unit needs, from the outside to the inside. */
  const needsOf = async (unit: Unit): Promise<readonly Alteration[]> => {
    const needed: Alteration[] = [];
    let tried = 0;
    for (const depth of new Set(all.map((one) => one.depth).toSorted((a, b) => a - b))) {
      const reachable = all.filter((one) => {
        const isRead = needed.some(({ endpoint, pointer }) => endpoint === one.endpoint && pointer === one.around);
        return one.depth === depth && (one.around === '' || isRead);
      });
      const showing = await oneByOne(reachable, shownTo);
      const shown = reachable.filter((_, index) => showing[index]?.has(unit));
      // Two endpoints at once would hide what the second one is asked.
      const groups = grouping(shown, ({ endpoint, way }) => `${endpoint} ${way}`);
      // Who reads most of what is there is asked about each field by itself: halves would all be red.
      const parts = 2 * needed.length > tried ? all.length : trials.parts;
      tried += shown.length;
      const found = await Promise.all(Array.from(groups.values(), (own) => redParts(own, trials, unit, open, parts)));
      needed.push(...found.flat().flatMap(({ part }) => part));
    }
    return needed;
  };
  const needed = new Set((await Promise.all(Array.from(units, needsOf))).flat());
  const known = new Set(Array.from(needed, ({ field }) => field));
  const others = all.filter(({ field }) => !known.has(field));
  const late = new Set(others.filter(({ id }) => open.has(id)).map(({ field }) => field));
  return {
    needed: all.filter((one) => needed.has(one)),
    /** The fields of which nothing is known. */
    open: [...late],
    /** Those without which no test fails, and around which all is known. */
    unread: new Set(others.map(({ field }) => field).filter((field) => !isWithin(late, field))),
  };
}

/** Whether a field is one of several, or below one of them. */
export function isWithin(some: ReadonlySet<string>, field: string): boolean {
  const names = field.split('/');
  return names.some((_, end) => some.has(names.slice(0, end + 1).join('/')));
}

/** The documented fields of an endpoint, each altered in every way; an item of a list is none. */
function alterationsOf(endpoint: EndpointId) {
  const places = locationsOf(endpoint).filter(({ pointer }) => pointer !== '' && !pointer.endsWith('/*'));
  return places.flatMap(({ pointer }) =>
    waysToAlter.map((way) => {
      const id = alterationId(endpoint, pointer, way);
      return {
        id,
        endpoint,
        pointer,
        way,
        field: `${endpoint}:${pointer}`,
        steering: { faults: [id] },
        /** The field around it. */
        around: pointer.replace(/(?:\/\*)?\/[^/]+$/, ''),
        /** How many fields deep it is. */
        depth: pointerTokens(pointer).filter((name) => name !== '*').length,
      };
    }),
  );
}

/** What `client.needs.json` holds. */
export function needsFile(
  { client, made }: Pick<ClientNeeds, 'client' | 'made'>,
  coverage: RequestCoverage,
  needed: readonly Alteration[],
  red: Awaited<ReturnType<typeof judgeFreedom>>['red'],
  noticed: readonly ViolationId[],
  undecided: number,
): ClientNeeds {
  const worksNotWith: Partial<Record<string, string[]>> = {};
  for (const { steering } of red)
    for (const [gap, choice] of Object.entries(steering.choices ?? {})) (worksNotWith[gap] ??= []).push(choice);
  const endpoints = Object.entries(coverage.endpoints).map(([endpoint, { parameters }]): [string, EndpointNeeds] => {
    const fields: Record<string, WayToAlter[]> = {};
    for (const one of needed) if (one.endpoint === endpoint) (fields[one.pointer] ??= []).push(one.way);
    return [endpoint, { parameters, fields }];
  });
  return {
    kind: 'agent-contract-needs',
    version: 1,
    client,
    made,
    endpoints: Object.fromEntries(endpoints),
    worksNotWith,
    requirements: [...new Set(noticed.map((id) => violations[id].breaks))],
    undecided: undecided || undefined,
  };
}
