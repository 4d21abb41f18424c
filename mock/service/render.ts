import { schemas, type GapId, type Profile } from '../../spec/index.ts';
import { isAccepted, type Refusal, type Reply } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { isObject, withFields, type Json, type JsonObject } from '../json.ts';
import { chosen } from '../choices/index.ts';
import { profiles } from '../profiles/index.ts';
import { upgradeToV6 } from '../store/agent-forms.ts';
import { storedJson } from './stored-json.ts';

type Resource = 'agent' | 'publicAgent' | 'result' | 'workspace';

const schemaOf = {
  agent: schemas['agent-v6'],
  publicAgent: schemas['public-agent-v6'],
  result: schemas.result,
  workspace: schemas.workspace,
};

const timestampsOf: Readonly<Record<Resource, readonly string[]>> = {
  agent: ['createdAt', 'updatedAt', 'publishedAt'],
  publicAgent: ['createdAt', 'updatedAt'],
  result: ['createdAt', 'updatedAt'],
  workspace: ['createdAt', 'updatedAt', 'lastActivityAt', 'paymentFailedAt'],
};

/** Turns the meaning of an answer into status, headers and body, according to `profile`. */
export function render(reply: Reply, profile: Profile): Wire {
  if (!isAccepted(reply)) return renderRefusal(reply, profile);
  const twice = chosen(profile, 'repeated-names');
  const shown = isPlain(profile) ? reply.body : renderBody(reply.body, profile);
  const body = reply.kind === 'ok' ? storedJson(shown) : JSON.stringify(shown);
  return {
    status: reply.kind === 'created' ? chosen(profile, 'success-status') : 200,
    headers: { 'content-type': chosen(profile, 'answer-content-type') },
    body: twice === undefined ? body : body.replace('{', twice),
    ...(twice === undefined ? { shown } : {}),
  };
}

function statusOf(refusal: Refusal, profile: Profile): number {
  switch (refusal.kind) {
    case 'unauthorized':
      return chosen(profile, 'unauthorized-status');
    case 'forbidden':
      return chosen(profile, 'forbidden-status');
    case 'not-found':
      return chosen(profile, 'not-found-status');
    case 'invalid':
      return chosen(profile, 'invalid-status');
    case 'too-large':
      return chosen(profile, 'too-large-status');
    case 'content-type':
      return 415;
    case 'unknown-route':
      return 404;
    case 'wrong-method':
      return chosen(profile, 'wrong-method-status');
    case 'rate-limited':
      return 429;
    case 'failed':
      return 500;
  }
}

function renderRefusal(refusal: Refusal, profile: Profile): Wire {
  const status = refusal.status ?? statusOf(refusal, profile);
  const written = chosen(profile, 'error-body')(refusal, status);
  return {
    status,
    headers: {
      ...refusal.headers,
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(written
        ? { 'content-type': written.contentType }
        : refusal.holds
          ? { 'content-type': 'application/json' }
          : {}),
    },
    body: written || refusal.holds ? JSON.stringify({ ...written?.body, ...refusal.holds }) : '',
  };
}

/** The gaps that decide how a stored resource is shown. By the default choice of each it is shown as it is stored. */
const shownBy = [
  'timestamp-format',
  'absent-values',
  'server-filled-fields',
  'version-field',
  'comparison-items',
  'extra-fields',
  'stored-v5',
  'public-agent-id',
] as const satisfies readonly GapId[];

/** The part of a profile that the rendering of a resource can ask for: no other gap compiles there. */
type Look = Pick<Profile, (typeof shownBy)[number]>;

/** Whether resources are shown exactly as they are stored, so that none needs to be examined. */
function isPlain(look: Look): boolean {
  return shownBy.every((gap) => look[gap] === profiles.default[gap]);
}

function renderBody(body: JsonObject, profile: Look): JsonObject {
  const { agent, publicAgent, results, workspace } = body;
  return {
    ...body,
    ...chosen(profile, 'extra-fields'),
    ...(isObject(agent) ? { agent: rendered('agent', agent, profile) } : {}),
    ...(isObject(publicAgent) ? { publicAgent: rendered('publicAgent', publicAgent, profile) } : {}),
    ...(isObject(workspace) ? { workspace: rendered('workspace', workspace, profile) } : {}),
    ...(Array.isArray(results)
      ? { results: results.map((r: Json) => (isObject(r) ? rendered('result', r, profile) : r)) }
      : {}),
  };
}

/** Resources in the form of a profile, cached. Stored values are immutable: a change replaces them. */
const shownUnder = new WeakMap<Look, Readonly<Record<Resource, WeakMap<JsonObject, JsonObject>>>>();

function rendered(kind: Resource, stored: JsonObject, profile: Look): JsonObject {
  const ofProfile = shownUnder.get(profile) ?? {
    agent: new WeakMap<JsonObject, JsonObject>(),
    publicAgent: new WeakMap<JsonObject, JsonObject>(),
    result: new WeakMap<JsonObject, JsonObject>(),
    workspace: new WeakMap<JsonObject, JsonObject>(),
  };
  shownUnder.set(profile, ofProfile);
  const known = ofProfile[kind].get(stored);
  if (known) return known;
  const shown = renderResource(kind, stored, profile);
  ofProfile[kind].set(stored, shown);
  return shown;
}

function renderResource(kind: Resource, stored: JsonObject, profile: Look): JsonObject {
  const hasForms = kind === 'agent' || kind === 'publicAgent';
  let resource = hasForms && chosen(profile, 'stored-v5') && stored['version'] !== '6' ? upgradeToV6(stored) : stored;
  const isV5 = hasForms && resource['version'] !== '6';
  const changes: Record<string, Json | undefined> = {};

  for (const name of chosen(profile, 'server-filled-fields')?.[kind] ?? []) changes[name] = undefined;
  const write = chosen(profile, 'timestamp-format');
  if (write) {
    for (const name of timestampsOf[kind]) {
      const value = resource[name];
      if (typeof value === 'string' && !(name in changes)) changes[name] = write(value);
    }
    const answers = resource['answers'];
    if (kind === 'result' && Array.isArray(answers))
      changes['answers'] = answers.map((answer: Json) =>
        isObject(answer) && typeof answer['createdAt'] === 'string'
          ? { ...answer, createdAt: write(answer['createdAt']) }
          : answer,
      );
  }
  if (hasForms && !isV5 && !chosen(profile, 'version-field')) changes['version'] = undefined;
  if (kind === 'publicAgent' && chosen(profile, 'public-agent-id') && typeof resource['agentId'] === 'string')
    changes['id'] = resource['agentId'];
  if (hasForms && !chosen(profile, 'comparison-items'))
    changes['settings'] = withEmptyComparisons(resource['settings']);

  resource = withFields(resource, changes);
  if (chosen(profile, 'absent-values') && !isV5) {
    const nulls = Object.keys(schemaOf[kind].properties ?? {}).filter((name) => !Object.hasOwn(resource, name));
    resource = { ...resource, ...Object.fromEntries(nulls.map((name) => [name, null])) };
  }
  return { ...resource, ...chosen(profile, 'extra-fields') };
}

function withEmptyComparisons(settings: Json | undefined): Json | undefined {
  if (!isObject(settings)) return settings;
  const app = settings['messagingApp'];
  const condition = isObject(app) ? app['startCondition'] : undefined;
  if (!isObject(app) || !isObject(condition) || !Array.isArray(condition['comparisons'])) return settings;
  const comparisons = condition['comparisons'].map((): JsonObject => ({}));
  return { ...settings, messagingApp: { ...app, startCondition: { ...condition, comparisons } } };
}
