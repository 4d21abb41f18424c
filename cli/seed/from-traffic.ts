import { createLeftOut, type LeftOut } from '../../conformance/foreign/met.ts';
import { createRecogniser } from '../../conformance/foreign/recognise.ts';
import { createHarScanner, jsonOf, type HarPart } from '../../conformance/recording/har-scanner.ts';
import { readEntry, type HarEntry } from '../../conformance/recording/har-entry.ts';
import { createOrdering } from '../../conformance/recording/in-order.ts';
import { validate, type SchemaName } from '../../spec/index.ts';
import { pointerTokens } from '../../spec/json-pointer.ts';
import type { Json, JsonObject } from '../../mock/json.ts';
import { isObject } from '../../mock/json.ts';
import { excessOf } from '../../mock/service/json-limits.ts';
import { blankFlow, publicForm } from '../../mock/store/agent-forms.ts';
import type { Seed } from '../../mock/index.ts';

/** The content of recordings, as seed data. */
export interface FromTraffic {
  readonly seed: Seed;
  /** Epoch milliseconds of the last used answer; `undefined` if there was none. */
  readonly lastAt: number | undefined;
  /** Unused exchanges, and why. */
  readonly leftOut: readonly LeftOut[];
  /** Things that no mock can hold, and why, as sentences. */
  readonly refused: readonly string[];
  /** The number of documented values that are null, which seed data cannot express. */
  readonly nulls: number;
  /** Every credential in a request. */
  readonly tokens: ReadonlySet<string>;
}

/** Most bytes of answers that are kept. */
const MOST_KEPT = 200_000_000;
const MOST_TOKENS = 1000;

/** What was returned last, by identifier. */
interface Kept {
  readonly workspaces: Map<string, JsonObject>;
  readonly agents: Map<string, JsonObject>;
  readonly published: Map<string, JsonObject>;
  readonly results: Map<string, Map<string, JsonObject>>;
  /** Results without an id, which cannot be told apart. */
  nameless: number;
}

/**
 * Collects data from HAR files, each in the order of its answers: later data replaces earlier data. Beyond `most` bytes of
 * answers nothing is kept.
 */
export function gatherTraffic(
  baseUrl: string | undefined,
  most = MOST_KEPT,
): {
  readonly add: (chunks: AsyncIterable<Buffer>) => Promise<void>;
  readonly end: () => FromTraffic;
} {
  const kept: Kept = {
    workspaces: new Map(),
    agents: new Map(),
    published: new Map(),
    results: new Map(),
    nameless: 0,
  };
  const leftOut = createLeftOut();
  const recogniser = createRecogniser(baseUrl);
  const tokens = new Set<string>();
  let [size, lastAt] = [0, -Infinity];

  function take({ met }: HarEntry): void {
    for (const token of tokensIn(met.requestHeaders)) if (tokens.size < MOST_TOKENS) tokens.add(token);
    const about = recogniser.of(met.method, met.url);
    if ('reason' in about) return leftOut.note(about.reason, about.about);
    if (met.leftOut) return leftOut.note(met.leftOut, '');
    if (met.status < 200 || met.status > 299) return;
    const body = met.body && objectIn(met.body);
    if (!body) return leftOut.note('no-body', '');
    size += met.body?.length ?? 0;
    if (size > most) return leftOut.note('too-large', '');
    lastAt = Math.max(lastAt, met.answeredAt);
    keep(kept, about.agentId ?? '', body);
  }

  return {
    async add(chunks) {
      const scanner = createHarScanner();
      const ordering = createOrdering<HarEntry & { sentAt: number; answeredAt: number; size: number }>();
      const see = (part: HarPart): void => {
        if (part.kind === 'too-large') return leftOut.note('too-large', '');
        if (part.kind === 'member') return;
        const entry = readEntry(jsonOf(part.bytes));
        if (typeof entry === 'string') return leftOut.note(entry, '');
        const { sentAt, answeredAt } = entry.met;
        for (const placed of ordering.add({ ...entry, sentAt, answeredAt, size: part.bytes.length }))
          if (placed) take(placed.item);
          else leftOut.note('out-of-order', '');
      };
      for await (const chunk of chunks) for (const part of scanner.push(chunk)) see(part);
      scanner.end();
      for (const { item } of ordering.end()) take(item);
    },
    end() {
      const { seed, refused, nulls } = seedOf(kept);
      return {
        seed,
        refused,
        nulls,
        tokens,
        leftOut: leftOut.all(),
        lastAt: Number.isFinite(lastAt) ? Math.ceil(lastAt) : undefined,
      };
    },
  };
}

function objectIn(bytes: Uint8Array): JsonObject | undefined {
  const text = new TextDecoder().decode(bytes);
  if (excessOf(text) !== undefined) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Credentials in headers, without their schemes; short texts are left out, since they occur elsewhere. */
const tokensIn = (headers: Readonly<Record<string, string>>): readonly string[] => [
  ...['authorization', 'proxy-authorization', 'x-api-key'].flatMap((name) =>
    (headers[name] ?? '')
      .replace(/^[\w-]+ +/, '')
      .split(/\s+/)
      .filter((text) => text.length >= 8 && !text.startsWith('$')),
  ),
  ...(headers['cookie'] ?? '')
    .split(/;\s*/)
    .map((part) => part.replace(/^[^=]*=/, ''))
    .filter((text) => text.length >= 16),
];

function keep(kept: Kept, agentId: string, body: JsonObject): void {
  const { workspaces, agents, published, results } = kept;
  const { agent, publicAgent, workspace } = body;
  if (isNamed(agent)) agents.set(agent.id, agent);
  if (isNamed(workspace)) workspaces.set(workspace.id, workspace);
  if (agentId === '') return;
  if (isObject(publicAgent)) published.set(agentId, publicAgent);
  if (!Array.isArray(body['results'])) return;
  const list = results.get(agentId) ?? new Map<string, JsonObject>();
  for (const one of body['results'] as readonly Json[])
    if (isNamed(one)) list.set(one.id, one);
    else kept.nameless++;
  results.set(agentId, list);
}

const isNamed = (value: Json | undefined): value is JsonObject & { readonly id: string } =>
  isObject(value) && typeof value['id'] === 'string' && value['id'] !== '';

/** Seed data for a mock: valid things, and minimal ones that they refer to and that no answer shows. */
function seedOf({
  workspaces,
  agents,
  published,
  results,
  nameless,
}: Kept): Pick<FromTraffic, 'seed' | 'refused' | 'nulls'> {
  const refused =
    nameless === 0 ? [] : [`${nameless} results have no id, so duplicates among them cannot be told apart.`];
  let nulls = 0;
  const fitting = (schema: SchemaName, value: JsonObject, name: string): readonly JsonObject[] => {
    const without = withoutNulls(schema, value);
    const [wrong] = validate(schema, without.value);
    const isDated = schema !== 'result' || Number.isFinite(instant(value));
    if (!wrong && isDated) {
      nulls += without.nulls;
      return [without.value];
    }
    refused.push(
      wrong
        ? `${name}${wrong.at} must be ${wrong.expected}; it is ${wrong.actual}.`
        : `${name}/createdAt is not an instant such as 2026-05-20T15:30:00Z.`,
    );
    return [];
  };
  const form = ({ version }: JsonObject): 'v6' | 'v5' => (version === '6' ? 'v6' : 'v5');
  const [shownAgents, shownResults] = [new Map<string, JsonObject>(), new Map<string, readonly JsonObject[]>()];
  for (const [id, agent] of agents)
    for (const one of fitting(`agent-${form(agent)}`, agent, `agents/${id}`)) shownAgents.set(id, one);
  for (const [id, list] of results) {
    const all = [...list].flatMap(([resultId, one]) => fitting('result', one, `results/${resultId}`));
    // Oldest first; results of one instant keep the order of their list.
    shownResults.set(
      id,
      all.toReversed().toSorted((one, other) => instant(one) - instant(other)),
    );
  }
  const forms = new Map(
    [...published].flatMap(([id, one]) =>
      fitting(`public-agent-${form(one)}`, one, `published/${id}`).map((fit) => [id, fit] as const),
    ),
  );
  const all = new Map([
    ...[...shownResults, ...forms].map(([id, of]) => [id, unseenAgent(id, of)] as const),
    ...shownAgents,
  ]);
  const spaces = new Map(
    [...workspaces].flatMap(([id, one]) =>
      fitting('workspace', one, `workspaces/${id}`).map((fit) => [id, fit] as const),
    ),
  );
  for (const { workspaceId } of all.values())
    if (typeof workspaceId === 'string' && workspaceId !== '' && !spaces.has(workspaceId))
      spaces.set(workspaceId, { id: workspaceId, name: 'Workspace' });
  return {
    seed: {
      whole: true,
      workspaces: [...spaces.values()],
      agents: [...all.values()],
      publishedAgents: Object.fromEntries([...madeForms(shownAgents), ...forms]),
      results: Object.fromEntries(shownResults),
    },
    refused,
    nulls,
  };
}

/** The published forms of agents that are shown as published; recorded forms take precedence. */
function madeForms(agents: ReadonlyMap<string, JsonObject>): readonly (readonly [id: string, form: JsonObject])[] {
  return [...agents].flatMap(([id, agent]) => {
    const at = [agent['publishedAt'], agent['updatedAt'], agent['createdAt']].find((one) => typeof one === 'string');
    const isPublished = agent['isPublished'] === true && agent['version'] === '6' && at !== undefined;
    return isPublished ? [[id, publicForm(agent, id, at)] as const] : [];
  });
}

/** Its creation time in epoch milliseconds; NaN if it cannot be read. */
const instant = ({ createdAt }: JsonObject): number =>
  typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;

/** An agent that only other things refer to. */
function unseenAgent(id: string, of: JsonObject | readonly JsonObject[]): JsonObject {
  const shown = (Array.isArray(of) ? (of as readonly JsonObject[])[0] : of) as JsonObject | undefined;
  const { workspaceId } = shown ?? {};
  return {
    version: '6',
    id,
    name: 'Agent',
    ...blankFlow(id),
    ...(typeof workspaceId === 'string' ? { workspaceId } : {}),
  };
}

/** A value without each `null` that its schema does not allow. */
function withoutNulls(schema: SchemaName, value: JsonObject): { readonly value: JsonObject; readonly nulls: number } {
  const wrong = validate(schema, value).filter(({ actual }) => actual === 'null');
  if (wrong.length === 0) return { value, nulls: 0 };
  const copy = structuredClone(value);
  for (const { at } of wrong) {
    const path = [...pointerTokens(at)];
    const last = path.pop();
    const holder = path.reduce<unknown>(
      (inside, name) => (inside as Record<string, unknown> | undefined)?.[name],
      copy,
    );
    if (last !== undefined && isObject(holder)) Reflect.deleteProperty(holder, last);
  }
  return { value: copy, nulls: wrong.length };
}
