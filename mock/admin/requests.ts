import { toCurl } from '../../text/curl.ts';
import { doubtAfter, type Journal } from '../journal/journal.ts';
import type { RequestPattern } from '../generated/patterns.ts';
import { nearRoutes } from '../service/route.ts';
import type { Session } from '../session/session.ts';
import { json, showing, shows, wholeNumber, type Handlers } from './admin-route.ts';

const matching = ({ journal }: Session, wanted: RequestPattern): object => ({
  requests: journal.entries(wanted),
  meta: metaOf(journal, wanted),
});

/** The number of matches, and a warning if dropped entries could make it wrong. */
function metaOf(journal: Journal, wanted: RequestPattern = {}): object {
  const note = doubtAfter(journal.dropped(wanted.after));
  return { total: journal.count(), dropped: journal.dropped(), note };
}

/** The journal of requests and answers, and requests as shell commands. */
export const requestHandlers = {
  writeCurl({ body }) {
    const request = body as unknown as Pick<Parameters<typeof toCurl>[0], 'url'>;
    return json({ curl: toCurl({ method: 'GET', headers: {}, ...request }) });
  },
  listRequests({ session: { journal }, query }) {
    const after = wholeNumber(query, 'after', 0, 1e9);
    const requests = journal
      .entries({ after })
      .toReversed()
      .slice(0, wholeNumber(query, 'limit', 100, 1000));
    return json({ requests, meta: metaOf(journal, { after }) });
  },
  clearRequests: showing(() => ({ status: 'cleared' }))(({ session }) => session.journal.clear()),
  streamRequests: shows(() => ({ error: 'A stream needs a server; subscribe to the journal instead.' }), 501),
  countRequests({ session: { journal }, body }) {
    const wanted = body as unknown as RequestPattern;
    return json({ count: journal.count(wanted), meta: metaOf(journal, wanted) });
  },
  findRequests: shows(({ session, body }) => matching(session, body as unknown as RequestPattern)),
  listUnmatchedRequests: shows(({ session }) => matching(session, { wasMatched: false })),
  listNearMisses: shows(({ session: { journal } }) => ({
    nearMisses: journal.entries({ wasMatched: false }).map((request) => {
      const [path = ''] = request.url.split('?');
      return { request, endpoints: nearRoutes(request.method, path).slice(0, 3) };
    }),
    meta: metaOf(journal),
  })),
  getRequest({ session, parameters: { requestId: id = '' } }) {
    const entry = /^\d{1,15}$/.test(id) ? session.journal.entry(Number(id)) : undefined;
    if (entry) return json({ ...entry, ...session.journal.reproduction(entry.id) });
    const next = session.journal.next();
    const latest = next === 1 ? 'None has come yet.' : `The latest has the number ${next - 1}.`;
    const error = `There is no request with the number ${JSON.stringify(id.slice(0, 40))}. ${latest}`;
    if (/^\d+$/.test(id)) return json({ error }, 404);
    return json({ error: `Requests are numbered from 1. ${error}` }, 404);
  },
} satisfies Partial<Handlers>;
