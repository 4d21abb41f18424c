import { timeFilters } from '../../spec/index.ts';
import { tinyService, type TinyOptions } from '../testing/tiny-service.ts';
import type { Run } from './probe.ts';
import { firstReading } from './lists.ts';
import { plan, probesNamed } from './plan.ts';
import { EMPTY_PAGES, walk } from './walk.ts';
import { runOver } from '../testing/run-over.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);

/** What probes of lists work with, and what they send to a service that answers as `before` says. */
function runWith(before?: TinyOptions['before'], { seed = 1 } = {}) {
  const service = tinyService({ now, ...(before ? { before } : {}) });
  const target = { agentId: 'main', workspaceId: 'w' };
  const run = runOver(service.transport, { target, now, seed });
  const queries = (): readonly string[] => service.requests.map(({ query }) => query.toString());
  return { run, queries };
}

const pageOf = (ids: readonly string[], nextCursor: string | null) => ({
  status: 200,
  body: { results: ids.map((id) => ({ id, createdAt: new Date(now).toISOString(), agentId: 'main' })), nextCursor },
});

const isList = ({ path }: { readonly path: string }): boolean => path.endsWith('/results');
const of = (run: Run, query: object, pages: number) => walk(run, { agentId: 'main', query, pages });

describe('a walk', () => {
  test('follows cursors with the parameters of the first page, up to its bound', async () => {
    const { run, queries } = runWith();
    const walked = await of(run, { limit: 7, timeFilter: 'allTime' }, 3);
    expect(queries()).toEqual(['', '&cursor=7', '&cursor=14'].map((cursor) => `limit=7&timeFilter=allTime${cursor}`));
    expect([walked.ids.size, walked.pages, walked.refused]).toEqual([21, 3, undefined]);
  });

  test('ends at the end of the list', async () => {
    const { run, queries } = runWith();
    await of(run, { limit: 100, timeFilter: 'allTime' }, 30);
    expect(queries().length).toBe(2);
  });

  test('sends a cursor alone if it is refused beside its parameters', async () => {
    const { run, queries } = runWith((request) =>
      request.query.has('cursor') && request.query.has('limit') ? { status: 400 } : undefined,
    );
    const walked = await of(run, { limit: 50 }, 2);
    expect(queries().slice(-2)).toEqual(['limit=50&cursor=50', 'cursor=50']);
    expect(walked.refused).toBeUndefined();
  });

  test('ends at a refusal, and returns it', async () => {
    const { run } = runWith((request) => (request.query.has('cursor') ? { status: 410 } : undefined));
    expect((await of(run, { limit: 7, timeFilter: 'allTime' }, 5)).refused?.answer.status).toBe(410);
  });

  test('asks again if it is told to retry', async () => {
    let left = 2;
    const { run, queries } = runWith(() => (left-- > 0 ? { status: 409 } : undefined));
    expect((await of(run, {}, 1)).pages).toBe(1);
    expect(queries().length).toBe(3);
  });

  test('stops following cursors that show nothing new', async () => {
    const { run, queries } = runWith((request) => (isList(request) ? pageOf(['r1'], 'again') : undefined));
    await of(run, { limit: 1 }, 30);
    expect(queries().length).toBe(3);
  });

  test('follows empty pages to a bound once in a history, and then none', async () => {
    const { run, queries } = runWith((request) =>
      isList(request) ? pageOf([], `c${Number(request.query.get('cursor')?.slice(1) ?? 0) + 1}`) : undefined,
    );
    await of(run, { limit: 1 }, 5);
    const first = queries().length;
    expect(first).toBe(EMPTY_PAGES + 1);
    await of(run, { limit: 2 }, 5);
    expect(queries().length - first).toBe(1);
  });
});

describe('a walk to known results', () => {
  /** An endless list with one result a page. */
  const endless: TinyOptions['before'] = (request) => {
    const number = Number(request.query.get('cursor') ?? 0);
    return isList(request) ? pageOf([`r${number}`], String(number + 1)) : undefined;
  };
  test.each<[string, readonly string[], number, number]>([
    ['if no result is known', [], 2, 2],
    ['if the first result is known', ['r0'], 1, 1],
    ['if a later result is known', ['r3'], 1, 4],
    ['if a later result is known, and two pages of known results are wanted', ['r3'], 2, 5],
    ['as far as new results may have arrived', ['r6'], 1, 7],
    ['no further than that', ['r99'], 1, 7],
    ['no further than that, and two pages', ['r99'], 2, 8],
  ])('reads pages %s', async (_, known, pages, expected) => {
    const { run, queries } = runWith(endless);
    await walk(run, { agentId: 'main', query: { limit: 1 }, pages, known: new Set(known) });
    expect(queries().length).toBe(expected);
  });
});

describe('the first reading', () => {
  test('sends once the whole list and each filter, in the largest pages', async () => {
    const { run, queries } = runWith();
    const [one, again] = await Promise.all([firstReading(run), firstReading(run)]);
    expect(again).toBe(one);
    expect(one.whole).toEqual({ limit: 100, timeFilter: 'allTime' });
    expect([...one.ids.keys()].toSorted()).toEqual([...timeFilters].toSorted());
    expect(one.ids.get('allTime')?.size).toBe(120);
    expect(queries().filter((query) => query === 'limit=100&timeFilter=allTime').length).toBe(1);
    expect(queries()).toContain('limit=100');
  });

  test.each<[string, string, string, object]>([
    ['pages of 50 if those of 100 are refused', 'limit', '100', { limit: 50, timeFilter: 'allTime' }],
    ['another filter if allTime is refused', 'timeFilter', 'allTime', { limit: 100, timeFilter: 'yearToDate' }],
  ])('uses %s', async (_, name, value, whole) => {
    const { run } = runWith((request) => (request.query.get(name) === value ? { status: 400 } : undefined));
    expect((await firstReading(run)).whole).toEqual(whole);
  });

  test('is not available if everything is refused, and says what may help', async () => {
    const { run } = runWith((request) => (isList(request) ? { status: 404 } : undefined));
    const supply = expect.stringContaining('--agent-id') as string;
    await expect(firstReading(run)).rejects.toMatchObject({ name: 'CannotProbe', supply });
  });
});

describe('the requests', () => {
  const sentBy = async (seed: number): Promise<readonly string[]> => {
    const { run, queries } = runWith(undefined, { seed });
    for (const probe of probesNamed(['walks', 'readBeyondLimit'], 'list-results')) await probe.send(run);
    return queries();
  };

  test('are the same for the same seed, and have other page sizes for another', async () => {
    const [one, again, other] = await Promise.all([sentBy(1), sentBy(1), sentBy(2)]);
    expect(again).toEqual(one);
    const limits = (queries: readonly string[]) =>
      new Set(queries.map((query) => new URLSearchParams(query).get('limit')));
    expect(limits(other)).not.toEqual(limits(one));
    for (const size of ['1', '2', '7', '10', '20', '25', '50', '51', '99', '100', '101'])
      expect(limits(one)).toContain(size);
    expect(one.length).toBeLessThan(150);
  });

  test('include one without parameters, and after it the cursor alone or one without parameters again', async () => {
    const bare = (await sentBy(1)).filter((query) => query === '' || /^cursor=[^&]*$/.test(query));
    expect(bare.filter((query) => query === '').length).toBeGreaterThanOrEqual(2);
    expect(bare.some((query) => query !== '')).toBe(true);
  });

  test.each([true, false])(
    'go beyond both bounds of the limit, also with a cursor if there is one: %p',
    async (has) => {
      const { run, queries } = runWith((request) =>
        isList(request) && !has && request.query.get('timeFilter') === 'yearToDate' ? pageOf(['a'], null) : undefined,
      );
      await of(run, { limit: 5, timeFilter: 'yearToDate' }, 1);
      for (const one of probesNamed(['readings'], 'list-results')) await one.send(run);
      const before = queries().length;
      await plan.readBeyondLimit.send(run);
      const sent = queries().slice(before);
      expect(sent.slice(0, 4)).toEqual([
        'limit=101&timeFilter=allTime',
        expect.stringMatching(/^limit=[5-9]\d\d&timeFilter=yearToDate$/),
        'limit=0&timeFilter=allTime',
        expect.stringMatching(/^limit=-\d&timeFilter=yearToDate$/),
      ]);
      expect(sent.slice(4)).toEqual(has ? [`${sent[1]}&cursor=5`, `${sent[3]}&cursor=5`] : []);
    },
  );

  test('read each filter at the beginning and at the end', async () => {
    const queries = await sentBy(1);
    for (const filter of timeFilters)
      expect(queries.filter((query) => query === `limit=100&timeFilter=${filter}`).length).toBeGreaterThanOrEqual(2);
  });
});
