import { typedLocations, type NewAgentEndpoint } from '../../spec/index.ts';
import { isObject, withFields, type Json, type JsonObject } from '../../text/json.ts';
import { bodyOf, refuse, type Call, type Refusal, type Reply, type RequestError } from '../call.ts';
import { blankFlow } from '../store/agent-forms.ts';
import { chosen } from '../choices/index.ts';
import { agentFields } from '../teaching/request-warnings.ts';
import type { BodyChange, BodyRules } from '../service/documented-body.ts';
import { invalid, fieldMissing, readDocumentedBody } from '../service/documented-body.ts';
import { placeholder, slipOf } from '../wording/slips.ts';
import type { Origin } from '../store/overlay.ts';
import type { Store } from '../store/store.ts';
import { firstWorkspaceId } from '../store/target.ts';
import serverFields from './server-fields.json';

interface NewAgent {
  readonly origin: Exclude<Origin, 'universe'>;
  readonly rules: BodyRules;
  /** Documented fields that only the server sets, beyond those of every agent. */
  readonly ownFields: readonly string[];
  /** Required fields of the agent, beyond those of every new agent. */
  readonly parts: readonly string[];
  readonly upgrade?: ((agent: JsonObject) => JsonObject) | undefined;
  readonly sentPlace?: BodyChange['sentPlace'];
  readonly publishes?: boolean;
}

/** The common part of creation (section 4.1) and import (section 4.2): an agent from a body, completed and stored. */
export function storeNewAgent(call: Call, store: Store, kind: NewAgent): Reply {
  const owned = [...serverFields, ...kind.ownFields];
  const read = readDocumentedBody(call, kind.rules, {
    sentPlace: kind.sentPlace,
    transform(body) {
      const { agent } = body;
      if (!isObject(agent)) return body;
      const upgraded = kind.upgrade?.(agent) ?? agent;
      if (!owned.some((name) => Object.hasOwn(upgraded, name))) return { ...body, agent: upgraded };
      return { ...body, agent: withFields(upgraded, Object.fromEntries(owned.map((name) => [name, undefined]))) };
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
    return refuse('invalid', 'The publicId is already in use.', {
      location: 'body/agent/publicId',
      message: 'Another agent has it.',
    });

  const id = store.newId('agent');
  const kept = keptOf(call, sent, publicId);
  const own = ownMembers(call, id, workspaceId, kept);
  const begin = JSON.stringify(own).slice(0, -1);
  // Joining them with spreads would take ten times as long.
  const agent = Object.hasOwn(kept, '__proto__') ? { ...own, ...kept } : Object.assign(own, kept);
  const members = membersAsSent(call.body, workspaceId, kept);
  const text = members === undefined ? JSON.stringify(agent) : `${begin},${members}}`;
  store.putAgent(id, agent, kind.origin, text);
  if (kind.publishes !== true) return { kind: 'created', body: { agent }, text: `{"agent":${text}}` };
  store.publish(id, new Date(call.now).toISOString());
  return { kind: 'created', body: { agent: store.agent(id)?.agent ?? agent } };
}

/** Why an agent cannot be added: because of its own claims, or because of the workspace. */
function whyNotInto(workspaceId: string, call: Call, store: Store, owned: readonly string[]): Refusal | undefined {
  const { agent } = Object(bodyOf(call)) as JsonObject;
  const claimed = owned.filter((name) => name !== 'version' && isObject(agent) && (agent[name] ?? null) !== null);
  if (claimed.length > 0 && !chosen(call.profile, 'import-server-fields'))
    return invalid(
      claimed.map((name) => ({ location: `body/agent/${name}`, message: 'Is set by the server. Leave it out.' })),
    );
  const workspace = store.workspace(workspaceId);
  if (!workspace && !chosen(call.profile, 'unknown-workspace')) return unknownWorkspace(workspaceId, store);
  if (workspace?.['isSuspended'] === true)
    return refuse('forbidden', 'The workspace is suspended. Nothing can be added to it.', {
      location: 'body/workspaceId',
      message: 'This workspace is suspended.',
    });
  return undefined;
}

function keptOf({ profile, endpoint }: Call, sent: JsonObject, publicId: string | undefined): JsonObject {
  let kept = sent;
  if (!chosen(profile, 'undocumented-fields-sent')) {
    // A creation shows fewer fields than an import, and both fewer than an agent.
    const documented = typedLocations[`${endpoint as NewAgentEndpoint}-request`].map(({ pointer }) => pointer);
    kept = Object.fromEntries(Object.entries(sent).filter(([name]) => documented.includes(`/agent/${name}`)));
  }
  if (Object.hasOwn(kept, 'isPublished')) kept = withFields(kept, { isPublished: false });
  if (publicId !== undefined && publicId !== sent['publicId']) kept = withFields(kept, { publicId });
  return kept;
}

function ownMembers({ now }: Call, id: string, workspaceId: string, kept: JsonObject): Record<string, Json> {
  const at = new Date(now).toISOString();
  const own: Record<string, Json> = {};
  for (const members of [
    { version: '6', id, name: 'My agent', createdAt: at, updatedAt: at, workspaceId, riskLevel: 0, tags: [] },
    { isPublished: false, isArchived: false, isClosed: false },
    blankFlow(id),
  ])
    for (const [name, value] of Object.entries(members)) if (!Object.hasOwn(kept, name)) own[name] = value;
  return own;
}

/** The members of an agent as its client wrote them, where they are all in one piece: writing them again takes long. */
function membersAsSent(body: Call['body'], workspaceId: string, kept: JsonObject): string | undefined {
  if (!body || !('text' in body) || !isObject(body.value) || body.value['agent'] !== kept) return undefined;
  const { text = '' } = body;
  const begin = `{"workspaceId":${JSON.stringify(workspaceId)},"agent":{"`;
  // Another member, after the agent, ends with braces too.
  const isWhole = Object.keys(body.value).length === 2 && text.startsWith(begin) && text.endsWith('}}');
  // A name that is written twice, perhaps with escapes, may begin another agent.
  if (!isWhole || text.includes('"agent"', begin.length) || text.includes(String.raw`\u`)) return undefined;
  return text.slice(begin.length - 1, -2);
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
  return refuse('not-found', 'There is no such workspace.', { location: 'body/workspaceId', message, meant });
}

/** A free public id or slug; `refused` if the given one is taken and the profile does not replace it. */
export function freeName(call: Call, store: Store, kind: 'publicId' | 'slug', wanted: Json | undefined) {
  if (typeof wanted !== 'string') return undefined;
  if (!store.taken[kind].has(wanted)) return wanted;
  if (!chosen(call.profile, 'taken-public-id')) return 'refused';
  let suffix = 2;
  while (store.taken[kind].has(`${wanted}-${suffix}`)) suffix++;
  return `${wanted}-${suffix}`;
}
