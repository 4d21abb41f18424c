import { endpoints, type EndpointId } from '../../spec/index.ts';
import type { Check, Missing } from '../check.ts';
import { endpointsOf } from '../history/premises.ts';
import { answersOf, NOTHING_SHOWS_IT, type Shown } from '../report/compose.ts';
import type { CheckReport } from '../report/report.ts';
import { count } from '../show.ts';
import { reasons } from './foreign-exchange.ts';
import type { ForeignJudge } from './judge-foreign.ts';
import rows from './needs.json';

/** The traffic that each check needs: the first pattern that fits its id counts. `%s` is the title of its endpoint. */
const needs: readonly { readonly checks: string; readonly needs?: string }[] = rows;

/** What a client would have to do so that a check can be judged, in words after "Supply"; `undefined` if nothing helps. */
export function supplyOf({ id, endpoint }: Pick<Check, 'id' | 'endpoint'>): string | undefined {
  // Traffic never shows which tokens were issued, and which access they give.
  const { needs: need } = needs.find(({ checks }) => new RegExp(checks).test(id)) ?? {};
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
