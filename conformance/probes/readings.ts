import type { AgentFact } from '../history/facts/agents.ts';
import { present } from '../collections.ts';
import { MAX_LAG_MS } from '../history/facts/lateness.ts';
import { optionNames } from '../target-options.ts';
import { CannotProbe } from './cannot-probe.ts';
import { readPublicForm, readUntilThere, readUntilWhole } from './creations.ts';
import { readInBrief } from './lists.ts';
import { acceptedRequest, agentToRead } from './prerequisites.ts';
import { shuffled } from './draw.ts';
import type { Run } from './probe.ts';

/** How a run reads agents: those that the user gave, and those that it created. */

const tokensOfLess = ({ target: { readToken, guestToken } }: Run): readonly string[] =>
  present(...new Set([readToken, guestToken]));

/** Agents that the user gave, at once. Reading the published one shows whether it is published. */
export async function readGiven(run: Run): Promise<void> {
  const { agentId, publishedAgentId, v5AgentId } = run.target;
  if (agentId === undefined) await acceptedRequest(run, 'get-agent');
  const ids = new Set([agentId, publishedAgentId, v5AgentId]);
  await Promise.all(present(...ids).map((id) => run.call('get-agent', { agentId: id })));
}

/** The least length of an identifier of which a part identifies nobody. */
const LONG_ID = 10;

export async function readCutShort(run: Run): Promise<void> {
  const agentId = await agentToRead(run);
  if (agentId.length < LONG_ID) throw new CannotProbe('The identifiers are too short to leave out a part.');
  await run.call('get-agent', { agentId: agentId.slice(0, Math.ceil(agentId.length * 0.7)), open: true });
}

/** The published agent that the user gave, and its public form, twice at once. */
export async function readPublished(run: Run): Promise<void> {
  const agentId = run.need('publishedAgentId');
  await run.call('get-agent', { agentId });
  await Promise.all([1, 2].map(() => run.call('get-published-agent', { agentId })));
}

/** What callers with less access get of an agent. */
export async function readWithLessAccess(run: Run): Promise<void> {
  const tokens = tokensOfLess(run);
  if (tokens.length === 0) {
    const supply = `${optionNames.readToken} or ${optionNames.guestToken}`;
    throw new CannotProbe('This needs a token whose access is known.', supply);
  }
  const agentId = await agentToRead(run);
  for (const token of tokens) await run.call('get-agent', { agentId, authorization: `Bearer ${token}` });
}

/** The agents that are read again at the end: the newest, and a few from earlier rounds. */
const READ_AGAIN = 14;

const createdAgents = ({ facts }: Run): readonly AgentFact[] =>
  [...facts.agents.all].filter(({ creation }) => creation !== undefined);

/** Where something was late, waits until nothing can be: what is denied from then on is lost. */
const waitForLate = (run: Run): Promise<void> =>
  run.once('late', async () => {
    if (run.facts.excuses.counts.has('late')) await run.sleep(MAX_LAG_MS);
  });

/** Reads every new agent again, four at a time and in another order. */
export async function readAgain(run: Run): Promise<void> {
  await waitForLate(run);
  const agents = createdAgents(run);
  const created = agents.map(({ id }) => id);
  const earlier = created.slice(0, -READ_AGAIN);
  const some = [0, 1].map((i) => earlier[run.draw(`earlier ${i}`, Math.max(1, earlier.length))]);
  // Others have their names.
  const first = (['created', 'imported'] as const).map((of) => {
    const all = agents.filter(({ origin }) => origin === of);
    return (all.find(({ isPublished }) => isPublished === true) ?? all[0])?.id;
  });
  const { agentId, publishedAgentId } = run.target;
  const ids = present(...new Set([...created.slice(-READ_AGAIN), ...some, ...first, agentId, publishedAgentId]));
  const order = shuffled(ids, (label, below) => run.draw(`again ${label}`, below));
  const refused: string[] = [];
  let shown: string | undefined;
  const read = async (id: string): Promise<void> => {
    const isCreated = created.includes(id);
    const { answer } = await (isCreated ? readUntilThere(run, id) : run.call('get-agent', { agentId: id }));
    if (answer.status === 403) refused.push(id);
    else if (answer.accepted) shown = id;
  };
  for (let i = 0; i < order.length; i += 4) await Promise.all(order.slice(i, i + 4).map(read));
  await readUntilWhole(run, created);
  // A lock of some requests has ended by now. Whatever is still refused is refused while other requests are accepted.
  for (const id of refused) await readUntilThere(run, id);
  if (refused.length > 0 && shown !== undefined) await run.call('get-agent', { agentId: shown });
}

/**
 * Reads one agent of each kind, which is read again too, with a token of less access. The server may refuse that, but
 * may not show anything else. The given agent is read with every such token, as at first, and its results too.
 */
export async function readAgainWithLessAccess(run: Run): Promise<void> {
  const tokens = tokensOfLess(run);
  const newest = createdAgents(run).slice(-READ_AGAIN);
  const drawn = run.draw('token of less access', 2);
  for (const [i, origin] of (['created', 'imported'] as const).entries()) {
    const comparable = newest.filter((agent) => agent.origin === origin && agent.creation?.sent !== undefined);
    const agentId = comparable[run.draw(`${origin} with less`, Math.max(1, comparable.length))]?.id;
    const token = tokens[(drawn + i) % Math.max(1, tokens.length)];
    if (agentId !== undefined && token !== undefined)
      await run.call('get-agent', { agentId, authorization: `Bearer ${token}` });
  }
  const { agentId } = run.target;
  if (agentId === undefined) return;
  for (const [i, token] of tokens.entries()) {
    await run.call('get-agent', { agentId, authorization: `Bearer ${token}` });
    await readInBrief(run, { agentId, authorization: `Bearer ${token}`, pages: i === 0 ? 2 : 1 });
  }
}

/** Reads public forms again: that of the given agent, and of the newest one that is shown as published. */
export async function readPublishedAgain(run: Run): Promise<void> {
  const { publishedAgentId } = run.target;
  await waitForLate(run);
  const newest = createdAgents(run).findLast(({ isPublished }) => isPublished === true)?.id;
  if (publishedAgentId !== undefined) await run.call('get-published-agent', { agentId: publishedAgentId });
  if (newest !== undefined && newest !== publishedAgentId) await readPublicForm(run, newest);
  if (publishedAgentId === undefined) return;
  for (const token of tokensOfLess(run))
    await run.call('get-published-agent', { agentId: publishedAgentId, authorization: `Bearer ${token}` });
}
