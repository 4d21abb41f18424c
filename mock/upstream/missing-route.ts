import type { EndpointId } from '../../spec/index.ts';

/** What is known of an answer that may say that there is no such route. */
export interface Refused {
  readonly status: number;
  readonly text: string;
  readonly endpoint: EndpointId;
  /** The agent or the workspace that the request names; empty if it names none. */
  readonly id: string;
  /** The upstream has shown that there is such a thing. */
  readonly isThere: boolean;
  /** The upstream has answered this endpoint with success before. */
  readonly hasWorked: boolean;
}

/**
 * Whether an upstream lacks the route, as opposed to the thing that was asked for. `unclear`: it answers 404, and neither
 * the answer nor what went before tells.
 */
export function lacksRoute({ status, text, endpoint, id, isThere, hasWorked }: Refused): boolean | 'unclear' {
  if (status === 405 || status === 501) return true;
  if (status !== 404 || hasWorked) return false;
  const said = whatIsMissing(text.slice(0, 20_000), id);
  if (said !== undefined) return said === 'route';
  if (id === '') return true;
  // An agent that is there may still have no published form.
  return isThere && endpoint !== 'get-published-agent' ? true : 'unclear';
}

const ROUTE =
  /<(?:!doctype|html|h1)\b|\bcannot (?:get|post)\b|\bno (?:such )?(?:route|handler|endpoint|mapping|static resource)|\b(?:route|endpoint|page|path|url|uri|operation|method|procedure)s?\b.{0,60}\b(?:not found|no match|not exist|unknown|missing|not implemented)|\b(?:not found|unknown|unmatched|missing|no) (?:route|endpoint|page|path|url|uri|procedure)\b/is;

const THING =
  /(?:agent|workspace|resource|record|item|entity|document|object|bot|model|row)s?(?=\b|_).{0,40}(?:\bnot.found|_not_found|does ?n.t exist|not exist|\bunknown|\bmissing|\bdeleted|\bgone)|\b(?:no such|no|unknown|could ?n.t find|could not find|cannot find|missing|not found:?) (?:an? |the |any )?(?:agent|workspace|resource|record|item|entity|document|object|bot|row)s?\b/is;

/** What the text of a 404 says is missing, where it says so. */
function whatIsMissing(text: string, id: string): 'route' | 'thing' | undefined {
  if (/^\s*<(?:!doctype|html)/i.test(text)) return 'route';
  // A path holds the words that things are called by, and the id, whichever of them is missing.
  const words = text.replaceAll(/(?:https?:\/)?\/[\w./:%~@{}?=&-]+/g, ' PATH ');
  if (id !== '' && words.includes(id)) return 'thing';
  if (THING.test(words)) return 'thing';
  if (ROUTE.test(words) || /PATH.{0,20}(?:not found|not exist)/is.test(words)) return 'route';
  return undefined;
}
