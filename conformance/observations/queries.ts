import type { Run } from '../probes/probe.ts';
import { accepted } from '../probes/prerequisites.ts';
import { parameter, type Answered } from '../http/exchange.ts';
import { readResultsPage } from '../history/facts/page.ts';
import { count } from '../show.ts';
import { noteRefusal } from './refusals.ts';
import type { Observe, Observer } from './observe.ts';
import { observerOf, seenAs } from './question.ts';

type Pairs = readonly (readonly [string, string])[];

/** A list request with something undocumented. */
const query = (differs: string, pairs: Pairs, note: (observe: Observe, exchange: Answered) => void): Observer =>
  observerOf({
    endpoint: 'list-results',
    differs,
    queue: 'lists',
    prepare: async (run: Run) => ({
      twin: await accepted(run, 'list-results'),
      parameters: { agentId: run.need('agentId'), query: pairs },
    }),
    note(observe, exchange) {
      note(observe, exchange);
      noteRefusal(observe, 'invalid', exchange);
    },
  });

const sizeOf = (exchange: Answered): number => {
  const page = exchange.answer.accepted ? readResultsPage(exchange) : undefined;
  return typeof page === 'object' ? page.count : 0;
};

export const cursorChoice = (exchange: Answered): 'refused' | 'empty-page' | undefined => {
  if (!exchange.answer.accepted) return 'refused';
  const page = readResultsPage(exchange);
  return typeof page === 'object' && page.count === 0 ? 'empty-page' : undefined;
};

/** What happens to undocumented queries (section 4.5). */
export const queries: readonly Observer[] = [
  query('limit=abc', [['limit', 'abc']], (observe, exchange) =>
    observe('limit-not-integer', exchange.answer.accepted ? 'default' : 'refused', `limit=abc is ${seenAs(exchange)}`),
  ),
  query('timeFilter=lastDecade', [['timeFilter', 'lastDecade']], (observe, exchange) =>
    observe(
      'unknown-time-filter',
      exchange.answer.accepted ? 'default' : 'refused',
      `lastDecade is ${seenAs(exchange)}`,
    ),
  ),
  query('timeZone=Nowhere/Atlantis', [['timeZone', 'Nowhere/Atlantis']], (observe, exchange) =>
    observe(
      'time-zone-format',
      exchange.answer.accepted ? 'ignored' : 'iana-and-offset',
      `Nowhere/Atlantis is ${seenAs(exchange)}`,
    ),
  ),
  query('start=not-a-date', [['start', 'not-a-date']], (observe, exchange) =>
    observe('date-format', exchange.answer.accepted ? 'lenient' : 'iso-8601', `not-a-date is ${seenAs(exchange)}`),
  ),
  query('agentContract=1', [['agentContract', '1']], (observe, exchange) =>
    observe(
      'unknown-parameters',
      exchange.answer.accepted ? 'ignored' : 'refused',
      `agentContract=1 is ${seenAs(exchange)}`,
    ),
  ),
  query('cursor=agent-contract', [['cursor', 'agent-contract']], (observe, exchange) =>
    observe('malformed-cursor', cursorChoice(exchange), `cursor=agent-contract is ${seenAs(exchange)}`),
  ),
  query(
    'limit=1&limit=9',
    [
      ['timeFilter', 'allTime'],
      ['limit', '1'],
      ['limit', '9'],
    ],
    (observe, exchange) => {
      const shown = sizeOf(exchange);
      const choice = shown === 1 ? 'first' : shown > 1 ? 'last' : undefined;
      observe(
        'duplicate-parameters',
        exchange.answer.accepted ? choice : 'refused',
        exchange.answer.accepted ? `limit=1&limit=9 gives ${count(shown, 'result')}` : seenAs(exchange),
      );
    },
  ),
  {
    // A check sends this request, and judges how much such a page holds.
    watch: ({ traffic }, observe) => ({
      see(exchange) {
        const limit = Number(parameter(exchange, 'limit'));
        const { answer, endpoint, open } = exchange;
        if (endpoint !== 'list-results' || !open || !(limit > 100) || answer.status === 429 || answer.status >= 500)
          return;
        if (traffic.of(endpoint).firstAccepted === undefined) return;
        observe(
          'limit-out-of-range',
          answer.accepted ? 'clamped' : 'refused',
          `a limit above 100 is ${seenAs(exchange)}`,
        );
      },
    }),
  },
];
