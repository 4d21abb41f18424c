import type { RandomRequest } from './sending.ts';

/** What a client knows of an agent that it created. */
export interface ModelAgent {
  readonly agent: unknown;
  isPublished: boolean;
  results: number;
}

/** What a client knows of its session. */
export interface Model {
  readonly session: string;
  /** Other sessions of the client, for requests that the model cannot follow. */
  readonly malformed: string;
  readonly odd: string;
  readonly agents: Map<string, ModelAgent>;
  workspaces: number;
  readonly sent: RandomRequest[];
  /** For the next page of the list that was read last. */
  next: RandomRequest | undefined;
}

/** The model of a new session; the default session, of an empty name, has no other sessions beside it. */
export const emptyModel = (session: string): Model => ({
  session,
  malformed: session && `${session}-malformed`,
  odd: session && `${session}-odd`,
  agents: new Map(),
  workspaces: 0,
  sent: [],
  next: undefined,
});

/** The differences between a session and its model, as lines. */
export async function compare(
  model: Model,
  get: (path: string) => Promise<{ readonly status: number; readonly json: unknown }>,
): Promise<string[]> {
  const differences: string[] = [];
  const expect = (what: string, met: unknown, wanted: unknown): void => {
    if (JSON.stringify(met) !== JSON.stringify(wanted))
      differences.push(
        `${model.session} ${what}: ${JSON.stringify(met)?.slice(0, 300)}, not ${JSON.stringify(wanted)?.slice(0, 300)}`,
      );
  };
  const listed: unknown[] = [];
  for (let offset = 0; ; offset += 100) {
    const { json } = await get(`/__admin/agents?limit=100&offset=${offset}`);
    const page = memberOf(json, 'agents');
    if (!Array.isArray(page) || page.length === 0) break;
    listed.push(
      ...page.filter((one) => memberOf(one, 'origin') !== 'universe').map((one: unknown) => memberOf(one, 'id')),
    );
  }
  expect('agents', listed.toReversed(), [...model.agents.keys()]);
  for (const [id, known] of model.agents) {
    const { json } = await get(`/api/v1/agents/${id}`);
    const agent = memberOf(json, 'agent');
    const unchanging = (of: unknown): unknown => {
      if (typeof of === 'object' && of !== null) return { ...of, isPublished: undefined, publishedAt: undefined };
      return of;
    };
    expect(`agent ${id}`, unchanging(agent), unchanging(known.agent));
    expect(`isPublished of ${id}`, memberOf(agent, 'isPublished'), known.isPublished);
    expect(
      `published form of ${id}`,
      (await get(`/api/v1/agents/${id}/publishedAgent`)).status,
      known.isPublished ? 200 : 404,
    );
    expect(
      `results of ${id}`,
      memberOf((await get(`/__admin/agents/${id}/results?limit=1`)).json, 'total'),
      known.results,
    );
  }
  const { json } = await get('/__admin/sessions');
  const own = (memberOf(json, 'sessions') as readonly unknown[]).find((one) => memberOf(one, 'id') === model.session);
  expect('things created', memberOf(own, 'created'), model.agents.size + model.workspaces);
  return differences;
}

/** A member of parsed JSON; `undefined` if there is none of that name. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, name))
    return (value as Readonly<Record<string, unknown>>)[name];
  return undefined;
}
