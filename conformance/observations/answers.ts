import { emptyOf } from '../content/places.ts';
import { endpointIds, gaps, isCreatingAgents, isReadingAgent, type ChoiceOf, type GapId } from '../../spec/index.ts';
import { arrayAt, field, isObject, stringAt, type JsonObject } from '../json.ts';
import { isEntitled } from '../http/exchange.ts';
import { MAX_KEPT } from '../http/read-body.ts';
import { counted, optional, show } from '../show.ts';
import { namesBelow } from '../shape/documented.ts';
import { attempt } from '../../text/errors.ts';
import { noteFormats } from './formats.ts';
import { NOTHING_ELSE, observeStatus, type Observer } from './observe.ts';

const RESOURCES = ['/results/*', '/workspace', '/publicAgent'];
const SERVER_FILLED = ['updatedAt', 'workspaceId', 'isArchived', 'lastChatSessionId', 'metadata'];

/** What data looks like that no client of this history has sent (sections 2 and 3). */
const dataObserver: Observer = {
  see(observe, { endpoint, agentId = '', answer }, { agents }) {
    if (!answer.accepted || isCreatingAgents(endpoint) || agents.creationOf(agentId)) return;
    const { agent, publicAgent, workspace, results } = Object(answer.json) as JsonObject;
    const { groups, ...rest } = Object(agent ?? publicAgent ?? workspace) as JsonObject;
    const text = attempt(() => JSON.stringify(rest)) ?? '';
    const ids = arrayAt({ groups }, 'groups').map((group) => stringAt(group, 'id'));
    const edges = arrayAt(rest, 'edges').map((edge) => stringAt(edge, 'to', 'groupId'));
    const names = arrayAt(rest, 'variables').flatMap((variable) => stringAt(variable, 'name') ?? []);
    const titles = arrayAt({ groups }, 'groups').flatMap((group) => stringAt(group, 'title') ?? []);
    const columns = Object.keys(Object(field(rest, 'resultsTablePreferences', 'columnsVisibility')));
    const order = arrayAt(rest, 'resultsTablePreferences', 'columnsOrder');
    const signs: readonly (readonly [GapId, string, boolean])[] = [
      ['known-values', 'others', /"(?:type|shadow|layout|plan)":"(?!start"|Color"|none"|wrap"|HOBBY")/.test(text)],
      ['numbers', 'decimal', /"(?:blur|thickness|speed|chatUsage)":\d+\.\d/.test(text)],
      ['block-shape', 'any', arrayAt({ groups }, 'groups').some((one) => !arrayAt(one, 'blocks').every(isObject))],
      ['url-form', 'relative', /url":"\//i.test(text)],
      ['data-in-step', 'same-names', [names, titles].some((all) => new Set(all).size < all.length)],
      ['data-in-step', 'group-gone', edges.some((to) => to !== undefined && !ids.includes(to))],
      ['data-in-step', 'unanswered', arrayAt({ results }, 'results').some(isUnanswered)],
      ['data-in-step', 'columns-in-part', order.length < columns.length],
    ];
    const note = observe as (gap: GapId, choice: string | undefined, seen: string) => void;
    for (const [gap, choice, is] of signs) {
      if (is) note(gap, choice, choice);
      else if (groups !== undefined) note(gap, Object.keys(gaps[gap].choices)[0], NOTHING_ELSE);
    }
  },
};

function isUnanswered(result: unknown): boolean {
  const answers = field(result, 'answers');
  return field(result, 'hasStarted') === true && Array.isArray(answers) && answers.length === 0;
}

/** What ordinary accepted answers show (sections 2.7, 2.12 and 4.7). */
export const answerObservers: readonly Observer[] = [
  dataObserver,
  {
    see(observe, { endpoint, method, answer, open }) {
      if (!answer.accepted || open || method !== 'POST') return;
      const { status } = answer;
      observeStatus(observe, 'success-status', status, `${status} for a creation`);
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
