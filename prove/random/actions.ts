import { field } from '../../conformance/json.ts';
import { importAgentBody, type Variation } from '../../fixtures/index.ts';
import { endpointIds, endpoints, schemas, timeFilters } from '../../spec/index.ts';
import type { Model } from './model.ts';
import odd from './odd.json';
import { oddRequest, type OddRequest } from './odd-requests.ts';
import type { Random } from './random.ts';
import { rawRequest, type RandomAnswer, type RandomRequest, type RandomSender, type RandomTarget } from './sending.ts';

/** A session that gets random requests, and what drives it. */
export interface RandomSession {
  readonly random: Random;
  readonly target: RandomTarget;
  readonly sender: RandomSender;
  readonly model: Model;
  /** The tokens that requests carry; `undefined` stands for no header. */
  readonly tokens: readonly (string | undefined)[];
  readonly admin: (method: string, path: string, body: unknown) => Promise<RandomAnswer>;
}

type Action = (session: RandomSession) => Promise<unknown>;

/** What a session does how often. */
export type Mix = readonly (readonly [weight: number, action: Action])[];

/** Performs one action, and records in the model what must be true afterwards. */
export const actAtRandom = (session: RandomSession, mix: Mix): Promise<unknown> =>
  session.random.weighted(mix.map(([weight, action]) => [weight, () => action(session)]));

async function ask(session: RandomSession, request: RandomRequest): Promise<RandomAnswer> {
  const { random, model, tokens } = session;
  const token = random.of(tokens);
  const headers: Record<string, string> = {};
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (model.session !== '') headers['x-mock-session'] = model.session;
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  return resend(session, { ...request, headers: { ...headers, ...request.headers } });
}

async function resend({ model, sender }: RandomSession, sent: RandomRequest): Promise<RandomAnswer> {
  model.sent.push(sent);
  const answer = await sender.send(sent);
  const cursor = field(answer.json, 'nextCursor');
  if (typeof cursor === 'string') {
    const [path = '', query] = sent.path.split('?');
    const next = new URLSearchParams(query);
    next.set('cursor', cursor);
    model.next = { ...sent, path: `${path}?${next.toString()}` };
  }
  return answer;
}

const DOCUMENTED = [...Object.keys(schemas['agent-v6'].properties ?? {}), '__proto__'];

function anyJson(random: Random, depth = 3): unknown {
  if (depth === 0 || random.oneIn(2)) return random.of([null, true, false, 0, -1, 0.5, 1e21, '', random.text()]);
  if (random.oneIn(2)) return random.some(3, () => anyJson(random, depth - 1));
  return Object.fromEntries(random.some(3, () => [random.text(), anyJson(random, depth - 1)]));
}

/** An agent to create or import. About half of them are valid. */
function anyAgent(random: Random): object {
  const good = random.some(3, () => [random.of(['description', 'icon', 'publicId']), random.text()]);
  const bad = random.some(3, () => [random.oneIn(2) ? random.of(DOCUMENTED) : random.text(), anyJson(random)]);
  const name = `${random.text().slice(0, 20)}x`;
  const members = random.oneIn(3) ? [...good, ...bad] : good;
  return Object.fromEntries([...members, ['name', name]]);
}

const variationBy = (random: Random): Variation => ({
  number: random.below(8),
  draw: (_, below) => random.below(below),
});

const makeAgent: Action = async (session) => {
  const { random, model, target } = session;
  const { workspaceId } = target;
  const endpoint = random.of(['create-agent', 'import-agent'] as const);
  const whole = endpoint === 'import-agent' &&
    random.oneIn(2) && { version: '6', groups: [], edges: [], variables: [] };
  const body = random.oneIn(3)
    ? importAgentBody({ workspaceId, tag: `random-${random.below(5)}`, detail: 'full', variation: variationBy(random) })
    : { workspaceId, agent: { ...whole, ...anyAgent(random) } };
  const { status, json } = await ask(session, { ...endpoints[endpoint], body: JSON.stringify(body) });
  const agent = field(json, 'agent');
  const id = field(agent, 'id');
  if (status >= 200 && status < 300 && typeof id === 'string')
    model.agents.set(id, { agent, isPublished: field(agent, 'isPublished') === true, results: 0 });
};

const makeWorkspace: Action = async (session) => {
  const { random, model } = session;
  const body = random.oneIn(2) ? { name: random.text() } : anyJson(random);
  const { status } = await ask(session, { ...endpoints['create-workspace'], body: JSON.stringify(body) });
  if (status === 201) model.workspaces++;
};

const anyId = ({ random, model, target }: RandomSession): string =>
  random.of([...model.agents.keys(), ...model.agents.keys(), target.agentId, 'none']);

function anyQuery(random: Random): string {
  const pairs = random.some(3, () =>
    random.weighted<[string, string]>([
      [2, () => ['limit', String(random.below(123) - 2)]],
      [2, () => ['timeFilter', random.of([...timeFilters, 'Today', ''])]],
      [1, () => ['timeZone', random.of(['UTC', 'Europe/Berlin', random.text()])]],
      [1, () => [random.of(['start', 'end', 'interval', 'cursor', '__code', 'x']), random.text()]],
    ]),
  );
  return new URLSearchParams(pairs).toString();
}

const readings = endpointIds.filter((id) => endpoints[id].method === 'GET');

const read: Action = (session) => {
  const { path } = endpoints[session.random.of(readings)];
  const own = path.replace('{agentId}', encodeURIComponent(anyId(session)));
  return ask(session, { method: 'GET', path: `${own}?${anyQuery(session.random)}` });
};

const repeat: Action = async (session) =>
  session.model.sent.length > 0 && resend(session, session.random.of(session.model.sent));

/** Changes the data in ways that the model follows. */
const change: Action = async (session) => {
  const { random, model, admin } = session;
  const id = anyId(session);
  const agent = model.agents.get(id);
  const path = `/agents/${encodeURIComponent(id)}`;
  if (random.oneIn(3)) {
    const count = 1 + random.below(3);
    const { status } = await admin('POST', `${path}/results`, { count });
    if (agent && status === 201) agent.results += count;
    return;
  }
  const isPublished = random.oneIn(2);
  const { status } = await admin('POST', `${path}/${isPublished ? 'publish' : 'unpublish'}`, {});
  if (agent && status === 200) agent.isPublished = isPublished;
};

/** Changes the data in ways that no model follows. */
const changeMore: Action = (session) => {
  const { random, admin } = session;
  return random.weighted([
    [1, () => admin('POST', '/reset', undefined)],
    [1, () => admin('POST', '/clock/advance', { by: 7_200_000 })],
    [1, () => admin('PATCH', `/agents/${encodeURIComponent(anyId(session))}`, { name: 'Edited behind', groups: [] })],
  ]);
};

/** Asks in a session of its own, for what may create a workspace or an agent that the model does not know. */
const askElsewhere = (session: RandomSession, request: RandomRequest): Promise<RandomAnswer> =>
  ask({ ...session, model: { ...session.model, session: session.model.malformed } }, request);

const sendMalformed: Action = (session) => {
  const { random } = session;
  const { method, path } = endpoints[random.of(endpointIds)];
  const id = encodeURIComponent(random.text().replaceAll(/\p{Surrogate}/gu, ''));
  const body = random.weighted<string | Uint8Array>([
    [1, () => random.text()],
    [1, () => Uint8Array.from(random.some(300, () => random.below(256)))],
    [1, () => JSON.stringify(anyJson(random, 6))],
    [1, () => JSON.stringify(random.of<unknown>(odd.bodies))],
  ]);
  // Odd requests have other characters in headers; these pass through a library that does not send them.
  const headers = random.some(3, () => [
    random.of(odd.bodyHeaders),
    random.oneIn(2) ? random.of(odd.values) : random.text().replaceAll(/[^ -~]/g, ''),
  ]);
  return askElsewhere(session, {
    method,
    path: path.replace('{agentId}', id),
    body: method === 'POST' ? body : undefined,
    headers: Object.fromEntries(headers) as Record<string, string>,
  });
};

/** A request as bytes, with the token, in a session of that name. */
const bytesOf = ({ target }: RandomSession, name: string, request: OddRequest): string =>
  rawRequest({
    ...request,
    headers: [['authorization', `Bearer ${target.token}`], ['x-mock-session', name], ...request.headers],
  });

const sendOdd: Action = (session) => {
  const request = oddRequest(session.random);
  const target = request.target.replaceAll('AGENT', session.target.agentId);
  return session.sender.sendBytes(bytesOf(session, session.model.odd, { ...request, target }));
};

const GARBAGE = [
  'GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\nab',
  'POST /api/v1/agents HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
];

const sendGarbage: Action = ({ random, sender }) =>
  sender.sendGarbage(random.oneIn(2) ? random.text() : random.of(GARBAGE));

const abort: Action = (session) => {
  const { random, target, sender, model } = session;
  const body = JSON.stringify({ workspaceId: target.workspaceId, agent: { name: 'a'.repeat(random.below(20_000)) } });
  const request = { method: 'POST', target: endpoints['create-agent'].path, headers: [], body };
  const bytes = bytesOf(session, model.malformed, request);
  return sender.sendGarbage(bytes.slice(0, Math.ceil(bytes.length * 0.7)));
};

const readSlowly: Action = (session) => {
  const path = `${endpoints['list-results'].path.replace('{agentId}', session.target.agentId)}?timeFilter=allTime&limit=100`;
  return ask(session, { method: 'GET', path, headers: { prefer: session.random.of(['delay=500', 'rate=20000']) } });
};

/** Members of an agent: large, too deep, too large, and too wide. */
const HUGE: readonly (() => string)[] = [
  () => `"x":"${'x'.repeat(3_000_000)}"`,
  () => `"x":${'['.repeat(1_000_000)}`,
  () => `"x":"${'x'.repeat(11_000_000)}"`,
  () => Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join(','),
];

const sendHuge: Action = (session) => {
  const body = `{"workspaceId":"${session.target.workspaceId}","agent":{"name":"H",${session.random.of(HUGE)()}}}`;
  return askElsewhere(session, { ...endpoints['create-agent'], body });
};

/** A session of which a model knows everything: most actions read, and every other kind occurs. */
export const known: Mix = [
  [12, makeAgent],
  [30, read],
  [8, change],
  [4, makeWorkspace],
  [14, sendMalformed],
  [20, sendOdd],
  [2, sendGarbage],
];

/** The same with what keeps a server busy. */
export const underLoad: Mix = [...known, [5, abort], [20, readSlowly], [1, sendHuge]];

/** A client with random requests, valid and invalid, while others change the data. */
export const amongOthers: Mix = [
  [3, makeAgent],
  [4, read],
  [1, makeWorkspace],
  [2, sendMalformed],
  [4, async (session) => session.model.next && resend(session, session.model.next)],
  [1, change],
  [1, changeMore],
  [2, repeat],
  [1, (session) => Promise.all([repeat(session), read(session)])],
];
