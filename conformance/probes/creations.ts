import type { NewAgentEndpoint } from '../../spec/index.ts';
import { emptyParts, oddParts, withKinds } from '../../fixtures/requests/index.ts';
import { present } from '../collections.ts';
import type { Answered } from '../http/exchange.ts';
import { wordOf } from '../history/facts/failures.ts';
import { PERMISSION } from '../http/statuses.ts';
import { field, isObject, type JsonObject } from '../json.ts';
import type { Difference } from '../content/content.ts';
import { CannotProbe, ifPossible } from './cannot-probe.ts';
import {
  acceptedRequest,
  idIn,
  bodyFor,
  firstAgent,
  firstAttempt,
  firstWorkspace,
  ifAccepted,
  askUntil,
  createAgent,
  PAUSES_MS,
  unlessElsewhere,
} from './prerequisites.ts';
import type { Run } from './probe.ts';
import { allowed, createWithoutRefused, refusedOf } from './refused-creations.ts';
import { withoutKinds } from './refused-values.ts';
import { smallerBody } from './smaller.ts';

/** Whether an answer decides: the creation is accepted, or refused for a permission. */
const isDecided = ({ answer }: Answered): boolean => answer.accepted || PERMISSION.has(answer.status);

/** Of agents that did not come in the allowed time, or came late, so many are waited for. */
const [MOST_IN_VAIN, MOST_LATE] = [2, 4];

/** Reads an agent until it is there, or until the allowed time is over. */
export async function readUntilThere(run: Run, agentId: string): Promise<Answered> {
  const { inVain } = run.met;
  const isThere = ({ answer }: Answered): boolean => answer.accepted || answer.status === 401;
  let times = 0;
  const isThereNow = (reading: Answered): boolean => {
    times++;
    return isThere(reading);
  };
  const last = await askUntil(run, ['get-agent', { agentId }], isThereNow, inVain < MOST_IN_VAIN ? PAUSES_MS : []);
  if (!isThere(last)) run.met.inVain = inVain + 1;
  else if (times > 1) run.met.late++;
  return last;
}

async function readCreated(run: Run, exchange: Answered): Promise<void> {
  const id = idIn(exchange);
  // Where several came late, all others are read at the end of the round.
  if (id === undefined || run.met.late >= MOST_LATE) return;
  await readUntilThere(run, id);
  const [difference] = differencesOf(run, exchange);
  if (difference) await makeSmaller(run, exchange, difference);
  if (field(exchange.sent, 'agent', 'isPublished') === true) await readPublicForm(run, id);
}

/** How the agent that an exchange created differs from what was sent, in its answers so far. */
function differencesOf({ facts: { agents } }: Run, exchange: Answered): readonly Difference[] {
  const fact = agents.get(idIn(exchange));
  const { sent, answered } = fact?.creation ?? {};
  if (!sent || fact?.isAmbiguous !== false) return [];
  const contents = [answered, fact.shown].filter((content) => content !== undefined);
  return contents.flatMap((content) => agents.compare(sent, content).differences).filter(({ is }) => is === 'another');
}

/** Whether an agent was only half written when it was read, and is whole within the time that a new one may take. */
async function isShownLater(run: Run, exchange: Answered): Promise<boolean> {
  const agentId = idIn(exchange);
  const { answered, sent } = run.facts.agents.creationOf(agentId) ?? {};
  if (agentId === undefined || (answered && run.facts.agents.compare(sent ?? {}, answered).differences.length > 0))
    return false;
  return areShownLater(run, () => [agentId].filter(() => differencesOf(run, exchange).length > 0));
}

/** Reads agents again and again, until none is left or the time that a new one may take is over. */
async function areShownLater(run: Run, left: () => readonly string[]): Promise<boolean> {
  for (const pause of PAUSES_MS) {
    if (left().length === 0) return true;
    await run.sleep(pause);
    for (const agentId of left()) await run.call('get-agent', { agentId });
  }
  return left().length === 0;
}

/** Agents that are read until they are whole. They stand for the others. */
const MOST_HALF = 4;

/** Reads some of the agents until they show what the answers that made them showed. */
export const readUntilWhole = (run: Run, ids: readonly string[]): Promise<boolean> =>
  areShownLater(run, () => {
    const { agents } = run.facts;
    const half = ids.filter((id) => {
      const { creation, shown } = agents.get(id) ?? {};
      return creation?.answered && shown && agents.compare(creation.answered, shown).differences.length > 0;
    });
    return half.slice(-MOST_HALF);
  });

/** Sends smaller and smaller bodies that show the same difference, or fail as well, so that a finding has the smallest. */
async function makeSmaller(run: Run, exchange: Answered, difference?: Difference): Promise<void> {
  const { endpoint, sent } = exchange;
  const limits = await allowed(run, 'differences', difference?.kind ?? 'failure');
  if (!isObject(sent) || !limits || (difference && (await isShownLater(run, exchange)))) return;
  await smallerBody(sent, {
    ...limits,
    place: difference?.place,
    async shows(body) {
      if (!run.hasSpare()) return false;
      limits.count();
      const made = await ifPossible(run.call(endpoint, { body }));
      if (!difference || !made?.answer.accepted) return !difference && (made?.answer.status ?? 0) >= 500;
      const isShown = (): boolean => differencesOf(run, made).some(({ kind }) => kind === difference.kind);
      const id = idIn(made);
      if (!isShown() && id !== undefined) await readUntilThere(run, id);
      return isShown();
    },
  });
}

/**
 * Sends a creation. If it is refused, sends it once more, and then one of the kind that was accepted before. If none
 * was, sends one of the other kind, which shows whether a quota is used up.
 */
async function create(run: Run, endpoint: NewAgentEndpoint, body: JsonObject, label: string): Promise<Answered> {
  const first = await createAgent(run, endpoint, body);
  if (isDecided(first)) return first;
  const second = await run.call(endpoint, { body, form: { connection: 'new' } });
  if (second.answer.accepted) return second;
  if (second.answer.status >= 500) await makeSmaller(run, second);
  for (const [i, kind] of [endpoint, ...KINDS.filter((one) => one !== endpoint)].entries()) {
    const { exchange, detail } = await firstAttempt(run, kind);
    if (!exchange.answer.accepted) continue;
    // The name has the same length as the first, since a server may accept or refuse a name for its length.
    const plain = await bodyFor(run, kind, detail, `${label}-${i}`);
    if (!(await run.call(kind, { body: plain })).answer.accepted) continue;
    if (kind === endpoint && wordOf(second.answer.status) === 'refused')
      return createWithoutRefused(run, second, endpoint);
    break;
  }
  return second;
}

export async function createFirst(run: Run, endpoint: NewAgentEndpoint): Promise<void> {
  const { exchange } = await firstAttempt(run, endpoint);
  if (exchange.answer.accepted) await readCreated(run, exchange);
  else if (PERMISSION.has(exchange.answer.status)) ifAccepted(run, exchange);
}

/** Two agents at once, which are then read at once. */
export async function createTwo(run: Run, endpoint: NewAgentEndpoint): Promise<void> {
  const { detail } = await firstAgent(run, endpoint);
  const pair = await Promise.all(
    ['2', '3'].map(async (label, number) =>
      create(run, endpoint, await bodyFor(run, endpoint, detail, label, number), label),
    ),
  );
  await Promise.all(pair.map((exchange) => readCreated(run, exchange)));
}

/** The workspace that the round creates. @throws CannotProbe */
export async function createWorkspace(run: Run): Promise<string> {
  const made = await firstWorkspace(run, 'name-only');
  const id = idIn(made);
  if (id !== undefined) return id;
  const supply = unlessElsewhere(made, 'a token that may create workspaces');
  throw new CannotProbe('This needs a workspace that the run creates.', supply);
}

const KINDS = ['create-agent', 'import-agent'] as const;

/** One creation of each kind at once, with values that not every system keeps, in the workspace of the round if any. */
export async function createUnusual(run: Run): Promise<void> {
  // Each kind is sent after one of the other kind, whatever comes first otherwise.
  for (const endpoint of KINDS) await firstAttempt(run, endpoint);
  const elsewhere = await ifPossible(createWorkspace(run));
  const created = await Promise.all(KINDS.map((endpoint) => createUnusualOne(run, endpoint, elsewhere)));
  await Promise.all(present(...created).map((exchange) => readCreated(run, exchange)));
  await importAgain(run, elsewhere);
}

/** The number of a document that no other creation sends. */
const AGAIN = 8;

/**
 * Imports an agent once more, as an export has it: with all its identifiers and other texts, elsewhere if possible. That is another
 * agent, and leaves the first as it is. If what a server sets is refused, sends only what was imported. Both may be refused.
 */
async function importAgain(run: Run, elsewhere: string | undefined): Promise<void> {
  const { id, exchange } = await firstAttempt(run, 'import-agent');
  if (id === undefined || !isObject(exchange.sent)) return;
  const { workspaceId, agent: sent } = exchange.sent;
  // Without what a server adds to each of its lists, which it may add again, and without null for what an agent has not.
  const whole = JSON.stringify({ ...Object(field(exchange.answer.json, 'agent')), ...Object(sent) });
  const exported = JSON.parse(whole, (_, value: unknown) => value ?? undefined) as JsonObject;
  for (const agent of [exported, { ...Object(sent), shareId: undefined }]) {
    if (!run.hasSpare()) return;
    const others = withKinds(agent, { number: AGAIN, draw: run.draw, orders: run.orders });
    const body = { workspaceId: elsewhere ?? workspaceId, agent: { ...others, isPublished: false } };
    const left = withoutKinds(body, refusedOf(run, 'import-agent'));
    if (isDecided(await run.call('import-agent', { body: left }))) return;
  }
}

/** The numbers of the documents that follow the one in the new workspace, and its own. */
const [UNUSUAL, ...MORE] = [2, [3, 4], [5, 6]] as const;

async function createUnusualOne(run: Run, endpoint: NewAgentEndpoint, elsewhere: string | undefined) {
  const { exchange: first, detail } = await firstAttempt(run, endpoint);
  if (!first.answer.accepted) return undefined;
  const body = async (label: string, number?: number): Promise<JsonObject> => {
    const plain = await bodyFor(run, endpoint, detail, label, number);
    return { ...plain, workspaceId: elsewhere ?? plain['workspaceId'] };
  };
  const unusual = await publishedIfPossible(run, endpoint, await body('texts', UNUSUAL));
  const exchange = await create(run, endpoint, unusual, 'texts');
  if (isDecided(exchange) || elsewhere === undefined) return exchange;
  // Shows whether the values are refused, or the workspace.
  return create(run, endpoint, await body('new'), 'new');
}

/** Agents, two at once, so that each documented field meets each kind of value. They are read while the next are created. */
export async function createOfEveryKind(run: Run, endpoint: NewAgentEndpoint): Promise<void> {
  const { detail } = await firstAgent(run, endpoint);
  let reading: Promise<unknown> | undefined;
  const areTaken = async (creations: readonly Promise<Answered>[]): Promise<boolean> => {
    const made = await Promise.all(creations);
    await reading;
    reading = Promise.all(made.map((exchange) => readCreated(run, exchange)));
    // Whoever awaits it hears why it failed. Until then others are created.
    reading.catch(() => undefined);
    return made.every(({ answer }) => answer.accepted);
  };
  for (const numbers of MORE)
    await areTaken(
      numbers.map(async (number) => {
        const label = `kinds-${number}`;
        const body = await bodyFor(run, endpoint, detail, label, number);
        return create(run, endpoint, await publishedIfPossible(run, endpoint, body), label);
      }),
    );
  // Named as the published one, or else the first, and with little else: another agent, which leaves others alone. It may be refused.
  const published = endpoint === 'import-agent' && (await importPublished(run));
  const { agent, ...where } = await bodyFor(run, endpoint, 'name-only', published ? PUBLISHED : '');
  const { version, name, ...rest } = agent as JsonObject;
  const createFrom = (parts: JsonObject): Promise<Answered> =>
    run.call(endpoint, { body: { ...where, agent: { version, name, ...parts } } });
  const { events, groups } = oddParts(run.tag, endpoint);
  if (!(await areTaken([createFrom({ ...rest, events, groups })]))) await areTaken([createFrom({ ...rest, events })]);
  const bare = version === undefined ? [emptyParts(), {}] : [{}];
  await areTaken(bare.map(createFrom));
  await reading;
  if (published) await readPublicForm(run, published);
}

/** Publishes what it imports, on a server where an import publishes. */
async function publishedIfPossible(run: Run, endpoint: NewAgentEndpoint, body: JsonObject): Promise<JsonObject> {
  const agent = field(body, 'agent');
  if (endpoint !== 'import-agent' || !isObject(agent) || (await importPublished(run)) === undefined) return body;
  return { ...body, agent: { ...agent, isPublished: true } };
}

/** The label of the agent that is imported as published. */
const PUBLISHED = 'published';

export async function importAsPublished(run: Run): Promise<Answered> {
  const { detail } = await firstAgent(run, 'import-agent');
  const { agent, ...where } = await bodyFor(run, 'import-agent', detail, PUBLISHED);
  return run.call('import-agent', { body: { ...where, agent: { ...(agent as JsonObject), isPublished: true } } });
}

/** Imports an agent as published. Resolves with its identifier if its public form is answered. */
export const importPublished = (run: Run): Promise<string | undefined> =>
  run.once('import published', async () => {
    const id = idIn(await importAsPublished(run));
    if (id === undefined) return undefined;
    const { answer } = await readUntilThere(run, id);
    if (answer.accepted && field(answer.json, 'agent', 'isPublished') === true)
      return (await readPublicForm(run, id)) ? id : undefined;
    await run.call('get-published-agent', { agentId: id, open: true });
    return undefined;
  });

/** Reads the public form of a new agent, which may appear as late as the agent itself. Until then it may be null. */
export async function readPublicForm(run: Run, agentId: string): Promise<boolean> {
  const isShown = ({ answer }: Answered) => answer.accepted && field(answer.json, 'publicAgent') !== undefined;
  return isShown(await askUntil(run, ['get-published-agent', { agentId }], isShown));
}

/** A workspace with only a name; if it is refused, one with all fields. */
export async function createWorkspaceByName(run: Run): Promise<void> {
  if (isDecided(await firstWorkspace(run, 'name-only'))) return;
  // What was accepted before shows whether a quota is used up.
  await createWorkspaceLike(run, 'full', 'quota');
}

/** A picture and an address: a server may take only one of them. */
const ICONS = ['🧪', 'https://www.example.com/icon.png'] as const;

/** A workspace with icon and slug beside the name; if they are refused, each alone and in its plainest form. */
export async function createWorkspaceWithOptionalFields(run: Run): Promise<void> {
  const first = await firstWorkspace(run, 'full');
  if (isDecided(first)) return;
  const again = { body: first.sent, form: { connection: 'new' } } as const;
  if ((await run.call('create-workspace', again)).answer.accepted) return;
  await createWithEach(run, 'c');
}

/** Workspaces with each icon and each slug alone, a plain one among them, and then with neither. */
async function createWithEach(run: Run, label: string): Promise<void> {
  const slugs = [`agent-contract-${run.tag}-${label}`, `check${run.tag.replaceAll(/[^a-z0-9]/g, '')}${label}`];
  for (const [i, more] of [...ICONS.map((icon) => ({ icon })), ...slugs.map((slug) => ({ slug })), {}].entries())
    await run.call('create-workspace', { body: { name: `Check ${run.tag} ${label}${i}`, ...more } });
}

/** Two workspaces at once after much else was sent: one with only a name, one with all fields. */
export async function createTwoWorkspaces(run: Run): Promise<void> {
  await acceptedRequest(run, 'create-workspace');
  const [alone, full] = await Promise.all([
    createWorkspaceLike(run, 'name-only', '4', 0),
    createWorkspaceLike(run, 'full', '5', 1),
  ]);
  if (full.answer.accepted) await createWorkspaceLike(run, 'full', '3', 2);
  // An acceptance after a refusal shows that no quota is used up.
  if (!isDecided(alone)) {
    await createWorkspaceLike(run, 'name-only', '6');
    await createWorkspaceLike(run, 'full', '7');
  }
  if (full.answer.accepted && (await firstWorkspace(run, 'full')).answer.accepted) return;
  await createWithEach(run, 'd');
}

/** A workspace with other kinds of values; if it is refused, and a plain one is not, without the refused ones. */
async function createWorkspaceLike(run: Run, detail: 'full' | 'name-only', label: string, number?: number) {
  const endpoint = 'create-workspace';
  const { slug, ...rest } = await bodyFor(run, endpoint, detail, label, number);
  // An icon is sent beside a slug and without one.
  const body = number === 2 ? rest : { ...rest, slug };
  let first = await run.call(endpoint, { body });
  // A connection that was used before may be the reason.
  if (wordOf(first.answer.status) === 'refused')
    first = await run.call(endpoint, { body, form: { connection: 'new' } });
  if (number === undefined || wordOf(first.answer.status) !== 'refused') return first;
  const plain = await run.call(endpoint, { body: await bodyFor(run, endpoint, 'name-only', `${label}-0`) });
  if (!plain.answer.accepted) return first;
  return createWithoutRefused(run, first, endpoint);
}
