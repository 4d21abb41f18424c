import type { Finding } from '../check.ts';
import { field, isObject, type JsonObject } from '../json.ts';
import { show } from '../show.ts';

/** A part of an agent that no server has reason to alter, in a form that can be compared. */
export interface Part {
  /** The documented field of which it is a part. */
  readonly field: string;
  /** JSON Pointer below the agent. */
  readonly at: string;
  /** In words. */
  readonly what: string;
  /**
   * What `agent` shows of it, as far as `sent` asks for it; `undefined` where it shows nothing.
   * @throws Mistyped where it is of another type than documented.
   */
  read(agent: JsonObject, sent: JsonObject): string | undefined;
}

/** A part that is there, but of another type than documented: its shape is judged elsewhere. */
export class Mistyped extends Error {}

function stringPart(what: string, path: readonly [string, ...string[]], ignoresCase = false): Part {
  return {
    field: path[0],
    at: `/${path.join('/')}`,
    what,
    read(agent) {
      const found = field(agent, ...path);
      if (typeof found === 'string') return JSON.stringify(ignoresCase ? found.toLowerCase() : found);
      if (found === undefined) return undefined;
      throw new Mistyped(`${what} is ${show(found)}`);
    },
  };
}

function listPart(
  name: string,
  what: string,
  describe: (items: readonly JsonObject[], sent: JsonObject) => string,
): Part {
  return {
    field: name,
    at: `/${name}`,
    what,
    read(agent, sent) {
      const found = field(agent, name);
      if (found === undefined) return undefined;
      if (!Array.isArray(found)) throw new Mistyped(`${name} is ${show(found)}`);
      const items: unknown[] = found;
      if (!items.every(isObject)) throw new Mistyped(`${name} holds something else than objects`);
      return describe(items, sent);
    },
  };
}

const names = (items: readonly JsonObject[], name: string): readonly string[] =>
  items.map((item) => {
    const found = field(item, name);
    if (found !== undefined && typeof found !== 'string') throw new Mistyped(`${name} is ${show(found)}`);
    return found ?? '(none)';
  });

const list = (noun: string, entries: readonly string[]): string =>
  entries.length === 0 ? `no ${noun}` : `${entries.length} ${noun}: ${entries.map((entry) => show(entry)).join(', ')}`;

/** What is compared, so cautiously that identifiers and defaults, which a server may set freely, play no part. */
const parts: readonly Part[] = [
  stringPart('the name', ['name']),
  listPart('groups', 'the groups with their blocks', (groups) =>
    list(
      'groups',
      names(groups, 'title').map((title, i) => {
        const blocks = field(groups[i], 'blocks');
        if (blocks !== undefined && !Array.isArray(blocks)) throw new Mistyped(`blocks is ${show(blocks)}`);
        return `${title} (${blocks?.length ?? 0})`;
      }),
    ),
  ),
  listPart('events', 'the events', (events) => list('events', names(events, 'type').toSorted())),
  listPart('edges', 'the edges', (edges) => (edges.length === 0 ? 'no edges' : `${edges.length} edges`)),
  // A server may add variables of its own.
  listPart('variables', 'the variables', (variables, { variables: sent }) => {
    const asked = new Set(names(Array.isArray(sent) ? sent.filter(isObject) : [], 'name'));
    return list(
      'variables',
      names(variables, 'name')
        .filter((name) => asked.has(name))
        .toSorted(),
    );
  }),
  stringPart('the background of buttons', ['theme', 'chat', 'buttons', 'backgroundColor'], true),
  stringPart('the title of the page', ['settings', 'metadata', 'title']),
  stringPart('the description', ['description']),
  {
    field: 'tags',
    at: '/tags',
    what: 'the tags',
    read(agent) {
      const found = field(agent, 'tags');
      if (found === undefined) return undefined;
      if (!Array.isArray(found) || !found.every((tag) => typeof tag === 'string'))
        throw new Mistyped('tags is no array of strings');
      return list('tags', found.toSorted());
    },
  },
];

export interface Comparison {
  readonly findings: readonly Omit<Finding, 'exchanges'>[];
  /** Fields that could not be compared, with the reason. */
  readonly unclear: readonly string[];
  readonly compared: number;
}

/**
 * Compares what `sent` holds with what `shown` shows of it. What `shown` does not show is looked for in `elsewhere`, if
 * there is such a thing, and is lost where neither shows it; without `elsewhere` it is passed over.
 */
export function compareAgents(sent: JsonObject, shown: JsonObject, elsewhere?: JsonObject | 'unknown'): Comparison {
  const findings: Omit<Finding, 'exchanges'>[] = [];
  const unclear: string[] = [];
  let compared = 0;
  for (const part of parts) {
    try {
      const value = field(sent, part.field);
      const wanted = Array.isArray(value) && value.length === 0 ? undefined : part.read(sent, sent);
      if (wanted === undefined) continue;
      const met = part.read(shown, sent) ?? (isObject(elsewhere) ? part.read(elsewhere, sent) : undefined);
      if (met === undefined && elsewhere === undefined) continue;
      if (met === undefined && elsewhere === 'unknown') {
        unclear.push(`${part.what} is not shown`);
        continue;
      }
      compared++;
      if (met === wanted) continue;
      findings.push({
        expected: `${part.what} as sent: ${wanted}`,
        actual: met === undefined ? 'nothing' : met,
        at: `/agent${part.at}`,
      });
    } catch (error) {
      if (!(error instanceof Mistyped)) throw error;
      unclear.push(error.message);
    }
  }
  return { findings, unclear, compared };
}
