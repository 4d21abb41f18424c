import { createFacts } from '../history/facts/facts.ts';
import { createHistory } from '../history/history.ts';
import type { Transport } from '../http/transport.ts';
import type { TargetOptions } from '../target-options.ts';
import { createApi } from '../asking/api/api.ts';
import { createAsking, type Asking } from '../asking/asking.ts';

interface AskingOver {
  readonly target: TargetOptions;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly baseUrl?: string;
  readonly seed?: number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Used by tests only: what asks work with, over a transport, and the facts after them. */
export function askingOver(
  transport: Transport,
  { target, now, baseUrl = 'http://tiny.test', seed = 1, sleep = () => Promise.resolve() }: AskingOver,
): Asking {
  const { facts, see } = createFacts({ target, strictNull: false, now });
  const api = createApi({
    baseUrl,
    token: 'good',
    transport,
    headers: {},
    readOnly: false,
    rps: undefined,
    timeoutMs: 1_000,
    maxTimeMs: undefined,
    signal: undefined,
    sleep,
    history: createHistory([see]),
  });
  return createAsking({ api, facts, target, token: 'good', tag: 'tag', round: 1, seed, sleep });
}
