import { endpointIds, endpoints, validate, type EndpointId, type SchemaName } from '../../spec/index.ts';
import { isAnswered, type Answered, type Exchange, type Kept } from '../history/exchange.ts';
import type { Agents } from '../history/agents.ts';

import type { Finding } from '../check.ts';
import { bounded } from './bounded.ts';
import { requirementAt } from './requirement-at.ts';
import { createTally, evidenceOf, lookAt, type Tally } from './evidence.ts';

import { field, isObject } from '../json.ts';
import { count } from '../show.ts';
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

/** A broken place, and in how many answers it was met. */
interface Broken {
  readonly finding: Finding;
  answers: number;
}

interface Account {
  /** What was found in a parsed body, which is shared by answers of the same body. */
  readonly looked: WeakMap<object, ReadonlyMap<string, Omit<Finding, 'exchanges'>>>;
  answers: number;
  judged: number;
  readonly broken: Map<string, Broken>;
}

/**
 * Null stands for "absent" wherever a documented property of an object is not required: whether it may is a gap
 * (section 2.12). It is judged as absent, unless `strictNull` says that null is wrong. No answer is changed.
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
    const fresh: Account = { looked: new WeakMap(), answers: 0, judged: 0, broken: new Map() };
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

  /** What is wrong with an answer, by place; it is judged no further than its outermost layer where that is an error. */
  function lookFor(exchange: Answered): ReadonlyMap<string, Omit<Finding, 'exchanges'>> {
    const { answer, endpoint } = exchange;
    const account = accountOf(endpoint);
    const found = new Map<string, Omit<Finding, 'exchanges'>>();
    const note = (finding: Omit<Finding, 'exchanges'>): void => {
      const key = `${finding.requirement} ${anyItem(finding.at ?? '')}`;
      if (!found.has(key)) found.set(key, finding);
    };
    const { problem, flaw, slip } = answer;
    for (const actual of [problem, flaw])
      if (actual !== undefined)
        note({ expected: 'JSON, as in every answer to an accepted request', actual, requirement: 'answers-are-json' });
    if (slip) {
      const { isAll: _, ...finding } = slip;
      note({ ...finding, requirement: `${endpoint}-answer` });
    }
    if (problem !== undefined || slip?.isAll === true) return found;
    const form = formOf(exchange, agents);
    const json = bounded(strictNull ? answer.json : withoutNullVersion(answer.json), MAX_VALUES);
    const tally = tallyOf(endpoints[endpoint].response);
    const isJudged = form !== 'other';
    if (isJudged) account.judged++;
    const looked = tally ? lookAt(json, tally, { ...looking, skipsAgent: !isJudged }) : json;
    for (const { at, expected, actual } of firstErrors(
      endpoints[endpoint].response,
      form === 'assumed-6' ? withVersion6(looked) : looked,
    ))
      // What is missing beside a part that stands alone is part of that slip.
      if (!(slip?.at === '' && /^\/[^/]*$/.test(at)))
        note({ expected, actual, at, requirement: requirementAt(endpoint, at) });
    return found;
  }

  function inspect(exchange: Answered): void {
    const { answer, endpoint, kept } = exchange;
    const account = accountOf(endpoint);
    account.answers++;
    const { json } = answer;
    const found = (isObject(json) && account.looked.get(json)) || lookFor(exchange);
    if (isObject(json)) account.looked.set(json, found);
    for (const [key, finding] of found) {
      const known = account.broken.get(key);
      if (known) known.answers++;
      else if (account.broken.size < MAX_BROKEN)
        account.broken.set(key, { finding: { ...finding, exchanges: [kept] }, answers: 1 });
    }
  }

  return {
    see(exchange) {
      // What is served to callers without the right credentials is judged as that.
      if (exchange.caller === 'none' || exchange.caller === 'wrong' || exchange.open) return;
      if (isAnswered(exchange) && exchange.answer.accepted) inspect(exchange);
    },
    seen(endpoint) {
      const { answers, judged, broken } = accountOf(endpoint);
      return { answers, judged, broken: [...broken.values()].map((one) => inSoMany(one, answers)) };
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
function withoutNullVersion(json: unknown): unknown {
  for (const name of ['agent', 'publicAgent']) {
    const agent = isObject(json) ? json[name] : undefined;
    if (isObject(json) && isObject(agent) && Object.hasOwn(agent, 'version') && agent['version'] === null)
      return { ...json, [name]: { ...agent, version: undefined } };
  }
  return json;
}

const anyItem = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** Each broken place stands for all answers that have it. */
function inSoMany({ finding, answers }: Broken, all: number): Finding {
  return all === 1 ? finding : { ...finding, actual: `${finding.actual} (in ${answers} of ${count(all, 'answer')})` };
}
