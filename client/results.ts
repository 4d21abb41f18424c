import type { ConversationResult, ListResultsQuery, ListResultsResponse } from '../spec/index.ts';
import { PagingError } from './errors.ts';

/**
 * All results of an agent, newest first. Each iteration starts at the beginning, and requests a page only when it is
 * needed.
 */
export interface ResultList extends AsyncIterable<ConversationResult> {
  /** The same, page by page. */
  pages(): AsyncIterable<ListResultsResponse>;
}

/**
 * The pages that `ask` returns, from the cursor in `query` on, until one says that it is the last. It throws what `ask`
 * throws, and PagingError for an invalid cursor or one that it has already followed.
 */
export function resultList(
  query: ListResultsQuery,
  ask: (query: ListResultsQuery) => Promise<ListResultsResponse>,
): ResultList {
  async function* pages(): AsyncGenerator<ListResultsResponse, void, undefined> {
    const followed = new Map<string, number>();
    let cursor = query.cursor;
    for (let number = 1; ; number++) {
      if (cursor !== undefined) followed.set(cursor, number);
      const page = await ask({ ...query, cursor });
      yield page;
      const next: unknown = page.nextCursor;
      if (next === null) return;
      if (typeof next !== 'string') {
        const shown = JSON.stringify(next) ?? 'missing';
        throw new PagingError(`nextCursor of page ${number} is ${shown}; it must be a string or null`, page);
      }
      const before = followed.get(next);
      if (before !== undefined)
        throw new PagingError(
          `nextCursor of page ${number} is ${JSON.stringify(next)}, which led to page ${before} already; ` +
            'following it again would never end',
          page,
        );
      cursor = next;
    }
  }

  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) {
        if (!Array.isArray(page.results)) throw new PagingError('A page holds no array of results', page);
        yield* page.results;
      }
    },
  };
}
