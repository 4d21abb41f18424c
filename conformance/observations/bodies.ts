import { importAgentV5Body } from '../../fixtures/requests/index.ts';
import type { CallParameters } from '../probes/api/request.ts';
import type { Run } from '../probes/probe.ts';
import { accepted, bodyFor, created, createdNext, workspaceId, type Creation } from '../probes/prerequisites.ts';
import type { Answered } from '../http/exchange.ts';
import { field, isObject, stringAt, type JsonObject } from '../json.ts';
import { noteRefusal } from './refusals.ts';
import { observeStatus, type Observe, type Observer } from './observe.ts';
import { answerToQuestion, observerOf, seenAs, type Question } from './question.ts';

type Change = (agent: JsonObject, body: JsonObject, run: Run, first: Creation) => JsonObject | undefined;

/** A creation that differs from an accepted one in something undocumented. */
const creation = (
  differs: string,
  change: Change,
  note: (observe: Observe, exchange: Answered) => void,
  parameters: CallParameters = {},
): Question => ({
  endpoint: 'create-agent',
  differs,
  queue: 'creations',
  async prepare(run) {
    const first = await createdNext(run, 'create-agent', '2');
    const plain = await bodyFor(run, 'create-agent', 'name-only', differs.replace(/[^a-z]+/gi, '-').toLowerCase());
    const agent = field(plain, 'agent');
    const body = isObject(agent) ? change(agent, plain, run, first) : plain;
    return body && { twin: first.exchange, parameters: { ...parameters, body } };
  },
  note,
});

/** Between the known limits. */
const LEVELS = 300;
const LARGE_BYTES = 1_200_000;

/** Whether a refusal blames the request, and not the caller or the server. */
const isClients = ({ answer: { status } }: Answered): boolean =>
  status >= 400 && status < 500 && ![401, 402, 403].includes(status);

const undocumented = creation(
  'an undocumented field',
  (agent, body) => ({ ...body, agent: { ...agent, agentContract: 'kept' } }),
  (observe, exchange) => {
    const { answer } = exchange;
    if (!answer.accepted) return observe('undocumented-fields-sent', undefined, seenAs(exchange));
    const kept = field(answer.json, 'agent', 'agentContract') === 'kept';
    observe('undocumented-fields-sent', kept ? 'kept' : 'dropped', kept ? 'answered' : 'not answered');
  },
);

/** What happens to undocumented bodies (sections 4.1, 4.2, 4.6, 7 and 8). */
const questions: readonly Question[] = [
  creation(
    'as text',
    (_, body) => body,
    (observe, exchange) => {
      const { accepted: isRead, status } = exchange.answer;
      const choice = isRead ? 'read' : status === 415 ? 'refused' : 'refused-as-invalid';
      observe('content-type', choice, `text/plain is ${seenAs(exchange)}`);
    },
    { contentType: 'text/plain' },
  ),
  creation(
    'without a name',
    (_, { workspaceId: id }) => ({ workspaceId: id, agent: {} }),
    (observe, exchange) =>
      observe(
        'required-body-fields',
        exchange.answer.accepted ? 'workspace-and-agent' : 'name-too',
        `an agent without a name is ${seenAs(exchange)}`,
      ),
  ),
  creation(
    'a mistyped field',
    (agent, body) => ({ ...body, agent: { ...agent, icon: 42 } }),
    (observe, exchange) => {
      const choice = exchange.answer.accepted ? 'ignored' : 'refused';
      observe('mistyped-body-field', choice, `icon: 42 is ${seenAs(exchange)}`);
      noteRefusal(observe, 'invalid', exchange);
    },
  ),
  creation(
    'a field with null',
    (agent, body) => ({ ...body, agent: { ...agent, icon: null } }),
    (observe, exchange) =>
      observe('null-in-body', exchange.answer.accepted ? 'accepted' : 'refused', `icon: null is ${seenAs(exchange)}`),
  ),
  undocumented,
  nested(),
  large(),
  creation(
    'an unknown workspace',
    (agent, _, run) => ({ workspaceId: `agent-contract-unknown-${run.tag}`, agent }),
    (observe, exchange) =>
      observe('unknown-workspace', exchange.answer.accepted ? 'accepted' : 'refused', `it is ${seenAs(exchange)}`),
  ),
  creation(
    'a taken publicId',
    (agent, body, _, { exchange }) => {
      const publicId = stringAt(exchange.answer.json, 'agent', 'publicId');
      return publicId === undefined ? undefined : { ...body, agent: { ...agent, publicId } };
    },
    (observe, exchange) => {
      const { answer, sent } = exchange;
      const met = stringAt(answer.json, 'agent', 'publicId');
      const isSame = met === field(sent, 'agent', 'publicId');
      const choice = !answer.accepted ? 'refused' : isSame ? undefined : 'changed';
      observe('taken-public-id', choice, choice === undefined ? 'given twice' : seenAs(exchange));
    },
  ),
  {
    endpoint: 'create-workspace',
    differs: 'without a name',
    queue: 'creations',
    prepare: async (run) => ({ twin: await accepted(run, 'create-workspace'), parameters: { body: {} } }),
    note(observe, exchange) {
      const choice = exchange.answer.accepted ? 'named-by-server' : 'refused';
      observe('missing-workspace-name', choice, `it is ${seenAs(exchange)}`);
      noteRefusal(observe, 'invalid', exchange);
    },
  },
  {
    endpoint: 'create-workspace',
    differs: 'the name of another',
    queue: 'creations',
    async prepare(run) {
      const twin = await accepted(run, 'create-workspace');
      return { twin, parameters: { body: { name: field(twin.sent, 'name') } } };
    },
    note: (observe, exchange) =>
      observe('equal-workspace-names', exchange.answer.accepted ? 'accepted' : 'refused', `it is ${seenAs(exchange)}`),
  },
  {
    endpoint: 'import-agent',
    differs: 'without its parts',
    queue: 'creations',
    async prepare(run) {
      const { exchange } = await created(run, 'import-agent');
      const { workspaceId: id, agent } = await bodyFor(run, 'import-agent', 'name-only', 'without-parts');
      const bare = { version: '6', name: field(agent, 'name') };
      return { twin: exchange, parameters: { body: { workspaceId: id, agent: bare } } };
    },
    note: (observe, exchange) =>
      observe(
        'import-parts',
        exchange.answer.accepted ? 'optional' : 'required',
        `an agent of a version and a name is ${seenAs(exchange)}`,
      ),
  },
  {
    endpoint: 'import-agent',
    differs: 'the form of version 5',
    queue: 'creations',
    async prepare(run) {
      const { exchange } = await created(run, 'import-agent');
      const wanted = { workspaceId: await workspaceId(run), tag: `${run.tag}-v5`, detail: 'plain' } as const;
      return { twin: exchange, parameters: { body: importAgentV5Body(wanted) } };
    },
    note: (observe, exchange) =>
      observe('import-v5', exchange.answer.accepted ? 'upgraded' : 'refused', `it is ${seenAs(exchange)}`),
  },
  {
    endpoint: 'import-agent',
    differs: 'fields that the server sets',
    queue: 'creations',
    async prepare(run) {
      const { exchange, detail } = await created(run, 'import-agent');
      const sent = await bodyFor(run, 'import-agent', detail, 'with-server-fields');
      const agent = field(sent, 'agent');
      const claimed = { id: `agent-contract-${run.tag}`, createdAt: '2020-01-01T00:00:00.000Z' };
      if (!isObject(agent)) return undefined;
      return { twin: exchange, parameters: { body: { ...sent, agent: { ...agent, ...claimed } } } };
    },
    note(observe, exchange) {
      const { answer, sent } = exchange;
      const claimed = field(sent, 'agent', 'id');
      const taken = claimed !== undefined && stringAt(answer.json, 'agent', 'id') === claimed;
      observe(
        'import-server-fields',
        !answer.accepted ? 'refused' : taken ? undefined : 'ignored',
        taken ? 'the server keeps the id from the request' : seenAs(exchange),
      );
    },
  },
];

export const bodies: readonly Observer[] = questions.map(observerOf);

/** If the server refuses the undocumented field itself, its content shows nothing. */
function nested(): Question {
  return {
    endpoint: 'create-agent',
    differs: `${LEVELS} levels in an undocumented field`,
    queue: 'creations',
    async prepare(run) {
      const twin = await answerToQuestion(run, undocumented);
      const agent = field(twin?.sent, 'agent');
      if (twin?.answer.accepted !== true || !isObject(twin.sent) || !isObject(agent)) return undefined;
      const deep = JSON.parse(`${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`) as unknown;
      return { twin, parameters: { body: { ...twin.sent, agent: { ...agent, agentContract: deep } } } };
    },
    note(observe, exchange) {
      const choice = exchange.answer.accepted ? 'levels-1000' : isClients(exchange) ? 'levels-100' : undefined;
      observe('nesting-limit', choice, `${LEVELS} levels are ${seenAs(exchange)}`);
    },
  };
}

/**
 * Repeats an accepted body with whitespace after it, only on this machine: see docs/decisions/judging/large-bodies.md.
 */
function large(): Question {
  return {
    endpoint: 'create-agent',
    differs: '1.2 MB',
    queue: 'creations',
    async prepare(run) {
      if (!run.api.isLoopback) return undefined;
      const { exchange, detail } = await createdNext(run, 'create-agent', '2');
      const body = JSON.stringify(await bodyFor(run, 'create-agent', detail, 'large')).padEnd(LARGE_BYTES);
      return { twin: exchange, parameters: { body } };
    },
    note(observe, exchange) {
      const choice = exchange.answer.accepted ? 'ten-megabytes' : isClients(exchange) ? 'one-megabyte' : undefined;
      observe('body-limit', choice, `1.2 MB are ${seenAs(exchange)}`);
      if (choice === 'one-megabyte') observeStatus(observe, 'too-large-status', exchange.answer.status);
    },
  };
}
