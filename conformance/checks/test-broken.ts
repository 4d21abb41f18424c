import { tinyService, type TinyOptions } from '../http/tiny-service.ts';
import { runConformance } from '../run.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);

/**
 * For tests: what the checks of some endpoints say of a service that answers in another way. Each line has a check that
 * failed, the place, what was met, and the queries or paths that were asked. Which limits are asked for is drawn, and
 * with them which results come first, so that numbers and what is quoted stand as `N` and `"…"`.
 */
export async function failuresOf(only: readonly string[], before: TinyOptions['before']): Promise<readonly string[]> {
  const { transport } = tinyService({ now, ...(before && { before }) });
  const { checks } = await runConformance({
    baseUrl: 'http://tiny.test/',
    token: 'good',
    readToken: 'reader',
    workspaceId: 'w',
    agentId: 'main',
    publishedAgentId: 'main',
    transport,
    now,
    seed: 7,
    canary: 'canary-of-this-test-0001',
    sleep: () => Promise.resolve(),
    only,
    probes: false,
  });
  return checks.flatMap(({ id, failure, status, reason = '' }) => {
    if (status === 'error') return [`${id} broke: ${reason}`];
    if (!failure) return [];
    const asked = failure.exchanges.map(({ method, url }) => {
      const { search, pathname } = new URL(url);
      return pathname.endsWith('/results')
        ? search.slice(1) || 'nothing'
        : `${method} ${pathname.slice('/api/v1/'.length)}`;
    });
    const words = [failure.at ?? 'nowhere', failure.actual, ...asked].join('; ');
    return [`${id}: ${words.replace(/"[^"]*"/g, '"…"').replace(/(?<!\d|last)\d+/g, 'N')}`];
  });
}
