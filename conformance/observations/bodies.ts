import { importAgentV5Body } from '../../fixtures/requests/index.ts';
import type { Answered } from '../http/exchange.ts';
import { PERMISSION } from '../http/statuses.ts';
import { field, isObject, stringAt, type JsonObject } from '../json.ts';
import type { CallParameters } from '../probes/api/request.ts';
import type { NewAgent } from '../probes/prerequisites.ts';
import { acceptedRequest, bodyFor, firstAgent, workspaceId } from '../probes/prerequisites.ts';
import type { Run } from '../probes/probe.ts';
import { observeStatus, type Observer } from './observe.ts';
import { answerToQuestion, byAnswer, observerOf, seenAs } from './question.ts';
import { questionsOf } from './questions.ts';

/** Changes an accepted body; `undefined` if that makes no sense here. */
type Change = (agent: JsonObject, body: JsonObject, run: Run, first: NewAgent) => JsonObject | undefined;

/** Asks with a body that is an accepted one but for a change. */
const creation =
  (change: Change, parameters: CallParameters = {}) =>
  async (run: Run, differs: string): Promise<CallParameters | undefined> => {
    const first = await firstAgent(run, 'create-agent');
    const plain = await bodyFor(run, 'create-agent', 'name-only', differs.replace(/[^a-z]+/gi, '-').toLowerCase());
    const agent = field(plain, 'agent');
    const body = isObject(agent) ? change(agent, plain, run, first) : plain;
    return body && { ...parameters, body };
  };

const LEVELS = 300;
const LARGE_BYTES = 1_200_000;

/** A choice for an accepted request, and one for a refusal that blames the request, not the caller or the server. */
function limitBy<C>({ answer: { accepted, status } }: Answered, within: C, beyond: C): C | undefined {
  if (accepted) return within;
  if (status >= 400 && status < 500 && !PERMISSION.has(status)) return beyond;
  return undefined;
}

/** If the server refuses the undocumented field itself, its content shows nothing. */
async function nested(run: Run): Promise<CallParameters | undefined> {
  const twin = await answerToQuestion(run, questions['undocumented-fields-sent']);
  const agent = field(twin?.sent, 'agent');
  if (twin?.answer.accepted !== true || !isObject(twin.sent) || !isObject(agent)) return undefined;
  const deep = JSON.parse(`${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`) as unknown;
  return { twin, body: { ...twin.sent, agent: { ...agent, agentContract: deep } } };
}

/** Repeats an accepted body with whitespace after it, only on this machine: see docs/decisions/judging/large-bodies.md. */
async function large(run: Run): Promise<CallParameters | undefined> {
  if (!run.isLoopback) return undefined;
  const { detail } = await firstAgent(run, 'create-agent');
  return { body: JSON.stringify(await bodyFor(run, 'create-agent', detail, 'large')).padEnd(LARGE_BYTES) };
}

async function withServerFields(run: Run): Promise<CallParameters | undefined> {
  const { detail } = await firstAgent(run, 'import-agent');
  const sent = await bodyFor(run, 'import-agent', detail, 'with-server-fields');
  const agent = field(sent, 'agent');
  const claimed = { id: `agent-contract-${run.tag}`, createdAt: '2020-01-01T00:00:00.000Z' };
  if (!isObject(agent)) return undefined;
  return { body: { ...sent, agent: { ...agent, ...claimed } } };
}

const questions = questionsOf('bodies', {
  'content-type': [
    creation((_, body) => body, { contentType: 'text/plain' }),
    (observe, exchange) => {
      const { accepted, status } = exchange.answer;
      const refused = status === 415 ? 'refused' : 'refused-as-invalid';
      observe('content-type', accepted ? 'read' : refused, `text/plain is ${seenAs(exchange)}`);
    },
  ],
  'required-body-fields': [creation((_, { workspaceId: id }) => ({ workspaceId: id, agent: {} }))],
  'mistyped-body-field': [creation((agent, body) => ({ ...body, agent: { ...agent, icon: 42 } }))],
  'null-in-body': [creation((agent, body) => ({ ...body, agent: { ...agent, icon: null } }))],
  'undocumented-fields-sent': [
    creation((agent, body) => ({ ...body, agent: { ...agent, agentContract: 'kept' } })),
    byAnswer('undocumented-fields-sent', undefined, ({ answer }) => {
      if (field(answer.json, 'agent', 'agentContract') === 'kept') return ['kept', 'answered'];
      return ['dropped', 'not answered'];
    }),
  ],
  'nesting-limit': [
    nested,
    (observe, exchange) => {
      const choice = limitBy(exchange, 'levels-1000', 'levels-100');
      observe('nesting-limit', choice, `${LEVELS} levels are ${seenAs(exchange)}`);
    },
  ],
  'body-limit': [
    large,
    (observe, exchange) => {
      const choice = limitBy(exchange, 'ten-megabytes', 'one-megabyte');
      observe('body-limit', choice, `1.2 MB are ${seenAs(exchange)}`);
      if (choice === 'one-megabyte') observeStatus(observe, 'too-large-status', exchange.answer.status);
    },
  ],
  'unknown-workspace': [creation((agent, _, { tag }) => ({ workspaceId: `agent-contract-unknown-${tag}`, agent }))],
  'taken-public-id': [
    creation((agent, body, _, { exchange }) => {
      const publicId = stringAt(exchange.answer.json, 'agent', 'publicId');
      if (publicId === undefined) return undefined;
      return { ...body, agent: { ...agent, publicId } };
    }),
    byAnswer('taken-public-id', 'refused', ({ answer, sent }) => {
      if (stringAt(answer.json, 'agent', 'publicId') !== field(sent, 'agent', 'publicId')) return ['changed'];
      return [undefined, 'given twice'];
    }),
  ],
  'missing-workspace-name': [() => ({ body: {} })],
  'equal-workspace-names': [
    async (run) => ({ body: { name: field((await acceptedRequest(run, 'create-workspace')).sent, 'name') } }),
  ],
  'import-parts': [
    async (run) => {
      const { workspaceId: id, agent } = await bodyFor(run, 'import-agent', 'name-only', 'without-parts');
      return { body: { workspaceId: id, agent: { version: '6', name: field(agent, 'name') } } };
    },
  ],
  'import-v5': [
    async (run) => ({
      body: importAgentV5Body({ workspaceId: await workspaceId(run), tag: `${run.tag}-v5`, detail: 'plain' }),
    }),
  ],
  'import-server-fields': [
    withServerFields,
    byAnswer('import-server-fields', 'refused', ({ answer, sent }) => {
      const claimed = field(sent, 'agent', 'id');
      if (claimed === undefined || stringAt(answer.json, 'agent', 'id') !== claimed) return ['ignored'];
      return [undefined, 'the server keeps the id from the request'];
    }),
  ],
});

export const bodyObservers: readonly Observer[] = Object.values(questions).map(observerOf);
