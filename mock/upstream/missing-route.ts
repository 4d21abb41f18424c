import { endpoints, type EndpointId } from '../../spec/index.ts';

/**
 * Whether an upstream lacks the route, and not just the resource. `unclear`: it answers 404, and neither the body nor
 * earlier answers tell which.
 */
export function lacksRoute({
  status,
  text,
  endpoint,
  id,
  isThere,
  hasWorked,
}: {
  readonly status: number;
  readonly text: string;
  readonly endpoint: EndpointId;
  /** The agent or workspace in the request; empty if there is none. */
  readonly id: string;
  /** The upstream has returned this resource before. */
  readonly isThere: boolean;
  /** This endpoint of the upstream has succeeded before. */
  readonly hasWorked: boolean;
}): boolean | 'unclear' {
  if (status === 405 || status === 501) return true;
  if (status !== 404 || hasWorked) return false;
  const said = whatIsMissing(text.slice(0, 20_000), id);
  if (said !== undefined) return said === 'route';
  if (id === '') return true;
  if (isThere && endpoints[endpoint].mayBeAbsent !== true) return true;
  return 'unclear';
}

const ROUTE =
  /<(?:!doctype|html|h1)\b|\bcannot (?:get|post)\b|\bno (?:such )?(?:route|handler|endpoint|mapping|static resource)|\b(?:route|endpoint|page|path|url|uri|operation|method|procedure)s?\b.{0,60}\b(?:not found|no match|not exist|unknown|missing|not implemented)|\b(?:not found|unknown|unmatched|missing|no) (?:route|endpoint|page|path|url|uri|procedure)\b/is;

const THING =
  /(?:agent|workspace|resource|record|item|entity|document|object|bot|model|row)s?(?=\b|_).{0,40}(?:\bnot.found|_not_found|does ?n.t exist|not exist|\bunknown|\bmissing|\bdeleted|\bgone)|\b(?:no such|no|unknown|could ?n.t find|could not find|cannot find|missing|not found:?) (?:an? |the |any )?(?:agent|workspace|resource|record|item|entity|document|object|bot|row)s?\b/is;

/** What is missing according to the body of a 404; `undefined` if it does not say. */
function whatIsMissing(text: string, id: string): 'route' | 'thing' | undefined {
  if (/^\s*<(?:!doctype|html)/i.test(text)) return 'route';
  // A path contains the names of resources and the id, whichever of them is missing.
  const words = text.replaceAll(/(?:https?:\/)?\/[\w./:%~@{}?=&-]+/g, ' PATH ');
  if (id !== '' && words.includes(id)) return 'thing';
  if (THING.test(words)) return 'thing';
  if (ROUTE.test(words) || /PATH.{0,20}(?:not found|not exist)/is.test(words)) return 'route';
  return undefined;
}
