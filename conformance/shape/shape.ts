import { endpointIds, endpoints, validate, type BodySchemaName, type EndpointId } from '../../spec/index.ts';
import { changedAt, templateOf } from '../../spec/json-pointer.ts';
import type { Finding } from '../finding.ts';
import { isAccepted, isWithoutAccess, type Answered, type Exchange } from '../http/exchange.ts';
import { field, isObject, type JsonObject } from '../json.ts';
import type { Evidence } from '../generated/report.ts';
import { valueFor } from '../collections.ts';
import { counted } from '../show.ts';
import { createCoverage, evidenceOf, lookAt, type Looking } from './evidence.ts';
import { requirementAt } from './documented.ts';

/** A large agent has about ten thousand values, and a page of a hundred results has fewer. Above this, arrays are cut. */
const MAX_VALUES = 200_000;
/** This many broken values are enough: a million more would add nothing, and take all the memory. */
const ENOUGH_VALUES = 20_000;
/** A body as short as most cannot hold many more. To count them takes longer than to judge them. */
const FEW_BYTES = 200_000;

/** What is wrong with one answer, by place. */
type Found = ReadonlyMap<string, Omit<Finding, 'exchanges'>>;

type Account = ReturnType<typeof emptyAccount>;

const emptyAccount = (endpoint: EndpointId) => ({
  /** The findings in a parsed body, which equal bodies share. */
  looked: new WeakMap<object, Found>(),
  coverage: createCoverage(endpoints[endpoint].response as BodySchemaName),
  answers: 0,
  judged: 0,
  /** Each broken place, with the first answer that shows it and the number of answers. */
  broken: new Map<string, { readonly finding: Finding; answers: number }>(),
});

interface Options {
  readonly strict: boolean;
  readonly agents: {
    creationOf(id: string | undefined): { readonly isVersion6: boolean; readonly isProvoked?: boolean } | undefined;
  };
}

/**
 * Judges the shape of every accepted answer as it arrives, and counts what was seen.
 *
 * Null stands for "absent" where a documented property is not required: whether it may is a gap (section 2.12). It is
 * judged as absent, unless `strict` is set. No answer is changed.
 */
export function createShapes(options: Options) {
  const accounts = new Map<EndpointId, Account>();
  const accountOf = (endpoint: EndpointId): Account => valueFor(accounts, endpoint, () => emptyAccount(endpoint));
  let last: Found | undefined;
  /** Answers with null in place of a new agent's public form, which may appear later, by agent. */
  const unpublished = new Map<string, Answered[]>();

  /** Whether the verdict on a null public form has to wait until another shows whether it was only late. */
  function waits(exchange: Answered): boolean {
    const { endpoint, agentId = '', answer } = exchange;
    const { holds } = endpoints[endpoint];
    if (holds !== 'publicAgent' || !options.agents.creationOf(agentId)) return false;
    const isNull = isObject(answer.json) && answer.json[holds] === null;
    if (!isNull) unpublished.delete(agentId);
    else unpublished.set(agentId, [...(unpublished.get(agentId) ?? []), exchange].slice(0, 5));
    return isNull;
  }

  const shapes = {
    /** How often a documented optional field was null, without `strict`. */
    nulls: 0,
    extraField: undefined as string | undefined,
    see(exchange: Exchange): void {
      last = undefined;
      // Another check judges answers to callers with wrong credentials.
      if (isWithoutAccess(exchange.caller) || exchange.open || !isAccepted(exchange)) return;
      // What a probe provoked may be kept as it was sent.
      if (options.agents.creationOf(exchange.agentId)?.isProvoked === true) return;
      if (waits(exchange)) return;
      last = inspect(exchange, accountOf(exchange.endpoint), { ...options, found: shapes });
    },
    /** Of accepted answers: their number, how many are documented as a whole, and each broken place once. */
    seen(endpoint: EndpointId) {
      if (endpoints[endpoint].holds === 'publicAgent') {
        // Whatever still waits was not late: it is judged now, once.
        for (const one of [...unpublished.values()].flat())
          inspect(one, accountOf(endpoint), { ...options, found: shapes });
        unpublished.clear();
      }
      const { answers, judged, broken } = accountOf(endpoint);
      // Each finding stands for all answers with the same broken place.
      const findings = Array.from(broken.values(), ({ finding, answers: times }) => {
        if (answers === 1) return finding;
        return { ...finding, actual: `${finding.actual} (in ${times} of ${counted(answers, 'answer')})` };
      });
      return { answers, judged, broken: findings };
    },
    /** Whether an answer had a value of the documented type at a documented place (`/results/*`). */
    saw(endpoint: EndpointId, pointer: string): boolean {
      const { locations, valid } = accountOf(endpoint).coverage;
      return (valid[locations.findIndex((location) => location.pointer === pointer)] ?? 0) > 0;
    },
    /** What is wrong with the shape of the latest answer; empty if it was not judged. */
    lastFound: () => [...(last?.values() ?? [])],
    evidence: (): readonly Evidence[] =>
      endpointIds.map((id) => evidenceOf(endpoints[id].response, accountOf(id).coverage)),
  };
  return shapes;
}

type Look = Omit<Looking, 'skipsAgent'> & Options;

function inspect(exchange: Answered, account: Account, look: Look): Found {
  account.answers++;
  const { json, problem, slip } = exchange.answer;
  if (problem === undefined && slip?.isAll !== true && formOf(exchange, look.agents) !== 'other') account.judged++;
  const found = (isObject(json) && account.looked.get(json)) || findIn(exchange, account, look);
  if (isObject(json)) account.looked.set(json, found);
  for (const [key, finding] of found) {
    const known = account.broken.get(key);
    if (known) known.answers++;
    else if (account.broken.size < 25)
      account.broken.set(key, { finding: { ...finding, exchanges: [exchange.excerpt] }, answers: 1 });
  }
  return found;
}

/** An answer whose outermost layer is something else altogether is judged no further. */
function findIn(exchange: Answered, account: Account, look: Look): Found {
  const found = new Map<string, Omit<Finding, 'exchanges'>>();
  const note = (finding: Omit<Finding, 'exchanges'>): void => {
    const key = `${finding.requirement} ${templateOf(finding.at ?? '')}`;
    if (!found.has(key)) found.set(key, finding);
  };
  const { answer, endpoint } = exchange;
  const { problem, flaw, slip } = answer;
  for (const actual of [problem, flaw])
    if (actual !== undefined)
      note({ expected: 'JSON, as in every answer to an accepted request', actual, requirement: 'answers-are-json' });
  if (slip) {
    const { isAll: _, ...finding } = slip;
    note({ ...finding, requirement: `${endpoint}-answer` });
  }
  if (problem !== undefined || slip?.isAll === true) return found;
  for (const { at, keyword, expected, actual } of errorsIn(exchange, account, look)) {
    const isTop = /^\/[^/]*$/.test(at);
    const requirement = requirementAt(endpoint, keyword === 'required' && isTop ? '' : at);
    // A missing sibling of a part without its envelope belongs to the same finding.
    if (!(slip?.at === '' && isTop)) note({ expected, actual, at, requirement });
  }
  return found;
}

function errorsIn(exchange: Answered, { coverage }: Account, { agents, strict, found }: Look) {
  const { json, bytes = Infinity } = exchange.answer;
  const form = formOf(exchange, agents);
  const schema = endpoints[exchange.endpoint].response;
  const whole = strict ? json : withoutNullVersion(json);
  const isSmall = bytes <= FEW_BYTES || bounded(whole, ENOUGH_VALUES) === whole;
  const plain = isSmall ? whole : bounded(whole, MAX_VALUES);
  const looked = lookAt(plain, coverage, { strict, found, skipsAgent: form === 'other' });
  const judged =
    form === 'assumed-6' ? changedAt(looked, '/agent', (agent) => ({ ...Object(agent), version: '6' })) : looked;
  // If the beginning of a large answer is wrong, only that is reported.
  const beginning = isSmall ? judged : bounded(judged, ENOUGH_VALUES);
  const errors = validate(schema, beginning);
  if (errors.length > 0 || beginning === judged) return errors;
  return validate(schema, judged);
}

type Form = '6' | 'assumed-6' | 'other';

/** The form of the agent: version 6 as created and imported; elsewhere its version decides, or that it is our own. */
function formOf({ endpoint, answer, agentId = '' }: Answered, agents: Options['agents']): Form {
  const { holds, mayBeVersion5 } = endpoints[endpoint];
  const agent = field(answer.json, holds);
  if (mayBeVersion5 !== true || !isObject(agent)) return '6';
  const version = field(agent, 'version');
  if (version === '6') return '6';
  const isOurs = holds === 'agent' && agents.creationOf(agentId)?.isVersion6 === true;
  if (version === undefined && isOurs) return 'assumed-6';
  return 'other';
}

/** A null version counts as absent. Otherwise it would be judged as that of an older form. */
const withoutNullVersion = (json: unknown): unknown =>
  ['/agent/version', '/publicAgent/version'].reduce(
    (left, version) => changedAt(left, version, (found) => found ?? undefined),
    json,
  );

/** Documented values are nested far less deeply. */
const MAX_DEPTH = 100;

/** Parsed JSON with at most about this many values: the same value, or a copy with shortened arrays. */
function bounded(json: unknown, most: number): unknown {
  let left = most;
  const cut = (value: unknown, depth: number): unknown => {
    left--;
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value;
    // A loop for both kinds takes four times as long.
    if (Array.isArray(value)) {
      let copy: unknown[] | undefined;
      for (let i = 0; i < value.length; i++) {
        if (left <= 0) return (copy ?? value).slice(0, i);
        const kept = cut(value[i], depth + 1);
        if (kept !== value[i]) (copy ??= [...(value as unknown[])])[i] = kept;
      }
      return copy ?? value;
    }
    let copy: Record<string, unknown> | undefined;
    // Objects stay complete, so that no required property seems to be missing.
    for (const name in value) {
      const item = (value as JsonObject)[name];
      const kept = cut(item, depth + 1);
      if (kept !== item) (copy ??= { ...(value as JsonObject) })[name] = kept;
    }
    return copy ?? value;
  };
  return cut(json, 0);
}
