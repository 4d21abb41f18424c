import { isObject, withFields, type Json, type JsonObject } from '../../text/json.ts';
import { bodyOf, refuse, type Call, type Refusal, type Reply, type RequestError } from '../call.ts';
import { blankFlow } from '../store/agent-forms.ts';
import { chosen } from '../choices/index.ts';
import { agentFields } from '../teaching/request-warnings.ts';
import {
  invalid,
  fieldMissing,
  readDocumentedBody,
  type BodyChange,
  type BodyRules,
} from '../service/documented-body.ts';
import { placeholder, slipOf } from '../wording/slips.ts';
import type { Origin } from '../store/overlay.ts';
import type { Store } from '../store/store.ts';
import { firstWorkspaceId } from '../store/target.ts';
import { created } from './endpoint.ts';
import serverFields from './server-fields.json';

interface NewAgent {
  readonly origin: Exclude<Origin, 'universe'>;
  readonly rules: BodyRules;
  /** Documented fields that only the server sets, beyond those of every agent. */
  readonly ownFields: readonly string[];
  /** Required fields of the agent, beyond those of every new agent. */
  readonly parts: readonly string[];
  readonly upgrade: (agent: JsonObject) => JsonObject;
  readonly sentPlace?: BodyChange['sentPlace'];
  readonly publishes: (agent: JsonObject) => boolean;
}

/** The common part of creation (section 4.1) and import (section 4.2): an agent from a body, completed and stored. */
export function storeNewAgent(call: Call, store: Store, kind: NewAgent): Reply {
  const owned = [...serverFields, ...kind.ownFields];
  const withoutOwned = Object.fromEntries(owned.map((name) => [name, undefined]));
  const read = readDocumentedBody(call, kind.rules, {
    sentPlace: kind.sentPlace,
    transform(body) {
      const { agent } = body;
      if (!isObject(agent)) return body;
      const upgraded = kind.upgrade(agent);
      if (!owned.some((name) => Object.hasOwn(upgraded, name))) return { ...body, agent: upgraded };
      return { ...body, agent: withFields(upgraded, withoutOwned) };
    },
  });
  if ('refusal' in read) return read.refusal;
  const { body } = read;
  const { workspaceId, agent: sent } = body;
  const absent: RequestError[] = [];
  if (workspaceId === undefined) absent.push(fieldMissing(call, 'body/workspaceId', body));
  if (sent === undefined) absent.push(missingAgent(call, body));
  for (const name of [...chosen(call.profile, 'required-body-fields'), ...kind.parts])
    if (isObject(sent) && sent[name] === undefined) absent.push(fieldMissing(call, `body/agent/${name}`, sent));
  if (absent.length > 0) return invalid(absent);
  if (typeof workspaceId !== 'string' || !isObject(sent)) return invalid([]);
  const refusal = whyNotInto(workspaceId, call, store, owned);
  if (refusal) return refusal;
  const publicId = freeName(call, store, 'publicId', sent['publicId']);
  if (publicId === 'refused')
    return refuse('invalid', 'The publicId is already in use.', [
      { location: 'body/agent/publicId', message: 'Another agent has it.' },
    ]);

  const id = store.newId('agent');
  const agent = completed(call, id, workspaceId, sent, publicId);
  store.putAgent(id, agent, kind.origin);
  if (kind.publishes(sent)) store.publish(id, call.now);
  return created({ agent: store.agent(id)?.agent ?? agent });
}

/** Why an agent cannot be added: because of its own claims, or because of the workspace. */
function whyNotInto(workspaceId: string, call: Call, store: Store, owned: readonly string[]): Refusal | undefined {
  const body = bodyOf(call);
  const { agent } = isObject(body) ? body : {};
  const claimed = owned.filter((name) => name !== 'version' && isObject(agent) && (agent[name] ?? null) !== null);
  if (claimed.length > 0 && !chosen(call.profile, 'import-server-fields'))
    return invalid(
      claimed.map((name) => ({ location: `body/agent/${name}`, message: 'Is set by the server. Leave it out.' })),
    );
  const workspace = store.workspace(workspaceId);
  if (!workspace && !chosen(call.profile, 'unknown-workspace')) return unknownWorkspace(workspaceId, store);
  if (workspace?.['isSuspended'] === true)
    return refuse('forbidden', 'The workspace is suspended. Nothing can be added to it.', [
      { location: 'body/workspaceId', message: 'This workspace is suspended.' },
    ]);
  return undefined;
}

function completed(
  { profile, now }: Call,
  id: string,
  workspaceId: string,
  sent: JsonObject,
  publicId: string | undefined,
): JsonObject {
  const at = new Date(now).toISOString();
  const documented = Object.entries(sent).filter(
    ([name]) => chosen(profile, 'undocumented-fields-sent') || agentFields.includes(name),
  );
  const agent: Record<string, Json> = {
    version: '6',
    id,
    name: 'My agent',
    ...blankFlow(id),
    createdAt: at,
    updatedAt: at,
    isPublished: false,
    workspaceId,
    isArchived: false,
    isClosed: false,
    riskLevel: 0,
    tags: [],
    ...Object.fromEntries(documented),
  };
  agent['isPublished'] = false;
  if (publicId !== undefined) agent['publicId'] = publicId;
  return agent;
}

function missingAgent(call: Call, body: JsonObject): RequestError {
  const strays = Object.keys(body).filter((name) => name !== 'workspaceId' && agentFields.includes(name));
  if (strays.length === 0) return fieldMissing(call, 'body/agent', body);
  const [are, them] = strays.length > 1 ? ['are', 'them'] : ['is', 'it'];
  const message = `Is required. ${strays.join(', ')} ${are} at the top level. Put ${them} under agent.`;
  return { location: 'body/agent', message };
}

function unknownWorkspace(sent: string, store: Store): Refusal {
  const own = firstWorkspaceId(store);
  const slip = placeholder(sent) ?? (store.agent(sent) && 'It is the id of an agent.');
  const way = own === '' ? 'Create one first, with POST /api/v1/workspaces.' : `Create one first, or use ${own}.`;
  const message = ['No workspace has this id.', slip, way].filter(Boolean).join(' ');
  const meant = own !== '' && slipOf(sent, [own]) === own ? JSON.stringify(own) : undefined;
  return refuse('not-found', 'There is no such workspace.', [{ location: 'body/workspaceId', message, meant }]);
}

/** A free public id or slug; `refused` if the given one is taken and the profile does not replace it. */
export function freeName(
  call: Call,
  store: Store,
  kind: 'publicId' | 'slug',
  wanted: Json | undefined,
): string | undefined {
  if (typeof wanted !== 'string') return undefined;
  if (!store.isTaken(kind, wanted)) return wanted;
  if (!chosen(call.profile, 'taken-public-id')) return 'refused';
  let suffix = 2;
  while (store.isTaken(kind, `${wanted}-${suffix}`)) suffix++;
  return `${wanted}-${suffix}`;
}
