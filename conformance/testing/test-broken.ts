import type { TinyOptions } from './tiny-service.ts';
import { judgeTiny } from './test-run.ts';

/**
 * Used by tests only: what the checks of some endpoints say about a service with a changed answer. Each line has a failing check,
 * the place, what was found there, and the queries or paths of the requests. The seed draws limits, and so decides which results
 * come first. Therefore numbers are shown as `N`, and quoted texts as `"…"`.
 */
export async function failuresOf(only: readonly string[], before: TinyOptions['before']): Promise<readonly string[]> {
  const { checks } = await judgeTiny({ only, observe: false }, before && { before });
  return checks.flatMap(({ id, failure, status, reason = '' }) => {
    if (status === 'error') return [`${id} broke: ${reason}`];
    if (!failure) return [];
    const asked = failure.exchanges.map(({ method, url }) => {
      const { search, pathname } = new URL(url);
      const pairs = decodeURIComponent(search.slice(1)).split('&').toSorted();
      if (pathname.endsWith('/results')) return pairs.join('&') || 'nothing';
      return `${method} ${pathname.slice('/api/v1/'.length)}`;
    });
    const words = [failure.at ?? 'nowhere', failure.actual, ...asked].join('; ');
    return [
      `${id}: ${words.replace(/"[^"]*"(?: and so on, \d+ characters)?/g, '"…"').replace(/(?<!\d|last)\d+/g, 'N')}`,
    ];
  });
}
