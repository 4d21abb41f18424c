import { endpointIds } from '../../spec/index.ts';
import { toCurl } from '../../text/curl.ts';
import { doubtAfter, type Journal } from '../journal/journal.ts';
import type { RequestPattern } from '../journal/request-pattern.ts';
import { nearRoutes } from '../service/route.ts';
import type { Session } from '../session/session.ts';
import { json, notFound, object, routesOf, wholeNumber, type AdminAnswer } from './admin-route.ts';
import type { Schema } from './validators.ts';

const textPattern: Schema = {
  anyOf: [
    { type: 'string' },
    object({
      equalTo: { type: 'string' },
      contains: { type: 'string' },
      glob: { type: 'string', description: 'The whole text, in which * stands for any characters, or none.' },
      absent: { type: 'boolean' },
    }),
  ],
};
const textPatterns: Schema = { type: 'object', additionalProperties: textPattern };

const pattern: Schema = {
  ...object({
    endpoint: { enum: endpointIds },
    agentId: { type: 'string' },
    method: { type: 'string', pattern: '^[^a-z]+$', description: 'In capitals, as it is sent.' },
    url: textPattern,
    urlPath: textPattern,
    queryParameters: textPatterns,
    headers: textPatterns,
    body: { description: 'JSON that the body must contain; objects may have more fields.' },
    status: { type: 'integer' },
    wasMatched: { type: 'boolean' },
    after: { type: 'integer', description: 'Only requests after the one with this number.' },
  }),
  description: 'What a request must match; every given part must match.',
};

const noRequest = ({ journal }: Session, id: string): AdminAnswer =>
  notFound(
    (/^\d+$/.test(id) ? '' : 'Requests are numbered from 1. ') +
      `There is no request with the number ${JSON.stringify(id.slice(0, 40))}. ` +
      (journal.next() === 1 ? 'None has come yet.' : `The latest has the number ${journal.next() - 1}.`),
  );

/** The requests that match. */
const matching = ({ journal }: Session, wanted: RequestPattern): AdminAnswer =>
  json({ requests: journal.entries(wanted), meta: metaOf(journal, wanted) });

/** The number of matches, and a warning if dropped entries could make it wrong. */
function metaOf(journal: Journal, wanted: RequestPattern = {}): object {
  const note = doubtAfter(journal.dropped(wanted.after));
  return { total: journal.count(), dropped: journal.dropped(), note };
}

/** The journal of requests and answers, and requests as shell commands. */
export const requestRoutes = routesOf('Requests', {
  writeCurl: {
    on: 'POST /curl',
    summary: 'Show a request as a line for a POSIX-like shell that is safe to paste',
    body: object(
      {
        method: { type: 'string', pattern: '^[A-Z]{1,20}$', description: 'In capitals; GET unless given.' },
        url: { type: 'string', pattern: '^https?://', description: 'A whole URL.' },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        body: { type: 'string' },
      },
      ['url'],
    ),
    run: ({ body }) => {
      const request = body as unknown as Pick<Parameters<typeof toCurl>[0], 'url'>;
      return json({ curl: toCurl({ method: 'GET', headers: {}, ...request }) });
    },
  },
  listRequests: {
    on: 'GET /requests',
    summary: 'List the latest requests, newest first',
    query: { limit: 'How many to show (default: 100).', after: 'Only those after the one with this number.' },
    run: ({ session, query }) => {
      const after = wholeNumber(query, 'after', 0, 1e9);
      const entries = session.journal.entries({ after }).toReversed();
      return json({
        requests: entries.slice(0, wholeNumber(query, 'limit', 100, 1000)),
        meta: metaOf(session.journal, { after }),
      });
    },
  },
  clearRequests: {
    on: 'DELETE /requests',
    summary: 'Forget all requests',
    run: ({ session }) => {
      session.journal.clear();
      return json({ status: 'cleared' });
    },
  },
  streamRequests: {
    on: 'GET /requests/stream',
    summary: 'Stream requests as they arrive, as server-sent events',
    isStream: true,
    run: () => json({ error: 'A stream needs a server; subscribe to the journal instead.' }, 501),
  },
  countRequests: {
    on: 'POST /requests/count',
    summary: 'Count the requests that match a pattern',
    body: pattern,
    run: ({ session: { journal }, body }) => {
      const wanted = body as unknown as RequestPattern;
      return json({ count: journal.count(wanted), meta: metaOf(journal, wanted) });
    },
  },
  findRequests: {
    on: 'POST /requests/find',
    summary: 'Find the requests that match a pattern',
    body: pattern,
    run: ({ session, body }) => matching(session, body as unknown as RequestPattern),
  },
  listUnmatchedRequests: {
    on: 'GET /requests/unmatched',
    summary: 'List the requests that belong to no endpoint',
    run: ({ session }) => matching(session, { wasMatched: false }),
  },
  listNearMisses: {
    on: 'GET /requests/unmatched/near-misses',
    summary: 'List the requests that belong to no endpoint, each with the most similar endpoints',
    run: ({ session }) =>
      json({
        nearMisses: session.journal.entries({ wasMatched: false }).map((request) => {
          const [path = ''] = request.url.split('?');
          return { request, endpoints: nearRoutes(request.method, path).slice(0, 3) };
        }),
        meta: metaOf(session.journal),
      }),
  },
  getRequest: {
    on: 'GET /requests/{requestId}',
    summary: 'Show one request, also as a curl line and as a test',
    run: ({ session, parameters }) => {
      const id = parameters['requestId'] ?? '';
      const entry = /^\d{1,15}$/.test(id) ? session.journal.entry(Number(id)) : undefined;
      if (!entry) return noRequest(session, id);
      return json({ ...entry, ...session.journal.reproduction(entry.id) });
    },
  },
});
