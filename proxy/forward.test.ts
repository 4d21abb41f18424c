import type { IncomingMessage } from 'node:http';
import { createForwarder } from './forward.ts';

test.each([
  ['/a?b=c', 'http://service.test/base/a?b=c'],
  [undefined, 'http://service.test/base/'],
  ['http://service.test/a?b=c', 'http://service.test/base/a?b=c'],
  ['http://localhost:4020/a?b=c', 'http://service.test/base/a?b=c'],
  ['http://elsewhere.test/a?b=c', undefined],
  ['*', undefined],
  ['ftp://elsewhere.test/a', undefined],
])('the target %j goes to %j', (url, expected) => {
  const forwarder = createForwarder({ upstream: new URL('http://service.test/base/'), timeoutMs: 1 });
  expect(forwarder.urlOf((url === undefined ? {} : { url }) as IncomingMessage)).toBe(expected);
  forwarder.close();
});
