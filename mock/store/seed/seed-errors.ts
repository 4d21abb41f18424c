import { validate, type SchemaError, type SchemaName } from '../../../spec/index.ts';
import { wrongInstant } from '../resource-errors.ts';
import { escapeToken } from '../../../spec/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../text/json.ts';

export interface SeedError {
  /** JSON Pointer. */
  readonly at: string;
  readonly message: string;
}

type Judge = (item: Json, at: string) => readonly SeedError[];

const KNOWN = ['workspaces', 'agents', 'results', 'publishedAgents', 'whole', '$schema'];

/** Everything that is wrong with a seed, according to the schemas of agents, results and workspaces. */
export function seedErrors(seed: unknown): readonly SeedError[] {
  if (!isObject(seed)) return [{ at: '', message: 'must be an object with "workspaces", "agents" or "results".' }];
  const unknown = Object.keys(seed).filter((key) => !KNOWN.includes(key));
  const message = `is not part of a seed. A seed has ${KNOWN.slice(0, 5).join(', ')}.`;
  return [
    ...unknown.map((key) => ({ at: `/${escapeToken(key)}`, message })),
    ...inList(seed['workspaces'], '/workspaces', (one, at) => inValue('workspace', one, at)),
    ...inList(seed['agents'], '/agents', inAgent),
    ...inWhole(seed),
    ...inPublishedAgents(seed),
    ...inResults(seed),
  ];
}

const inValue = (schema: SchemaName, value: Json, at: string): readonly SeedError[] =>
  said(validate(schema, value), at);

const said = (errors: readonly SchemaError[], at: string): readonly SeedError[] =>
  errors.map((error) => ({
    at: `${at}${error.at}`,
    message: error.keyword === 'required' ? 'is required.' : `must be ${error.expected}; it is ${error.actual}.`,
  }));

function inList(value: Json | undefined, at: string, inItem: Judge): readonly SeedError[] {
  if (value !== undefined && !Array.isArray(value)) return [{ at, message: 'must be a list.' }];
  return eachIn(value, at, inItem);
}

function eachIn(list: Json | undefined, at: string, inItem: Judge): readonly SeedError[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: Json, i) => inItem(item, `${at}/${i}`));
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
  if (whole === undefined || whole === false) return [];
  return [{ at: '/whole', message: 'must be true or false.' }];
}

function inPublishedAgents({ agents, publishedAgents }: JsonObject): readonly SeedError[] {
  if (publishedAgents === undefined) return [];
  if (!isObject(publishedAgents))
    return [{ at: '/publishedAgents', message: 'must be an object with the ids of agents as names.' }];
  const known = Array.isArray(agents) ? agents.filter(isObject) : [];
  const ids = new Set(known.map(({ id }) => id));
  return Object.entries(publishedAgents).flatMap(([agentId, one]) => {
    const at = `/publishedAgents/${escapeToken(agentId)}`;
    const schema = isObject(one) && one['version'] !== '6' ? 'public-agent-v5' : 'public-agent-v6';
    const errors = inValue(schema, one, at);
    if (ids.has(agentId)) return errors;
    return [{ at, message: 'is not the id of an agent of this seed.' }, ...errors];
  });
}

function inResults({ results }: JsonObject): readonly SeedError[] {
  if (results === undefined) return [];
  if (!isObject(results))
    return [{ at: '/results', message: 'must be an object with the ids of agents as names and lists as values.' }];
  return Object.entries(results).flatMap(([agentId, all]) => inList(all, `/results/${escapeToken(agentId)}`, inResult));
}

function inResult(result: Json, at: string): readonly SeedError[] {
  const { createdAt } = Object(result) as JsonObject;
  const errors = inValue('result', result, at);
  if (typeof createdAt !== 'string') return errors;
  return [...errors, ...said(wrongInstant(createdAt), at)];
}

/** Places where a complete world lacks something indispensable. */
function withoutId({ workspaces, agents, results }: JsonObject): readonly SeedError[] {
  const lacking =
    (...names: readonly string[]): Judge =>
    (thing, at) =>
      names
        .filter((name) => isObject(thing) && typeof thing[name] !== 'string')
        .map((name) => ({ at: `${at}/${name}`, message: 'is required where "whole" is true: nothing is filled in.' }));
  const lists = isObject(results) ? Object.entries(results) : [];
  return [
    ...eachIn(workspaces, '/workspaces', lacking('id')),
    ...eachIn(agents, '/agents', lacking('id')),
    ...lists.flatMap(([id, all]) => eachIn(all, `/results/${escapeToken(id)}`, lacking('id', 'createdAt'))),
  ];
}
