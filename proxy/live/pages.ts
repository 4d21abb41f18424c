import type { IncomingMessage, ServerResponse } from 'node:http';
import { reporters } from '../../conformance/reporters/index.ts';
import type { Report } from '../../conformance/report/report.ts';
import { createEventStream, eventStreamHeaders, readerOf } from '../../http/event-stream.ts';
import type { Visit } from '../../http/exchange.ts';
import { createHostGate, createPageGate } from '../../http/gate.ts';
import { isLoopback } from '../../http/local-names.ts';
import type { Cause } from '../findings-log.ts';
import type { Traffic } from './traffic.ts';

/** The proxy answers all paths below this one itself. */
export const LIVE = '/__agent-contract';

export interface LiveOptions {
  readonly report: () => Report;
  readonly causes: () => readonly Cause[];
  readonly traffic: Traffic;
}

/** Answers a request for the proxy itself. @returns false for any other request */
export type LivePages = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The pause before a new report: at least so many milliseconds, and so many times what the last one took. */
const [PAUSE_MS, PAUSE_FACTOR] = [1_000, 10];
/** Seconds after which the page is loaded again. */
const REFRESH = '5';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
/** The report has the rest of its policy in its HTML. */
const COMMON = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

type Route = () => { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** The verdict so far and the traffic, for this machine only. */
export function createLivePages({ report, causes, traffic }: LiveOptions): LivePages {
  const latest = cached(report, () => traffic.count);
  const html = (): string => reporters.html.reporter(latest(), { color: false });
  const json = (value: unknown): ReturnType<Route> => ({
    headers: JSON_TYPE,
    body: `${JSON.stringify(value, null, 2)}\n`,
  });
  const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
    ['/', () => ({ headers: { ...HTML, refresh: REFRESH }, body: html() })],
    ['/report.html', () => ({ headers: HTML, body: html() })],
    ['/report', () => ({ headers: JSON_TYPE, body: reporters.json.reporter(latest(), { color: false }) })],
    ['/verdict', () => json(verdictOf(latest(), causes()))],
    ['/traffic', () => json(traffic.after(0))],
  ]);

  return (request, response) => {
    const { url = '', method = '' } = request;
    const [whole, path] = /^\/__agent-contract(\/[^?]*)?(?:\?.*)?$/s.exec(url) ?? [];
    if (whole === undefined) return false;
    const refused = refusal(request);
    const route = routes.get(path ?? '');
    if (refused) answer(response, refused.status, refused.headers, refused.body);
    else if (method !== 'GET' && method !== 'HEAD')
      refuse(response, 405, 'Only GET is allowed here.', { allow: 'GET' });
    else if (path === undefined) answer(response, 302, { location: url.replace(LIVE, `${LIVE}/`) });
    else if (path === '/traffic/stream') stream(request, response, traffic);
    else if (!route) refuse(response, 404, `There is nothing here. There are ${namesOf(routes)}.`);
    else {
      const { headers, body } = route();
      answer(response, 200, headers, method === 'HEAD' ? undefined : body);
    }
    return true;
  };
}

function namesOf(routes: ReadonlyMap<string, Route>): string {
  return [...routes.keys(), '/traffic/stream'].map((path) => `GET ${LIVE}${path}`).join(', ');
}

function answer(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body?: string,
): void {
  response.writeHead(status, { ...COMMON, ...headers }).end(body);
}

function refuse(response: ServerResponse, status: number, error: string, headers: object = {}): void {
  answer(response, status, { ...JSON_TYPE, ...headers }, JSON.stringify({ error }));
}

const guarded = { who: 'The live page of this proxy' };
const hostGate = createHostGate(guarded, [], () => true);
const pageGate = createPageGate(guarded, /^\/__agent-contract(?:\/(?:report\.html)?)?(?:\?|$)/);

/** Only pages and programs on this machine may see the traffic. */
function refusal({ method = '', url = '', headers, socket }: IncomingMessage): ReturnType<typeof hostGate> {
  if (!isLoopback(socket.remoteAddress ?? '')) {
    const error = 'The proxy shows its traffic only to its own machine.';
    return { status: 403, headers: JSON_TYPE, body: JSON.stringify({ error }) };
  }
  const visit: Visit = { method, target: url, headers: headers as Visit['headers'] };
  return hostGate(visit) ?? pageGate(visit);
}

/** What programs read of the verdict so far: each check with its failure or with what it needs, and each finding once. */
function verdictOf({ target, outcome, summary, counts, checks, traffic }: Report, findings: readonly Cause[]): object {
  return {
    upstream: target.baseUrl,
    outcome,
    summary,
    counts,
    judged: traffic?.judged ?? 0,
    leftOut: traffic?.leftOut ?? [],
    checks: checks.map(({ id, title, requirements, status, judged, failure, reason, supply }) => ({
      id,
      title,
      section: requirements[0]?.section ?? '',
      status,
      judged,
      expected: failure?.expected,
      actual: failure?.actual,
      at: failure?.at,
      reason: status === 'not-judged' ? reason : undefined,
      supply,
    })),
    findings,
  };
}

/** The last report, until there is new traffic and the pause is over. */
function cached(report: () => Report, passed: () => number): () => Report {
  let last: { readonly report: Report; readonly until: number; readonly at: number } | undefined;
  return () => {
    const [began, at] = [performance.now(), passed()];
    if (last && (began < last.until || last.at === at)) return last.report;
    const fresh = report();
    const ended = performance.now();
    last = { report: fresh, until: ended + Math.max(PAUSE_MS, (ended - began) * PAUSE_FACTOR), at };
    return fresh;
  };
}

/** Server-sent events named `passed`: arrays of new entries, the oldest first. */
function stream(request: IncomingMessage, response: ServerResponse, traffic: Traffic): void {
  response.writeHead(200, { ...COMMON, ...eventStreamHeaders });
  const events = createEventStream(readerOf(response));
  let last = Number(request.headers['last-event-id']) || 0;
  // A restarted proxy counts from 1 again.
  if (last > (traffic.after(0).at(-1)?.n ?? 0)) last = 0;
  const send = (): void => {
    const entries = traffic.after(last);
    last = entries.at(-1)?.n ?? last;
    if (entries.length > 0) events.send('passed', last, entries);
  };
  send();
  const end = traffic.subscribe(send);
  response.on('close', () => {
    events.stop();
    end();
  });
}
