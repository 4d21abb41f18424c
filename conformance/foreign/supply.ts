import { endpoints, type EndpointId } from '../../spec/index.ts';
import type { Check, Missing } from '../check.ts';
import { endpointsOf } from '../history/premises.ts';
import { answersOf, NOTHING_SHOWS_IT, type Shown } from '../report/compose.ts';
import type { CheckReport } from '../report/report.ts';
import { count } from '../show.ts';
import { reasons } from './foreign-exchange.ts';
import type { ForeignJudge } from './judge-foreign.ts';

/** The traffic that each check needs: the first pattern that fits its id counts. `%s` is the title of its endpoint. */
const needs: readonly (readonly [check: RegExp, needs: string | undefined])[] = [
  // Traffic never shows which tokens were issued, and which access they give.
  [/-refuses-(?:unknown|similar)-token$|^get-agent-mode-matches-token$/, undefined],
  [
    /-refuses-no-authorization$/,
    'the same request with a token, without the Authorization header, and with the token again',
  ],
  [
    /-refuses-other-scheme$/,
    'the same request with a Bearer token, with it under another scheme, and with Bearer again',
  ],
  [/-refuses-empty-token$/, 'the same request with a token, with Bearer alone, and with the token again'],
  [
    /-refuses-token-elsewhere$/,
    'the same request with a token, with it in the query or a cookie, and with it as before',
  ],
  [/-refusal-gives-nothing$/, 'refused requests without credentials'],
  [/-gives-new-ids$/, '%s, twice at once'],
  [/^create-workspace-accepts-optional-fields$/, '%s, with icon and slug'],
  [/^created-workspace-takes-agents$/, 'a workspace that is created, and then an agent in it'],
  [/^(?:created|imported)-agent-/, '%s, and then Get agent for it, again and again'],
  [/-answers-the-agent-asked-for$/, '%s for an agent that an earlier request created or listed'],
  [/^get-(?:published-)?agent-accepts-valid-request$/, '%s for one agent, more than once'],
  [
    /^list-results-(?:respects-limit|walk-once-each|cursor-leads-on|walk-ends)$/,
    'a list of results read page by page to its end',
  ],
  [
    /^list-results-(?:walks-agree|keep-creation-date)$/,
    'the same list of results read more than once, in pages of several sizes',
  ],
  [/^list-results-cursor-keeps-filter$/, 'a list of results with a timeFilter, read beyond its first page'],
  [/^list-results-never-over-100$/, 'the results of an agent that has more than 100'],
  [/^list-results-accepts-limit-bounds$/, 'lists of results with limit=1 and limit=100'],
  [/^list-results-default-limit$/, 'a list of more than 50 results without limit, and with limit=50'],
  [/^list-results-default-time-filter$/, 'the same list of results without timeFilter, and with timeFilter=last7Days'],
  [/^list-results-windows-nest$/, 'the results of one agent under several timeFilters'],
  [/^list-results-time-filter-/, 'a creation, and then every page of this timeFilter and of allTime for one agent'],
  [/^list-results-agents-share-none$/, 'the results of an agent that has some, and of one that was just created'],
  [/^list-results-(?:newest-first|belong-to-the-agent)$/, 'the results of an agent that has several'],
  [/./, '%s'],
];

/** What a client would have to do so that a check can be judged, in words after "Supply"; `undefined` if nothing helps. */
export function supplyOf({ id, endpoint }: Pick<Check, 'id' | 'endpoint'>): string | undefined {
  const [, need] = needs.find(([check]) => check.test(id)) ?? [];
  return need && `traffic with ${need.replace('%s', endpoints[endpoint].title)}`;
}

/** Why the traffic did not let a check be judged, and which traffic would. */
export function missingFor(check: CheckReport, shown: Shown, judge: ForeignJudge): Missing {
  const { id, endpoint, reason = NOTHING_SHOWS_IT } = check;
  const supply = supplyOf(check);
  if (supply === undefined)
    return { reason: 'The traffic does not show which tokens were issued, or which access they give.' };
  for (const needed of endpointsOf(id, endpoint)) {
    const why = whyNothing(needed, shown, judge);
    if (why !== undefined) return { reason: why, supply };
  }
  const found = [uncomparedWords(id, shown), callersWords(judge), limitWords(judge)];
  const sentences = found.filter((sentence) => sentence !== '');
  if (reason !== NOTHING_SHOWS_IT || sentences.length === 0) sentences.unshift(reason);
  return { reason: sentences.join(' '), supply };
}

/** Why an endpoint shows nothing at all; `undefined` if it served something. */
function whyNothing(endpoint: EndpointId, shown: Shown, { leftOut }: ForeignJudge): string | undefined {
  const { title, method } = endpoints[endpoint];
  const statuses = answersOf(shown, endpoint);
  if (statuses.some(({ status }) => status.startsWith('2'))) return undefined;
  const left = leftOut.of(`${method} ${endpoint}`).map(([reason, times]) => `${times} ${reasons[reason]}`);
  if (statuses.length === 0 && left.length === 0) return `No request of the traffic was ${title}.`;
  const words = statuses.map(({ status, times }) => `${count(times, 'answer')} had the status ${status}`);
  return `No request of ${title} shows anything: ${[...words, ...left].join(', ')}.`;
}

const COMPARES = /-keeps-what-was-sent$|-reads-as-answered$/;

function uncomparedWords(id: string, { uncompared }: Shown): string {
  if (!COMPARES.test(id) || uncompared.length === 0) return '';
  return `Of the agents that were sent, ${uncompared.map(([why, times]) => `${times} ${why}`).join(', ')}: nothing says what is kept of these.`;
}

/** Where nearly every request has other credentials, no two of them can be compared. */
function callersWords({ seen, countCallers }: ForeignJudge): string {
  if (countCallers < 2 || 2 * countCallers < seen.count) return '';
  return `${count(seen.count, 'request')} had ${countCallers} different credentials, and only what one caller sees can be compared.`;
}

function limitWords({ closed, leftOut }: ForeignJudge): string {
  const left = leftOut.of('').map(([reason, times]) => `${times} ${reasons[reason]}`);
  const sentences = closed.size > 0 ? ['Limits were reached, and nothing is compared across the parts.'] : [];
  if (left.length > 0) sentences.push(`Some exchanges were left out: ${left.join(', ')}.`);
  return sentences.join(' ');
}
