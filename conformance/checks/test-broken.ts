import type { TinyOptions } from '../http/tiny-service.ts';
import { judgeTiny } from '../test-run.ts';

/**
 * For tests: what the checks of some endpoints say of a service that answers in another way. Each line has a check that
 * failed, the place, what was met, and the queries or paths that were asked. Which limits are asked for is drawn, and
 * with them which results come first, so that numbers and what is quoted stand as `N` and `"…"`.
 */
export async function failuresOf(only: readonly string[], before: TinyOptions['before']): Promise<readonly string[]> {
  const { checks } = await judgeTiny({ only, probes: false }, before && { before });
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
