import { endpointIds, timeFilters, type EndpointId } from '../../spec/index.ts';
import data from './premises.json';

/** Check A is a premise of B if B says nothing new about an exchange, list or thing for which A fails. */

/** A check without which nothing else of its endpoint has a meaning. */
const accepts: Readonly<Record<EndpointId, string>> = data.accepts;

const windows = timeFilters.map((filter) => `list-results-time-filter-${filter}`);

/** The checks that a check rests on, beside those of its endpoint, by its id. */
export const ownPremises: Readonly<Record<string, readonly string[]>> = {
  ...data.premises,
  'list-results-windows-nest': windows,
  'list-results-default-time-filter': windows,
  ...Object.fromEntries(windows.map((id) => [id, data.windows])),
};

/** What a cursor dropped shows on later pages, of whichever list. */
export const KEEPS_FILTER = 'list-results-cursor-keeps-filter';

/** What is too much on a page, or of another agent, shows in any list. */
export const OF_ANY_LIST = ['list-results-respects-limit', 'list-results-belong-to-the-agent'];

/** The checks that a check rests on, by their ids; those nearest to the cause come first. */
export function premisesOf(id: string, endpoint: EndpointId): readonly string[] {
  const own = [`${endpoint}-does-not-fail`, accepts[endpoint]];
  const place = own.indexOf(id);
  return [...own.filter((_, i) => place < 0 || i < place), ...(ownPremises[id] ?? [])];
}

/** Whether a premise breaks all that rests on it, whichever exchange shows it. */
export const isOfWholeEndpoint = (premise: string): boolean =>
  endpointIds.some((id) => premise === `${id}-does-not-fail` || premise === accepts[id]);

/** The endpoints without which a check has nothing to judge. */
export function endpointsOf(id: string, endpoint: EndpointId): readonly EndpointId[] {
  return [endpoint, ...endpointIds.filter((other) => ownPremises[id]?.includes(accepts[other]) === true)];
}
