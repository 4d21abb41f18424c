import { importAgentBody, modestTexts, unusualTexts, withTexts, type Texts } from '../../fixtures/requests/index.ts';
import type { NewAgentEndpoint } from '../../spec/index.ts';
import type { Ask } from './asking.ts';
import { PERMISSION } from '../http/statuses.ts';
import type { AgentFact } from '../history/facts/agents.ts';
import type { Answered } from '../http/exchange.ts';
import { field, isObject, stringAt, type JsonObject } from '../json.ts';
import { optionNames } from '../target-options.ts';
import { shuffled, type Asking } from './asking.ts';
import { CannotAsk } from './cannot-ask.ts';
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
} from './means.ts';

/** Requests about agents and workspaces: creations of several kinds, read at once and again at the end. */

/** How long a new agent may take in total until it can be read. */
const PAUSES_MS = [100, 400, 1500] as const;

const making = (send: Ask['send']): Ask => ({ phase: 'first', lane: 'making', send });
/** Waits longer than usual for some readings, because some servers fail only after a while. */
const makingLate = (send: Ask['send']): Ask => ({ phase: 'open', lane: 'making', send });
const reading = (send: Ask['send']): Ask => ({ phase: 'first', lane: 'lists', send });

/** Reads an agent until it is there, or until the allowed time is over. */
async function read(t: Asking, agentId: string): Promise<Answered> {
  let exchange = await t.api.call('get-agent', { agentId });
  for (const pause of PAUSES_MS) {
    if (exchange.answer.accepted || exchange.answer.status === 401) break;
    await t.sleep(pause);
    exchange = await t.api.call('get-agent', { agentId });
  }
  return exchange;
}

async function readMade(t: Asking, exchange: Answered): Promise<void> {
  const id = exchange.answer.accepted ? stringAt(exchange.answer.json, 'agent', 'id') : undefined;
  if (id !== undefined) await read(t, id);
}

/**
 * Sends a creation. If it is refused, sends it once more, and then one of the kind that was accepted before. If none
 * was, sends one of the other kind, which shows whether a quota is used up.
 */
async function make(t: Asking, endpoint: NewAgentEndpoint, body: JsonObject, label: string): Promise<Answered> {
  const first = await t.api.call(endpoint, { body });
  if (first.answer.accepted || PERMISSION.has(first.answer.status)) return first;
  const second = await t.api.call(endpoint, { body });
  if (second.answer.accepted) return second;
  for (const [i, kind] of [endpoint, otherKind[endpoint]].entries()) {
    const { creation } = await attempt(t, kind);
    // The name has the same length as the first, since a server may accept or refuse a name for its length.
    const plain = creation && (await bodyFor(t, kind, creation.detail, `${label}-${i}`));
    if (plain && (await t.api.call(kind, { body: plain })).answer.accepted) break;
  }
  return second;
}

const otherKind = { 'create-agent': 'import-agent', 'import-agent': 'create-agent' } as const;

const detailOf = async (t: Asking, endpoint: NewAgentEndpoint): Promise<Detail> =>
  (await attempt(t, endpoint)).creation?.detail ?? 'name-only';

/** The first creation of a round, and how it reads. */
const first = (endpoint: NewAgentEndpoint): Ask =>
  making(async (t) => {
    const { exchange, creation } = await attempt(t, endpoint);
    if (creation) return readMade(t, exchange);
    if (PERMISSION.has(exchange.answer.status))
      throw new CannotAsk(refusalReason(exchange, endpoint), slipSupply(exchange, t.target));
  });

/** The workspace that the round creates. @throws CannotAsk */
async function newWorkspace(t: Asking): Promise<string> {
  const { answer } = await workspace(t, 'name-only');
  const id = answer.accepted ? stringAt(answer.json, 'workspace', 'id') : undefined;
  if (id !== undefined) return id;
  throw new CannotAsk('This needs a workspace that the run creates.', 'a token that may create workspaces');
}

/**
 * One creation of each kind at once, with texts that not every system keeps and numbers that may be 0. They go into the
 * workspace that the round created, if it could create one.
 */
const unusual = makingLate(async (t) => {
  const kinds = ['create-agent', 'import-agent'] as const;
  // Each kind is sent after one of the other kind, whatever comes first otherwise.
  for (const endpoint of kinds) await attempt(t, endpoint);
  const fresh = await newWorkspace(t).catch((error: unknown) => {
    if (error instanceof CannotAsk) return undefined;
    throw error;
  });
  const elsewhere = fresh === undefined ? {} : { workspaceId: fresh };
  const made = await Promise.all(
    kinds.map(async (endpoint) => {
      const { creation } = await attempt(t, endpoint);
      return creation && (await makeUnusual(t, endpoint, creation.detail, elsewhere));
    }),
  );
  await Promise.all(
    made.map(async (exchange) => {
      if (!exchange) return;
      await readMade(t, exchange);
      await readMadePublic(t, exchange);
    }),
  );
});

async function makeUnusual(
  t: Asking,
  endpoint: NewAgentEndpoint,
  detail: Detail,
  elsewhere: { readonly workspaceId?: string },
): Promise<Answered> {
  const offset = t.draw(`texts of ${endpoint}`, unusualTexts.values.length);
  const body = async (label: string, texts?: Texts, zeros = false): Promise<JsonObject> => {
    const plain = { ...(await bodyFor(t, endpoint, detail, label)), ...elsewhere };
    const agent = field(plain, 'agent');
    return isObject(agent) && texts ? { ...plain, agent: withTexts(agent, { texts, offset, zeros }) } : plain;
  };
  const exchange = await make(
    t,
    endpoint,
    await mayPublish(t, endpoint, await body('texts', unusualTexts, true)),
    'texts',
  );
  if (exchange.answer.accepted || PERMISSION.has(exchange.answer.status)) return exchange;
  // Shows whether the texts are refused, or the workspace.
  await readMade(t, await t.api.call(endpoint, { body: await body('modest', modestTexts) }));
  if (elsewhere.workspaceId === undefined) return exchange;
  return make(t, endpoint, await body('new'), 'new');
}

/** Two creations at once, which are then read at once. */
const together = (endpoint: NewAgentEndpoint): Ask =>
  making(async (t) => {
    await created(t, endpoint);
    const pair = await Promise.all(['2', '3'].map((label) => nextOf(t, endpoint, label)));
    await Promise.all(pair.map((exchange) => readMade(t, exchange)));
  });

async function nextOf(t: Asking, endpoint: NewAgentEndpoint, label: string): Promise<Answered> {
  const body = await bodyFor(t, endpoint, await detailOf(t, endpoint), label);
  return t.once(`next ${endpoint} ${label}`, () => make(t, endpoint, body, label));
}

/**
 * A creation that asks to be published; Get agent shows whether it is. Resolves with whether its public form is
 * answered.
 */
const publishes = (t: Asking): Promise<boolean> =>
  t.once('import published', async () => {
    const { detail } = await created(t, 'import-agent');
    const wanted = { workspaceId: await workspaceId(t), tag: `${t.tag}-published`, detail, isPublished: true };
    const exchange = await t.api.call('import-agent', { body: importAgentBody(wanted) });
    const id = exchange.answer.accepted ? stringAt(exchange.answer.json, 'agent', 'id') : undefined;
    if (id === undefined) return false;
    const shown = await read(t, id);
    const isPublished = shown.answer.accepted && field(shown.answer.json, 'agent', 'isPublished') === true;
    if (isPublished) return readPublicForm(t, id);
    await t.api.call('get-published-agent', { agentId: id, open: true });
    return false;
  });

/** The public form of a new agent may appear a moment late. */
async function readPublicForm(t: Asking, agentId: string): Promise<boolean> {
  const { answer } = await t.api.call('get-published-agent', { agentId });
  if (answer.accepted) return true;
  await t.sleep(PAUSES_MS[0] + PAUSES_MS[1]);
  return (await t.api.call('get-published-agent', { agentId })).answer.accepted;
}

/** Publishes what it imports, on a server where an import publishes. */
async function mayPublish(t: Asking, endpoint: NewAgentEndpoint, body: JsonObject): Promise<JsonObject> {
  const agent = field(body, 'agent');
  if (endpoint !== 'import-agent' || !isObject(agent) || !(await publishes(t))) return body;
  return { ...body, agent: { ...agent, isPublished: true } };
}

async function readMadePublic(t: Asking, { sent, answer }: Answered): Promise<void> {
  const id = answer.accepted ? stringAt(answer.json, 'agent', 'id') : undefined;
  if (id !== undefined && field(sent, 'agent', 'isPublished') === true) await readPublicForm(t, id);
}

const importPublished = making(async (t) => void (await publishes(t)));

const nameAlone = making(async (t) => {
  const { answer } = await workspace(t, 'name-only');
  if (answer.accepted || PERMISSION.has(answer.status)) return;
  const plain = await t.api.call('create-workspace', { body: { name: `Check ${t.tag}` } });
  // What was accepted before shows whether a quota is used up.
  if (plain.answer.accepted || PERMISSION.has(plain.answer.status)) return;
  await t.api.call('create-workspace', { body: await bodyFor(t, 'create-workspace', 'full', 'quota') });
});

/** Icon and slug beside the name; if they are refused, each alone and in its plainest form. */
const optionalFields = making(async (t) => {
  const { answer, sent } = await workspace(t, 'full');
  if (answer.accepted || PERMISSION.has(answer.status)) return;
  if ((await t.api.call('create-workspace', { body: sent })).answer.accepted) return;
  const plain = t.tag.replaceAll(/[^a-z0-9]/g, '');
  const fields = [
    { icon: '🧪' },
    { icon: 'https://www.example.com/icon.png' },
    { slug: `agent-contract-${t.tag}-3` },
    { slug: `check${plain}` },
  ];
  for (const [i, more] of fields.entries())
    await t.api.call('create-workspace', { body: { name: `Check ${t.tag} ${i}`, ...more } });
  await t.api.call('create-workspace', { body: { name: `Check ${t.tag} alone` } });
});

/** Two creations at once after much else was asked: one with only a name, one with all fields. */
const workspacesTogether = makingLate(async (t) => {
  await accepted(t, 'create-workspace');
  const { answer } = await workspace(t, 'full');
  const more = answer.accepted ? 'full' : 'name-only';
  const [alone, full] = await Promise.all([workspaceAgain(t, 'name-only', '4'), workspaceAgain(t, more, '5')]);
  // An acceptance after a refusal shows that no quota is used up.
  if (!alone.answer.accepted && !PERMISSION.has(alone.answer.status)) {
    await workspaceAgain(t, 'name-only', '6');
    await workspaceAgain(t, more, '7');
  }
  if (full.answer.accepted || more === 'name-only' || PERMISSION.has(full.answer.status)) return;
  for (const [i, name] of (['icon', 'slug', 'icon', 'slug'] as const).entries()) {
    const { name: called, [name]: value } = await bodyFor(t, 'create-workspace', 'full', `${8 + i}`);
    await t.api.call('create-workspace', { body: { name: called, [name]: value } });
  }
  await workspaceAgain(t, 'name-only', 'last');
});

const workspaceAgain = async (t: Asking, detail: 'full' | 'name-only', label: string): Promise<Answered> =>
  t.api.call('create-workspace', { body: await bodyFor(t, 'create-workspace', detail, label) });

/** Agents that the user gave, two at once. Reading the published one shows whether it is published. */
const readGiven = reading(async (t) => {
  const { agentId, publishedAgentId, v5AgentId } = t.target;
  if (agentId === undefined) await accepted(t, 'get-agent');
  const ids = [...new Set([agentId, publishedAgentId, v5AgentId])].filter((id) => id !== undefined);
  await Promise.all(ids.map((id) => t.api.call('get-agent', { agentId: id })));
});

const readPublished = reading(async (t) => {
  const agentId = t.need('publishedAgentId');
  await t.api.call('get-agent', { agentId });
  const others = ['1', '2'].map(() => t.api.call('get-published-agent', { agentId }));
  await Promise.all(others);
});

/** What callers with less access get, for given agents and for new ones. */
const readModes = reading(async (t) => {
  const { readToken, guestToken } = t.target;
  const tokens = [readToken, guestToken].filter((token) => token !== undefined);
  if (tokens.length === 0)
    throw new CannotAsk(
      'This needs a token whose access is known.',
      `${optionNames.readToken} or ${optionNames.guestToken}`,
    );
  const agentId = t.target.agentId ?? (await created(t, 'create-agent')).id;
  if (agentId === undefined) throw new CannotAsk('This needs an agent.', '--agent-id');
  for (const token of tokens) await t.api.call('get-agent', { agentId, authorization: `Bearer ${token}` });
});

/** The agents that are read again at the end: the newest, and a few from earlier rounds. */
const READ_AGAIN = 14;
const READ_OF_EARLIER = 4;

const newestMade = ({ facts }: Asking): readonly AgentFact[] =>
  [...facts.agents.all].filter(({ made }) => made !== undefined).slice(-READ_AGAIN);

/** Reads every new agent again, two at a time and in another order. */
const readAgain: Ask = {
  phase: 'end',
  lane: 'making',
  async send(t) {
    const made = [...t.facts.agents.all].filter((fact) => fact.made !== undefined).map(({ id }) => id);
    const newest = newestMade(t).map(({ id }) => id);
    const earlier = made.slice(0, -READ_AGAIN);
    const again = Array.from(
      { length: Math.min(READ_OF_EARLIER, earlier.length) },
      (_, i) => earlier[t.draw(`earlier ${i}`, earlier.length)],
    );
    const given = [t.target.agentId, t.target.publishedAgentId];
    const ids = [...new Set([...newest, ...again, ...given])].filter((id) => id !== undefined);
    const order = shuffled(ids, (label, below) => t.draw(`again ${label}`, below));
    const refused: string[] = [];
    let shown: string | undefined;
    for (let i = 0; i < order.length; i += 2)
      await Promise.all(
        order.slice(i, i + 2).map(async (id) => {
          const { answer } = await (made.includes(id) ? read(t, id) : t.api.call('get-agent', { agentId: id }));
          if (answer.status === 403) refused.push(id);
          else if (answer.accepted) shown = id;
        }),
      );
    // A lock of some requests has ended by now. Whatever is still refused is refused while other requests are accepted.
    for (const id of refused) await read(t, id);
    if (refused.length > 0 && shown !== undefined) await t.api.call('get-agent', { agentId: shown });
  },
};

/**
 * Reads one agent of each kind, which is read again too, with a token of less access. The server may refuse that, but
 * may not show anything else. The given agent is read with every such token, as at first.
 */
const readMadeWithLess: Ask = {
  phase: 'end',
  lane: 'making',
  async send(t) {
    const tokens = [t.target.readToken, t.target.guestToken].filter((token) => token !== undefined);
    const readWith = async (agentId: string | undefined, token: string | undefined): Promise<void> => {
      if (agentId === undefined || token === undefined) return;
      await t.api.call('get-agent', { agentId, authorization: `Bearer ${token}` });
    };
    const drawn = t.draw('token of less access', 2);
    for (const [i, origin] of (['created', 'imported'] as const).entries()) {
      const made = newestMade(t).filter((fact) => fact.origin === origin && fact.sent !== undefined);
      const agentId = made[t.draw(`${origin} with less`, Math.max(1, made.length))]?.id;
      await readWith(agentId, tokens[(drawn + i) % Math.max(1, tokens.length)]);
    }
    for (const token of tokens) await readWith(t.target.agentId, token);
  },
};

/** Reads public forms again: that of the given agent, and those of agents that are shown as published. */
const readPublishedAgain: Ask = {
  phase: 'end',
  lane: 'making',
  async send(t) {
    const shown = [...t.facts.agents.all].filter(({ isPublished, made }) => isPublished === true && made !== undefined);
    const ids = [t.target.publishedAgentId, ...shown.slice(-1).map(({ id }) => id)].filter((id) => id !== undefined);
    for (const agentId of new Set(ids)) await t.api.call('get-published-agent', { agentId });
    const { publishedAgentId: agentId, readToken, guestToken } = t.target;
    const less = readToken ?? guestToken;
    if (agentId !== undefined && less !== undefined)
      await t.api.call('get-published-agent', { agentId, authorization: `Bearer ${less}` });
  },
};

const createAsks: readonly Ask[] = [first('create-agent'), unusual, together('create-agent')];
const importAsks: readonly Ask[] = [first('import-agent'), unusual, together('import-agent')];

export const newAgentAsks: Readonly<Record<NewAgentEndpoint, readonly Ask[]>> = {
  'create-agent': [...createAsks, readAgain, readMadeWithLess],
  'import-agent': [...importAsks, importPublished, readAgain, readMadeWithLess],
};
export const getAgentAsks: readonly Ask[] = [readGiven, readAgain];
export const modeAsks: readonly Ask[] = [readGiven, readModes];
export const publishedAsks: readonly Ask[] = [readPublished, readPublishedAgain];
export const workspaceAsks = {
  nameAlone,
  optionalFields,
  together: workspacesTogether,
  taking: [making(async (t) => void (await newWorkspace(t))), unusual],
} as const;
