import type { ConversationResult } from '../../spec/index.ts';

/** What List results does where section 4.5 leaves the choice open. */
export const limitOutOfRange = {
  refused: (): undefined => undefined,
  clamped: (limit: number): number => Math.min(100, Math.max(1, limit)),
};
export const limitNotInteger = { refused: undefined, default: 50 };
export const unknownTimeFilter = { refused: undefined, default: 'last7Days' } as const;
export const timeZoneFormat = { 'iana-and-offset': true, ignored: false };
export const defaultTimeZone = { utc: 'UTC', 'new-york': 'America/New_York' };
export const windowEdges = { 'calendar-days': 'calendar', rolling: 'rolling' } as const;
export const startEndWithFilter = { replace: 'replace', intersect: 'intersect', ignored: 'ignored' } as const;
export const endEdge = { inclusive: true, exclusive: false };
export const dateFormat = { 'iso-8601': true, lenient: false };
export const intervalMeaning = { 'iso-8601': true, ignored: false };
export const duplicateParameters = { refused: undefined, first: 0, last: -1 };
export const unknownParameters = { ignored: true, refused: false };
export const malformedCursor = { refused: false, 'empty-page': true };
export const foreignCursor = { refused: false, 'empty-page': true };
export const lastPage = { 'with-last-result': false, 'empty-page-after': true };

/** The number of results on the page that starts at `index` of the list, for its limit. */
export const pageFilling = {
  full: (limit: number): number => limit,
  short: (limit: number, index: number): number => Math.max(1, limit - 1 - (index % 3)),
};

export const resultsWhileReading = { still: false, arriving: true };

/** Whether the list shows a result; `undefined` shows all, without reading them. */
export const listedResults = {
  all: undefined,
  'started-and-kept': (result: ConversationResult): boolean =>
    result.hasStarted !== false && result.isArchived !== true,
};
export const resultsOfUnknownAgent = { refused: false, 'empty-list': true };
