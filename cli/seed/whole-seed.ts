import { validate, type SchemaName } from '../../spec/index.ts';
import { withoutPlace } from '../../spec/json-pointer.ts';
import type { JsonObject } from '../../text/json.ts';
import { blankFlow, publicForm } from '../../mock/store/agent-forms.ts';
import type { Seed } from '../../mock/index.ts';

export type Collected = ReturnType<typeof nothingYet>;

export const nothingYet = () => ({
  workspaces: new Map<string, JsonObject>(),
  agents: new Map<string, JsonObject>(),
  published: new Map<string, JsonObject>(),
  results: new Map<string, Map<string, JsonObject>>(),
  /** Results without an id, which cannot be told apart. */
  nameless: 0,
});

/** Collected things as a complete world, with minimal ones that they refer to; also what no seed can hold, and why. */
export function wholeSeed({ workspaces, agents, published, results, nameless }: Collected) {
  const refused: string[] = [];
  if (nameless > 0) refused.push(`${nameless} results have no id, so duplicates among them cannot be told apart.`);
  let nulls = 0;
  /** What fits its schema, without undocumented nulls. */
  const valid = (
    group: string,
    things: ReadonlyMap<string, JsonObject>,
    kind: 'agent' | 'public-agent' | 'result' | 'workspace',
  ) => {
    const fitting = new Map<string, JsonObject>();
    for (const [id, thing] of things) {
      const form = thing['version'] === '6' ? 'v6' : 'v5';
      const schema = kind === 'result' || kind === 'workspace' ? kind : (`${kind}-${form}` as const);
      const places = validate(schema, thing).filter(({ at, actual }) => actual === 'null' && !/\/\d+$/.test(at));
      const value = places.reduce((rest, { at }) => withoutPlace(rest, at), thing);
      const wrong = wrongWith(schema, value);
      if (wrong !== undefined) {
        refused.push(`${group}/${id}${wrong}`);
        continue;
      }
      nulls += places.length;
      fitting.set(id, value);
    }
    return fitting;
  };
  const shownAgents = valid('agents', agents, 'agent');
  // Oldest first: those of one instant keep the order of their list, which was newest first.
  const shownResults = new Map(
    [...results].map(([id, list]) => {
      const shown = [...valid('results', list, 'result').values()];
      return [id, shown.toReversed().toSorted((one, other) => instant(one) - instant(other))] as const;
    }),
  );
  const forms = valid('published', published, 'public-agent');
  const allAgents = new Map([
    ...[...shownResults, ...forms].map(([id, of]) => [id, unseenAgent(id, of)] as const),
    ...shownAgents,
  ]);
  const shownWorkspaces = valid('workspaces', workspaces, 'workspace');
  const seed: Seed = {
    whole: true,
    workspaces: [...shownWorkspaces.values(), ...unseenWorkspaces(allAgents, shownWorkspaces)],
    agents: [...allAgents.values()],
    publishedAgents: Object.fromEntries([...madeForms(shownAgents), ...forms]),
    results: Object.fromEntries(shownResults),
  };
  return { seed, refused, nulls };
}

function wrongWith(schema: SchemaName, value: JsonObject): string | undefined {
  const [wrong] = validate(schema, value);
  if (wrong) return `${wrong.at} must be ${wrong.expected}; it is ${wrong.actual}.`;
  if (schema !== 'result' || Number.isFinite(instant(value))) return undefined;
  return '/createdAt is not an instant such as 2026-05-20T15:30:00Z.';
}

/** The published forms of agents that are shown as published; recorded forms take precedence. */
function madeForms(agents: ReadonlyMap<string, JsonObject>): readonly (readonly [id: string, form: JsonObject])[] {
  return [...agents].flatMap(([id, agent]) => {
    const at = [agent['publishedAt'], agent['updatedAt'], agent['createdAt']].find((one) => typeof one === 'string');
    if (agent['isPublished'] !== true || agent['version'] !== '6' || at === undefined) return [];
    return [[id, publicForm(agent, id, at)] as const];
  });
}

/** Its creation time in epoch milliseconds; NaN if it cannot be read. */
function instant({ createdAt }: JsonObject): number {
  return typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
}

/** An agent that only other things refer to. */
function unseenAgent(id: string, of: JsonObject | readonly JsonObject[]): JsonObject {
  const { workspaceId } = [of].flat()[0] ?? {};
  const agent = { version: '6', id, name: 'Agent', ...blankFlow(id) };
  if (typeof workspaceId !== 'string') return agent;
  return { ...agent, workspaceId };
}

function unseenWorkspaces(
  agents: ReadonlyMap<string, JsonObject>,
  shown: ReadonlyMap<string, JsonObject>,
): readonly JsonObject[] {
  const ids = new Set([...agents.values()].map(({ workspaceId }) => workspaceId));
  return [...ids].flatMap((id) =>
    typeof id === 'string' && id !== '' && !shown.has(id) ? [{ id, name: 'Workspace' }] : [],
  );
}
