import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { decode, isPacked } from './decode.ts';

const text = 'abc'.repeat(1000);

test.each([
  ['', Buffer.from(text)],
  ['identity', Buffer.from(text)],
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
])('unpacks %j', (encoding, bytes) => {
  const decoded = decode(bytes, encoding, 10_000);
  expect(isPacked(decoded) ? decoded : Buffer.from(decoded).toString()).toBe(text);
});

test.each([
  ['gzip', gzipSync(text), 100, 'too-large', 'The answer of x, unpacked, is larger than 100 bytes.'],
  ['gzip', Buffer.from(text), 10_000, 'malformed', 'The answer of x claims to be gzip, but cannot be decoded.'],
  ['own', Buffer.from(text), 10_000, 'malformed', 'x encoded its answer as "own", which the request did not ask for.'],
  ['gzip,gzip,gzip,gzip,gzip', gzipSync(text), 10_000, 'malformed', 'x says that it encoded its answer 5 times.'],
])('says why %j stays packed', (encoding, bytes, most, problem, says) => {
  const decoded = decode(bytes, encoding, most);
  expect(isPacked(decoded) && [decoded.problem, decoded.says('x')]).toEqual([problem, says]);
});
