import { MockError } from '../mock-error.ts';
import { serviceUrls } from './service-urls.ts';

const AGENT = '/api/v1/agents/a?x=1';

test.each<[string | undefined, string, string | undefined]>([
  [undefined, `http://localhost:3000${AGENT}`, AGENT],
  [undefined, 'https://any.example/__admin', '/__admin'],
  [undefined, 'https://any.example/_s/one/api/v1/agents', '/_s/one/api/v1/agents'],
  [undefined, 'https://any.example/api/v10/agents', undefined],
  [undefined, `https://any.example/some/where${AGENT}`, AGENT],
  [undefined, `https://any.example/some/_s/one${AGENT}`, `/_s/one${AGENT}`],
  [undefined, 'https://any.example/mock/__admin/clock', '/__admin/clock'],
  [undefined, 'https://any.example/mock/__admin/ui/app.js', undefined],
  [undefined, 'https://any.example/src/api/v1/agents/index.tsx?t=1', undefined],
  [undefined, 'https://any.example/other/api/v1/users', undefined],
  ['https://service.example', `https://service.example${AGENT}`, AGENT],
  ['https://service.example', 'https://service.example?x', '/?x'],
  ['https://service.example', 'https://service.example.org/api/v1/agents', undefined],
  ['https://service.example', 'https://serviceXexample/api/v1/agents', undefined],
  ['HTTPS://Service.example:443/', 'https://service.example/other', '/other'],
  ['https://service.example/a.b//', `https://service.example/a.b${AGENT}`, AGENT],
  ['https://service.example/a', 'https://service.example/ab/api/v1/agents', undefined],
  ['https://service.example/a', `https://service.example${AGENT}`, undefined],
  ['/service', `http://localhost:3000/service${AGENT}`, AGENT],
  ['/service', `http://localhost:3000/my/service${AGENT}`, undefined],
])('below %s, %s is %s', (baseUrl, url, target) => {
  const { pattern, targetOf } = serviceUrls({ baseUrl });
  expect(pattern.test(url)).toBe(target !== undefined);
  if (target === undefined) return;
  expect(targetOf(url)).toBe(target);
  // Some tools match patterns against URLs without their query.
  expect(pattern.test(url.split('?')[0] ?? '')).toBe(true);
});

test.each(['', 'service', 'ahttp://service.example', '//service.example', 'ftp://service.example', 'https://'])(
  '%j is refused',
  (baseUrl) => {
    expect(() => serviceUrls({ baseUrl })).toThrow(MockError);
    const message = `baseUrl is ${JSON.stringify(baseUrl)}; it must be the URL before the paths`;
    expect(() => serviceUrls({ baseUrl })).toThrow(message);
  },
);
