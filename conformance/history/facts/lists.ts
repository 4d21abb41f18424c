import { endpoints } from '../../../spec/index.ts';
import { MEMBERS, readResultsPage, type ResultsPage, type Row } from './page.ts';
import { ownTraffic, type Policy } from '../policy.ts';
import { readSelection } from './selection.ts';
import type { Answered, Exchange, Excerpt } from '../../http/exchange.ts';
import { isAnswered, isWithoutAccess, ownerOf } from '../../http/exchange.ts';

export interface ListedPage extends ResultsPage {
  /** The index of its first result that the list had shown before. */
  readonly repeat: number | undefined;
  /** Epoch milliseconds of the newest result on earlier pages; -Infinity if there is none. */
  readonly newestBefore: number;
  readonly fresh: number;
}

/** One list of results: a first page, and the pages that its cursors lead to. */
export type List = Readonly<ReturnType<typeof emptyList>>;

/** A cursor that led to no page: a refusal, or an unreadable answer. */
export interface Broken {
  readonly status: number;
  readonly problem: string;
  readonly excerpt: Excerpt;
  /** Whether the cursor was sent with the parameters of its list, alone, or there were none. */
  readonly ways: ReadonlySet<'beside' | 'alone'>;
}

export type PagePosition = Readonly<{ page: ListedPage; list: List; index: number }>;

export type Lists = ReturnType<typeof createLists>;

const IN_ROWS = ['agentId', 'workspaceId', 'isIdle', ...MEMBERS] as const;
const MAX_KEPT_ROWS = 400_000;

type Growing = ReturnType<typeof emptyList>;

export function createLists({ cursorLifeMs }: Pick<Policy, 'cursorLifeMs'> = ownTraffic) {
  const all: Growing[] = [];
  const kept = new Map<string, Row>();
  /** Owners of lists whose cursors the server accepts alone, and not with other parameters. */
  const takenAlone = new Set<string>();
  /** Names of parameters, by owner, beside which the server accepts a cursor. */
  const takenBeside = new Set<string>();
  let count = 0;
  let last: { readonly n: number; readonly position: PagePosition } | undefined;

  function seePage(exchange: Answered): void {
    const isFirst = !exchange.query.some(([name]) => name === 'cursor');
    const page = exchange.answer.accepted ? readResultsPage(exchange) : `refused with ${exchange.answer.status}`;
    const waiting = isFirst || exchange.open ? undefined : continuedBy(exchange);
    const isStale = exchange.sentAt - (waiting?.pages.at(-1)?.stamp.at ?? -Infinity) > cursorLifeMs;
    const continued = isStale ? undefined : waiting;
    if (typeof page === 'string') {
      if (continued) breakOff(continued, exchange, page);
      return;
    }
    // What a server may answer to an unknown cursor. Nothing need follow a page that is not full.
    const isNothing = page.count === 0 && page.nextCursor === null && isAlone(page.query);
    const mayEnd = (continued?.pages.at(-1)?.count ?? 0) < Number(continued?.selection.limit);
    if (continued && isNothing && !mayEnd && isRefusedBeside(continued) && !takenAlone.has(continued.of))
      return breakOff(continued, exchange, 'an empty page');
    const list = continued ?? emptyList(exchange, exchange.open || !isFirst);
    if (!continued) all.push(list);
    addPage(list, page);
  }

  function addPage(list: Growing, page: ResultsPage): void {
    const newestBefore = list.newest;
    const before = list.rows.length;
    let repeat: number | undefined;
    const shown = page.rows.map(shared);
    for (const [index, row] of shown.entries()) {
      list.newest = Math.max(list.newest, row.at?.ms ?? -Infinity);
      if (list.place.has(row.id)) repeat ??= index;
      else list.place.set(row.id, list.rows.push(row) - 1);
    }
    if (isRefusedBeside(list) && isAlone(page.query)) takenAlone.add(list.of);
    if (list.pages.length > 0 && !isAlone(page.query)) takenBeside.add(besideOf(list));
    list.brokenBy = undefined;
    const listed: ListedPage = { ...page, rows: shown, repeat, newestBefore, fresh: list.rows.length - before };
    last = { n: page.n, position: { page: listed, list, index: list.pages.push(listed) - 1 } };
    count += page.rows.length;
    while ((count > MAX_KEPT_ROWS || all.length > 2_000) && all.length > 1)
      count -= all.shift()?.pages.reduce((sum, one) => sum + one.rows.length, 0) ?? 0;
  }

  /** The same row as before, if it has not changed, so that a result that is seen again is kept once. */
  function shared(row: Row): Row {
    const before = kept.get(row.id);
    if (before && IN_ROWS.every((name) => before[name] === row[name])) return before;
    if (kept.size > MAX_KEPT_ROWS) kept.clear();
    kept.set(row.id, row);
    return row;
  }

  /** The list that a cursor continues: the other parameters decide between several, unless it is sent alone. */
  function continuedBy(exchange: Exchange): Growing | undefined {
    const by = readSelection(exchange.query);
    const of = ownerOf(exchange);
    const waiting = all.filter((list) => list.of === of && list.pages.at(-1)?.nextCursor === by.cursor);
    const asBefore = waiting.findLast(
      ({ selection }) => selection.key === by.key && selection.hasLimit === by.hasLimit && selection.limit === by.limit,
    );
    if (asBefore || !isAlone(exchange.query)) return asBefore;
    return waiting.findLast((list) => takenAlone.has(of) || isRefusedBeside(list));
  }

  return {
    /** In the order of their first requests. A very long history keeps only the latest. */
    all: all as readonly List[],
    takenAlone: takenAlone as ReadonlySet<string>,
    /** Whether the server accepts a cursor beside parameters of these names. */
    isTakenBeside: (list: List): boolean => takenBeside.has(besideOf(list)),
    placeOf({ n }: Exchange): PagePosition | undefined {
      if (last?.n === n) return last.position;
      return undefined;
    },
    see(exchange: Exchange): void {
      if (endpoints[exchange.endpoint].does !== 'lists' || !isAnswered(exchange)) return;
      if (!isWithoutAccess(exchange.caller)) seePage(exchange);
    },
  };
}

function emptyList(exchange: Answered, open: boolean) {
  const { agentId = '', caller, query } = exchange;
  return {
    agentId,
    caller,
    /** The owner: lists of one agent and one credential are readings of the same results. */
    of: ownerOf(exchange),
    query,
    selection: readSelection(query),
    /** It asks for something undocumented, or begins with an unknown cursor, so it is compared with no other list. */
    open,
    pages: [] as ListedPage[],
    rows: [] as Row[],
    /** The index of each in `rows`. */
    place: new Map<string, number>(),
    newest: -Infinity,
    brokenBy: undefined as Broken | undefined,
  };
}

const isRefusedBeside = ({ brokenBy }: List): boolean => brokenBy?.ways.has('beside') === true;

const besideOf = ({ of, query }: List): string => JSON.stringify([of, ...query.map(([name]) => name).toSorted()]);

const isAlone = (query: Exchange['query']): boolean => query.length === 1;

function breakOff(list: Growing, { answer, query, excerpt }: Answered, problem: string): void {
  const way = isAlone(query) ? 'alone' : 'beside';
  const before = list.brokenBy;
  const ways = new Set(before?.ways).add(way);
  list.brokenBy = { status: answer.status, problem, excerpt, ways };
  if (before && answer.accepted) list.brokenBy = { ...before, problem, ways };
}

/** Whether its last page says that nothing follows. One without nextCursor breaks its shape, and may be anywhere. */
export const hasEnded = ({ pages }: List): boolean => pages.at(-1)?.nextCursor === null;
