import type { Transport } from '../conformance/index.ts';

type Request = Parameters<Transport>[0];
type Response = Awaited<ReturnType<Transport>>;

/** A server whose lists a reasonable reader calls compliant, made from another by what lies between. */
export interface PermittedLists {
  /** Follows "a server that". */
  readonly does: string;
  readonly wrap: (transport: Transport) => Transport;
  /** Whether a check may say that it cannot judge it. None may fail. */
  readonly notJudged?: (checkId: string) => boolean;
}

interface Result {
  readonly id: string;
  readonly createdAt: string;
}
interface Listed {
  readonly results: readonly Result[];
  readonly nextCursor: string | null;
}

const refusal = (status: number): Response => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode('{"message":"no"}'),
});
const isList = ({ url, method }: Request): boolean => method === 'GET' && new URL(url).pathname.endsWith('/results');
const queryOf = ({ url }: Request): URLSearchParams => new URL(url).searchParams;
const withQuery = (request: Request, query: URLSearchParams): Request => {
  const url = new URL(request.url);
  url.search = query.toString();
  return { ...request, url: url.href };
};
const bodyOf = (answer: Response): unknown => JSON.parse(new TextDecoder().decode(answer.body));
const withBody = (answer: Response, body: unknown): Response => ({
  ...answer,
  body: new TextEncoder().encode(JSON.stringify(body)),
});

/** Changes accepted lists. */
const listing =
  (make: () => (list: Listed, request: Request) => Listed): PermittedLists['wrap'] =>
  (transport) => {
    const change = make();
    return async (request, signal) => {
      const answer = await transport(request, signal);
      if (!isList(request) || answer.status >= 300) return answer;
      return withBody(answer, change(bodyOf(answer) as Listed, request));
    };
  };

/** Writes every time of creation in another way. */
const writing =
  (write: (ms: number) => string | number): PermittedLists['wrap'] =>
  (transport) =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    if (answer.status >= 300) return answer;
    const text = new TextDecoder().decode(answer.body);
    return withBody(
      answer,
      JSON.parse(text, (name, value: unknown) =>
        name === 'createdAt' && typeof value === 'string' ? String(write(Date.parse(value))) : value,
      ),
    );
  };

const checksum = (text: string): number => text.split('').reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7) >>> 0;

/** Cursors under names of their own; what a name stands for changes. */
const namingCursors =
  (nameOf: (list: number, page: number) => string, mayRepeat: boolean): PermittedLists['wrap'] =>
  (transport) => {
    const cursors = new Map<string, { readonly cursor: string; readonly list: number; readonly page: number }>();
    let lists = 0;
    return async (request, signal) => {
      const query = queryOf(request);
      const name = query.get('cursor');
      if (!isList(request) || (name !== null && !cursors.has(name) && !mayRepeat))
        return name === null || !isList(request) ? transport(request, signal) : refusal(400);
      const known = cursors.get(name ?? '');
      if (known && name !== null) {
        cursors.delete(name);
        query.set('cursor', known.cursor);
      }
      const answer = await transport(withQuery(request, query), signal);
      if (answer.status >= 300) return answer;
      const body = bodyOf(answer) as Listed;
      if (typeof body.nextCursor !== 'string') return answer;
      const at = { list: known?.list ?? ++lists, page: (known?.page ?? 0) + 1 };
      const given = nameOf(at.list, at.page);
      cursors.set(given, { ...at, cursor: body.nextCursor });
      return withBody(answer, { ...body, nextCursor: given });
    };
  };

/** Takes a cursor alone, and refuses it beside other parameters. */
const cursorsAlone: PermittedLists['wrap'] = (transport) => {
  const asked = new Map<string, URLSearchParams>();
  return async (request, signal) => {
    if (!isList(request)) return transport(request, signal);
    const query = queryOf(request);
    const cursor = query.get('cursor');
    if (cursor !== null && query.size > 1) return refusal(400);
    const [, own = cursor] = /^\d+~(.*)$/.exec(cursor ?? '') ?? [];
    const whole = new URLSearchParams(asked.get(cursor ?? '') ?? query);
    if (cursor !== null) whole.set('cursor', own ?? '');
    const answer = await transport(withQuery(request, whole), signal);
    if (answer.status >= 300) return answer;
    const body = bodyOf(answer) as Listed;
    if (typeof body.nextCursor !== 'string') return answer;
    const nextCursor = `${asked.size}~${body.nextCursor}`;
    asked.set(nextCursor, whole);
    return withBody(answer, { ...body, nextCursor });
  };
};

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 4, 20, 15, 30);
const isToday = ({ createdAt }: Result): boolean => Date.parse(createdAt) >= Date.UTC(2026, 4, 20);

/** Times are not read, or not trusted: order and windows cannot be judged. */
const isAboutTime = (id: string): boolean => /newest-first|time-filter|cursor-keeps-filter|windows/.test(id);

/** What a compliant server may do with lists that has blamed one, or may. Nothing fails on any of them. */
export const permittedLists: readonly PermittedLists[] = [
  {
    does: 'loses a result for good now and then, because somebody deletes it',
    wrap: listing(() => {
      const deleted = new Set<string>();
      let answers = 0;
      return (list) => {
        if (++answers % 4 === 0) deleted.add(list.results[answers % 7]?.id ?? '');
        return { ...list, results: list.results.filter(({ id }) => !deleted.has(id)) };
      };
    }),
  },
  {
    does: 'lags behind by half an hour on every second request',
    wrap: listing(() => {
      let answers = 0;
      return (list) => ({
        ...list,
        results:
          ++answers % 2 === 0
            ? list.results.filter(({ createdAt }) => Date.parse(createdAt) < NOW - 30 * MINUTE)
            : list.results,
      });
    }),
  },
  {
    does: 'counts the last days without today',
    wrap: listing(
      () => (list, request) =>
        /^last\d+Days$/.test(queryOf(request).get('timeFilter') ?? 'last7Days')
          ? { ...list, results: list.results.filter((one) => !isToday(one)) }
          : list,
    ),
  },
  {
    does: 'shows results of one day in another order each time',
    wrap: listing(() => (list, request) => {
      const day = ({ createdAt }: Result): string => `${createdAt.slice(0, 10)}T00:00:00.000Z`;
      const salt = request.url;
      const results = list.results.toSorted(
        (one, other) => day(other).localeCompare(day(one)) || checksum(salt + one.id) - checksum(salt + other.id),
      );
      return { ...list, results: results.map((one) => ({ ...one, createdAt: day(one) })) };
    }),
  },
  { does: 'gives cursors that can be used once', wrap: namingCursors((list, page) => `c${list}.${page}`, false) },
  { does: 'gives a list one cursor, which keeps its name', wrap: namingCursors((list) => `scroll-${list}`, false) },
  { does: 'takes a cursor alone, and not beside other parameters', wrap: cursorsAlone },
  {
    does: 'writes times as ticks of a hundred nanoseconds',
    wrap: writing((ms) => String(BigInt(ms) * 10_000n + 621_355_968_000_000_000n)),
    notJudged: isAboutTime,
  },
  { does: 'writes times as snowflakes', wrap: writing((ms) => String(BigInt(ms) << 22n)), notJudged: isAboutTime },
  {
    does: 'writes times of another calendar',
    wrap: writing((ms) => new Date(ms).toISOString().replace(/^\d+/, (year) => String(Number(year) + 543))),
    notJudged: isAboutTime,
  },
  {
    does: 'writes local times without a zone',
    wrap: writing((ms) => new Date(ms).toLocaleString('sv-SE', { timeZone: 'America/New_York' })),
    notJudged: isAboutTime,
  },
  {
    does: 'finds a new agent at the third request',
    wrap: (transport) => {
      const asked = new Map<string, number>();
      const made = new Set<string>();
      return async (request, signal) => {
        const { pathname } = new URL(request.url);
        const times = (asked.get(pathname) ?? 0) + 1;
        asked.set(pathname, times);
        if (isList(request) && times < 3 && [...made].some((id) => pathname.includes(id))) return refusal(404);
        const answer = await transport(request, signal);
        const { agent } = answer.status < 300 ? (bodyOf(answer) as { agent?: { id: string } }) : {};
        if (request.method === 'POST' && agent) made.add(encodeURIComponent(agent.id));
        return answer;
      };
    },
  },
  {
    does: 'answers one list at a time, and 409 to the others',
    wrap: (transport) => {
      let busy = false;
      return async (request, signal) => {
        if (!isList(request)) return transport(request, signal);
        if (busy) return refusal(409);
        busy = true;
        return transport(request, signal).finally(() => (busy = false));
      };
    },
    notJudged: () => true,
  },
];
