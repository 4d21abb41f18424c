import { connect } from 'node:net';
import fc from 'fast-check';
import { Pool } from 'undici';
import { oddRequest, type OddRequest } from './odd-requests.ts';
import { exchange, failureOf, written } from './raw-http.ts';
import { endpointIds, endpoints, schemas, timeFilters, type EndpointId } from '../../spec/index.ts';

/** What a fuzz run sends its requests to. */
export interface FuzzTarget {
  readonly baseUrl: string;
  readonly token: string;
  readonly workspaceId: string;
  readonly agentId: string;
  /** Bytes that the process of the target holds, or `undefined` where nobody knows. */
  readonly memory: () => number | undefined;
}

export interface FuzzReport {
  readonly requests: number;
  /** How many answers had each status; `closed` counts connections that ended without one, which only garbage may do. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers that nothing excuses: 5xx, or none at all to a request that was well formed. */
  readonly failures: readonly string[];
  /** Where the state of the target differs from that of the model. */
  readonly differences: readonly string[];
  readonly agents: number;
  /** Megabytes held after each tenth of the run. */
  readonly memory: readonly number[];
}

interface ModelAgent {
  readonly agent: unknown;
  isPublished: boolean;
  results: number;
}

/** What a worker knows of its own session. */
interface Model {
  readonly session: string;
  readonly agents: Map<string, ModelAgent>;
  workspaces: number;
}

const WORKERS = 8;
/** Requests after which a session is compared with its model, ended, and followed by a new one: what ends must leave nothing. */
const SESSION_LENGTH = 1500;
const MOST_SHOWN = 20;
/** Milliseconds for one odd request, on a machine that has other things to do. */
const LONGEST_WAIT = 20_000;

const junk = fc.string({ unit: 'binary', maxLength: 60 });
const documented = Object.keys(schemas['agent-v6'].properties ?? {});

const agentBody = fc
  .record({
    good: fc.dictionary(fc.constantFrom('description', 'icon', 'publicId'), fc.string({ maxLength: 20 })),
    bad: fc.option(
      fc.dictionary(fc.oneof(fc.constantFrom(...documented, '__proto__'), junk), fc.jsonValue({ maxDepth: 3 }), {
        maxKeys: 3,
      }),
      {
        freq: 3,
      },
    ),
    name: fc.string({ minLength: 1, maxLength: 30 }),
  })
  .map(({ good, bad, name }) => ({ ...good, ...bad, name }));

const query = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('limit'), fc.integer({ min: -2, max: 120 }).map(String)),
      fc.tuple(fc.constant('timeFilter'), fc.constantFrom(...timeFilters, 'Today', '')),
      fc.tuple(fc.constantFrom('timeZone', 'start', 'end', 'interval', 'cursor', '__code', 'x'), junk),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => new URLSearchParams(pairs).toString());

type Action =
  | { readonly kind: 'create' | 'import'; readonly agent: object; readonly isWhole: boolean }
  | { readonly kind: 'read' | 'list' | 'read-published'; readonly which: number; readonly query: string }
  | { readonly kind: 'publish' | 'unpublish' | 'add-results'; readonly which: number; readonly count: number }
  | { readonly kind: 'workspace'; readonly body: unknown }
  | {
      readonly kind: 'malformed';
      readonly endpoint: EndpointId;
      readonly id: string;
      readonly body: string | Uint8Array;
      readonly headers: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'odd'; readonly request: OddRequest }
  | { readonly kind: 'garbage'; readonly bytes: string };

const weighted = (weight: number, arbitrary: fc.Arbitrary<Action>): fc.WeightedArbitrary<Action> => ({
  weight,
  arbitrary,
});

const action: fc.Arbitrary<Action> = fc.oneof(
  weighted(12, fc.record({ kind: fc.constantFrom('create', 'import'), agent: agentBody, isWhole: fc.boolean() })),
  weighted(30, fc.record({ kind: fc.constantFrom('read', 'list', 'read-published'), which: fc.nat(), query })),
  weighted(
    8,
    fc.record({
      kind: fc.constantFrom('publish', 'unpublish', 'add-results'),
      which: fc.nat(),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  ),
  weighted(
    4,
    fc.record({
      kind: fc.constant('workspace' as const),
      body: fc.oneof(fc.record({ name: fc.string() }), fc.jsonValue({ maxDepth: 2 })),
    }),
  ),
  weighted(
    14,
    fc.record({
      kind: fc.constant('malformed' as const),
      endpoint: fc.constantFrom(...endpointIds),
      id: junk.map((id) => encodeURIComponent(id.replaceAll(/\p{Surrogate}/gu, ''))),
      body: fc.oneof(junk, fc.uint8Array({ maxLength: 300 }), fc.json({ maxDepth: 6 })),
      headers: fc.array(
        fc.tuple(
          fc.constantFrom(
            'prefer',
            'x-mock-now',
            'content-type',
            'authorization',
            'content-encoding',
            'accept',
            'origin',
          ),
          fc.oneof(
            fc.constantFrom(
              'gzip',
              'code=418',
              'delay=1',
              'example=none',
              'Bearer x',
              '2020-01-01',
              'fault=limit-ignored',
            ),
            fc.string({ maxLength: 30 }),
          ),
        ),
        { maxLength: 3 },
      ),
    }),
  ),
  weighted(20, fc.record({ kind: fc.constant('odd' as const), request: oddRequest })),
  weighted(
    2,
    fc.record({
      kind: fc.constant('garbage' as const),
      bytes: fc.oneof(
        junk,
        fc.constant('GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\nab'),
        fc.constant('POST /api/v1/agents HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
        fc.constant(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`),
      ),
    }),
  ),
);

/**
 * Sends so many requests, right and wrong, over real sockets, several at a time, each worker in a session of its own;
 * and at the end holds what every session contains against a model of it. The same seed sends the same requests.
 */
export async function fuzz(
  target: FuzzTarget,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<FuzzReport> {
  const pool = new Pool(target.baseUrl, { connections: WORKERS * 2 });
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  const memory: number[] = [];
  let sent = 0;

  const count = (status: string): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    sent++;
    if (sent % Math.ceil(requests / 10) === 0) memory.push(Math.round((target.memory() ?? 0) / 1e6));
  };

  interface Answer {
    readonly status: number;
    readonly json: unknown;
  }
  const ask = async (
    model: Model,
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    try {
      const answer = await pool.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${target.token}`,
          ...(model.session === '' ? {} : { 'x-mock-session': model.session }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.body.text();
      count(String(answer.statusCode));
      const wanted = /code=(5\d\d)/.exec(`${path} ${headers['prefer'] ?? ''}`)?.[1];
      if (answer.statusCode >= 500 && wanted !== String(answer.statusCode))
        failures.push(`${method} ${path} -> ${answer.statusCode} ${text.slice(0, 200)}`);
      return { status: answer.statusCode, json: parsed(text) };
    } catch (error) {
      count('closed');
      // What undici itself refuses to send never reached the target.
      if (!(error instanceof Error && 'code' in error && error.code === 'UND_ERR_INVALID_ARG'))
        failures.push(`${method} ${path} -> ${String(error)}`);
      return { status: 0, json: undefined };
    }
  };

  const post = (model: Model, path: string, body: unknown): Promise<Answer> =>
    ask(model, 'POST', path, JSON.stringify(body));
  const idAt = (model: Model, which: number): string =>
    [...model.agents.keys()][which % Math.max(1, model.agents.size)] ?? target.agentId;

  async function act(model: Model, step: Action): Promise<void> {
    switch (step.kind) {
      case 'create':
      case 'import': {
        const { method, path } = endpoints[step.kind === 'create' ? 'create-agent' : 'import-agent'];
        const agent =
          step.kind === 'import' && step.isWhole
            ? { version: '6', groups: [], edges: [], variables: [], ...step.agent }
            : step.agent;
        const { status, json } = await ask(
          model,
          method,
          path,
          JSON.stringify({ workspaceId: target.workspaceId, agent }),
        );
        const made = member(json, 'agent');
        const id = member(made, 'id');
        if (status === 201 && typeof id === 'string')
          model.agents.set(id, { agent: made, isPublished: member(made, 'isPublished') === true, results: 0 });
        return;
      }
      case 'read':
      case 'list':
      case 'read-published': {
        const below = { read: '', list: '/results', 'read-published': '/publishedAgent' }[step.kind];
        await ask(model, 'GET', `/api/v1/agents/${idAt(model, step.which)}${below}?${step.query}`);
        return;
      }
      case 'publish':
      case 'unpublish': {
        const id = idAt(model, step.which);
        const known = model.agents.get(id);
        const { status } = await post(model, `/__admin/agents/${id}/${step.kind}`, {});
        if (known && status === 200) known.isPublished = step.kind === 'publish';
        return;
      }
      case 'add-results': {
        const id = idAt(model, step.which);
        const known = model.agents.get(id);
        const { status } = await post(model, `/__admin/agents/${id}/results`, { count: step.count });
        if (known && status === 201) known.results += step.count;
        return;
      }
      case 'workspace': {
        const { status } = await post(model, endpoints['create-workspace'].path, step.body);
        if (status === 201) model.workspaces++;
        return;
      }
      case 'malformed': {
        const { method, path } = endpoints[step.endpoint];
        // A workspace or an agent may come of it, of which the model would know nothing: nobody in this session asks.
        const elsewhere = { ...model, session: malformedOf(model) };
        const headers = Object.fromEntries(step.headers);
        await ask(
          elsewhere,
          method,
          path.replace('{agentId}', step.id),
          method === 'POST' ? step.body : undefined,
          headers,
        );
        return;
      }
      case 'odd': {
        const headers = [
          ['authorization', `Bearer ${target.token}`],
          ['x-mock-session', oddOf(model)],
          ...step.request.headers,
        ] as const;
        const at = step.request.target.replaceAll('AGENT', target.agentId);
        const bytes = written({ ...step.request, target: at, headers });
        const answer = await exchange(target.baseUrl, bytes, LONGEST_WAIT);
        count(answer.status === 0 ? 'closed' : String(answer.status));
        const failure = failureOf(bytes, answer);
        if (failure !== undefined) failures.push(failure);
        return;
      }
      case 'garbage':
        await sendGarbage(target.baseUrl, step.bytes);
        count('garbage');
    }
  }

  const differences: string[] = [];
  let agents = 0;
  const each = Math.ceil(requests / WORKERS);
  const work = async (worker: number): Promise<void> => {
    for (let done = 0; done < each;) {
      const model: Model = { session: `fuzz-${worker}-${done}`, agents: new Map(), workspaces: 0 };
      const numRuns = Math.min(SESSION_LENGTH, each - done);
      for (const step of fc.sample(action, { seed: seed * 1000 + worker * 100_003 + done, numRuns }))
        await act(model, step);
      differences.push(...(await compare(model, (path) => ask(model, 'GET', path))));
      agents += model.agents.size;
      for (const session of [malformedOf(model), oddOf(model), model.session])
        await ask(model, 'DELETE', `/__admin/sessions/${session}`);
      done += numRuns;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  await endSessions((method, path) => ask({ session: '', agents: new Map(), workspaces: 0 }, method, path));
  await pool.close();
  return {
    requests: sent,
    statuses,
    failures: failures.slice(0, MOST_SHOWN),
    differences: differences.slice(0, MOST_SHOWN),
    agents,
    memory,
  };
}

/** Odd requests make sessions of any name, by the path and by the admin API. */
async function endSessions(ask: (method: string, path: string) => Promise<{ readonly json: unknown }>): Promise<void> {
  const sessions = member((await ask('GET', '/__admin/sessions')).json, 'sessions') as readonly unknown[];
  for (const one of sessions) {
    const id = String(member(one, 'id'));
    if (id !== '') await ask('DELETE', `/__admin/sessions/${encodeURIComponent(id)}`);
  }
}

async function compare(
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
    const page = member(json, 'agents');
    if (!Array.isArray(page) || page.length === 0) break;
    listed.push(...page.filter((one) => member(one, 'origin') !== 'universe').map((one: unknown) => member(one, 'id')));
  }
  expect('agents', listed.toReversed(), [...model.agents.keys()]);
  for (const [id, known] of model.agents) {
    const { json } = await get(`/api/v1/agents/${id}`);
    const agent = member(json, 'agent');
    const unchanging = (of: unknown): unknown =>
      typeof of === 'object' && of !== null ? { ...of, isPublished: undefined, publishedAt: undefined } : of;
    expect(`agent ${id}`, unchanging(agent), unchanging(known.agent));
    expect(`isPublished of ${id}`, member(agent, 'isPublished'), known.isPublished);
    expect(
      `published form of ${id}`,
      (await get(`/api/v1/agents/${id}/publishedAgent`)).status,
      known.isPublished ? 200 : 404,
    );
    expect(
      `results of ${id}`,
      member((await get(`/__admin/agents/${id}/results?limit=1`)).json, 'total'),
      known.results,
    );
  }
  const { json } = await get('/__admin/sessions');
  const own = (member(json, 'sessions') as readonly unknown[]).find((one) => member(one, 'id') === model.session);
  expect('things created', member(own, 'created'), model.agents.size + model.workspaces);
  return differences;
}

const oddOf = ({ session }: Model): string => `${session}-odd`;
const malformedOf = ({ session }: Model): string => `${session}-malformed`;

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends bytes that are no request, or half of one, and goes away. */
function sendGarbage(baseUrl: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes, 'latin1'));
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    socket.once('end', () => socket.destroy());
    // A target may wait for the rest of half a request; nobody waits with it.
    socket.setTimeout(20, () => socket.destroy());
    socket.once('close', () => resolve());
  });
}
