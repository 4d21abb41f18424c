import { importAgentV5Body } from '../../fixtures/requests/index.ts';
import type { Answered } from '../http/exchange.ts';
import { PERMISSION } from '../http/statuses.ts';
import { field, isObject, stringAt, type JsonObject } from '../json.ts';
import type { CallParameters } from '../probes/api/request.ts';
import type { NewAgent } from '../probes/prerequisites.ts';
import { acceptedRequest, bodyFor, firstAgent, workspaceId } from '../probes/prerequisites.ts';
import type { Run } from '../probes/probe.ts';
import { observeStatus, type Note, type Observer } from './observe.ts';
import { answerToQuestion, byAcceptance, byAnswer, observerOf, seenAs, type Question } from './question.ts';
import { alsoRefused } from './refusals.ts';

/** Changes an accepted body; `undefined` if that makes no sense here. */
type Change = (agent: JsonObject, body: JsonObject, run: Run, first: NewAgent) => JsonObject | undefined;

function creation(differs: string, change: Change, note: Note, parameters: CallParameters = {}): Question {
  return {
    endpoint: 'create-agent',
    differs,
    async parameters(run) {
      const first = await firstAgent(run, 'create-agent');
      const plain = await bodyFor(run, 'create-agent', 'name-only', differs.replace(/[^a-z]+/gi, '-').toLowerCase());
      const agent = field(plain, 'agent');
      const body = isObject(agent) ? change(agent, plain, run, first) : plain;
      return body && { ...parameters, body };
    },
    note,
  };
}

const LEVELS = 300;
const LARGE_BYTES = 1_200_000;

/** A choice for an accepted request, and one for a refusal that blames the request, not the caller or the server. */
function limitBy<C>({ answer: { accepted, status } }: Answered, within: C, beyond: C): C | undefined {
  if (accepted) return within;
  if (status >= 400 && status < 500 && !PERMISSION.has(status)) return beyond;
  return undefined;
}

const undocumented = creation(
  'an undocumented field',
  (agent, body) => ({ ...body, agent: { ...agent, agentContract: 'kept' } }),
  byAnswer('undocumented-fields-sent', undefined, ({ answer }) => {
    if (field(answer.json, 'agent', 'agentContract') === 'kept') return ['kept', 'answered'];
    return ['dropped', 'not answered'];
  }),
);

/** If the server refuses the undocumented field itself, its content shows nothing. */
const nested: Question = {
  endpoint: 'create-agent',
  differs: `${LEVELS} levels in an undocumented field`,
  async parameters(run) {
    const twin = await answerToQuestion(run, undocumented);
    const agent = field(twin?.sent, 'agent');
    if (twin?.answer.accepted !== true || !isObject(twin.sent) || !isObject(agent)) return undefined;
    const deep = JSON.parse(`${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`) as unknown;
    return { twin, body: { ...twin.sent, agent: { ...agent, agentContract: deep } } };
  },
  note(observe, exchange) {
    const choice = limitBy(exchange, 'levels-1000', 'levels-100');
    observe('nesting-limit', choice, `${LEVELS} levels are ${seenAs(exchange)}`);
  },
};

/** Repeats an accepted body with whitespace after it, only on this machine: see docs/decisions/judging/large-bodies.md. */
const large: Question = {
  endpoint: 'create-agent',
  differs: '1.2 MB',
  async parameters(run) {
    if (!run.isLoopback) return undefined;
    const { detail } = await firstAgent(run, 'create-agent');
    return { body: JSON.stringify(await bodyFor(run, 'create-agent', detail, 'large')).padEnd(LARGE_BYTES) };
  },
  note(observe, exchange) {
    const choice = limitBy(exchange, 'ten-megabytes', 'one-megabyte');
    observe('body-limit', choice, `1.2 MB are ${seenAs(exchange)}`);
    if (choice === 'one-megabyte') observeStatus(observe, 'too-large-status', exchange.answer.status);
  },
};

const questions: readonly Question[] = [
  creation(
    'as text',
    (_, body) => body,
    (observe, exchange) => {
      const { accepted, status } = exchange.answer;
      const refused = status === 415 ? 'refused' : 'refused-as-invalid';
      observe('content-type', accepted ? 'read' : refused, `text/plain is ${seenAs(exchange)}`);
    },
    { contentType: 'text/plain' },
  ),
  creation(
    'without a name',
    (_, { workspaceId: id }) => ({ workspaceId: id, agent: {} }),
    byAcceptance('required-body-fields', 'an agent without a name is', 'workspace-and-agent', 'name-too'),
  ),
  creation(
    'a mistyped field',
    (agent, body) => ({ ...body, agent: { ...agent, icon: 42 } }),
    alsoRefused('invalid', byAcceptance('mistyped-body-field', 'icon: 42 is', 'ignored', 'refused')),
  ),
  creation(
    'a field with null',
    (agent, body) => ({ ...body, agent: { ...agent, icon: null } }),
    byAcceptance('null-in-body', 'icon: null is', 'accepted', 'refused'),
  ),
  undocumented,
  nested,
  large,
  creation(
    'an unknown workspace',
    (agent, _, { tag }) => ({ workspaceId: `agent-contract-unknown-${tag}`, agent }),
    byAcceptance('unknown-workspace', 'it is', 'accepted', 'refused'),
  ),
  creation(
    'a taken publicId',
    (agent, body, _, { exchange }) => {
      const publicId = stringAt(exchange.answer.json, 'agent', 'publicId');
      if (publicId === undefined) return undefined;
      return { ...body, agent: { ...agent, publicId } };
    },
    byAnswer('taken-public-id', 'refused', ({ answer, sent }) => {
      if (stringAt(answer.json, 'agent', 'publicId') !== field(sent, 'agent', 'publicId')) return ['changed'];
      return [undefined, 'given twice'];
    }),
  ),
  {
    endpoint: 'create-workspace',
    differs: 'without a name',
    parameters: () => ({ body: {} }),
    note: alsoRefused('invalid', byAcceptance('missing-workspace-name', 'it is', 'named-by-server', 'refused')),
  },
  {
    endpoint: 'create-workspace',
    differs: 'the name of another',
    parameters: async (run) => ({
      body: { name: field((await acceptedRequest(run, 'create-workspace')).sent, 'name') },
    }),
    note: byAcceptance('equal-workspace-names', 'it is', 'accepted', 'refused'),
  },
  {
    endpoint: 'import-agent',
    differs: 'without its parts',
    async parameters(run) {
      const { workspaceId: id, agent } = await bodyFor(run, 'import-agent', 'name-only', 'without-parts');
      return { body: { workspaceId: id, agent: { version: '6', name: field(agent, 'name') } } };
    },
    note: byAcceptance('import-parts', 'an agent of a version and a name is', 'optional', 'required'),
  },
  {
    endpoint: 'import-agent',
    differs: 'the form of version 5',
    async parameters(run) {
      const wanted = { workspaceId: await workspaceId(run), tag: `${run.tag}-v5`, detail: 'plain' } as const;
      return { body: importAgentV5Body(wanted) };
    },
    note: byAcceptance('import-v5', 'it is', 'upgraded', 'refused'),
  },
  {
    endpoint: 'import-agent',
    differs: 'fields that the server sets',
    async parameters(run) {
      const { detail } = await firstAgent(run, 'import-agent');
      const sent = await bodyFor(run, 'import-agent', detail, 'with-server-fields');
      const agent = field(sent, 'agent');
      const claimed = { id: `agent-contract-${run.tag}`, createdAt: '2020-01-01T00:00:00.000Z' };
      if (!isObject(agent)) return undefined;
      return { body: { ...sent, agent: { ...agent, ...claimed } } };
    },
    note: byAnswer('import-server-fields', 'refused', ({ answer, sent }) => {
      const claimed = field(sent, 'agent', 'id');
      if (claimed === undefined || stringAt(answer.json, 'agent', 'id') !== claimed) return ['ignored'];
      return [undefined, 'the server keeps the id from the request'];
    }),
  },
];

export const bodyObservers: readonly Observer[] = questions.map(observerOf);
