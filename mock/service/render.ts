import { schemas, type GapId, type Profile, type statusOfChoice } from '../../spec/index.ts';
import { isAccepted, type Accepted, type Refusal, type Reply } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { isObject, withFields, type Json, type JsonObject } from '../../text/json.ts';
import { chosen } from '../choices/index.ts';
import { profiles } from '../profiles/index.ts';
import { upgradeToV6 } from '../store/agent-forms.ts';
import refusals from '../refusals.json';
import type { Renderings } from './renderings.ts';
import timestamps from './timestamps.json';

type Resource = 'agent' | 'publicAgent' | 'result' | 'workspace';

const schemaOf = {
  agent: schemas['agent-v6'],
  publicAgent: schemas['public-agent-v6'],
  result: schemas.result,
  workspace: schemas.workspace,
};

/** Status, headers and body of a meaning, according to `profile`. What `renderings` has is not rendered again. */
export function render(reply: Reply, profile: Profile, renderings?: Renderings): Wire {
  if (!isAccepted(reply)) return renderRefusal(reply, profile);
  const { kind, body } = reply;
  // Resources are then shown exactly as they are stored, so that none needs to be examined.
  const isPlain = shownBy.every((gap) => profile[gap] === profiles.default[gap]);
  const shown = isPlain ? body : renderBody(body, profile, renderings);
  const text = textOf(reply, shown, renderings);
  const twice = chosen(profile, 'repeated-names');
  return {
    status: kind === 'created' ? chosen(profile, 'success-status') : 200,
    headers: { 'content-type': chosen(profile, 'answer-content-type') },
    body: twice === undefined ? text : text.replace('{', twice),
  };
}

function textOf({ kind, body, text: known }: Accepted, shown: JsonObject, renderings: Renderings | undefined): string {
  if (kind === 'ok' && renderings) return renderings.text(shown);
  const text = (shown === body && known) || JSON.stringify(shown);
  renderings?.note(shown, text);
  return text;
}

function statusOf({ kind, status }: Refusal, profile: Profile): number {
  const known = refusals[kind].status;
  return status ?? (typeof known === 'number' ? known : chosen(profile, known as keyof typeof statusOfChoice));
}

/** The most likely meaning of a refusal with this status. */
export function refusalKind(status: number): Refusal['kind'] {
  const kinds = Object.keys(refusals) as Refusal['kind'][];
  const meant = kinds.find((kind) => refusals[kind].meantBy.some((one) => one === status));
  return meant ?? (status >= 500 ? 'failed' : 'invalid');
}

function renderRefusal(refusal: Refusal, profile: Profile): Wire {
  const status = statusOf(refusal, profile);
  const { contentType, body, page = '' } = chosen(profile, 'error-body')?.(refusal, status) ?? {};
  const headers: Record<string, string> = { ...refusal.headers };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (contentType || refusal.holds) headers['content-type'] = contentType ?? 'application/json';
  if (!body && !refusal.holds) return { status, headers, body: page };
  return { status, headers, body: JSON.stringify({ ...body, ...refusal.holds }) };
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
  'cursor-characters',
] as const satisfies readonly GapId[];

/** The part of a profile that the rendering of a resource can ask for: no other gap compiles there. */
type Look = Pick<Profile, (typeof shownBy)[number]>;

function renderBody(body: JsonObject, profile: Profile, renderings: Renderings | undefined): JsonObject {
  const rendered: Record<string, Json> = { ...body, ...chosen(profile, 'extra-fields') };
  const resource = (kind: Resource, stored: Json): Json => {
    if (!isObject(stored)) return stored;
    if (!renderings) return renderResource(kind, stored, profile);
    return renderings.resource(profile, stored, () => renderResource(kind, stored, profile));
  };
  for (const kind of ['agent', 'publicAgent', 'workspace'] as const)
    if (kind in body) rendered[kind] = resource(kind, body[kind] ?? null);
  const { results, nextCursor: next } = body;
  if (next && typeof next === 'string') rendered['nextCursor'] = chosen(profile, 'cursor-characters') + next;
  if (Array.isArray(results)) rendered['results'] = results.map((result: Json) => resource('result', result));
  return rendered;
}

function renderResource(kind: Resource, stored: JsonObject, profile: Look): JsonObject {
  const hasForms = kind === 'agent' || kind === 'publicAgent';
  let resource = hasForms && chosen(profile, 'stored-v5') && stored['version'] !== '6' ? upgradeToV6(stored) : stored;
  const isV5 = hasForms && resource['version'] !== '6';
  const changes: Record<string, Json | undefined> = {};

  for (const name of chosen(profile, 'server-filled-fields')?.[kind] ?? []) changes[name] = undefined;
  const write = chosen(profile, 'timestamp-format');
  if (write) {
    for (const name of timestamps[kind]) {
      const value = resource[name];
      if (typeof value === 'string' && !(name in changes)) changes[name] = write(value);
    }
    const { answers } = resource;
    const written = (answer: Json): Json => {
      if (!isObject(answer) || typeof answer['createdAt'] !== 'string') return answer;
      return { ...answer, createdAt: write(answer['createdAt']) };
    };
    if (kind === 'result' && Array.isArray(answers)) changes['answers'] = answers.map(written);
  }
  if (hasForms && !isV5 && !chosen(profile, 'version-field')) changes['version'] = undefined;
  if (kind === 'publicAgent' && chosen(profile, 'public-agent-id') && typeof resource['agentId'] === 'string')
    changes['id'] = resource['agentId'];
  if (hasForms && !chosen(profile, 'comparison-items'))
    changes['settings'] = withEmptyComparisons(resource['settings']);

  resource = withFields(resource, changes);
  const shown = chosen(profile, 'absent-values');
  if (shown && !isV5) {
    const names = Object.keys(schemaOf[kind].properties ?? {});
    resource = withFields(resource, Object.fromEntries(names.map((name) => [name, shown(resource[name])])));
  }
  return { ...resource, ...chosen(profile, 'extra-fields') };
}

function withEmptyComparisons(settings: Json | undefined): Json | undefined {
  if (!isObject(settings)) return settings;
  const app = settings['messagingApp'];
  const { startCondition: condition } = Object(app) as JsonObject;
  if (!isObject(app) || !isObject(condition) || !Array.isArray(condition['comparisons'])) return settings;
  const comparisons = condition['comparisons'].map((): JsonObject => ({}));
  return { ...settings, messagingApp: { ...app, startCondition: { ...condition, comparisons } } };
}
