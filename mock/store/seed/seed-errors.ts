import { validate, type SchemaName } from '../../../spec/index.ts';
import { escapeToken } from '../../../spec/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';

/** One thing that is wrong with a seed. */
export interface SeedError {
  /** JSON Pointer. */
  readonly at: string;
  readonly message: string;
}

const KNOWN = ['workspaces', 'agents', 'results', 'publishedAgents', 'whole', '$schema'];

/** Everything that is wrong with a seed, according to the schemas of agents, results and workspaces. */
export function seedErrors(seed: unknown): readonly SeedError[] {
  if (!isObject(seed)) return [{ at: '', message: 'must be an object with "workspaces", "agents" or "results".' }];
  return [
    ...unknownMembers(seed),
    ...inList(seed['workspaces'], '/workspaces', (one, at) => inValue('workspace', one, at)),
    ...inList(seed['agents'], '/agents', inAgent),
    ...inWhole(seed),
    ...inPublishedAgents(seed),
    ...inResults(seed),
  ];
}

const unknownMembers = (seed: JsonObject): readonly SeedError[] =>
  Object.keys(seed)
    .filter((key) => !KNOWN.includes(key))
    .map((key) => ({
      at: `/${escapeToken(key)}`,
      message: `is not part of a seed. A seed has ${KNOWN.slice(0, 5).join(', ')}.`,
    }));

const inValue = (schema: SchemaName, value: Json, at: string): readonly SeedError[] =>
  validate(schema, value).map((error) => ({
    at: `${at}${error.at}`,
    message: error.keyword === 'required' ? 'is required.' : `must be ${error.expected}; it is ${error.actual}.`,
  }));

function inList(
  value: Json | undefined,
  at: string,
  inItem: (item: Json, at: string) => readonly SeedError[],
): readonly SeedError[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [{ at, message: 'must be a list.' }];
  return (value as readonly Json[]).flatMap((one, i) => inItem(one, `${at}/${i}`));
}

/** An agent without a version has version 6. */
function inAgent(agent: Json, at: string): readonly SeedError[] {
  if (!isObject(agent)) return inValue('agent-v6', agent, at);
  const { version = '6' } = agent;
  return inValue(version === '6' ? 'agent-v6' : 'agent-v5', { version: '6', ...agent }, at);
}

function inWhole(seed: JsonObject): readonly SeedError[] {
  const { whole } = seed;
  if (whole === true) return withoutId(seed);
  return whole === undefined || whole === false ? [] : [{ at: '/whole', message: 'must be true or false.' }];
}

function inPublishedAgents({ agents, publishedAgents }: JsonObject): readonly SeedError[] {
  if (publishedAgents === undefined) return [];
  if (!isObject(publishedAgents))
    return [{ at: '/publishedAgents', message: 'must be an object with the ids of agents as names.' }];
  const known = Array.isArray(agents) ? (agents as readonly Json[]) : [];
  const ids = new Set(known.flatMap((one) => (isObject(one) ? [one['id']] : [])));
  return Object.entries(publishedAgents).flatMap(([agentId, one]) => {
    const at = `/publishedAgents/${escapeToken(agentId)}`;
    const schema = isObject(one) && one['version'] !== '6' ? 'public-agent-v5' : 'public-agent-v6';
    return [
      ...(ids.has(agentId) ? [] : [{ at, message: 'is not the id of an agent of this seed.' }]),
      ...inValue(schema, one, at),
    ];
  });
}

function inResults({ results }: JsonObject): readonly SeedError[] {
  if (results === undefined) return [];
  if (!isObject(results))
    return [{ at: '/results', message: 'must be an object with the ids of agents as names and lists as values.' }];
  return Object.entries(results).flatMap(([agentId, all]) => inList(all, `/results/${escapeToken(agentId)}`, inResult));
}

function inResult(result: Json, at: string): readonly SeedError[] {
  const createdAt = isObject(result) ? result['createdAt'] : undefined;
  const isReadable = typeof createdAt !== 'string' || !Number.isNaN(Date.parse(createdAt));
  return [
    ...inValue('result', result, at),
    ...(isReadable
      ? []
      : [
          {
            at: `${at}/createdAt`,
            message: `must be an instant such as 2026-05-20T15:30:00Z; it is ${JSON.stringify(createdAt.slice(0, 60))}.`,
          },
        ]),
  ];
}

/** Places where a complete world lacks something indispensable. */
function withoutId(seed: JsonObject): readonly SeedError[] {
  const lists: readonly (readonly [at: string, all: Json | undefined])[] = [
    ['/workspaces', seed['workspaces']],
    ['/agents', seed['agents']],
    ...Object.entries(isObject(seed['results']) ? seed['results'] : {}).map(
      ([id, all]) => [`/results/${escapeToken(id)}`, all] as const,
    ),
  ];
  return lists.flatMap(([at, all]) =>
    (Array.isArray(all) ? all : []).flatMap((one: Json, i) => [
      ...lacks(one, 'id', `${at}/${i}`),
      ...(at.startsWith('/results') ? lacks(one, 'createdAt', `${at}/${i}`) : []),
    ]),
  );
}

const lacks = (one: Json, name: string, at: string): readonly SeedError[] =>
  isObject(one) && typeof one[name] !== 'string'
    ? [{ at: `${at}/${name}`, message: 'is required where "whole" is true: nothing is filled in.' }]
    : [];
