import { endpointIds, endpoints, validate, type EndpointId, type SchemaName } from '../../spec/index.ts';
import { isAnswered, type Answered, type Exchange, type Kept } from '../history/exchange.ts';
import type { Agents } from '../history/agents.ts';

import type { Finding } from '../check.ts';
import { bounded } from './bounded.ts';
import { createTally, evidenceOf, lookAt, type Tally } from './evidence.ts';

import { field, isObject } from '../json.ts';
import type { Evidence } from '../report/report.ts';

/** What the accepted answers of one endpoint were seen to be. */
export interface ShapesSeen {
  readonly answers: number;
  /** Answers whose whole shape is documented: not those whose agent is, or may be, of another form than version 6. */
  readonly judged: number;
  /** Each broken place once, with the first answer that shows it. */
  readonly broken: readonly Finding[];
}

/** Judges the shape of every accepted answer as it arrives, and keeps account of what was seen. */
export interface Shapes {
  see(exchange: Exchange): void;
  seen(endpoint: EndpointId): ShapesSeen;
  /** Whether an answer held something of the documented type at a documented place (`/results/*`). */
  saw(endpoint: EndpointId, pointer: string): boolean;
  /** Whether null stood for a documented optional field. */
  readonly sawNull: boolean;
  /** The first undocumented field of a resource. */
  readonly extraField: string | undefined;
  evidence(): readonly Evidence[];
  /** The documented names right below a place of an answer (`/results/*`), and which of them were seen. */
  namesBelow(
    endpoint: EndpointId,
    pointer: string,
  ): { readonly names: readonly string[]; readonly seen: readonly string[] };
}

const MAX_BROKEN = 25;

/** A large agent has some ten thousand values, a page of a hundred results fewer: beyond this, arrays are cut. */
const MAX_VALUES = 200_000;
/** If so many values show what is wrong, a million more would add nothing, and take all the memory. */
const ENOUGH_VALUES = 20_000;

interface Account {
  readonly looked: WeakSet<object>;
  answers: number;
  judged: number;
  readonly broken: Map<string, Finding>;
}

/**
 * Null stands for "absent" wherever a documented property of an object is not required: whether it may is a gap
 * (section 2.12). It is taken out of the answer before that is judged, unless `strictNull` says that null is wrong.
 */
export function createShapes(options: { readonly strictNull: boolean; readonly agents: Agents }): Shapes {
  const accounts = new Map<EndpointId, Account>();
  const tallies = new Map<string, Tally>();
  const { strictNull, agents } = options;
  let sawNull = false;
  let extraField: string | undefined;
  const looking = {
    strictNull,
    sawNull: () => {
      sawNull = true;
    },
    sawExtra: (name: string) => {
      extraField ??= name;
    },
  };

  const accountOf = (endpoint: EndpointId): Account => {
    const known = accounts.get(endpoint);
    if (known) return known;
    const fresh: Account = { looked: new WeakSet(), answers: 0, judged: 0, broken: new Map() };
    accounts.set(endpoint, fresh);
    return fresh;
  };

  const tallyOf = (schema: SchemaName): Tally | undefined => {
    const tally = tallies.get(schema) ?? createTally(schema);
    if (tally) tallies.set(schema, tally);
    return tally;
  };

  const saw = (endpoint: EndpointId, pointer: string): boolean => {
    const tally = tallyOf(endpoints[endpoint].response);
    return (tally?.valid[tally.locations.findIndex((location) => location.pointer === pointer)] ?? 0) > 0;
  };

  function inspect(exchange: Answered): void {
    const { answer, endpoint, kept } = exchange;
    const account = accountOf(endpoint);
    account.answers++;
    const { problem } = answer;
    const note = (finding: Omit<Finding, 'exchanges'>): void => {
      const key = (finding.at ?? '').replace(/\/\d+(?=\/|$)/g, '/*');
      if (account.broken.size < MAX_BROKEN && !account.broken.has(key))
        account.broken.set(key, { ...finding, exchanges: [kept] });
    };
    if (problem !== undefined)
      return note({ expected: 'a body of JSON, as in every answer to an accepted request', actual: problem });
    // The same body again shows nothing new, and parsed bodies are shared.
    if (isObject(answer.json)) {
      if (account.looked.has(answer.json)) return;
      account.looked.add(answer.json);
    }
    const { response } = endpoints[endpoint];
    const form = formOf(exchange, agents);
    const json = bounded(answer.json, MAX_VALUES);
    if (!strictNull) dropNullVersion(json);
    const tally = tallyOf(response);
    if (tally && form !== 'other') {
      account.judged++;
      lookAt(json, tally, { ...looking, skipsAgent: false });
    } else if (tally) lookAt(json, tally, { ...looking, skipsAgent: true });
    const judged = form === 'assumed-6' ? withVersion6(json) : json;
    for (const error of firstErrors(response, judged))
      note({ expected: error.expected, actual: error.actual, at: error.at });
  }

  return {
    see(exchange) {
      if (isAnswered(exchange) && exchange.answer.accepted && !exchange.open) inspect(exchange);
    },
    seen(endpoint) {
      const { answers, judged, broken } = accountOf(endpoint);
      return { answers, judged, broken: [...broken.values()] };
    },
    saw,
    get sawNull() {
      return sawNull;
    },
    get extraField() {
      return extraField;
    },
    namesBelow(endpoint, pointer) {
      const tally = tallyOf(endpoints[endpoint].response);
      const names = tally ? namesBelow(tally, pointer) : [];
      return { names, seen: names.filter((name) => saw(endpoint, `${pointer}/${name}`)) };
    },
    evidence: () =>
      endpointIds.flatMap((endpoint) => {
        const { response: schema } = endpoints[endpoint];
        const tally = tallyOf(schema);
        if (!tally) return [];
        return [evidenceOf(schema, tally)];
      }),
  };
}

function namesBelow({ locations }: Tally, parent: string): readonly string[] {
  return locations.flatMap(({ pointer }) => {
    const name = pointer.startsWith(`${parent}/`) ? pointer.slice(parent.length + 1) : '/';
    return name.includes('/') ? [] : [name];
  });
}

/**
 * The form of the agent in an answer: create and import answer version 6 by statement; elsewhere the version decides,
 * and where it is not shown only an agent of our own is known to be of version 6.
 */
function formOf({ endpoint, answer, agentId = '' }: Answered, agents: Agents): '6' | 'assumed-6' | 'other' {
  const name = endpoint === 'get-agent' ? 'agent' : endpoint === 'get-published-agent' ? 'publicAgent' : '';
  const agent = field(answer.json, name);
  if (name === '' || !isObject(agent)) return '6';
  const version = field(agent, 'version');
  if (version === '6') return '6';
  return version === undefined && name === 'agent' && agents.get(agentId)?.made !== undefined ? 'assumed-6' : 'other';
}

/** What is wrong with an answer; with a large one, as soon as its beginning is wrong, only that. */
function firstErrors(schema: SchemaName, json: unknown): ReturnType<typeof validate> {
  const beginning = bounded(json, ENOUGH_VALUES);
  const found = validate(schema, beginning);
  return found.length > 0 || beginning === json ? found : validate(schema, json);
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
