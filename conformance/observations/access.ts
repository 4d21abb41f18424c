import { endpoints, isReadingAgent } from '../../spec/index.ts';
import type { Answered } from '../http/exchange.ts';
import { field, isObject, stringAt } from '../json.ts';
import { importAsPublished } from '../probes/creations.ts';
import { idIn, agentToRead, bodyFor, firstAgent } from '../probes/prerequisites.ts';
import type { CallParameters } from '../probes/api/request.ts';
import type { Run } from '../probes/probe.ts';
import { show } from '../show.ts';
import type { Note, Observer } from './observe.ts';
import { byAcceptance, byAnswer, isEmptyPage, observerOf, seenAs } from './question.ts';
import { questionsOf } from './questions.ts';
import { alsoRefused, noteRefusal } from './refusals.ts';

/** Whether the mode of a token limits what it may do. */
const noteMode = (what: string): Note =>
  alsoRefused('forbidden', byAcceptance('mode-permissions', `${what} is`, 'reported-only', 'graded'));

const unknownAgent = ({ tag }: Run): CallParameters => ({ agentId: `agent-contract-unknown-${tag}` });

/** About the agent that an exchange made. */
function besideAgent(twin: Answered): CallParameters | undefined {
  const agentId = idIn(twin);
  return agentId === undefined ? undefined : { twin, agentId };
}

const questions = questionsOf('access', {
  'not-found-status': [unknownAgent, (observe, exchange) => noteRefusal(observe, 'not-found', exchange)],
  'bearer-case': [async (run) => ({ agentId: await agentToRead(run), authorization: `bearer ${run.token()}` })],
  'stored-v5': [
    (run) => ({ agentId: run.need('v5AgentId'), open: false }),
    (observe, { answer }) => {
      const version = stringAt(answer.json, 'agent', 'version');
      if (answer.accepted && version !== undefined)
        observe('stored-v5', version === '6' ? 'as-v6' : 'as-v5', `with the version ${show(version)}`);
    },
  ],
  'unpublished-agent': [
    async (run) => besideAgent((await firstAgent(run, 'create-agent')).exchange),
    byAnswer('unpublished-agent', 'refused', ({ answer: { json } }) => {
      if (isObject(json) && json['publicAgent'] === null) return ['null', 'publicAgent null'];
      return [undefined];
    }),
  ],
  'wrong-method-status': [
    () => ({ method: 'GET' }),
    alsoRefused('wrong-method', (observe, { answer }) => {
      if (answer.accepted) observe('wrong-method-status', undefined, `GET is accepted with ${answer.status}`);
    }),
  ],
  'results-of-unknown-agent': [
    unknownAgent,
    byAnswer('results-of-unknown-agent', 'refused', (exchange) => {
      if (isEmptyPage(exchange)) return ['empty-list', 'an empty list'];
      return [undefined];
    }),
  ],
  'mode-permissions': [
    async (run) => {
      const { readToken } = run.target;
      if (readToken === undefined) return undefined;
      const body = await bodyFor(run, 'create-agent', 'name-only', 'with-read-token');
      return { body, authorization: `Bearer ${readToken}` };
    },
    noteMode('a creation with the read token'),
  ],
  'import-published': [
    async (run) => besideAgent(await importAsPublished(run)),
    (observe, exchange) => {
      const { answer } = exchange;
      if (answer.accepted && field(answer.json, 'publicAgent') !== undefined)
        observe('import-published', 'published', 'it has a published form');
      else observe('import-published', 'draft', `its published form is ${seenAs(exchange)}`);
    },
  ],
});

/** Answers to callers with different access, and for things that do not exist (sections 4.3, 4.4, 5 and 7). */
export const accessObservers: readonly Observer[] = [
  ...Object.values(questions).map(observerOf),
  {
    // Read and guest tokens are refused where their mode is not enough. Everybody who may read may list.
    see(observe, exchange, facts) {
      const { caller, endpoint } = exchange;
      const isList = endpoints[endpoint].does === 'lists';
      if (isList && caller === 'guest') noteMode('a list with the guest token')(observe, exchange, facts);
      else if (['read', 'guest'].includes(caller) && isReadingAgent(endpoint))
        noteRefusal(observe, 'forbidden', exchange);
    },
  },
  {
    see(observe, { endpoint, answer, open }) {
      if (endpoints[endpoint].holds !== 'publicAgent' || !answer.accepted || open) return;
      const id = stringAt(answer.json, 'publicAgent', 'id');
      const agentId = stringAt(answer.json, 'publicAgent', 'agentId');
      if (id === undefined || agentId === undefined) return;
      if (id === agentId) observe('public-agent-id', 'agent', 'its agentId');
      else observe('public-agent-id', 'own', 'different from its agentId');
    },
  },
];
