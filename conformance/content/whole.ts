import { field, stringAt, type JsonObject } from '../json.ts';

/**
 * Whether a sent agent refers only to its own parts, and reuses no identifier. The specification does not show what a
 * server does with any other.
 */
export function isWhole(agent: JsonObject): boolean {
  const [groups, events, edges, variables] = ['groups', 'events', 'edges', 'variables'].map((name) =>
    itemsOf(agent, name),
  );
  if (!groups || !events || !edges || !variables) return false;
  const blocks = groups.flatMap((group) => itemsOf(group, 'blocks'));
  const [inGroups, inBlocks, inEvents, inEdges] = [groups, blocks, events, edges].map(idsOf);
  if (!inGroups || !inBlocks || !inEvents || !inEdges) return false;
  const isThere = (id: string | undefined, among: ReadonlySet<string>): boolean => id === undefined || among.has(id);
  return (
    [groups, blocks, events, edges, variables].every((of) => areApart(of, 'id')) &&
    areApart(variables, 'name') &&
    edges.every(
      (edge) =>
        isThere(stringAt(edge, 'from', 'blockId'), inBlocks) &&
        isThere(stringAt(edge, 'from', 'eventId'), inEvents) &&
        isThere(stringAt(edge, 'to', 'groupId'), inGroups) &&
        isThere(stringAt(edge, 'to', 'blockId'), inBlocks),
    ) &&
    [...events, ...blocks].every((one) => isThere(stringAt(one, 'outgoingEdgeId'), inEdges))
  );
}

const namesOf = (of: readonly unknown[], name: string): readonly string[] =>
  of.flatMap((one) => stringAt(one, name) ?? []);

const idsOf = (of: readonly unknown[]): ReadonlySet<string> => new Set(namesOf(of, 'id'));

function areApart(of: readonly unknown[], name: string): boolean {
  const names = namesOf(of, name);
  return new Set(names).size === names.length;
}

function itemsOf(of: unknown, name: string): readonly unknown[] {
  const items = field(of, name);
  if (Array.isArray(items)) return items;
  return [];
}
