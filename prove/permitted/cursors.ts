import type { Listed } from './lists.ts';
import {
  isSuccess,
  isList,
  bodyOf,
  queryIn,
  refusal,
  withBody,
  withQuery,
  type PermittedServers,
  type Wrap,
} from './server.ts';

/** Uses its own names for cursors; the meaning of a name changes. */
const namingCursors =
  (nameOf: (list: number, page: number) => string, mayRepeat: boolean): Wrap =>
  (transport) => {
    const cursors = new Map<string, { readonly cursor: string; readonly list: number; readonly page: number }>();
    let lists = 0;
    return async (request, signal) => {
      const query = queryIn(request);
      const name = query.get('cursor');
      if (!isList(request) || (name !== null && !cursors.has(name) && !mayRepeat)) {
        if (name === null || !isList(request)) return transport(request, signal);
        return refusal(400);
      }
      const known = cursors.get(name ?? '');
      if (known) query.set('cursor', known.cursor);
      const answer = await transport(withQuery(request, query), signal);
      if (answer.status >= 300) return answer;
      if (known && name !== null) cursors.delete(name);
      const body = bodyOf(answer) as unknown as Listed;
      if (typeof body.nextCursor !== 'string') return answer;
      const at = { list: known?.list ?? ++lists, page: (known?.page ?? 0) + 1 };
      const given = nameOf(at.list, at.page);
      cursors.set(given, { ...at, cursor: body.nextCursor });
      return withBody(answer, { ...body, nextCursor: given });
    };
  };

/** Accepts a cursor alone, and refuses it with other parameters. */
const cursorsAlone: Wrap = (transport) => {
  const asked = new Map<string, URLSearchParams>();
  return async (request, signal) => {
    if (!isList(request)) return transport(request, signal);
    const query = queryIn(request);
    const cursor = query.get('cursor');
    if (cursor !== null && query.size > 1) return refusal(400);
    const [, own = cursor] = /^\d+~(.*)$/.exec(cursor ?? '') ?? [];
    const whole = new URLSearchParams(asked.get(cursor ?? '') ?? query);
    if (cursor !== null) whole.set('cursor', own ?? '');
    const answer = await transport(withQuery(request, whole), signal);
    if (answer.status >= 300) return answer;
    const body = bodyOf(answer) as unknown as Listed;
    if (typeof body.nextCursor !== 'string') return answer;
    const nextCursor = `${asked.size}~${body.nextCursor}`;
    asked.set(nextCursor, whole);
    return withBody(answer, { ...body, nextCursor });
  };
};

/** How a server may issue and accept cursors. */
export const cursors: PermittedServers = {
  'gives cursors that work only once': namingCursors((list, page) => `c${list}.${page}`, false),
  'gives each list one cursor, whose name never changes': namingCursors((list) => `scroll-${list}`, false),
  'accepts a cursor alone, and not with other parameters': cursorsAlone,
  'gives another cursor for the same place each time': (transport) => {
    let given = 0;
    return async (request, signal) => {
      const query = queryIn(request);
      const cursor = query.get('cursor');
      const isOwn = isList(request) && cursor !== null && /^\d+~/.test(cursor);
      if (isOwn) query.set('cursor', cursor.replace(/^\d+~/, ''));
      const answer = await transport(isOwn ? withQuery(request, query) : request, signal);
      if (!isList(request) || !isSuccess(answer)) return answer;
      const { nextCursor, ...rest } = bodyOf(answer);
      return withBody(answer, {
        ...rest,
        nextCursor: typeof nextCursor === 'string' ? `${++given}~${nextCursor}` : nextCursor,
      });
    };
  },
};
