import { endpointIds, endpoints, timeFilters, type EndpointId } from '../../spec/index.ts';

/** Check A is a premise of B if B says nothing new about an exchange, list or thing for which A fails. */

/** A check without which nothing else of its endpoint has a meaning. */
const ACCEPTS: Readonly<Record<EndpointId, string>> = {
  'create-agent': 'create-agent-accepts-valid-body',
  'import-agent': 'import-agent-accepts-valid-body',
  'get-agent': 'get-agent-accepts-valid-request',
  'get-published-agent': 'get-published-agent-accepts-valid-request',
  'list-results': 'list-results-accepts-valid-request',
  'create-workspace': 'create-workspace-accepts-name-alone',
};

const windows = timeFilters.map((filter) => `list-results-time-filter-${filter}`);

/** What a cursor dropped shows on later pages, of whichever list. */
export const KEEPS_FILTER = 'list-results-cursor-keeps-filter';

const ofNewAgents = (['create-agent', 'import-agent'] as const).flatMap((endpoint) => {
  const origin = endpoint === 'create-agent' ? 'created' : 'imported';
  const keeps = `${endpoint}-keeps-what-was-sent`;
  return [
    [`${origin}-agent-can-be-read`, [ACCEPTS['get-agent']]],
    [`${origin}-agent-reads-as-answered`, [ACCEPTS['get-agent'], keeps, 'get-agent-answer-shape']],
    [keeps, [`${endpoint}-answer-shape`]],
  ] as const;
});

const rows: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ofNewAgents),
  'get-agent-answers-the-agent-asked-for': ['get-agent-answer-shape'],
  'get-published-agent-answers-the-agent-asked-for': ['get-published-agent-answer-shape'],
  'list-results-agents-share-none': ['list-results-belong-to-the-agent'],
  'list-results-never-over-100': ['list-results-respects-limit'],
  'list-results-newest-first': ['list-results-answer-shape'],
  'list-results-walks-agree': ['list-results-newest-first', 'list-results-walk-once-each', KEEPS_FILTER],
  'list-results-walk-ends': ['list-results-walk-once-each'],
  'list-results-windows-nest': windows,
  'list-results-default-time-filter': windows,
  ...Object.fromEntries(
    windows.map((id) => [id, ['list-results-newest-first', 'list-results-walks-agree', KEEPS_FILTER]]),
  ),
};

/** The checks that a check rests on, by their ids; those nearest to the cause come first. */
export function premisesOf(id: string, endpoint: EndpointId): readonly string[] {
  const own = [`${endpoint}-does-not-fail`, ACCEPTS[endpoint]];
  const place = own.indexOf(id);
  return [...(place < 0 ? own : own.slice(0, place)), ...(rows[id] ?? [])];
}

/** Whether a premise breaks all that rests on it, whichever exchange shows it. */
export const isOfWholeEndpoint = (premise: string): boolean =>
  endpointIds.some((id) => premise === `${id}-does-not-fail` || premise === ACCEPTS[id]);

/** The endpoints without which a check has nothing to judge. */
export function endpointsOf(id: string, endpoint: EndpointId): readonly EndpointId[] {
  const others = endpointIds.filter((other) => rows[id]?.includes(ACCEPTS[other]) === true);
  return [endpoint, ...others];
}

/** All ids that the rows name, so that a test can compare them with the checks. */
export const namedInPremises: readonly string[] = [
  ...new Set([...Object.entries(rows).flat(2), ...Object.values(ACCEPTS)]),
].filter((id) => !(id in endpoints));
