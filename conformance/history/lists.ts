import { readPage, type Page } from '../results/page.ts';
import type { Clock } from './clock.ts';
import { isAnswered, parameter, type Answered, type Caller, type Exchange } from './exchange.ts';

/** One list of results: a first page, and the pages that its cursors lead to. */
export interface List {
  readonly agentId: string;
  readonly caller: Caller;
  /** The parameters of the first request, in their order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly pages: readonly Page[];
  /** What a cursor of the list was answered with, where that was no page: a refusal, or something unreadable. */
  readonly brokenBy: { readonly exchange: Answered; readonly problem: string } | undefined;
}

/** Lists of results: the pages that cursors connect. */
export interface Lists {
  see(exchange: Exchange): void;
  readonly all: readonly List[];
}

export function createLists(_: Clock): Lists {
  const all: { -readonly [K in keyof List]: List[K] }[] = [];
  return {
    all,
    see(exchange) {
      if (exchange.endpoint !== 'list-results' || exchange.open || !isAnswered(exchange)) return;
      const page = exchange.answer.accepted ? readPage(exchange) : `refused with ${exchange.answer.status}`;
      const cursor = parameter(exchange, 'cursor');
      const { agentId = '', caller, query } = exchange;
      if (cursor === undefined) {
        const pages = typeof page === 'string' ? [] : [page];
        const brokenBy = typeof page === 'string' ? { exchange, problem: page } : undefined;
        all.push({ agentId, caller, query, pages, brokenBy });
        return;
      }
      const list = all.findLast((one) => one.agentId === agentId && one.pages.at(-1)?.nextCursor === cursor);
      if (!list) return;
      if (typeof page === 'string') list.brokenBy ??= { exchange, problem: page };
      else list.pages = [...list.pages, page];
    },
  };
}
