import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { isPacked, unpack } from './unpack.ts';

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
  const decoded = unpack(bytes, encoding, 10_000);
  expect(isPacked(decoded) ? decoded : Buffer.from(decoded).toString()).toBe(text);
});

test.each([
  ['gzip', gzipSync(text), 100, 'too-large: sent a body that, unpacked, is larger than 100 bytes'],
  ['gzip', Buffer.from(text), 10_000, 'malformed: sent a body that claims to be gzip, but cannot be unpacked'],
  ['own', Buffer.from(text), 10_000, 'malformed: encoded its body as "own", which cannot be unpacked'],
  ['gzip,gzip,gzip,gzip,gzip', gzipSync(text), 10_000, 'malformed: says that it encoded its body 5 times'],
])('says why %j stays packed', (encoding, bytes, most, expected) => {
  const unpacked = unpack(bytes, encoding, most);
  expect(isPacked(unpacked) && `${unpacked.failure}: ${unpacked.words}`).toBe(expected);
});
