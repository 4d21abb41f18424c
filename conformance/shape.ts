import {
  endpointIds,
  endpoints,
  typedLocations,
  validate,
  type BodySchemaName,
  type EndpointId,
  type SchemaName,
  type TypedLocation,
} from '../spec/index.ts';
import type { Answer, Exchange } from './api.ts';
import { field, isObject, stringAt, type Finding } from './expect.ts';
import type { Observe } from './observe.ts';
import type { Evidence } from './report.ts';

/** What the accepted answers of one endpoint were seen to be. */
export interface ShapesSeen {
  readonly answers: number;
  /** Answers whose whole shape is documented: not those whose agent is, or may be, of another form than version 6. */
  readonly judged: number;
  /** Each broken place once, with the first answer that shows it. */
  readonly broken: readonly { readonly finding: Finding; readonly exchange: Exchange }[];
}

/** Judges the shape of every accepted answer of the run as it arrives, and keeps account of what was seen. */
export interface ShapeLedger {
  inspect(answer: Answer): void;
  seen(endpoint: EndpointId): ShapesSeen;
  /** Whether an answer held something of the documented type at a documented place (`/results/*`). */
  saw(endpoint: EndpointId, pointer: string): boolean;
  /** Agents that the run created itself, which are of version 6 whether they say so or not (section 9). */
  readonly ownAgents: Set<string>;
  evidence(): readonly Evidence[];
}

const MAX_BROKEN = 25;

interface Account {
  readonly looked: WeakSet<object>;
  answers: number;
  judged: number;
  readonly broken: Map<string, { readonly finding: Finding; readonly exchange: Exchange }>;
}

/** A documented place of an answer and those below it. */
interface Place {
  readonly location: TypedLocation;
  readonly index: number;
  readonly properties: readonly (readonly [name: string, place: Place])[];
  readonly names: ReadonlySet<string>;
  readonly item: Place | undefined;
}

/** How often each documented place was seen with a value of its type, and as null. */
interface Tally {
  readonly root: Place;
  readonly locations: readonly TypedLocation[];
  readonly valid: Uint32Array;
  readonly nulls: Uint32Array;
}

/**
 * Null stands for "absent" wherever a documented property of an object is not required: whether it may is a gap
 * (section 2.12). It is taken out of the answer before that is judged, unless `strictNull` says that null is wrong.
 */
export function createShapeLedger(options: { readonly strictNull: boolean; readonly observe: Observe }): ShapeLedger {
  const accounts = new Map<EndpointId, Account>();
  const tallies = new Map<string, Tally>();
  const ownAgents = new Set<string>();
  const { observe, strictNull } = options;

  const accountOf = (endpoint: EndpointId): Account => {
    const known = accounts.get(endpoint);
    if (known) return known;
    const fresh: Account = { looked: new WeakSet(), answers: 0, judged: 0, broken: new Map() };
    accounts.set(endpoint, fresh);
    return fresh;
  };

  function inspect(answer: Answer): void {
    const account = accountOf(answer.endpoint);
    account.answers++;
    const { problem, exchange } = answer;
    const note = (finding: Finding): void => {
      const key = (finding.at ?? '').replace(/\/\d+(?=\/|$)/g, '/*');
      if (account.broken.size < MAX_BROKEN && !account.broken.has(key)) account.broken.set(key, { finding, exchange });
    };
    if (problem !== undefined)
      return note({ expected: 'a body of JSON, as in every answer to an accepted request', actual: problem });
    // The same body again shows nothing new, and parsed bodies are shared.
    if (isObject(answer.json)) {
      if (account.looked.has(answer.json)) return;
      account.looked.add(answer.json);
    }
    const { response } = endpoints[answer.endpoint];
    const form = formOf(answer, ownAgents);
    if (!strictNull) dropNullVersion(answer.json);
    const tally = tallyOf(tallies, response);
    if (tally && form !== 'other') {
      account.judged++;
      lookAt(answer.json, tally.root, tally, { strictNull, observe, skipsAgent: false });
    } else if (tally) lookAt(answer.json, tally.root, tally, { strictNull, observe, skipsAgent: true });
    for (const error of validate(response, form === 'assumed-6' ? withVersion6(answer.json) : answer.json))
      note({ expected: error.expected, actual: error.actual, at: error.at });
  }

  return {
    inspect,
    ownAgents,
    seen(endpoint) {
      const { answers, judged, broken } = accountOf(endpoint);
      return { answers, judged, broken: [...broken.values()] };
    },
    saw(endpoint, pointer) {
      const tally = tallyOf(tallies, endpoints[endpoint].response);
      return (tally?.valid[tally.locations.findIndex((location) => location.pointer === pointer)] ?? 0) > 0;
    },
    evidence: () =>
      endpointIds.flatMap((endpoint) => {
        const { response: schema } = endpoints[endpoint];
        const tally = tallyOf(tallies, schema);
        if (!tally) return [];
        const { locations, valid, nulls } = tally;
        return [
          {
            schema,
            typed: locations.length,
            seenValid: valid.filter((n) => n > 0).length,
            seenNull: nulls.filter((n) => n > 0).length,
            neverSeen: locations.flatMap(({ pointer }, i) => (valid[i] === 0 && nulls[i] === 0 ? [pointer] : [])),
          },
        ];
      }),
  };
}

/**
 * The form of the agent in an answer: create and import answer version 6 by statement; elsewhere the version decides,
 * and where it is not shown only an agent of our own is known to be of version 6.
 */
function formOf(answer: Answer, ownAgents: ReadonlySet<string>): '6' | 'assumed-6' | 'other' {
  const name =
    answer.endpoint === 'get-agent' ? 'agent' : answer.endpoint === 'get-published-agent' ? 'publicAgent' : '';
  const agent = field(answer.json, name);
  if (name === '' || !isObject(agent)) return '6';
  const version = field(agent, 'version');
  if (version === '6') return '6';
  return version === undefined && name === 'agent' && ownAgents.has(answer.agentId ?? '') ? 'assumed-6' : 'other';
}

function withVersion6(json: unknown): unknown {
  const agent = field(json, 'agent');
  return isObject(json) && isObject(agent) ? { ...json, agent: { ...agent, version: '6' } } : json;
}

/** A version of null is one that is not shown; left in place it would be judged as that of an older form. */
function dropNullVersion(json: unknown): void {
  for (const name of ['agent', 'publicAgent']) {
    const agent = field(json, name);
    if (isObject(agent) && Object.hasOwn(agent, 'version') && agent['version'] === null)
      delete (agent as Record<string, unknown>)['version'];
  }
}

interface Looking {
  readonly strictNull: boolean;
  readonly observe: Observe;
  /** Looks no further than the envelope. */
  readonly skipsAgent: boolean;
}

/** Counts what is at a place and below it, as deep as the documented places go, and takes tolerated nulls out. */
function lookAt(value: unknown, place: Place, tally: Tally, how: Looking): void {
  if (!hasType(value, place.location)) return;
  tally.valid[place.index] = (tally.valid[place.index] ?? 0) + 1;
  if (Array.isArray(value)) {
    if (place.item) for (const item of value) lookAt(item, place.item, tally, how);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, property] of place.properties) {
    if (!Object.hasOwn(value, name)) continue;
    if (how.skipsAgent && isAgent(property)) continue;
    const found = value[name];
    if (found !== null || property.location.nullable) {
      lookAt(found, property, tally, how);
      continue;
    }
    if (property.location.required) continue;
    tally.nulls[property.index] = (tally.nulls[property.index] ?? 0) + 1;
    if (how.strictNull) continue;
    how.observe('absent-values', 'null', 'null for documented fields without a value');
    delete (value as Record<string, unknown>)[name];
  }
  if (isResource(place) && !how.skipsAgent)
    for (const name in value)
      if (!place.names.has(name) && value[name] !== undefined) {
        how.observe('extra-fields', 'some', `fields such as ${JSON.stringify(name.slice(0, 40))}`);
        break;
      }
}

const isAgent = ({ location }: Place): boolean => location.pointer === '/agent' || location.pointer === '/publicAgent';

const isResource = ({ location }: Place): boolean =>
  location.pointer === '/results/*' || location.pointer === '/workspace' || location.pointer === '/publicAgent';

function hasType(value: unknown, { type, nullable }: TypedLocation): boolean {
  if (value === null) return nullable;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === type;
}

function tallyOf(tallies: Map<string, Tally>, schema: SchemaName): Tally | undefined {
  const known = tallies.get(schema);
  if (known || !isBody(schema)) return known;
  const locations = typedLocations[schema];
  const fresh: Tally = {
    root: treeOf(schema, locations),
    locations,
    valid: new Uint32Array(locations.length),
    nulls: new Uint32Array(locations.length),
  };
  tallies.set(schema, fresh);
  return fresh;
}

const isBody = (schema: SchemaName): schema is BodySchemaName => Object.hasOwn(typedLocations, schema);

const trees = new Map<BodySchemaName, Place>();

function treeOf(schema: BodySchemaName, locations: readonly TypedLocation[]): Place {
  const known = trees.get(schema);
  if (known) return known;
  const below = new Map<string, number[]>();
  locations.forEach(({ pointer }, index) => {
    if (pointer === '') return;
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    const siblings = below.get(parent);
    if (siblings) siblings.push(index);
    else below.set(parent, [index]);
  });
  const build = (index: number, location: TypedLocation): Place => {
    const properties: (readonly [string, Place])[] = [];
    let item: Place | undefined;
    for (const child of below.get(location.pointer) ?? []) {
      const at = locations[child];
      if (!at) continue;
      const name = at.pointer.slice(location.pointer.length + 1);
      if (name === '*' && location.type === 'array') item = build(child, at);
      else properties.push([name, build(child, at)]);
    }
    return { location, index, properties, names: new Set(properties.map(([name]) => name)), item };
  };
  const [first] = locations;
  if (!first) throw new Error(`${schema} has no typed locations`);
  const tree = build(0, first);
  trees.set(schema, tree);
  return tree;
}

/** The agent of an answer, of whichever name. */
export const agentOf = (answer: Answer): unknown => field(answer.json, 'agent');

/** The identifier of the agent or workspace in an answer, where it is the string that it should be. */
export const idOf = (answer: Answer, name: 'agent' | 'workspace'): string | undefined =>
  stringAt(answer.json, name, 'id');
