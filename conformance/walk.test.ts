import type { Answer } from './answer.ts';
import type { Api } from './api.ts';
import { describeQuery, usable, walk } from './walk.ts';

type Body = { readonly results?: unknown; readonly nextCursor?: unknown };

/** An API that gives a page for a cursor; what it gives for `undefined` is the first. */
function listing(pages: (cursor: string | undefined, request: number) => Body | number | string): {
  readonly api: Api;
  readonly asked: (string | undefined)[];
} {
  const asked: (string | undefined)[] = [];
  const call: Api['call'] = (endpoint, { query = {} } = {}) => {
    const cursor = Object.entries(query).find(([name]) => name === 'cursor')?.[1] as string | undefined;
    asked.push(cursor);
    const given = pages(cursor, asked.length);
    const status = typeof given === 'number' ? given : 200;
    const answer: Answer = {
      endpoint,
      agentId: 'a',
      status,
      headers: {},
      accepted: status < 300,
      json: typeof given === 'object' ? given : undefined,
      problem: typeof given === 'string' ? given : undefined,
      text: '',
      exchange: { request: { method: 'GET', url: '', headers: {} }, durationMs: 0 },
      instants: [0],
    };
    return Promise.resolve(answer);
  };
  const statistics = { requests: 0, answers: 0, accepted: 0, limited: [], lastFailure: undefined, givenUp: undefined };
  return { api: { isLoopback: true, call, statistics }, asked };
}

const result = (id: unknown): object => ({ id, createdAt: '2026-05-20T12:00:00Z' });
const bounds = { maxPages: 10, emptyPages: 3 };
const query = { agentId: 'a', limit: 1 };

describe('walk', () => {
  test('follows cursors to null', async () => {
    const { api, asked } = listing((cursor) => ({
      results: [result(cursor ?? 'first')],
      nextCursor: cursor === 'two' ? null : cursor === undefined ? 'one' : 'two',
    }));
    const walked = await walk(api, query, bounds);
    expect(asked).toEqual([undefined, 'one', 'two']);
    expect(walked).toMatchObject({ end: 'null', problem: undefined });
    expect(walked.rows.map(({ id }) => id)).toEqual(['first', 'one', 'two']);
  });

  test.each<[string, (cursor: string | undefined, request: number) => Body | number | string, string, number]>([
    ['a cursor that comes back', () => ({ results: [result('x')], nextCursor: 'again' }), 'loop', 2],
    ['pages that show nothing new', (_, n) => ({ results: [result('x')], nextCursor: `c${n}` }), 'loop', 3],
    ['empty pages without end', (_, n) => ({ results: [], nextCursor: `c${n}` }), 'empty-pages', 4],
    ['a list without end', (_, n) => ({ results: [result(`r${n}`)], nextCursor: `c${n}` }), 'bound', 10],
    ['a refusal', () => 500, 'refused', 1],
    ['no JSON', () => 'an HTML page', 'unreadable', 1],
    ['no results', () => ({ nextCursor: null }), 'unreadable', 1],
    ['no cursor', () => ({ results: [] }), 'unreadable', 1],
    ['a number for a cursor', () => ({ results: [], nextCursor: 1 }), 'unreadable', 1],
    ['a cursor too long to send', () => ({ results: [], nextCursor: 'c'.repeat(9000) }), 'unreadable', 1],
    ['a result without id', () => ({ results: [{}], nextCursor: null }), 'unreadable', 1],
    ['a result that is none', () => ({ results: [null], nextCursor: null }), 'unreadable', 1],
  ])('ends at %s', async (_, pages, end, requests) => {
    const { api, asked } = listing(pages);
    const walked = await walk(api, query, bounds);
    expect([walked.end, asked.length]).toEqual([end, requests]);
    if (end === 'refused' || end === 'unreadable') expect(() => usable(walked)).toThrow(/^limit=1: /);
    else expect(usable(walked)).toBe(walked);
  });

  test('goes on behind what arrived since another walk', async () => {
    const known = await walk(listing(() => ({ results: [result('old')], nextCursor: null })).api, query, bounds);
    const arriving = (): Api =>
      listing((_, n) => ({
        results: [result(n < 15 ? `new${n}` : 'old')],
        nextCursor: n < 15 ? `c${n}` : null,
      })).api;
    expect((await walk(arriving(), query, { ...bounds, known })).end).toBe('null');
    expect((await walk(arriving(), query, bounds)).end).toBe('bound');
  });

  test('keeps no more of a page than it needs', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => result(`r${i}`));
    const walked = await walk(listing(() => ({ results: many, nextCursor: null })).api, query, bounds);
    expect(walked.pages[0]).toMatchObject({ count: 5000 });
    expect(walked.rows.length).toBe(1000);
  });
});

test('a query is described as it is written', () => {
  expect(describeQuery({ agentId: 'a', limit: 7, timeFilter: 'today' })).toBe('limit=7&timeFilter=today');
  expect(describeQuery({ agentId: 'a' })).toBe('without parameters');
});
