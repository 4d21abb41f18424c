import { endpoints, isReadingAgent } from '../../spec/index.ts';
import { accepted, agentToRead, bodyFor, created, createdNext } from '../asking/means.ts';
import type { Answered } from '../http/exchange.ts';
import { field, isObject, stringAt } from '../json.ts';
import { readPage } from '../history/facts/page.ts';
import { show } from '../show.ts';
import { noteRefusal } from './refusals.ts';
import type { Observe, Observer } from './observe.ts';
import { asked, seenAs } from './question.ts';

/** Answers to callers with different access, and for things that do not exist (sections 4.3, 4.4, 5 and 7). */
export const access: readonly Observer[] = [
  asked({
    endpoint: 'get-agent',
    differs: 'an agent that does not exist',
    lane: 'making',
    ask: async (t) => ({
      twin: await accepted(t, 'get-agent'),
      parameters: { agentId: `agent-contract-unknown-${t.tag}` },
    }),
    note: (observe, exchange) => noteRefusal(observe, 'not-found', exchange),
  }),
  asked({
    endpoint: 'get-agent',
    differs: 'the scheme bearer in lower case',
    lane: 'making',
    ask: async (t) => ({
      twin: await accepted(t, 'get-agent'),
      parameters: { agentId: await agentToRead(t), authorization: `bearer ${t.token()}` },
    }),
    note: (observe, exchange) =>
      observe(
        'bearer-case',
        exchange.answer.accepted ? 'any-case' : 'exact',
        `bearer in lower case is ${seenAs(exchange)}`,
      ),
  }),
  asked({
    endpoint: 'get-agent',
    differs: 'an agent of version 5',
    lane: 'making',
    ask: async (t) => ({
      twin: await accepted(t, 'get-agent'),
      parameters: { agentId: t.need('v5AgentId'), open: false },
    }),
    note(observe, { answer }) {
      const version = answer.accepted ? stringAt(answer.json, 'agent', 'version') : undefined;
      if (version !== undefined)
        observe('stored-v5', version === '6' ? 'as-v6' : 'as-v5', `with the version ${show(version)}`);
    },
  }),
  asked({
    endpoint: 'get-published-agent',
    differs: 'an agent that was never published',
    lane: 'making',
    async ask(t) {
      const { id, exchange } = await created(t, 'create-agent');
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
  asked({
    endpoint: 'create-workspace',
    differs: 'the method GET',
    lane: 'making',
    ask: async (t) => ({ twin: await accepted(t, 'create-workspace'), parameters: { method: 'GET' } }),
    note(observe, exchange) {
      const { answer } = exchange;
      if (answer.accepted) observe('wrong-method-status', undefined, `GET is accepted with ${answer.status}`);
      noteRefusal(observe, 'wrong-method', exchange);
    },
  }),
  asked({
    endpoint: 'list-results',
    differs: 'the results of an agent that does not exist',
    lane: 'lists',
    ask: async (t) => ({
      twin: await accepted(t, 'list-results'),
      parameters: { agentId: `agent-contract-unknown-${t.tag}` },
    }),
    note(observe, exchange) {
      const page = exchange.answer.accepted ? readPage(exchange) : undefined;
      const isEmpty = typeof page === 'object' && page.count === 0;
      observe(
        'results-of-unknown-agent',
        isEmpty ? 'empty-list' : exchange.answer.accepted ? undefined : 'refused',
        isEmpty ? 'an empty list' : seenAs(exchange),
      );
    },
  }),
  asked({
    endpoint: 'create-agent',
    differs: 'a creation with the read token',
    lane: 'making',
    async ask(t) {
      const { readToken } = t.target;
      if (readToken === undefined) return undefined;
      const { exchange } = await createdNext(t, 'create-agent', '2');
      const body = await bodyFor(t, 'create-agent', 'name-only', 'with-read-token');
      return { twin: exchange, parameters: { body, authorization: `Bearer ${readToken}` } };
    },
    note: (observe, exchange) => noteMode(observe, exchange, 'a creation with the read token'),
  }),
  asked({
    endpoint: 'list-results',
    differs: 'a list of results with the guest token',
    lane: 'lists',
    async ask(t) {
      const { readToken, guestToken } = t.target;
      if (readToken !== undefined || guestToken === undefined) return undefined;
      const parameters = { agentId: t.need('agentId'), authorization: `Bearer ${guestToken}` };
      return { twin: await accepted(t, 'list-results'), parameters };
    },
    note: (observe, exchange) => noteMode(observe, exchange, 'a list of results with the guest token'),
  }),
  {
    // Read and guest tokens are refused where their mode is not enough.
    watch: (_, observe) => ({
      see(exchange) {
        if ((exchange.caller === 'read' || exchange.caller === 'guest') && isReadingAgent(exchange.endpoint))
          noteRefusal(observe, 'forbidden', exchange);
      },
    }),
  },
  {
    watch: (_, observe) => ({
      see({ endpoint, answer, open }) {
        if (endpoints[endpoint].holds !== 'publicAgent' || !answer.accepted || open) return;
        const id = stringAt(answer.json, 'publicAgent', 'id');
        const agentId = stringAt(answer.json, 'publicAgent', 'agentId');
        if (id === undefined || agentId === undefined) return;
        const same = id === agentId;
        observe('public-agent-id', same ? 'agent' : 'own', same ? 'its agentId' : 'different from its agentId');
      },
    }),
  },
  asked({
    endpoint: 'get-published-agent',
    differs: 'an agent that was imported as published',
    lane: 'making',
    async ask(t) {
      const { detail } = await created(t, 'import-agent');
      const plain = await bodyFor(t, 'import-agent', detail, 'published');
      const agent = field(plain, 'agent');
      if (!isObject(agent)) return undefined;
      const body = { ...plain, agent: { ...agent, isPublished: true } };
      const imported = await t.api.call('import-agent', { body });
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
