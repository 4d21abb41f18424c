import { importAgentBody, modestTexts, unusualTexts, withTexts, type Texts } from '../../fixtures/requests/index.ts';
import type { Probe } from './probe.ts';
import { PERMISSION } from '../http/statuses.ts';
import type { AgentFact } from '../history/facts/agents.ts';
import type { Answered } from '../http/exchange.ts';
import { field, isObject, stringAt, type JsonObject } from '../json.ts';
import { optionNames } from '../target-options.ts';
import { shuffled, type Run } from './probe.ts';
import { CannotProbe } from './cannot-probe.ts';
import {
  accepted,
  attempt,
  bodyFor,
  created,
  refusalReason,
  slipSupply,
  workspace,
  workspaceId,
  type Detail,
  type NewAgentEndpoint,
} from './prerequisites.ts';

/** Requests about agents and workspaces: creations of several kinds, read at once and again at the end. */

/** How long a new agent may take in total until it can be read. */
const PAUSES_MS = [100, 400, 1500] as const;

const making = (send: Probe['send']): Probe => ({ phase: 'first', queue: 'creations', send });
/** Waits longer than usual for some readings, because some servers fail only after a while. */
const makingLate = (send: Probe['send']): Probe => ({ phase: 'open', queue: 'creations', send });
const reading = (send: Probe['send']): Probe => ({ phase: 'first', queue: 'lists', send });

/** Reads an agent until it is there, or until the allowed time is over. */
async function read(run: Run, agentId: string): Promise<Answered> {
  let exchange = await run.api.call('get-agent', { agentId });
  for (const pause of PAUSES_MS) {
    if (exchange.answer.accepted || exchange.answer.status === 401) break;
    await run.sleep(pause);
    exchange = await run.api.call('get-agent', { agentId });
  }
  return exchange;
}

async function readMade(run: Run, exchange: Answered): Promise<void> {
  const id = exchange.answer.accepted ? stringAt(exchange.answer.json, 'agent', 'id') : undefined;
  if (id !== undefined) await read(run, id);
}

/**
 * Sends a creation. If it is refused, sends it once more, and then one of the kind that was accepted before. If none
 * was, sends one of the other kind, which shows whether a quota is used up.
 */
async function make(run: Run, endpoint: NewAgentEndpoint, body: JsonObject, label: string): Promise<Answered> {
  const first = await run.api.call(endpoint, { body });
  if (first.answer.accepted || PERMISSION.has(first.answer.status)) return first;
  const second = await run.api.call(endpoint, { body });
  if (second.answer.accepted) return second;
  for (const [i, kind] of [endpoint, otherKind[endpoint]].entries()) {
    const { creation } = await attempt(run, kind);
    // The name has the same length as the first, since a server may accept or refuse a name for its length.
    const plain = creation && (await bodyFor(run, kind, creation.detail, `${label}-${i}`));
    if (plain && (await run.api.call(kind, { body: plain })).answer.accepted) break;
  }
  return second;
}

const otherKind = { 'create-agent': 'import-agent', 'import-agent': 'create-agent' } as const;

const detailOf = async (run: Run, endpoint: NewAgentEndpoint): Promise<Detail> =>
  (await attempt(run, endpoint)).creation?.detail ?? 'name-only';

/** The first creation of a round, and how it reads. */
const first = (endpoint: NewAgentEndpoint): Probe =>
  making(async (run) => {
    const { exchange, creation } = await attempt(run, endpoint);
    if (creation) return readMade(run, exchange);
    if (PERMISSION.has(exchange.answer.status))
      throw new CannotProbe(refusalReason(exchange, endpoint), slipSupply(exchange, run.target));
  });

/** The workspace that the round creates. @throws CannotProbe */
async function newWorkspace(run: Run): Promise<string> {
  const { answer } = await workspace(run, 'name-only');
  const id = answer.accepted ? stringAt(answer.json, 'workspace', 'id') : undefined;
  if (id !== undefined) return id;
  throw new CannotProbe('This needs a workspace that the run creates.', 'a token that may create workspaces');
}

/**
 * One creation of each kind at once, with texts that not every system keeps and numbers that may be 0. They go into the
 * workspace that the round created, if it could create one.
 */
const unusual = makingLate(async (run) => {
  const kinds = ['create-agent', 'import-agent'] as const;
  // Each kind is sent after one of the other kind, whatever comes first otherwise.
  for (const endpoint of kinds) await attempt(run, endpoint);
  const fresh = await newWorkspace(run).catch((error: unknown) => {
    if (error instanceof CannotProbe) return undefined;
    throw error;
  });
  const elsewhere = fresh === undefined ? {} : { workspaceId: fresh };
  const made = await Promise.all(
    kinds.map(async (endpoint) => {
      const { creation } = await attempt(run, endpoint);
      return creation && (await makeUnusual(run, endpoint, creation.detail, elsewhere));
    }),
  );
  await Promise.all(
    made.map(async (exchange) => {
      if (!exchange) return;
      await readMade(run, exchange);
      await readMadePublic(run, exchange);
    }),
  );
});

async function makeUnusual(
  run: Run,
  endpoint: NewAgentEndpoint,
  detail: Detail,
  elsewhere: { readonly workspaceId?: string },
): Promise<Answered> {
  const offset = run.draw(`texts of ${endpoint}`, unusualTexts.values.length);
  const body = async (label: string, texts?: Texts, zeros = false): Promise<JsonObject> => {
    const plain = { ...(await bodyFor(run, endpoint, detail, label)), ...elsewhere };
    const agent = field(plain, 'agent');
    return isObject(agent) && texts ? { ...plain, agent: withTexts(agent, { texts, offset, zeros }) } : plain;
  };
  const exchange = await make(
    run,
    endpoint,
    await mayPublish(run, endpoint, await body('texts', unusualTexts, true)),
    'texts',
  );
  if (exchange.answer.accepted || PERMISSION.has(exchange.answer.status)) return exchange;
  // Shows whether the texts are refused, or the workspace.
  await readMade(run, await run.api.call(endpoint, { body: await body('modest', modestTexts) }));
  if (elsewhere.workspaceId === undefined) return exchange;
  return make(run, endpoint, await body('new'), 'new');
}

/** Two creations at once, which are then read at once. */
const together = (endpoint: NewAgentEndpoint): Probe =>
  making(async (run) => {
    await created(run, endpoint);
    const pair = await Promise.all(['2', '3'].map((label) => nextOf(run, endpoint, label)));
    await Promise.all(pair.map((exchange) => readMade(run, exchange)));
  });

async function nextOf(run: Run, endpoint: NewAgentEndpoint, label: string): Promise<Answered> {
  const body = await bodyFor(run, endpoint, await detailOf(run, endpoint), label);
  return run.once(`next ${endpoint} ${label}`, () => make(run, endpoint, body, label));
}

/**
 * A creation that asks to be published; Get agent shows whether it is. Resolves with whether its public form is
 * answered.
 */
const publishes = (run: Run): Promise<boolean> =>
  run.once('import published', async () => {
    const { detail } = await created(run, 'import-agent');
    const wanted = { workspaceId: await workspaceId(run), tag: `${run.tag}-published`, detail, isPublished: true };
    const exchange = await run.api.call('import-agent', { body: importAgentBody(wanted) });
    const id = exchange.answer.accepted ? stringAt(exchange.answer.json, 'agent', 'id') : undefined;
    if (id === undefined) return false;
    const shown = await read(run, id);
    const isPublished = shown.answer.accepted && field(shown.answer.json, 'agent', 'isPublished') === true;
    if (isPublished) return readPublicForm(run, id);
    await run.api.call('get-published-agent', { agentId: id, open: true });
    return false;
  });

/** The public form of a new agent may appear a moment late. */
async function readPublicForm(run: Run, agentId: string): Promise<boolean> {
  const { answer } = await run.api.call('get-published-agent', { agentId });
  if (answer.accepted) return true;
  await run.sleep(PAUSES_MS[0] + PAUSES_MS[1]);
  return (await run.api.call('get-published-agent', { agentId })).answer.accepted;
}

/** Publishes what it imports, on a server where an import publishes. */
async function mayPublish(run: Run, endpoint: NewAgentEndpoint, body: JsonObject): Promise<JsonObject> {
  const agent = field(body, 'agent');
  if (endpoint !== 'import-agent' || !isObject(agent) || !(await publishes(run))) return body;
  return { ...body, agent: { ...agent, isPublished: true } };
}

async function readMadePublic(run: Run, { sent, answer }: Answered): Promise<void> {
  const id = answer.accepted ? stringAt(answer.json, 'agent', 'id') : undefined;
  if (id !== undefined && field(sent, 'agent', 'isPublished') === true) await readPublicForm(run, id);
}

const importPublished = making(async (run) => void (await publishes(run)));

const nameAlone = making(async (run) => {
  const { answer } = await workspace(run, 'name-only');
  if (answer.accepted || PERMISSION.has(answer.status)) return;
  const plain = await run.api.call('create-workspace', { body: { name: `Check ${run.tag}` } });
  // What was accepted before shows whether a quota is used up.
  if (plain.answer.accepted || PERMISSION.has(plain.answer.status)) return;
  await run.api.call('create-workspace', { body: await bodyFor(run, 'create-workspace', 'full', 'quota') });
});

/** Icon and slug beside the name; if they are refused, each alone and in its plainest form. */
const optionalFields = making(async (run) => {
  const { answer, sent } = await workspace(run, 'full');
  if (answer.accepted || PERMISSION.has(answer.status)) return;
  if ((await run.api.call('create-workspace', { body: sent })).answer.accepted) return;
  const plain = run.tag.replaceAll(/[^a-z0-9]/g, '');
  const fields = [
    { icon: '🧪' },
    { icon: 'https://www.example.com/icon.png' },
    { slug: `agent-contract-${run.tag}-3` },
    { slug: `check${plain}` },
  ];
  for (const [i, more] of fields.entries())
    await run.api.call('create-workspace', { body: { name: `Check ${run.tag} ${i}`, ...more } });
  await run.api.call('create-workspace', { body: { name: `Check ${run.tag} alone` } });
});

/** Two creations at once after much else was asked: one with only a name, one with all fields. */
const workspacesTogether = makingLate(async (run) => {
  await accepted(run, 'create-workspace');
  const { answer } = await workspace(run, 'full');
  const more = answer.accepted ? 'full' : 'name-only';
  const [alone, full] = await Promise.all([workspaceAgain(run, 'name-only', '4'), workspaceAgain(run, more, '5')]);
  // An acceptance after a refusal shows that no quota is used up.
  if (!alone.answer.accepted && !PERMISSION.has(alone.answer.status)) {
    await workspaceAgain(run, 'name-only', '6');
    await workspaceAgain(run, more, '7');
  }
  if (full.answer.accepted || more === 'name-only' || PERMISSION.has(full.answer.status)) return;
  for (const [i, name] of (['icon', 'slug', 'icon', 'slug'] as const).entries()) {
    const { name: called, [name]: value } = await bodyFor(run, 'create-workspace', 'full', `${8 + i}`);
    await run.api.call('create-workspace', { body: { name: called, [name]: value } });
  }
  await workspaceAgain(run, 'name-only', 'last');
});

const workspaceAgain = async (run: Run, detail: 'full' | 'name-only', label: string): Promise<Answered> =>
  run.api.call('create-workspace', { body: await bodyFor(run, 'create-workspace', detail, label) });

/** Agents that the user gave, two at once. Reading the published one shows whether it is published. */
const readGiven = reading(async (run) => {
  const { agentId, publishedAgentId, v5AgentId } = run.target;
  if (agentId === undefined) await accepted(run, 'get-agent');
  const ids = [...new Set([agentId, publishedAgentId, v5AgentId])].filter((id) => id !== undefined);
  await Promise.all(ids.map((id) => run.api.call('get-agent', { agentId: id })));
});

const readPublished = reading(async (run) => {
  const agentId = run.need('publishedAgentId');
  await run.api.call('get-agent', { agentId });
  const others = ['1', '2'].map(() => run.api.call('get-published-agent', { agentId }));
  await Promise.all(others);
});

/** What callers with less access get, for given agents and for new ones. */
const readModes = reading(async (run) => {
  const { readToken, guestToken } = run.target;
  const tokens = [readToken, guestToken].filter((token) => token !== undefined);
  if (tokens.length === 0)
    throw new CannotProbe(
      'This needs a token whose access is known.',
      `${optionNames.readToken} or ${optionNames.guestToken}`,
    );
  const agentId = run.target.agentId ?? (await created(run, 'create-agent')).id;
  if (agentId === undefined) throw new CannotProbe('This needs an agent.', '--agent-id');
  for (const token of tokens) await run.api.call('get-agent', { agentId, authorization: `Bearer ${token}` });
});

/** The agents that are read again at the end: the newest, and a few from earlier rounds. */
const READ_AGAIN = 14;
const READ_OF_EARLIER = 4;

const newestMade = ({ facts }: Run): readonly AgentFact[] =>
  [...facts.agents.all].filter(({ made }) => made !== undefined).slice(-READ_AGAIN);

/** Reads every new agent again, two at a time and in another order. */
const readAgain: Probe = {
  phase: 'end',
  queue: 'creations',
  async send(run) {
    const made = [...run.facts.agents.all].filter((fact) => fact.made !== undefined).map(({ id }) => id);
    const newest = newestMade(run).map(({ id }) => id);
    const earlier = made.slice(0, -READ_AGAIN);
    const again = Array.from(
      { length: Math.min(READ_OF_EARLIER, earlier.length) },
      (_, i) => earlier[run.draw(`earlier ${i}`, earlier.length)],
    );
    const given = [run.target.agentId, run.target.publishedAgentId];
    const ids = [...new Set([...newest, ...again, ...given])].filter((id) => id !== undefined);
    const order = shuffled(ids, (label, below) => run.draw(`again ${label}`, below));
    const refused: string[] = [];
    let shown: string | undefined;
    for (let i = 0; i < order.length; i += 2)
      await Promise.all(
        order.slice(i, i + 2).map(async (id) => {
          const { answer } = await (made.includes(id) ? read(run, id) : run.api.call('get-agent', { agentId: id }));
          if (answer.status === 403) refused.push(id);
          else if (answer.accepted) shown = id;
        }),
      );
    // A lock of some requests has ended by now. Whatever is still refused is refused while other requests are accepted.
    for (const id of refused) await read(run, id);
    if (refused.length > 0 && shown !== undefined) await run.api.call('get-agent', { agentId: shown });
  },
};

/**
 * Reads one agent of each kind, which is read again too, with a token of less access. The server may refuse that, but
 * may not show anything else. The given agent is read with every such token, as at first.
 */
const readMadeWithLess: Probe = {
  phase: 'end',
  queue: 'creations',
  async send(run) {
    const tokens = [run.target.readToken, run.target.guestToken].filter((token) => token !== undefined);
    const readWith = async (agentId: string | undefined, token: string | undefined): Promise<void> => {
      if (agentId === undefined || token === undefined) return;
      await run.api.call('get-agent', { agentId, authorization: `Bearer ${token}` });
    };
    const drawn = run.draw('token of less access', 2);
    for (const [i, origin] of (['created', 'imported'] as const).entries()) {
      const made = newestMade(run).filter((fact) => fact.origin === origin && fact.sent !== undefined);
      const agentId = made[run.draw(`${origin} with less`, Math.max(1, made.length))]?.id;
      await readWith(agentId, tokens[(drawn + i) % Math.max(1, tokens.length)]);
    }
    for (const token of tokens) await readWith(run.target.agentId, token);
  },
};

/** Reads public forms again: that of the given agent, and those of agents that are shown as published. */
const readPublishedAgain: Probe = {
  phase: 'end',
  queue: 'creations',
  async send(run) {
    const shown = [...run.facts.agents.all].filter(
      ({ isPublished, made }) => isPublished === true && made !== undefined,
    );
    const ids = [run.target.publishedAgentId, ...shown.slice(-1).map(({ id }) => id)].filter((id) => id !== undefined);
    for (const agentId of new Set(ids)) await run.api.call('get-published-agent', { agentId });
    const { publishedAgentId: agentId, readToken, guestToken } = run.target;
    const less = readToken ?? guestToken;
    if (agentId !== undefined && less !== undefined)
      await run.api.call('get-published-agent', { agentId, authorization: `Bearer ${less}` });
  },
};

const createAsks: readonly Probe[] = [first('create-agent'), unusual, together('create-agent')];
const importAsks: readonly Probe[] = [first('import-agent'), unusual, together('import-agent')];

export const newAgentProbes: Readonly<Record<NewAgentEndpoint, readonly Probe[]>> = {
  'create-agent': [...createAsks, readAgain, readMadeWithLess],
  'import-agent': [...importAsks, importPublished, readAgain, readMadeWithLess],
};
export const getAgentProbes: readonly Probe[] = [readGiven, readAgain];
export const modeProbes: readonly Probe[] = [readGiven, readModes];
export const publishedProbes: readonly Probe[] = [readPublished, readPublishedAgain];
export const workspaceProbes = {
  nameAlone,
  optionalFields,
  together: workspacesTogether,
  taking: [making(async (run) => void (await newWorkspace(run))), unusual],
} as const;
