import { tinyService, type TinyOptions } from './tiny-service.ts';
import type { Report } from '../report/report.ts';
import { runConformance } from '../run.ts';
import type { RunOptions } from '../run-options.ts';

/** The time in runs against the tiny service. */
export const now = Date.UTC(2026, 4, 20, 15, 30);

/** The ids and tokens of the tiny service. */
export const target = {
  baseUrl: 'http://tiny.test/',
  token: 'good',
  readToken: 'reader',
  workspaceId: 'w',
  agentId: 'main',
  publishedAgentId: 'main',
};

/** Used by tests only: a run against the tiny service, and the requests that it sent. */
export async function judgeTiny(
  options: Partial<RunOptions> = {},
  tiny: Partial<TinyOptions> = {},
): Promise<Report & { readonly sent: ReturnType<typeof tinyService> }> {
  const sent = tinyService({ now, ...tiny });
  const report = await runConformance({
    ...target,
    transport: sent.transport,
    now,
    seed: 7,
    canary: 'canary-of-this-test-0001',
    sleep: () => Promise.resolve(),
    ...options,
  });
  return { ...report, sent };
}
