import { arrayAt, stringAt, type JsonObject } from '../json.ts';

/**
 * Whether a sent agent refers only to its own parts, and reuses no identifier. The specification does not show what a
 * server does with any other.
 */
export function isWhole(agent: JsonObject): boolean {
  const [groups, events] = [arrayAt(agent, 'groups'), arrayAt(agent, 'events')];
  const [edges, variables] = [arrayAt(agent, 'edges'), arrayAt(agent, 'variables')];
  const blocks = groups.flatMap((group) => arrayAt(group, 'blocks'));
  const [inGroups, inBlocks] = [new Set(namesOf(groups, 'id')), new Set(namesOf(blocks, 'id'))];
  const [inEvents, inEdges] = [new Set(namesOf(events, 'id')), new Set(namesOf(edges, 'id'))];
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

function areApart(of: readonly unknown[], name: string): boolean {
  const names = namesOf(of, name);
  return new Set(names).size === names.length;
}
