import type { IncomingMessage, ServerResponse } from 'node:http';
import { htmlReporter } from '../../conformance/reporters/html/html.ts';
import { jsonReporter } from '../../conformance/reporters/json.ts';
import type { Report } from '../../conformance/report/report.ts';
import { hostName, isLocalName, isLocalOrigin, isLoopback } from '../../http/local-names.ts';
import { page, policy } from './page.ts';
import type { Traffic } from './traffic.ts';
import { verdictOf, type Cause } from './verdict.ts';

/** The proxy answers all paths below this one itself. */
export const ADMIN = '/__agent-contract';

export interface AdminOptions {
  readonly report: () => Report;
  readonly causes: () => readonly Cause[];
  readonly traffic: Traffic;
}

/** Answers a request for the proxy itself. @returns false for any other request */
export type Admin = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Answer {
  readonly type: string;
  readonly body: string;
}

/** The pause before a new report: at least so many milliseconds, and so many times what the last one took. */
const [PAUSE_MS, PAUSE_FACTOR] = [1_000, 10];
const HEARTBEAT_MS = 15_000;
/** A client with more unread bytes is disconnected. */
const MOST_UNREAD = 4_000_000;

/** The running verdict and the traffic, for this machine only. */
export function createAdmin({ report, causes, traffic }: AdminOptions): Admin {
  const latest = cached(report, () => traffic.count);
  const routes: Readonly<Record<string, () => Answer>> = {
    '/': () => ({ type: 'text/html', body: page }),
    '/verdict': () => json(verdictOf(latest(), causes())),
    '/report': () => ({ type: 'application/json', body: jsonReporter(latest(), { color: false }) }),
    '/report.html': () => ({ type: 'text/html', body: htmlReporter(latest()) }),
    '/traffic': () => json(traffic.after(0)),
  };

  return (request, response) => {
    const { url = '', method = '' } = request;
    const [, below, search = ''] = /^\/__agent-contract(\/[^?]*)?(\?.*)?$/s.exec(url) ?? [undefined, ''];
    if (below === '' || !isOwn(url)) return false;
    const why = refusal(request);
    if (why !== undefined) return refuse(response, 403, why);
    if (method !== 'GET' && method !== 'HEAD')
      return refuse(response, 405, 'Only GET is allowed here.', { allow: 'GET' });
    if (below === undefined) {
      response.writeHead(302, { location: `${ADMIN}/${search}` }).end();
      return true;
    }
    if (below === '/traffic/stream') {
      stream(request, response, traffic);
      return true;
    }
    const route = Object.hasOwn(routes, below) ? routes[below] : undefined;
    if (!route) {
      const known = [...Object.keys(routes), '/traffic/stream'].map((one) => `GET ${ADMIN}${one}`);
      return refuse(response, 404, `There is nothing here. There are ${known.join(', ')}.`);
    }
    const { type, body } = route();
    response.writeHead(200, { ...COMMON, 'content-type': `${type}; charset=utf-8`, ...policyOf(below) });
    response.end(method === 'HEAD' ? undefined : body);
    return true;
  };
}

const isOwn = (url: string): boolean => url === ADMIN || url.startsWith(`${ADMIN}/`) || url.startsWith(`${ADMIN}?`);

const COMMON = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The report has its policy in its HTML. */
const policyOf = (path: string): Readonly<Record<string, string>> => ({
  'content-security-policy': path === '/' ? policy : "frame-ancestors 'none'",
});

const json = (value: unknown): Answer => ({ type: 'application/json', body: `${JSON.stringify(value, null, 2)}\n` });

function refuse(
  response: ServerResponse,
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): true {
  response.writeHead(status, { ...COMMON, ...headers, 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ error }));
  return true;
}

/** Why a request may not see the traffic. Only pages and programs on this machine may. */
function refusal({ headers, socket }: IncomingMessage): string | undefined {
  const { host, origin, 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers;
  if (!isLoopback(socket.remoteAddress ?? '')) return 'The proxy shows its traffic only to its own machine.';
  const name = host === undefined ? 'localhost' : (hostName(host) ?? '');
  if (!isLocalName(name)) return 'The proxy shows its traffic only under a name of its own machine, such as localhost.';
  const isForeign = origin === undefined ? site === 'cross-site' && mode !== 'navigate' : !isLocalOrigin(origin);
  return isForeign ? 'A page of another site may not see the traffic.' : undefined;
}

/** The last report, until there is new traffic and the pause is over. */
function cached(report: () => Report, passed: () => number): () => Report {
  let known: { readonly report: Report; readonly until: number; readonly at: number } | undefined;
  return () => {
    const [began, at] = [performance.now(), passed()];
    if (known && (began < known.until || known.at === at)) return known.report;
    const fresh = report();
    const ended = performance.now();
    known = { report: fresh, until: ended + Math.max(PAUSE_MS, (ended - began) * PAUSE_FACTOR), at };
    return fresh;
  };
}

/** Server-sent events named `passed`: arrays of new entries, the oldest first. */
function stream(request: IncomingMessage, response: ServerResponse, traffic: Traffic): void {
  response.writeHead(200, { ...COMMON, 'content-type': 'text/event-stream; charset=utf-8' });
  let last = Number(request.headers['last-event-id']) || 0;
  // A restarted proxy counts from 1 again.
  if (last > (traffic.after(0).at(-1)?.n ?? 0)) last = 0;
  const send = (): void => {
    const entries = traffic.after(last);
    last = entries.at(-1)?.n ?? last;
    if (entries.length === 0) return;
    if (response.writableLength > MOST_UNREAD) return void response.destroy();
    response.write(`id: ${last}\nevent: passed\ndata: ${JSON.stringify(entries)}\n\n`);
  };
  response.write(': connected\n\n');
  send();
  const end = traffic.subscribe(send);
  const timer = setInterval(() => response.write(': alive\n\n'), HEARTBEAT_MS);
  timer.unref();
  response.on('close', () => {
    clearInterval(timer);
    end();
  });
}
