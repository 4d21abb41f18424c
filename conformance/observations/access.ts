import { accepted, agentToRead, bodyFor, created, createdNext } from '../probes/prerequisites.ts';
import type { Answered } from '../http/exchange.ts';
import { field, isObject, stringAt } from '../json.ts';
import { readResultsPage } from '../history/facts/page.ts';
import { show } from '../show.ts';
import { noteRefusal } from './refusals.ts';
import type { Observe, Observer } from './observe.ts';
import { observerOf, seenAs } from './question.ts';

/** Answers to callers with different access, and for things that do not exist (sections 4.3, 4.4, 5 and 7). */
export const access: readonly Observer[] = [
  observerOf({
    endpoint: 'get-agent',
    differs: 'an agent that does not exist',
    queue: 'creations',
    prepare: async (run) => ({
      twin: await accepted(run, 'get-agent'),
      parameters: { agentId: `agent-contract-unknown-${run.tag}` },
    }),
    note: (observe, exchange) => noteRefusal(observe, 'not-found', exchange),
  }),
  observerOf({
    endpoint: 'get-agent',
    differs: 'the scheme bearer in lower case',
    queue: 'creations',
    prepare: async (run) => ({
      twin: await accepted(run, 'get-agent'),
      parameters: { agentId: await agentToRead(run), authorization: `bearer ${run.token()}` },
    }),
    note: (observe, exchange) =>
      observe(
        'bearer-case',
        exchange.answer.accepted ? 'any-case' : 'exact',
        `bearer in lower case is ${seenAs(exchange)}`,
      ),
  }),
  observerOf({
    endpoint: 'get-agent',
    differs: 'an agent of version 5',
    queue: 'creations',
    prepare: async (run) => ({
      twin: await accepted(run, 'get-agent'),
      parameters: { agentId: run.need('v5AgentId'), open: false },
    }),
    note(observe, { answer }) {
      const version = answer.accepted ? stringAt(answer.json, 'agent', 'version') : undefined;
      if (version !== undefined)
        observe('stored-v5', version === '6' ? 'as-v6' : 'as-v5', `with the version ${show(version)}`);
    },
  }),
  observerOf({
    endpoint: 'get-published-agent',
    differs: 'an agent that was never published',
    queue: 'creations',
    async prepare(run) {
      const { id, exchange } = await created(run, 'create-agent');
      return id === undefined ? undefined : { twin: exchange, parameters: { agentId: id } };
    },
    note(observe, exchange) {
      const { answer } = exchange;
      const isNull = answer.accepted && isObject(answer.json) && answer.json['publicAgent'] === null;
      observe(
        'unpublished-agent',
        isNull ? 'null' : answer.accepted ? undefined : 'refused',
        isNull ? 'publicAgent null' : seenAs(exchange),
      );
    },
  }),
  observerOf({
    endpoint: 'create-workspace',
    differs: 'the method GET',
    queue: 'creations',
    prepare: async (run) => ({ twin: await accepted(run, 'create-workspace'), parameters: { method: 'GET' } }),
    note(observe, exchange) {
      const { answer } = exchange;
      if (answer.accepted) observe('wrong-method-status', undefined, `GET is accepted with ${answer.status}`);
      noteRefusal(observe, 'wrong-method', exchange);
    },
  }),
  observerOf({
    endpoint: 'list-results',
    differs: 'the results of an agent that does not exist',
    queue: 'lists',
    prepare: async (run) => ({
      twin: await accepted(run, 'list-results'),
      parameters: { agentId: `agent-contract-unknown-${run.tag}` },
    }),
    note(observe, exchange) {
      const page = exchange.answer.accepted ? readResultsPage(exchange) : undefined;
      const isEmpty = typeof page === 'object' && page.count === 0;
      observe(
        'results-of-unknown-agent',
        isEmpty ? 'empty-list' : exchange.answer.accepted ? undefined : 'refused',
        isEmpty ? 'an empty list' : seenAs(exchange),
      );
    },
  }),
  observerOf({
    endpoint: 'create-agent',
    differs: 'a creation with the read token',
    queue: 'creations',
    async prepare(run) {
      const { readToken } = run.target;
      if (readToken === undefined) return undefined;
      const { exchange } = await createdNext(run, 'create-agent', '2');
      const body = await bodyFor(run, 'create-agent', 'name-only', 'with-read-token');
      return { twin: exchange, parameters: { body, authorization: `Bearer ${readToken}` } };
    },
    note: (observe, exchange) => noteMode(observe, exchange, 'a creation with the read token'),
  }),
  observerOf({
    endpoint: 'list-results',
    differs: 'a list of results with the guest token',
    queue: 'lists',
    async prepare(run) {
      const { readToken, guestToken } = run.target;
      if (readToken !== undefined || guestToken === undefined) return undefined;
      const parameters = { agentId: run.need('agentId'), authorization: `Bearer ${guestToken}` };
      return { twin: await accepted(run, 'list-results'), parameters };
    },
    note: (observe, exchange) => noteMode(observe, exchange, 'a list of results with the guest token'),
  }),
  {
    // Read and guest tokens are refused where their mode is not enough.
    watch: (_, observe) => ({
      see(exchange) {
        if ((exchange.caller === 'read' || exchange.caller === 'guest') && exchange.endpoint === 'get-agent')
          noteRefusal(observe, 'forbidden', exchange);
      },
    }),
  },
  {
    watch: (_, observe) => ({
      see({ endpoint, answer, open }) {
        if (endpoint !== 'get-published-agent' || !answer.accepted || open) return;
        const id = stringAt(answer.json, 'publicAgent', 'id');
        const agentId = stringAt(answer.json, 'publicAgent', 'agentId');
        if (id === undefined || agentId === undefined) return;
        const same = id === agentId;
        observe('public-agent-id', same ? 'agent' : 'own', same ? 'its agentId' : 'different from its agentId');
      },
    }),
  },
  observerOf({
    endpoint: 'get-published-agent',
    differs: 'an agent that was imported as published',
    queue: 'creations',
    async prepare(run) {
      const { detail } = await created(run, 'import-agent');
      const plain = await bodyFor(run, 'import-agent', detail, 'published');
      const agent = field(plain, 'agent');
      if (!isObject(agent)) return undefined;
      const body = { ...plain, agent: { ...agent, isPublished: true } };
      const imported = await run.api.call('import-agent', { body });
      const agentId = imported.answer.accepted ? stringAt(imported.answer.json, 'agent', 'id') : undefined;
      return agentId === undefined ? undefined : { twin: imported, parameters: { agentId } };
    },
    note(observe, exchange) {
      const { answer } = exchange;
      const isThere = answer.accepted && field(answer.json, 'publicAgent') !== undefined;
      observe(
        'import-published',
        isThere ? 'published' : 'draft',
        isThere ? 'it has a published form' : `its published form is ${seenAs(exchange)}`,
      );
    },
  }),
];

function noteMode(observe: Observe, exchange: Answered, what: string): void {
  observe('mode-permissions', exchange.answer.accepted ? 'reported-only' : 'graded', `${what} is ${seenAs(exchange)}`);
  noteRefusal(observe, 'forbidden', exchange);
}
