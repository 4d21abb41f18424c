import { endpoints } from '../../spec/index.ts';
import { queryValue, type Answered } from '../http/exchange.ts';
import { arrayAt } from '../json.ts';
import { counted } from '../show.ts';
import type { Note, Observer } from './observe.ts';
import { byAcceptance, byAnswer, isEmptyPage, observerOf } from './question.ts';
import { alsoRefused } from './refusals.ts';

const QUERIES: readonly (readonly [query: string, note: Note])[] = [
  ['limit=abc', byAcceptance('limit-not-integer', 'limit=abc is', 'default', 'refused')],
  ['timeFilter=lastDecade', byAcceptance('unknown-time-filter', 'lastDecade is', 'default', 'refused')],
  ['timeZone=Nowhere/Atlantis', byAcceptance('time-zone-format', 'Nowhere/Atlantis is', 'ignored', 'iana-and-offset')],
  ['start=not-a-date', byAcceptance('date-format', 'not-a-date is', 'lenient', 'iso-8601')],
  ['agentContract=1', byAcceptance('unknown-parameters', 'agentContract=1 is', 'ignored', 'refused')],
  ['cursor=agent-contract', byAnswer('malformed-cursor', 'refused', emptyPage, 'cursor=agent-contract is ')],
  [
    'limit=1&limit=9',
    byAnswer('duplicate-parameters', 'refused', (exchange) => {
      const size = arrayAt(exchange.answer.json, 'results').length;
      const choice = ([undefined, 'first', 'last'] as const)[Math.min(size, 2)];
      return [choice, `limit=1&limit=9 gives ${counted(size, 'result')}`];
    }),
  ],
];

/** What a list shows that cannot be what its cursor asks for. */
export function emptyPage(exchange: Answered): readonly ['empty-page' | undefined] {
  return [isEmptyPage(exchange) ? 'empty-page' : undefined];
}

/** What happens to undocumented queries (section 4.5). */
export const queryObservers: readonly Observer[] = [
  ...QUERIES.map(([differs, note]) =>
    observerOf({
      endpoint: 'list-results',
      differs,
      // Two limits can only be told apart where there is more than one result.
      parameters: (run) => ({
        agentId: run.need('agentId'),
        query: [...new URLSearchParams(differs.replace(/^(?=.*&)/, 'timeFilter=allTime&'))],
      }),
      note: alsoRefused('invalid', note),
    }),
  ),
  {
    // A check sends this request, and judges how much such a page holds.
    see(observe, exchange, facts) {
      const { endpoint, open } = exchange;
      if (endpoints[endpoint].does !== 'lists' || !open || !(Number(queryValue(exchange, 'limit')) > 100)) return;
      if (facts.traffic.of(endpoint).firstAccepted === undefined) return;
      byAcceptance('limit-out-of-range', 'a limit above 100 is', 'clamped', 'refused')(observe, exchange, facts);
    },
  },
];
