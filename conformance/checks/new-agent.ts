import { endpoints } from '../../spec/index.ts';
import type { CheckContext } from '../check.ts';
import { compareAgents, type Comparison } from '../content/content.ts';
import { CannotJudge, Violation, field, isObject, show, stringAt, type JsonObject } from '../expect.ts';
import { mustBeAccepted, type Creation, type NewAgentEndpoint } from '../asking/given.ts';

/** What Create agent (section 4.1) and Import agent (section 4.2) have in common. */

/** A body that any server must take: passes with the most modest one that is. */
export async function acceptsValidBody({ given }: CheckContext, endpoint: NewAgentEndpoint): Promise<void> {
  const { answers, creation } = await given.attempt(endpoint);
  const last = answers.at(-1);
  if (creation) return;
  if (!last) throw new CannotJudge('No request was made.');
  await mustBeAccepted(last, given, { request: endpoints[endpoint].title, userGave: ['workspaceId'] });
}

export async function givesNewIds({ given }: CheckContext, endpoint: NewAgentEndpoint): Promise<void> {
  const first = await given.created(endpoint);
  const second = await given.createdSecond(endpoint);
  if (first.id === undefined || second.id === undefined)
    throw new CannotJudge('An answer holds no string as the id of the agent.');
  if (first.id === second.id)
    throw new Violation(
      { expected: 'an identifier that no other agent has', actual: `${show(second.id)} twice`, at: '/agent/id' },
      [first.answer.exchange, second.answer.exchange],
    );
}

export async function keepsWhatWasSent({ given }: CheckContext, endpoint: NewAgentEndpoint): Promise<void> {
  const creation = await given.created(endpoint);
  const sent = sentAgent(creation);
  const shown = shownAgent(creation);
  const first = compareAgents(sent, shown, 'unknown');
  // Only what the answer leaves out makes it necessary to read the agent.
  const stored = first.unclear.length === 0 ? undefined : await readAgent(given.readBack(endpoint));
  const comparison = stored ? compareAgents(sent, shown, stored) : first;
  conclude(comparison, creation);
}

export async function readsAsAnswered({ given }: CheckContext, endpoint: NewAgentEndpoint): Promise<void> {
  const creation = await given.created(endpoint);
  const read = await given.readBack(endpoint);
  const stored = read.accepted ? field(read.json, 'agent') : undefined;
  if (!isObject(stored)) throw new CannotJudge('The agent could not be read.');
  const answered = onlyFieldsOf(shownAgent(creation), sentAgent(creation));
  const { findings, unclear, compared } = compareAgents(answered, stored);
  const [first, ...more] = findings.map((finding) => ({
    ...finding,
    expected: finding.expected.replace('as sent', 'as it was answered'),
  }));
  if (first) throw new Violation(first, [creation.answer.exchange, read.exchange], more);
  if (compared === 0) throw new CannotJudge(unclear[0] ?? 'The answers have nothing in common that was sent.');
}

export async function isInTheWorkspace({ given }: CheckContext, endpoint: NewAgentEndpoint): Promise<void> {
  const { answer, sent } = await given.created(endpoint);
  const wanted = field(sent, 'workspaceId');
  const met = stringAt(answer.json, 'agent', 'workspaceId');
  if (met === undefined) throw new CannotJudge('The answer does not show the workspaceId of the agent.');
  if (met !== wanted)
    throw new Violation(
      { expected: `the workspace that was named, ${show(wanted)}`, actual: show(met), at: '/agent/workspaceId' },
      [answer.exchange],
    );
}

export async function canBeRead({ given }: CheckContext, endpoint: NewAgentEndpoint): Promise<void> {
  const creation = await given.created(endpoint);
  const read = await given.readBack(endpoint);
  if (read.accepted) return;
  if (given.target.agentId !== undefined) await given.accepted('get-agent');
  else if (![403, 404, 410].includes(read.status))
    throw new CannotJudge(
      `Get agent answered ${read.status}, and there is no other agent to compare with.`,
      '--agent-id',
    );
  throw new Violation(
    {
      expected: `the agent ${show(creation.id)}, which has just been answered, can be read`,
      actual: `Get agent answered ${read.status}`,
    },
    [creation.answer.exchange, read.exchange],
  );
}

function sentAgent({ sent }: Creation): JsonObject {
  const agent = field(sent, 'agent');
  if (!isObject(agent)) throw new Error('the body holds no agent');
  return agent;
}

function shownAgent({ answer }: Creation): JsonObject {
  const agent = field(answer.json, 'agent');
  if (!isObject(agent)) throw new CannotJudge('The answer holds no agent.');
  return agent;
}

async function readAgent(reading: Promise<{ accepted: boolean; json: unknown }>): Promise<JsonObject | undefined> {
  const answer = await reading.catch((error: unknown) => {
    if (error instanceof CannotJudge) return undefined;
    throw error;
  });
  const agent = answer?.accepted === true ? field(answer.json, 'agent') : undefined;
  return isObject(agent) ? agent : undefined;
}

const onlyFieldsOf = (agent: JsonObject, sent: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(agent).filter(([name]) => Object.hasOwn(sent, name)));

function conclude({ findings, unclear }: Comparison, { answer }: Creation): void {
  const [first, ...more] = findings;
  if (first) throw new Violation(first, [answer.exchange], more);
  const [reason] = unclear;
  if (reason !== undefined) throw new CannotJudge(`Something that was sent cannot be compared: ${reason}.`);
}
