import { createAgentBody, createWorkspaceBody, importAgentBody, type Detail } from '../../fixtures/requests/index.ts';
import type { CreatingEndpoint, EndpointId, NewAgentEndpoint } from '../../spec/index.ts';
import { endpoints, isCreating, isCreatingAgents } from '../../spec/index.ts';
import { statusWords, type Answered } from '../http/exchange.ts';
import { wordOf } from '../history/facts/failures.ts';
import { GONE, PERMISSION } from '../http/statuses.ts';
import { mapValues } from '../collections.ts';
import { isObject, stringAt, type JsonObject } from '../json.ts';
import { optional } from '../show.ts';
import { optionNames, type TargetOptions } from '../target-options.ts';
import { CannotProbe } from './cannot-probe.ts';
import type { Run } from './probe.ts';
import { createWithoutRefused, refusedOf } from './refused-creations.ts';
import { withoutKinds } from './refused-values.ts';

/** What probes share: created at its first use, once in a round; refused for one, it is refused for all. */

/** An agent that the round wanted to create. It exists if the answer accepts it. */
const newAgent = (exchange: Answered, detail: Detail) => ({ exchange, detail, id: idIn(exchange) });

export type NewAgent = ReturnType<typeof newAgent>;

/** The identifier of what an accepted request created. */
export function idIn({ endpoint, answer }: Answered): string | undefined {
  if (answer.accepted) return stringAt(answer.json, endpoints[endpoint].holds, 'id');
  return undefined;
}

/** The workspace that the user gave, or one that the round creates. @throws CannotProbe */
export const workspaceId = (run: Run): Promise<string> =>
  run.once('workspace id', async () => {
    if (run.target.workspaceId !== undefined) return run.target.workspaceId;
    const id = idIn(await firstWorkspace(run, 'name-only'));
    if (id !== undefined) return id;
    const reason = 'This needs a workspace, but none was given and none could be created.';
    throw new CannotProbe(reason, optionNames.workspaceId);
  });

/** Where the plan of values begins in the first round. */
const FIRST: Readonly<Record<NewAgentEndpoint, number>> = { 'create-agent': 0, 'import-agent': 1 };

/** A body for a creation, with a name that nothing else has. With a `number`, it is that document of the plan of values. */
export async function bodyFor(run: Run, endpoint: CreatingEndpoint, detail: Detail, label: string, number?: number) {
  const tag = label === '' ? run.tag : `${run.tag}-${label}`;
  const { draw, orders, round } = run;
  const first = round - 1 + (isCreatingAgents(endpoint) ? FIRST[endpoint] : 0);
  const variation = number === undefined ? undefined : { number: number + first, first, draw, orders };
  const documented = (body: object): JsonObject => {
    const left = withoutKinds(body as JsonObject, refusedOf(run, endpoint));
    return run.refused.longNames ? withShortName(left) : left;
  };
  if (!isCreatingAgents(endpoint))
    return documented(createWorkspaceBody({ tag, detail: detail === 'full' ? 'full' : 'name-only', variation }));
  const wanted = { workspaceId: await workspaceId(run), tag, detail, variation };
  return documented(endpoints[endpoint].does === 'imports' ? importAgentBody(wanted) : createAgentBody(wanted));
}

/** For servers that limit names: `check k3x9p2q c`, without what says whose it is. */
function withShortName({ name, agent, ...body }: JsonObject): JsonObject {
  const short = (long: unknown): string => String(long).replace(/^agent-contract (check \S+ .).*$/s, '$1');
  if (!isObject(agent)) return { ...body, name: short(name) };
  return { ...body, agent: { ...agent, name: short(agent['name']) } };
}

/** What is accepted with a short name after it was refused with a usual one; then all names of the round are short. */
async function withShortNames(run: Run, first: Answered, make: () => Promise<Answered>): Promise<Answered | undefined> {
  if (wordOf(first.answer.status) !== 'refused' || run.refused.longNames) return undefined;
  run.refused.longNames = true;
  const short = await make();
  if (short.answer.accepted) return short;
  run.refused.longNames = false;
  return undefined;
}

/** The first agent of the round, in the fullest body that is accepted, or in the last one that is refused. */
export const firstAttempt = (run: Run, endpoint: NewAgentEndpoint): Promise<NewAgent> =>
  run.once(`attempt ${endpoint}`, async () => {
    const first = await fullest(run, endpoint);
    const make = async (): Promise<Answered> => (await attempt(run, endpoint, 'name-only')).exchange;
    return (await withShortNames(run, first.exchange, make)) ? fullest(run, endpoint) : first;
  });

const attempt = async (run: Run, endpoint: NewAgentEndpoint, detail: Detail): Promise<NewAgent> =>
  newAgent(await createAgent(run, endpoint, await bodyFor(run, endpoint, detail, '')), detail);

/** How long what is new may take in total until it is found. */
export const PAUSES_MS = [100, 400, 1500, 1000] as const;

/** Asks until an answer shows what is new, or until the time that it may take is over. Resolves with the last answer. */
export async function askUntil(
  run: Run,
  [endpoint, parameters]: Parameters<Run['call']>,
  isThere: (exchange: Answered) => boolean,
  pauses: readonly number[] = PAUSES_MS,
): Promise<Answered> {
  for (const pause of pauses) {
    const exchange = await run.call(endpoint, parameters);
    if (isThere(exchange)) return exchange;
    await run.sleep(pause);
  }
  return run.call(endpoint, parameters);
}

/** Sends a creation, again and again while its workspace is so new that it may not be found yet. */
export const createAgent = (run: Run, endpoint: NewAgentEndpoint, body: JsonObject): Promise<Answered> =>
  askUntil(run, [endpoint, { body }], (exchange) => !run.facts.workspaces.isDeniedAsNew(exchange));

async function fullest(run: Run, endpoint: NewAgentEndpoint): Promise<NewAgent> {
  const less: NewAgent[] = [];
  let last = await attempt(run, endpoint, 'full');
  for (const detail of ['plain', 'name-only'] as const) {
    const { accepted, status } = last.exchange.answer;
    if (accepted || PERMISSION.has(status)) break;
    less.push(last);
    last = await attempt(run, endpoint, detail);
  }
  // What a fuller body is refused for may be little.
  for (const { exchange: refusal, detail } of last.exchange.answer.accepted ? less : []) {
    const exchange = await createWithoutRefused(run, refusal, endpoint);
    if (exchange.answer.accepted) return newAgent(exchange, detail);
  }
  return last;
}

/** The first agent of the round. @throws CannotProbe if no body was accepted. */
export async function firstAgent(run: Run, endpoint: NewAgentEndpoint): Promise<NewAgent> {
  const agent = await firstAttempt(run, endpoint);
  if (agent.exchange.answer.accepted) return agent;
  throw new CannotProbe(
    refusalReason(agent.exchange),
    unlessElsewhere(agent.exchange, 'a token that may create agents'),
  );
}

export const firstWorkspace = (run: Run, detail: 'name-only' | 'full'): Promise<Answered> =>
  run.once(`workspace ${detail}`, async () => {
    const label = detail === 'full' ? '2' : '';
    const make = async () =>
      run.call('create-workspace', { body: await bodyFor(run, 'create-workspace', detail, label) });
    const first = await make();
    return (detail === 'name-only' && (await withShortNames(run, first, make))) || first;
  });

/** The agent that the user gave, or one that the round created. @throws CannotProbe */
export const agentToRead = (run: Run): Promise<string> =>
  run.once('agent to read', async () => {
    const id = run.target.agentId ?? (await firstAgent(run, 'create-agent')).id;
    if (id === undefined) throw new CannotProbe('This needs an agent.', '--agent-id');
    return id;
  });

/** The answer to a plain valid request, accepted or not. @throws CannotProbe if there is nothing to send with. */
export const validRequest = (run: Run, endpoint: EndpointId): Promise<Answered> =>
  run.once(`valid ${endpoint}`, async () => {
    if (isCreatingAgents(endpoint)) return (await firstAttempt(run, endpoint)).exchange;
    if (isCreating(endpoint)) return firstWorkspace(run, 'name-only');
    const isPublished = optionOf(endpoint) === 'publishedAgentId';
    return run.call(endpoint, { agentId: isPublished ? run.need('publishedAgentId') : await agentToRead(run) });
  });

/** The accepted answer to a plain valid request. @throws CannotProbe */
export async function acceptedRequest(run: Run, endpoint: EndpointId): Promise<Answered> {
  return ifAccepted(run, await validRequest(run, endpoint));
}

/** @throws CannotProbe if the request was refused. */
export function ifAccepted(run: Run, exchange: Answered): Answered {
  if (exchange.answer.accepted) return exchange;
  throw new CannotProbe(refusalReason(exchange), slipSupply(exchange, run.target));
}

/** What the user can supply after a refusal. Nothing helps against a redirect. */
export function unlessElsewhere({ answer: { status } }: Answered, supply: string): string | undefined {
  return status >= 300 && status < 400 ? undefined : supply;
}

/** Why a valid request was refused, for probes that need an accepted one. */
const refusalReason = ({ endpoint, excerpt }: Answered): string =>
  `${endpoints[endpoint].title} answered ${statusWords(excerpt)}, so nothing further is known.`;

/** The option that names what a valid request is about; `undefined` if it is about nothing that exists. */
export function optionOf(endpoint: EndpointId): keyof TargetOptions | undefined {
  if (isCreatingAgents(endpoint)) return 'workspaceId';
  if (isCreating(endpoint)) return undefined;
  if (endpoints[endpoint].holds === 'publicAgent') return 'publishedAgentId';
  return 'agentId';
}

/** Statuses that may blame the caller or the identifier; servers differ in which they use (section 7). */
const USER_SLIPS: ReadonlySet<number> = new Set([...PERMISSION, ...GONE]);

/** What the user can change after a refusal that the settings may have caused. */
export function slipSupply({ answer, endpoint }: Answered, target: TargetOptions): string | undefined {
  if (!USER_SLIPS.has(answer.status)) return undefined;
  const option = optionOf(endpoint);
  return supplyFor(option && target[option] && plainFlags[option]);
}

/** `--agent-id` */
export const plainFlags = mapValues(optionNames, (name) => name.replace(/ of .*/, ''));

export const supplyFor = (flag = ''): string => `${optional`another ${flag}, or `}a token that may do this`;
