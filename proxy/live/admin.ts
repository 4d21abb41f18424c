import type { IncomingMessage, ServerResponse } from 'node:http';
import { htmlReporter } from '../../conformance/reporters/html/html.ts';
import { jsonReporter } from '../../conformance/reporters/json.ts';
import type { Report } from '../../conformance/report/report.ts';
import { hostName, isLocalName, isLocalOrigin, isLoopback } from '../../mock/access/local-names.ts';
import { page, policy } from './page.ts';
import type { Traffic } from './traffic.ts';
import { verdictOf, type Cause } from './verdict.ts';

/** Everything below it is the proxy's own, and never asked of the upstream. */
export const ADMIN = '/__agent-contract';

export interface AdminOptions {
  readonly report: () => Report;
  readonly causes: () => readonly Cause[];
  readonly traffic: Traffic;
}

/** Answers what is for the proxy itself. Whether it was. */
export type Admin = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Answer {
  readonly type: string;
  readonly body: string;
}

/** A report takes time: a new one waits so many times longer than the last one took, in milliseconds at least. */
const [PAUSE_MS, SHARE] = [1_000, 10];
const HEARTBEAT_MS = 15_000;
/** Who lets more bytes wait does not read. */
const MOST_WAITING = 4_000_000;

/** The running verdict and the traffic, for this machine only. */
export function createAdmin({ report, causes, traffic }: AdminOptions): Admin {
  const latest = keeping(report, () => traffic.count);
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
    if (below === '' || !isFor(url)) return false;
    const why = refusal(request);
    if (why !== undefined) return refuse(response, 403, why);
    if (method !== 'GET' && method !== 'HEAD')
      return refuse(response, 405, 'Only GET is answered here.', { allow: 'GET' });
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

const isFor = (url: string): boolean => url === ADMIN || url.startsWith(`${ADMIN}/`) || url.startsWith(`${ADMIN}?`);

const COMMON = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The report has its own in its head. */
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

/** What passes is nobody else's business: only pages and programs of this machine see it. */
function refusal({ headers, socket }: IncomingMessage): string | undefined {
  const { host, origin, 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers;
  if (!isLoopback(socket.remoteAddress ?? '')) return 'The proxy shows what passes to its own machine only.';
  const name = host === undefined ? 'localhost' : (hostName(host) ?? '');
  if (!isLocalName(name)) return 'The proxy shows what passes under names of its own machine only, such as localhost.';
  const isForeign = origin === undefined ? site === 'cross-site' && mode !== 'navigate' : !isLocalOrigin(origin);
  return isForeign ? 'Pages of other sites may not see what passes.' : undefined;
}

/** The last report, until something has passed and it is worth while to make another. */
function keeping(report: () => Report, passed: () => number): () => Report {
  let known: { readonly report: Report; readonly until: number; readonly at: number } | undefined;
  return () => {
    const [began, at] = [performance.now(), passed()];
    if (known && (began < known.until || known.at === at)) return known.report;
    const fresh = report();
    const ended = performance.now();
    known = { report: fresh, until: ended + Math.max(PAUSE_MS, (ended - began) * SHARE), at };
    return fresh;
  };
}

/** Server-sent events named `passed`: arrays of what has passed since, those of before first. */
function stream(request: IncomingMessage, response: ServerResponse, traffic: Traffic): void {
  response.writeHead(200, { ...COMMON, 'content-type': 'text/event-stream; charset=utf-8' });
  let last = Number(request.headers['last-event-id']) || 0;
  // A proxy that was started anew counts anew.
  if (last > (traffic.after(0).at(-1)?.n ?? 0)) last = 0;
  const send = (): void => {
    const entries = traffic.after(last);
    last = entries.at(-1)?.n ?? last;
    if (entries.length === 0) return;
    if (response.writableLength > MOST_WAITING) return void response.destroy();
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
