import { createFacts } from '../history/facts/facts.ts';
import type { Transport } from '../../http/exchange.ts';
import type { TargetOptions } from '../target-options.ts';
import { createTargetApi } from '../probes/api/api.ts';
import { createRun, type Run } from '../probes/probe.ts';

/** Used by tests only: what probes work with, over a transport, and the facts after them. */
export function runOver(
  transport: Transport,
  given: { target: TargetOptions; now: number; baseUrl?: string; seed?: number; sleep?: (ms: number) => Promise<void> },
): Run {
  const { target, now, baseUrl = 'http://tiny.test', seed = 1, sleep = () => Promise.resolve() } = given;
  const { facts, see } = createFacts({ target, strict: false, now });
  const api = createTargetApi({ baseUrl, token: 'good', transport, timeoutMs: 1_000, sleep, onExchange: see });
  return createRun({ api, facts, target, token: 'good', tag: 'tag', round: 1, seed, sleep });
}
