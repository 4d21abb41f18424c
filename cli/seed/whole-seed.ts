import { validate, type SchemaName } from '../../spec/index.ts';
import { pointerTokens } from '../../spec/json-pointer.ts';
import { isObject, type JsonObject } from '../../mock/json.ts';
import { blankFlow, publicForm } from '../../mock/store/agent-forms.ts';
import type { Seed } from '../../mock/index.ts';

/** What was returned last, by identifier. */
export interface Collected {
  readonly workspaces: Map<string, JsonObject>;
  readonly agents: Map<string, JsonObject>;
  readonly published: Map<string, JsonObject>;
  readonly results: Map<string, Map<string, JsonObject>>;
  /** Results without an id, which cannot be told apart. */
  nameless: number;
}

/** Collected things, as a complete world for a mock. */
export interface WholeSeed {
  readonly seed: Seed;
  /** Things that no mock can hold, and why, as sentences. */
  readonly refused: readonly string[];
  /** The number of documented values that are null, which seed data cannot express. */
  readonly nulls: number;
}

/** The valid things, and minimal ones that they refer to and that no answer shows. */
export function wholeSeed({ workspaces, agents, published, results, nameless }: Collected): WholeSeed {
  const valid = createFilter();
  const shownAgents = valid.each(agents, (agent) => `agent-${form(agent)}`, 'agents');
  const shownResults = new Map(
    [...results].map(([id, list]) => [id, oldestFirst([...valid.each(list, () => 'result', 'results').values()])]),
  );
  const forms = valid.each(published, (one) => `public-agent-${form(one)}`, 'published');
  const allAgents = new Map([
    ...[...shownResults, ...forms].map(([id, of]) => [id, unseenAgent(id, of)] as const),
    ...shownAgents,
  ]);
  const unnamed = `${nameless} results have no id, so duplicates among them cannot be told apart.`;
  const shownWorkspaces = valid.each(workspaces, () => 'workspace', 'workspaces');
  return {
    seed: {
      whole: true,
      workspaces: [...shownWorkspaces.values(), ...unseenWorkspaces(allAgents, shownWorkspaces)],
      agents: [...allAgents.values()],
      publishedAgents: Object.fromEntries([...madeForms(shownAgents), ...forms]),
      results: Object.fromEntries(shownResults),
    },
    refused: nameless === 0 ? valid.refused : [unnamed, ...valid.refused],
    nulls: valid.nulls(),
  };
}

const form = ({ version }: JsonObject): 'v6' | 'v5' => (version === '6' ? 'v6' : 'v5');

/** Lets through what fits its schema, without undocumented nulls, and remembers what does not. */
function createFilter(): {
  readonly refused: readonly string[];
  readonly nulls: () => number;
  readonly each: (
    things: ReadonlyMap<string, JsonObject>,
    schemaOf: (thing: JsonObject) => SchemaName,
    group: string,
  ) => Map<string, JsonObject>;
} {
  const refused: string[] = [];
  let nulls = 0;
  return {
    refused,
    nulls: () => nulls,
    each(things, schemaOf, group) {
      const fitting = new Map<string, JsonObject>();
      for (const [id, thing] of things) {
        const schema = schemaOf(thing);
        const without = withoutNulls(schema, thing);
        const wrong = wrongWith(schema, without.value);
        if (wrong !== undefined) {
          refused.push(`${group}/${id}${wrong}`);
          continue;
        }
        nulls += without.nulls;
        fitting.set(id, without.value);
      }
      return fitting;
    },
  };
}

/** The first place that is wrong, and why. */
function wrongWith(schema: SchemaName, value: JsonObject): string | undefined {
  const [wrong] = validate(schema, value);
  if (wrong) return `${wrong.at} must be ${wrong.expected}; it is ${wrong.actual}.`;
  if (schema !== 'result' || Number.isFinite(instant(value))) return undefined;
  return '/createdAt is not an instant such as 2026-05-20T15:30:00Z.';
}

/** Results of one instant keep the order of their list, which was newest first. */
const oldestFirst = (results: readonly JsonObject[]): readonly JsonObject[] =>
  results.toReversed().toSorted((one, other) => instant(one) - instant(other));

/** The published forms of agents that are shown as published; recorded forms take precedence. */
function madeForms(agents: ReadonlyMap<string, JsonObject>): readonly (readonly [id: string, form: JsonObject])[] {
  return [...agents].flatMap(([id, agent]) => {
    const at = [agent['publishedAt'], agent['updatedAt'], agent['createdAt']].find((one) => typeof one === 'string');
    const isPublished = agent['isPublished'] === true && agent['version'] === '6' && at !== undefined;
    if (isPublished) return [[id, publicForm(agent, id, at)] as const];
    return [];
  });
}

/** Its creation time in epoch milliseconds; NaN if it cannot be read. */
const instant = ({ createdAt }: JsonObject): number => {
  if (typeof createdAt === 'string') return Date.parse(createdAt);
  return Number.NaN;
};

/** An agent that only other things refer to. */
function unseenAgent(id: string, of: JsonObject | readonly JsonObject[]): JsonObject {
  const agent: JsonObject = { version: '6', id, name: 'Agent', ...blankFlow(id) };
  const { workspaceId } = [of].flat()[0] ?? {};
  if (typeof workspaceId === 'string') return { ...agent, workspaceId };
  return agent;
}

/** Workspaces that only agents refer to. */
function unseenWorkspaces(
  agents: ReadonlyMap<string, JsonObject>,
  shown: ReadonlyMap<string, JsonObject>,
): readonly JsonObject[] {
  const ids = new Set([...agents.values()].map(({ workspaceId }) => workspaceId));
  return [...ids].flatMap((id) =>
    typeof id === 'string' && id !== '' && !shown.has(id) ? [{ id, name: 'Workspace' }] : [],
  );
}

/** A value without each `null` that its schema does not allow. */
function withoutNulls(schema: SchemaName, value: JsonObject): { readonly value: JsonObject; readonly nulls: number } {
  const wrong = validate(schema, value).filter(({ actual }) => actual === 'null');
  if (wrong.length === 0) return { value, nulls: 0 };
  const copy = structuredClone(value);
  for (const { at } of wrong) {
    const path = [...pointerTokens(at)];
    const last = path.pop();
    const holder = path.reduce<unknown>(
      (inside, name) => (inside as Record<string, unknown> | undefined)?.[name],
      copy,
    );
    if (last !== undefined && isObject(holder)) Reflect.deleteProperty(holder, last);
  }
  return { value: copy, nulls: wrong.length };
}
