import type { TimeFilter } from '../../spec/index.ts';
import { readResultsPage } from '../history/facts/page.ts';
import type { Answered } from '../http/exchange.ts';
import { RETRY_LATER } from '../http/statuses.ts';
import { askUntil } from './prerequisites.ts';
import type { Query } from './api/request.ts';
import type { Run } from './probe.ts';

/** How a run walks a list of results: page by page, with its cursor sent in whichever way the server accepts. */

export type ListQuery = Readonly<{ limit?: number; timeFilter?: TimeFilter }>;
/** With parameters whose formats are not shown. */
type AnyQuery = ListQuery & Readonly<Partial<Record<'timeZone' | 'start' | 'end' | 'interval', string>>>;

export interface Walk {
  readonly agentId: string;
  /** Of the caller, if it is not the main token. */
  readonly authorization?: string;
  /** The parameters of each request beside the cursor. Default: none. */
  readonly query?: AnyQuery;
  /** The number of pages to read, apart from pages that show only new results since the first reading. */
  readonly pages: number;
  readonly known?: ReadonlySet<string>;
}

const [MAX_ARRIVALS, MAX_ARRIVALS_IN_ALL] = [6, 12];
/** Consecutive empty pages to follow, once in a history. After that a walk ends at its first one. */
export const EMPTY_PAGES = 20;

/** So often a server shows which way it takes. */
const ENOUGH = 3;

/** Reads a list page by page from its head. @throws CannotProbe */
export function readList(run: Run, agentId: string, query: AnyQuery = {}, authorization?: string) {
  let cursor: string | undefined;
  let [emptyInRow, stale] = [0, 0];
  // Some servers answer only one request at a time.
  const call = (asked: Query): Promise<Answered> =>
    askUntil(
      run,
      ['list-results', { agentId, query: asked, authorization }],
      ({ answer }) => !RETRY_LATER.has(answer.status),
      [100, 400],
    );

  const read = async (): Promise<Answered> => {
    const isBoth = cursor !== undefined && Object.keys(query).length > 0;
    const ways = run.met;
    if (isBoth && ways.aloneOnly >= ENOUGH) return call({ cursor });
    const beside = await call({ ...query, cursor });
    if (beside.answer.accepted && isBoth) ways.beside++;
    if (beside.answer.accepted || !isBoth || ways.beside > 0 || ways.neither >= ENOUGH) return beside;
    const alone = await call({ cursor });
    if (alone.answer.accepted) ways.aloneOnly++;
    else ways.neither++;
    return alone;
  };

  const reader = {
    ids: new Set<string>(),
    /** The first answer that was not a page. */
    refused: undefined as Answered | undefined,
    pages: 0,
    empty: 0,
    /** Reads the next page. Resolves with whether another may follow. */
    async next(): Promise<boolean> {
      const exchange = await read();
      const page = exchange.answer.accepted && readResultsPage(exchange);
      if (typeof page !== 'object') {
        reader.refused = exchange;
        return false;
      }
      reader.pages++;
      const before = reader.ids.size;
      for (const { id } of page.rows) reader.ids.add(id);
      const isEmpty = page.count === 0;
      reader.empty += Number(isEmpty);
      emptyInRow = isEmpty ? emptyInRow + 1 : 0;
      stale = !isEmpty && reader.ids.size === before ? stale + 1 : 0;
      cursor = page.nextCursor ?? undefined;
      return cursor !== undefined && stale < 2 && emptyInRow <= (followedFar(run) ? 0 : EMPTY_PAGES);
    },
  };
  return reader;
}

function followedFar({ facts }: Run): boolean {
  return facts.lists.all.some(
    ({ pages }) => pages.length > EMPTY_PAGES && pages.slice(-EMPTY_PAGES - 1).every((page) => page.count === 0),
  );
}

/** Walks a list. @throws CannotProbe */
export async function walk(run: Run, { agentId, authorization, query, pages, known }: Walk) {
  const reader = readList(run, agentId, query, authorization);
  let left = pages;
  let arrivals = 0;
  let goesOn = true;
  while (goesOn && left > 0) {
    const { empty } = reader;
    goesOn = await reader.next();
    const isArrivals = known !== undefined && known.size > 0 && ![...reader.ids].some((id) => known.has(id));
    const isPossible = run.hasSpare() && run.met.arrivals < MAX_ARRIVALS_IN_ALL;
    if (isArrivals && isPossible && arrivals++ < MAX_ARRIVALS) {
      run.met.arrivals++;
      continue;
    }
    // Goes on after the last result, to see how the list ends.
    if (!(goesOn && reader.empty > empty)) left--;
  }
  return reader;
}
