import type { ConversationResult } from '../../spec/index.ts';

/** What List results does where section 4.5 leaves the choice open. */
export const listingChoices = {
  'limit-out-of-range': { refused: false, clamped: true },
  'limit-not-integer': { refused: undefined, default: 50 },
  'unknown-time-filter': { refused: undefined, default: 'last7Days' } as const,
  'time-zone-format': { 'iana-and-offset': true, ignored: false },
  'default-time-zone': { utc: 'UTC', 'new-york': 'America/New_York' },
  'window-edges': { 'calendar-days': 'calendar', rolling: 'rolling' } as const,
  'start-end-with-filter': { replace: 'replace', intersect: 'intersect', ignored: 'ignored' } as const,
  'end-edge': { inclusive: true, exclusive: false },
  'date-format': { 'iso-8601': true, lenient: false },
  'interval-meaning': { 'iso-8601': true, ignored: false },
  'duplicate-parameters': { refused: undefined, first: 0, last: -1 },
  'unknown-parameters': { ignored: true, refused: false },
  'malformed-cursor': { refused: false, 'empty-page': true },
  'foreign-cursor': { refused: false, 'empty-page': true },
  /** How every cursor begins. */
  'cursor-characters': { plain: '', any: 'of+1/2=3&4%5 ' },
  'last-page': { 'with-last-result': false, 'empty-page-after': true },
  /** How many results fewer than its limit a page has, in turn by its place in the list; `undefined`: an empty second page. */
  'page-filling': { full: [0], short: [1, 2, 3], empty: undefined },
  'results-while-reading': { still: false, arriving: true },
  /** Whether the list shows a result; `undefined` shows all, without reading them. */
  'listed-results': {
    all: undefined,
    'started-and-kept': (result: ConversationResult): boolean =>
      result.hasStarted !== false && result.isArchived !== true,
  },
  'results-of-unknown-agent': { refused: false, 'empty-list': true },
};
