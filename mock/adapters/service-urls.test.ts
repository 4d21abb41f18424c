import { serviceUrls } from './service-urls.ts';
import rows from '../testing/service-urls.json';

test.each(rows.targets as [string | null, string, string?][])('below %s, %s is %s', (baseUrl, url, ...[target]) => {
  const { pattern, targetOf } = serviceUrls({ baseUrl: baseUrl ?? undefined });
  expect(pattern.test(url)).toBe(target !== undefined);
  if (target === undefined) return;
  expect(targetOf(url)).toBe(target);
  // Some tools match patterns against URLs without their query.
  expect(pattern.test(url.split('?')[0] ?? '')).toBe(true);
});

const wrong = ['', 'service', 'ahttp://service.example', '//service.example', 'ftp://service.example', 'https://'];
test.each(wrong)('%j is refused', (baseUrl) => {
  const message = `baseUrl is ${JSON.stringify(baseUrl)}; it must be the URL before the paths`;
  expect(() => serviceUrls({ baseUrl })).toThrow(message);
});
