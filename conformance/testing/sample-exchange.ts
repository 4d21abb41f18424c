import type { Answered, Caller } from '../http/exchange.ts';

/** The parts of an exchange that a test sets. */
export interface SampleExchange {
  readonly n: number;
  readonly begun?: number;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly json?: unknown;
  readonly status?: number;
  readonly agentId?: string;
  readonly endpoint?: Answered['endpoint'];
  readonly caller?: Caller;
  readonly open?: boolean;
  readonly date?: string;
  readonly at?: number;
}

/** For tests: an answered exchange, by default an accepted list. */
export function sampleExchange({
  n,
  query = {},
  json,
  status = 200,
  endpoint = 'list-results',
  ...rest
}: SampleExchange): Answered {
  const headers: Record<string, string> = rest.date === undefined ? {} : { date: rest.date };
  const method = endpoint.startsWith('create') || endpoint.startsWith('import') ? 'POST' : 'GET';
  const at = rest.at ?? Date.UTC(2026, 4, 20, 12);
  return {
    n,
    begun: rest.begun ?? n - 1,
    sentAt: at,
    answeredAt: at,
    caller: rest.caller ?? 'valid',
    method,
    endpoint,
    agentId: endpoint.startsWith('create') ? undefined : (rest.agentId ?? 'a'),
    query: Object.entries(query).map(([name, value]) => [name, String(value)] as const),
    sent: undefined,
    open: rest.open === true,
    answer: { status, headers, accepted: status < 300, json, problem: undefined, text: '' },
    kept: { request: { method, url: `http://x/${n}`, headers: {} }, status, durationMs: 1 },
  };
}
