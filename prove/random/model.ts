import { field } from '../../conformance/json.ts';
import type { RandomRequest } from './sending.ts';

/** What a client knows of its session. */
export type Model = ReturnType<typeof emptyModel>;

/** The model of a new session; the default session, of an empty name, has no other sessions beside it. */
export const emptyModel = (session: string) => ({
  session,
  // Other sessions of the client, for requests that the model cannot follow.
  malformed: session && `${session}-malformed`,
  odd: session && `${session}-odd`,
  agents: new Map<string, { readonly agent: unknown; isPublished: boolean; results: number }>(),
  workspaces: 0,
  sent: [] as RandomRequest[],
  /** For the next page of the list that was read last. */
  next: undefined as RandomRequest | undefined,
});

/** The differences between a session and its model, as lines. */
export async function compare(
  model: Model,
  get: (path: string) => Promise<{ readonly status: number; readonly json: unknown }>,
): Promise<string[]> {
  const differences: string[] = [];
  const expect = (what: string, actual: unknown, wanted: unknown): void => {
    const [found, expected] = [JSON.stringify(actual), JSON.stringify(wanted)];
    if (found !== expected)
      differences.push(`${model.session} ${what}: ${found?.slice(0, 300)}, not ${expected?.slice(0, 300)}`);
  };
  const itemsOf = async (path: string, name: string): Promise<readonly unknown[]> =>
    (field((await get(path)).json, name) ?? []) as readonly unknown[];
  const listed: unknown[] = [];
  for (let page: readonly unknown[] = [{}], offset = 0; page.length > 0; offset += 100) {
    page = await itemsOf(`/__admin/agents?limit=100&offset=${offset}`, 'agents');
    const created = page.filter((agent) => field(agent, 'origin') !== 'universe');
    listed.push(...created.map((agent) => field(agent, 'id')));
  }
  expect('agents', listed.toReversed(), [...model.agents.keys()]);
  for (const [id, { agent: created, isPublished, results }] of model.agents) {
    const agent = field((await get(`/api/v1/agents/${id}`)).json, 'agent');
    const changing = { isPublished: undefined, publishedAt: undefined };
    expect(`agent ${id}`, { ...(agent as object), ...changing }, { ...(created as object), ...changing });
    expect(`isPublished of ${id}`, field(agent, 'isPublished'), isPublished);
    const { status } = await get(`/api/v1/agents/${id}/publishedAgent`);
    expect(`published form of ${id}`, status, isPublished ? 200 : 404);
    const { json } = await get(`/__admin/agents/${id}/results?limit=1`);
    expect(`results of ${id}`, field(json, 'total'), results);
  }
  const own = (await itemsOf('/__admin/sessions', 'sessions')).find((one) => field(one, 'id') === model.session);
  expect('things created', field(own, 'created'), model.agents.size + model.workspaces);
  return differences;
}
