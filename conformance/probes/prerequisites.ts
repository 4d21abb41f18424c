import { createAgentBody, createWorkspaceBody, importAgentBody } from '../../fixtures/requests/index.ts';
import { endpoints, schemas, type EndpointId } from '../../spec/index.ts';
import type { Answered } from '../http/exchange.ts';
import { GONE, PERMISSION } from '../http/statuses.ts';
import { stringAt, type JsonObject } from '../json.ts';
import { optionNames, type TargetOptions } from '../target-options.ts';
import type { Run } from './probe.ts';
import { CannotProbe } from './cannot-probe.ts';

/**
 * What probes share. Each thing is made at its first use, once in a round. If it is refused, it is refused for all probes.
 */

export type CreatingEndpoint = 'create-agent' | 'import-agent' | 'create-workspace';
export type NewAgentEndpoint = 'create-agent' | 'import-agent';

/** Bodies, from the fullest to the smallest. */
export type Detail = 'full' | 'plain' | 'name-only';

/** An accepted creation, and what it sent. */
export interface Creation {
  readonly exchange: Answered;
  readonly sent: JsonObject;
  readonly detail: Detail;
  readonly id: string | undefined;
}

/** The last body that was tried. It was accepted, if any was. */
export interface Attempt {
  readonly exchange: Answered;
  readonly creation: Creation | undefined;
}

/** The workspace that the user gave, or one that the round creates. @throws CannotProbe */
export const workspaceId = (run: Run): Promise<string> =>
  run.once('workspace id', async () => {
    if (run.target.workspaceId !== undefined) return run.target.workspaceId;
    const { answer } = await workspace(run, 'name-only');
    const id = stringAt(answer.json, 'workspace', 'id');
    if (!answer.accepted || id === undefined)
      throw new CannotProbe(
        'This needs a workspace, but none was given and none could be created.',
        optionNames.workspaceId,
      );
    return id;
  });

/** A body for a creation, with a name that nothing else has. */
export async function bodyFor(
  run: Run,
  endpoint: CreatingEndpoint,
  detail: Detail,
  label: string,
): Promise<JsonObject> {
  const tag = label === '' ? run.tag : `${run.tag}-${label}`;
  if (endpoint === 'create-workspace')
    return asJson(createWorkspaceBody({ tag, detail: detail === 'full' ? 'full' : 'name-only' }));
  const wanted = { workspaceId: await workspaceId(run), tag, detail };
  return asJson(endpoint === 'create-agent' ? createAgentBody(wanted) : importAgentBody(wanted));
}

/** The first agent of the round, made with the fullest body that is accepted. */
export const attempt = (run: Run, endpoint: NewAgentEndpoint): Promise<Attempt> =>
  run.once(`attempt ${endpoint}`, async () => {
    let last = await attemptOf(run, endpoint, 'full');
    for (const detail of ['plain', 'name-only'] as const)
      if (!last.creation && !PERMISSION.has(last.exchange.answer.status)) last = await attemptOf(run, endpoint, detail);
    return last;
  });

async function attemptOf(run: Run, endpoint: NewAgentEndpoint, detail: Detail): Promise<Attempt> {
  const sent = await bodyFor(run, endpoint, detail, '');
  const exchange = await run.api.call(endpoint, { body: sent });
  const { answer } = exchange;
  if (!answer.accepted) return { exchange, creation: undefined };
  return { exchange, creation: { exchange, sent, detail, id: stringAt(answer.json, 'agent', 'id') } };
}

/** The first agent of the round. @throws CannotProbe if no body was accepted. */
export async function created(run: Run, endpoint: NewAgentEndpoint): Promise<Creation> {
  const { exchange, creation } = await attempt(run, endpoint);
  if (creation) return creation;
  throw new CannotProbe(refusalReason(exchange, endpoint), 'a token that may create agents');
}

/** A further agent of the same kind; `2` and `3` are made at once. @throws CannotProbe */
export const createdNext = (run: Run, endpoint: NewAgentEndpoint, label: string): Promise<Creation> =>
  run.once(`created next ${endpoint} ${label}`, async () => {
    const { detail } = await created(run, endpoint);
    const sent = await bodyFor(run, endpoint, detail, label);
    const exchange = await run.once(`next ${endpoint} ${label}`, () => run.api.call(endpoint, { body: sent }));
    if (!exchange.answer.accepted)
      throw new CannotProbe(refusalReason(exchange, endpoint), slipSupply(exchange, run.target));
    return { exchange, sent, detail, id: stringAt(exchange.answer.json, 'agent', 'id') };
  });

export const workspace = (run: Run, detail: 'name-only' | 'full'): Promise<Answered> =>
  run.once(`workspace ${detail}`, async () =>
    run.api.call('create-workspace', {
      body: await bodyFor(run, 'create-workspace', detail, detail === 'full' ? '2' : ''),
    }),
  );

/** The agent that the user gave, or one that the round created. @throws CannotProbe */
export const agentToRead = (run: Run): Promise<string> =>
  run.once('agent to read', async () => {
    if (run.target.agentId !== undefined) return run.target.agentId;
    const { id } = await created(run, 'create-agent');
    if (id === undefined) throw new CannotProbe('This needs an agent.', '--agent-id');
    return id;
  });

/**
 * The answer to a plain valid request of an endpoint, accepted or not. @throws CannotProbe if there is nothing to ask
 * with.
 */
export const valid = (run: Run, endpoint: EndpointId): Promise<Answered> =>
  run.once(`valid ${endpoint}`, async () => {
    if (endpoint === 'create-agent' || endpoint === 'import-agent') return (await attempt(run, endpoint)).exchange;
    if (endpoint === 'create-workspace') return workspace(run, 'name-only');
    const isPublished = optionOf(endpoint) === 'publishedAgentId';
    return run.api.call(endpoint, { agentId: isPublished ? run.need('publishedAgentId') : await agentToRead(run) });
  });

/** The accepted answer to a plain valid request. @throws CannotProbe */
export async function accepted(run: Run, endpoint: EndpointId): Promise<Answered> {
  const exchange = await valid(run, endpoint);
  if (!exchange.answer.accepted)
    throw new CannotProbe(refusalReason(exchange, endpoint), slipSupply(exchange, run.target));
  return exchange;
}

/** Why a valid request was refused, for probes that need an accepted one. */
export function refusalReason(exchange: Answered | undefined, endpoint: EndpointId): string {
  const { title } = endpoints[endpoint];
  if (!exchange) return `The run sent no request to ${title}.`;
  return `${title} answered ${exchange.answer.status}, so nothing further is known.`;
}

/** The option that a request to an endpoint depends on: the one for its path, or for its body. */
function optionOf(endpoint: EndpointId): keyof TargetOptions | undefined {
  const { path, request, holds } = endpoints[endpoint];
  if (path.includes('{agentId}')) return holds === 'publicAgent' ? 'publishedAgentId' : 'agentId';
  return request !== null && 'workspaceId' in (schemas[request].properties ?? {}) ? 'workspaceId' : undefined;
}

/** Statuses that may blame the caller or the identifier; servers differ in which they use (section 7). */
const USER_SLIPS: ReadonlySet<number> = new Set([...PERMISSION, ...GONE]);

/** What the user can change after a refusal that the settings may have caused. */
export function slipSupply({ answer, endpoint }: Answered, target: TargetOptions): string | undefined {
  if (!USER_SLIPS.has(answer.status)) return undefined;
  const option = optionOf(endpoint);
  return option === undefined || target[option] === undefined
    ? 'a token that may do this'
    : `another ${optionNames[option].replace(/ of .*/, '')}, or a token that may do this`;
}

/** A body is plain JSON; its type names only the documented fields. */
const asJson = (documented: object): JsonObject => documented as JsonObject;
