import { emptyOf } from '../content/places.ts';
import { endpointIds, isCreatingAgents, isReadingAgent, type ChoiceOf } from '../../spec/index.ts';
import { field, isObject, stringAt } from '../json.ts';
import { isEntitled } from '../http/exchange.ts';
import { MAX_KEPT } from '../http/read-body.ts';
import { counted, optional, show } from '../show.ts';
import { namesBelow } from '../shape/documented.ts';
import { noteFormats } from './formats.ts';
import { observeStatus, type Observer } from './observe.ts';

const RESOURCES = ['/results/*', '/workspace', '/publicAgent'];
const SERVER_FILLED = ['updatedAt', 'workspaceId', 'isArchived', 'lastChatSessionId', 'metadata'];

/** What ordinary accepted answers show (sections 2.7, 2.12 and 4.7). */
export const answerObservers: readonly Observer[] = [
  {
    see(observe, { endpoint, method, answer, open }) {
      if (!answer.accepted || open || method !== 'POST') return;
      const { status } = answer;
      observeStatus(observe, 'success-status', status, `${status} for a creation`);
      const plan = stringAt(answer.json, 'workspace', 'plan');
      if (plan === 'HOBBY') observe('workspace-plan', 'hobby', 'HOBBY');
      else if (plan !== undefined) observe('workspace-plan', 'other', show(plan));
      const agent = field(answer.json, 'agent');
      if (!isCreatingAgents(endpoint) || !isObject(agent)) return;
      if (field(agent, 'version') === undefined) observe('version-field', 'omitted', 'not shown');
      else observe('version-field', 'shown', 'shown');
      noteFormats(observe, agent);
    },
  },
  {
    // Only an agent of this history is known to have been sent with full comparisons.
    see(observe, { endpoint, agentId = '', answer }, { agents }) {
      if (!isReadingAgent(endpoint) || !answer.accepted || !agents.creationOf(agentId)) return;
      const items = field(answer.json, 'agent', 'settings', 'messagingApp', 'startCondition', 'comparisons');
      if (!Array.isArray(items) || !isObject(items[0])) return;
      if (Object.keys(items[0]).length === 0) observe('comparison-items', 'empty-objects', 'nothing');
      else observe('comparison-items', 'full', 'what the request sent');
    },
  },
  {
    conclude(observe, { shapes, agents }) {
      const names = namesBelow('list-results', '/results/*');
      const seen = names.filter((name) => shapes.saw('list-results', `/results/*/${name}`));
      if (shapes.saw('list-results', '/results/*')) {
        let choice: ChoiceOf<'server-filled-fields'> | undefined;
        if (seen.length === names.length) choice = 'all';
        else if (!SERVER_FILLED.some((name) => seen.includes(name))) choice = 'few';
        observe('server-filled-fields', choice, `${seen.length} of the ${names.length} fields of a result`);
      }
      if (shapes.extraField !== undefined) observe('extra-fields', 'some', `fields such as ${show(shapes.extraField)}`);
      else if (endpointIds.some((id) => RESOURCES.some((place) => shapes.saw(id, place))))
        observe('extra-fields', 'none', 'none were seen');
      const sent = Array.from(agents.all, ({ creation }) => Object.entries(creation?.sent ?? {})).flat();
      const emptied = sent.filter(([, value]) => emptyOf(value) === '[]');
      if (shapes.nulls > 0)
        observe('absent-values', 'null', `null for documented fields, ${counted(shapes.nulls, 'time')}`);
      else if (emptied.length > 0 && !emptied.some(([name]) => agents.shown.ownEmpties.has(name)))
        observe('absent-values', 'empty-too', 'lists that were sent empty are absent');
      else if (shapes.evidence().some(({ seenValid, neverSeen }) => seenValid > 1 && neverSeen.length > 0))
        observe('absent-values', 'omitted', 'some documented fields are absent, and none is null');
    },
  },
  {
    see(observe, { caller, answer }) {
      if (!isEntitled(caller) || !answer.accepted || answer.problem !== undefined) return;
      const declared = answer.headers['content-type'] ?? '';
      if (/^application\/json\s*(?:;|$)/i.test(declared))
        observe('answer-content-type', 'application-json', 'application/json');
      else observe('answer-content-type', 'other', optional`${declared && show(declared)}` || 'none');
      if (answer.repeats !== undefined)
        observe('repeated-names', 'undocumented', `the name ${show(answer.repeats)} twice`);
      // Longer answers may not have been searched.
      else if (answer.text.length < MAX_KEPT) observe('repeated-names', 'never', 'no name twice in short answers');
    },
  },
];
