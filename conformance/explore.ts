import type { AsyncCommand } from 'fast-check';
import { endpoints } from '../spec/index.ts';
import type { Answer, Exchange } from './history/exchange.ts';
import type { Api } from './asking/api.ts';
import type { Check, CheckContext, Exploring } from './check.ts';
import { compareAgents } from './content/content.ts';
import { CannotJudge, NoAnswer, Violation, count, field, isObject, show, stringAt, type JsonObject } from './expect.ts';
import type { Creation, Detail, Given, NewAgentEndpoint } from './asking/given.ts';
import { readPage } from './results/walk.ts';

/** Commands of one sequence at most. */
const LONGEST = 16;
/** Requests that may be spent on making the sequence that failed shorter. */
const SHRINKING = 200;
/** Sequences that may be lost because an answer never arrived. */
const PATIENCE = 3;
const RESULTS_LISTED = 50;

/**
 * Creates, imports, reads and lists in random order, and holds what is answered against a model that knows no more than
 * what was answered before. It runs only where the user asks for it, since it creates many agents.
 *
 * What an agent must be when it is made is judged by other checks; here it must stay what it was answered to be,
 * whatever else is done. A creation that is refused proves nothing (a quota, say), and neither do the public form and
 * the results of an agent that cannot be had.
 */
export const explorationCheck: Check = {
  id: 'agents-hold-in-any-order',
  title: 'In whatever order requests come, every agent stays what it was answered to be',
  endpoint: 'get-agent',
  verifies: [
    'get-agent-right-agent',
    'created-agent-readable',
    'imported-agent-readable',
    'create-agent-new-id',
    'import-agent-new-id',
    'get-published-agent-right-agent',
    'results-of-the-agent',
  ],
  provenBy: [
    'agents-overwrite-each-other',
    'imported-agent-forgotten',
    'get-agent-answers-another',
    'created-agent-not-stored',
    'created-agent-reads-otherwise',
    'imported-agent-not-stored',
    'imported-agent-reads-otherwise',
    'create-agent-repeats-id',
    'import-agent-repeats-id',
    'get-published-agent-answers-another',
    'results-of-another-agent',
    'results-same-for-every-agent',
  ],
  explores: true,
  async run(t) {
    if (!t.exploring) throw new CannotJudge('It takes leave to create many agents.', '--explore 50');
    await explore(t, t.exploring);
  },
};

/** An agent that a sequence may ask for. */
interface Known {
  readonly id: string;
  /** As a step calls it: `A`. */
  readonly name: string;
  /** What was sent for it; `undefined` for an agent that the user gave, of which nothing but the identifier is known. */
  readonly sent: JsonObject | undefined;
  /** What was answered of that so far. */
  shown: JsonObject;
}

/** What a sequence of requests must find. */
interface Model {
  readonly agents: Known[];
  /** Who listed a result, and the answer that shows it. */
  readonly listed: Map<string, { readonly agent: Known; readonly exchange: Exchange }>;
}

/** What a sequence did. */
interface Trace {
  readonly steps: string[];
  readonly exchanges: Exchange[];
}

type Command = AsyncCommand<Model, Trace>;

/** A failure, with the sequence that shows it. */
interface Found {
  readonly violation: Violation;
  readonly steps: readonly string[];
}

async function explore(t: CheckContext, { sequences, seed }: Exploring): Promise<void> {
  const { api } = t;
  const session = await open(t);
  // Not `import()`, which Jest permits only with a flag.
  const fc = require('fast-check') as typeof import('fast-check');
  let done = 0;
  let lost = 0;
  let stopped: CannotJudge | undefined;
  let found: Found | undefined;
  let allowed = Infinity;

  const makes = session.kinds.flatMap(({ endpoint, details }) =>
    fc
      .record({
        detail: fc.constantFrom(...details),
        // On import alone: whether that publishes the agent is left open, so its public form may be there or not.
        isPublished: endpoint === 'import-agent' ? fc.boolean() : fc.constant(false),
      })
      .map(({ detail, isPublished }) => makeCommand(session, endpoint, detail, isPublished)),
  );
  const which = fc.nat({ max: LONGEST });
  const reads = which.map((index) => uses(index, 'read', (agent, model, trace) => read(session, agent, model, trace)));
  const lists = which.map((index) => uses(index, 'list', (agent, model, trace) => list(session, agent, model, trace)));
  const published = which.map((index) =>
    uses(index, 'read public form of', (agent, _, trace) => readPublished(session, agent, trace)),
  );
  const commands = fc.commands<Model, Trace, false>([...makes, reads, reads, reads, lists, published], {
    maxCommands: LONGEST,
    // Without it sequences would hold ten commands at most.
    size: 'max',
  });

  const holds = fc.asyncProperty(commands, async (sequence) => {
    if (stopped || api.statistics.requests >= allowed) return;
    const model: Model = { agents: [...session.residents], listed: new Map() };
    const trace: Trace = { steps: [], exchanges: [] };
    try {
      await fc.asyncModelRun(() => ({ model, real: trace }), sequence);
      if (!found) done++;
    } catch (error) {
      if (error instanceof Violation) {
        if (!found) allowed = api.statistics.requests + SHRINKING;
        found = { violation: error, steps: trace.steps };
        throw error;
      }
      if (!(error instanceof CannotJudge)) throw error;
      lost++;
      if (!(error instanceof NoAnswer) || lost >= PATIENCE) stopped = error;
    }
  });
  const { failed, errorInstance } = await fc.check(holds, { numRuns: sequences, seed: seed | 0 });

  if (found) throw explained(found, done);
  if (failed) throw errorInstance;
  if (done < sequences) {
    const reason = stopped?.message ?? 'Answers were missing.';
    throw new CannotJudge(`Only ${done} of ${count(sequences, 'sequence')} came to an end. ${reason}`, stopped?.supply);
  }
  if (session.compared === 0)
    throw new CannotJudge('No agent that the sequences created could be read.', 'more sequences: --explore 50');
}

function explained({ violation, steps }: Found, done: number): Violation {
  const { expected, actual, at } = violation.finding;
  return new Violation(
    {
      expected,
      actual: `${actual}, after this: ${steps.join(', ')} (found in sequence ${done + 1}, and shortened)`,
      ...(at === undefined ? {} : { at }),
    },
    violation.exchanges,
    violation.more,
  );
}

/** What all sequences share. */
interface Session {
  readonly api: Api;
  readonly given: Given;
  /** The endpoints that can make agents here, with the bodies that they take. */
  readonly kinds: readonly { readonly endpoint: NewAgentEndpoint; readonly details: readonly Detail[] }[];
  /** Agents that were there before. */
  readonly residents: readonly Known[];
  /** Every identifier that was answered for a new agent, and the answer. */
  readonly identifiers: Map<string, Exchange>;
  made: number;
  compared: number;
}

/** @throws CannotJudge where no agent can be created. */
async function open({ api, given }: CheckContext): Promise<Session> {
  const identifiers = new Map<string, Exchange>();
  const kinds: { endpoint: NewAgentEndpoint; details: readonly Detail[] }[] = [];
  let problem: CannotJudge | undefined;
  for (const endpoint of ['create-agent', 'import-agent'] as const) {
    const creation = await given.created(endpoint).catch((error: unknown) => {
      if (!(error instanceof CannotJudge)) throw error;
      problem ??= error;
      return undefined;
    });
    if (!creation) continue;
    remember(identifiers, creation);
    kinds.push({ endpoint, details: [...new Set<Detail>(['name-only', creation.detail])] });
  }
  if (kinds.length === 0 && problem) throw problem;
  const { agentId, publishedAgentId } = given.target;
  const residents = [...new Set([agentId, publishedAgentId])].flatMap((id): Known[] =>
    id === undefined ? [] : [{ id, name: show(id), sent: undefined, shown: {} }],
  );
  return { api, given, kinds, residents, identifiers, made: 0, compared: 0 };
}

function remember(identifiers: Map<string, Exchange>, { id, answer }: Creation): void {
  if (id !== undefined) identifiers.set(id, answer.exchange);
}

function makeCommand(session: Session, endpoint: NewAgentEndpoint, detail: Detail, isPublished: boolean): Command {
  return {
    check: () => true,
    run: (model, trace) => make(session, { endpoint, detail, isPublished }, model, trace),
    toString: () => endpoint,
  };
}

/** A command that asks something about the agent at `index`, counted round and round. */
function uses(index: number, verb: string, run: (agent: Known, model: Model, trace: Trace) => Promise<void>): Command {
  return {
    check: ({ agents }) => agents.length > 0,
    async run(model, trace) {
      // From the newest, so that a sequence stays the same where a shorter one made fewer agents before.
      const agent = model.agents.at(-1 - (index % model.agents.length));
      if (!agent) return;
      trace.steps.push(`${verb} ${agent.name}`);
      await run(agent, model, trace);
    },
    toString: () => `${verb} ${index}`,
  };
}

async function make(
  session: Session,
  how: { readonly endpoint: NewAgentEndpoint; readonly detail: Detail; readonly isPublished: boolean },
  model: Model,
  trace: Trace,
): Promise<void> {
  const { api, given, identifiers } = session;
  const { endpoint } = how;
  const body = await given.body(endpoint, how.detail, `x${++session.made}`);
  const plain = field(body, 'agent');
  const sent: JsonObject = isObject(plain) ? { ...plain, ...(how.isPublished ? { isPublished: true } : {}) } : {};
  const name = letter(model.agents.filter((one) => one.sent !== undefined).length);
  trace.steps.push(`${endpoint === 'create-agent' ? 'create' : 'import'} ${name}`);
  const answer = await api.call(endpoint, { body: { ...body, agent: sent } });
  trace.exchanges.push(answer.exchange);
  const agent = answer.accepted ? field(answer.json, 'agent') : undefined;
  const id = stringAt(agent, 'id');
  if (!isObject(agent) || id === undefined) return;
  const before = identifiers.get(id);
  if (before)
    throw failure(trace, [before], {
      expected: 'an identifier that no other agent has',
      actual: `${show(id)}, which ${endpoints[endpoint].title} or its like answered before`,
      at: '/agent/id',
    });
  identifiers.set(id, answer.exchange);
  model.agents.push({ id, name, sent, shown: partOf(agent, sent) });
}

async function read(session: Session, agent: Known, _: Model, trace: Trace): Promise<void> {
  const answer = await reading(session, agent);
  trace.exchanges.push(answer.exchange);
  if (!answer.accepted) {
    // Whether an agent that the user gave can be read is judged elsewhere.
    if (agent.sent === undefined) return;
    await mustBeAboutThisAgent(session, answer);
    throw failure(trace, [], {
      expected: `the agent ${agent.name}, ${show(agent.id)}, can be read`,
      actual: `Get agent answered ${answer.status}`,
    });
  }
  const shown = field(answer.json, 'agent');
  if (!isObject(shown)) return;
  const id = stringAt(shown, 'id');
  if (id !== undefined && id !== agent.id)
    throw failure(trace, [], {
      expected: `the agent ${show(agent.id)}`,
      actual: `the agent ${show(id)}`,
      at: '/agent/id',
    });
  if (agent.sent === undefined) return;
  const { findings, compared } = compareAgents(agent.shown, shown);
  const [first] = findings;
  if (first)
    throw failure(trace, [], {
      ...first,
      expected: `of the agent ${agent.name} ${first.expected.replace('as sent', 'as it was answered')}`,
    });
  session.compared += compared > 0 ? 1 : 0;
  agent.shown = { ...partOf(shown, agent.sent), ...agent.shown };
}

/** What was just written may take a moment to be found. */
async function reading({ api, given }: Session, { id, sent }: Known): Promise<Answer> {
  for (const pause of sent === undefined ? [] : [100, 400]) {
    const answer = await api.call('get-agent', { agentId: id });
    if (answer.accepted) return answer;
    await given.sleep(pause);
  }
  return api.call('get-agent', { agentId: id });
}

/** @throws CannotJudge where a refusal may have another reason than that the agent is gone. */
async function mustBeAboutThisAgent({ api, given }: Session, { status }: Answer): Promise<void> {
  const { agentId } = given.target;
  const control = agentId === undefined ? undefined : await api.call('get-agent', { agentId });
  if (control ? !control.accepted : ![403, 404, 410].includes(status))
    throw new CannotJudge(
      `Get agent answered ${status}, and ${control ? 'the given agent could not be read either' : 'there is no other agent to compare with'}.`,
      control ? undefined : '--agent-id',
    );
}

async function list({ api }: Session, agent: Known, { listed }: Model, trace: Trace): Promise<void> {
  const query = { limit: RESULTS_LISTED, timeFilter: 'allTime' };
  const answer = await api.call('list-results', { agentId: agent.id, query });
  trace.exchanges.push(answer.exchange);
  const page = answer.accepted ? readPage(answer) : 'refused';
  if (typeof page === 'string') return;
  for (const [index, row] of page.rows.entries()) {
    if (row.agentId !== undefined && row.agentId !== agent.id)
      throw failure(trace, [], {
        expected: `results of the agent ${show(agent.id)}`,
        actual: `one of ${show(row.agentId)}`,
        at: `/results/${index}/agentId`,
      });
    const other = listed.get(row.id);
    // Identifiers of results need not differ from agent to agent, but an agent that is new has no results.
    if (other && other.agent !== agent && (other.agent.sent ?? agent.sent) !== undefined)
      throw failure(trace, [other.exchange], {
        expected: `no result of another agent in the list of ${agent.name}`,
        actual: `result ${show(row.id)}, which ${other.agent.name} lists too`,
        at: `/results/${index}`,
      });
    listed.set(row.id, { agent, exchange: answer.exchange });
  }
}

async function readPublished({ api, given }: Session, agent: Known, trace: Trace): Promise<void> {
  const { id } = agent;
  // What an agent without a published form is answered with is not shown.
  const probe = id !== given.target.publishedAgentId;
  const answer = await api.call('get-published-agent', { agentId: id, probe });
  trace.exchanges.push(answer.exchange);
  const met = answer.accepted ? stringAt(answer.json, 'publicAgent', 'agentId') : undefined;
  if (met !== undefined && met !== id)
    throw failure(trace, [], {
      expected: `the public form of ${show(id)}`,
      actual: `that of ${show(met)}`,
      at: '/publicAgent/agentId',
    });
}

/** A violation that the whole sequence shows; `earlier` are exchanges of other sequences, where it takes them. */
function failure({ exchanges }: Trace, earlier: readonly Exchange[], finding: Violation['finding']): Violation {
  return new Violation(finding, [...earlier.filter((one) => !exchanges.includes(one)), ...exchanges]);
}

/** The fields of `agent` that were sent, and have a value. */
const partOf = (agent: JsonObject, sent: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(agent).filter(([name, value]) => Object.hasOwn(sent, name) && (value ?? undefined) !== undefined),
  );

/** `A`, `B`, and so on; no sequence makes more than the alphabet has. */
const letter = (index: number): string => String.fromCharCode(65 + index);
