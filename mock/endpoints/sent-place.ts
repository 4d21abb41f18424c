import { pointerTo, pointerTokens } from '../../spec/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../text/json.ts';

/**
 * Maps a place in the version 6 form of an agent back to its place in the sent version 5 form (JSON Pointers). The
 * conversion drops groups, reorders edges, and turns the start group into the start event.
 */
export function sentPlace(sent: JsonObject, changed: JsonObject, at: string): string {
  const [top, field, index, ...rest] = pointerTokens(at);
  const [before, after] = [sent['agent'], changed['agent']];
  if (top !== 'agent' || field === undefined || index === undefined || !isObject(before) || !isObject(after)) return at;
  const tail = pointerTo(rest);
  const groups = itemsOf(before['groups']);
  const start = groups.findIndex((group) => startBlock(group) >= 0);
  if (before[field] === after[field]) return at;
  if (field === 'events' && !Array.isArray(before['events']) && start >= 0) {
    const block = tail === '/outgoingEdgeId' ? `/blocks/${startBlock(groups[start])}` : '';
    return `/agent/groups/${start}${block}${tail}`;
  }
  if (field !== 'groups' && field !== 'edges') return at;
  const item = itemsOf(after[field])[Number(index)];
  const same = itemsOf(before[field]).indexOf(item ?? null);
  if (item !== undefined && same >= 0) return `/agent/${field}/${same}${tail}`;
  if (field === 'groups') {
    if (start < 0) return at;
    return `/agent/groups/${start}${tail}`;
  }
  const edge = itemsOf(before['edges']).findIndex(
    (sentEdge) => isObject(sentEdge) && isObject(item) && sentEdge['id'] === item['id'],
  );
  if (edge < 0) return at;
  return `/agent/edges/${edge}${tail}`;
}

const itemsOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** The index of a group's start block, or -1. */
const startBlock = (group: Json | undefined): number => {
  if (isObject(group))
    return itemsOf(group['blocks']).findIndex((block) => isObject(block) && block['type'] === 'start');
  return -1;
};
