import { endpoints } from '../../spec/index.ts';
import { readResultsPage } from '../history/facts/page.ts';
import { parameter, type Answered } from '../http/exchange.ts';
import type { QueryPair } from '../probes/api/request.ts';
import { count } from '../show.ts';
import type { Observer } from './observe.ts';
import { byAcceptance, observerOf, seenAs, type Note } from './question.ts';
import { noteRefusal } from './refusals.ts';

/** A list request with something undocumented, and what its answer shows. */
const QUERIES: readonly (readonly [differs: string, query: readonly QueryPair[], note: Note])[] = [
  [
    'limit=abc',
    [['limit', 'abc']],
    byAcceptance('limit-not-integer', 'limit=abc is', { accepted: 'default', refused: 'refused' }),
  ],
  [
    'timeFilter=lastDecade',
    [['timeFilter', 'lastDecade']],
    byAcceptance('unknown-time-filter', 'lastDecade is', { accepted: 'default', refused: 'refused' }),
  ],
  [
    'timeZone=Nowhere/Atlantis',
    [['timeZone', 'Nowhere/Atlantis']],
    byAcceptance('time-zone-format', 'Nowhere/Atlantis is', { accepted: 'ignored', refused: 'iana-and-offset' }),
  ],
  [
    'start=not-a-date',
    [['start', 'not-a-date']],
    byAcceptance('date-format', 'not-a-date is', { accepted: 'lenient', refused: 'iso-8601' }),
  ],
  [
    'agentContract=1',
    [['agentContract', '1']],
    byAcceptance('unknown-parameters', 'agentContract=1 is', { accepted: 'ignored', refused: 'refused' }),
  ],
  [
    'cursor=agent-contract',
    [['cursor', 'agent-contract']],
    (observe, exchange) =>
      observe('malformed-cursor', cursorChoice(exchange), `cursor=agent-contract is ${seenAs(exchange)}`),
  ],
  [
    'limit=1&limit=9',
    [
      ['timeFilter', 'allTime'],
      ['limit', '1'],
      ['limit', '9'],
    ],
    (observe, exchange) => {
      const gap = 'duplicate-parameters';
      if (!exchange.answer.accepted) return observe(gap, 'refused', seenAs(exchange));
      const page = readResultsPage(exchange);
      const size = typeof page === 'object' ? page.count : 0;
      const choice = size > 1 ? 'last' : 'first';
      observe(gap, size === 0 ? undefined : choice, `limit=1&limit=9 gives ${count(size, 'result')}`);
    },
  ],
];

const noteLarge = byAcceptance('limit-out-of-range', 'a limit above 100 is', {
  accepted: 'clamped',
  refused: 'refused',
});

export function cursorChoice(exchange: Answered): 'refused' | 'empty-page' | undefined {
  if (!exchange.answer.accepted) return 'refused';
  const page = readResultsPage(exchange);
  if (typeof page === 'object' && page.count === 0) return 'empty-page';
  return undefined;
}

/** What happens to undocumented queries (section 4.5). */
export const queryObservers: readonly Observer[] = [
  ...QUERIES.map(([differs, query, note]) =>
    observerOf({
      endpoint: 'list-results',
      differs,
      parameters: (run) => ({ agentId: run.need('agentId'), query }),
      note(observe, exchange, facts) {
        note(observe, exchange, facts);
        noteRefusal(observe, 'invalid', exchange);
      },
    }),
  ),
  {
    // A check sends this request, and judges how much such a page holds.
    watch: (facts, observe) => ({
      see(exchange) {
        const { answer, endpoint, open } = exchange;
        if (endpoints[endpoint].does !== 'lists' || !open || !(Number(parameter(exchange, 'limit')) > 100)) return;
        if (answer.status === 429 || answer.status >= 500) return;
        if (facts.traffic.of(endpoint).firstAccepted === undefined) return;
        noteLarge(observe, exchange, facts);
      },
    }),
  },
];
