import type { Socket } from 'node:net';
import { randomOf, type Random } from '../../prove/random/random.ts';

const AGENT = JSON.stringify({ agent: { id: 'a', name: 'A', groups: [] }, currentUserMode: 'read' });

const statusLine = (random: Random): string => {
  const version = random.weighted([
    [9, () => 'HTTP/1.1'],
    [1, () => random.of(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2', 'http/1.1', 'ICY', ''])],
  ]);
  const status = random.weighted([
    [6, () => random.of(['200', '200', '201', '204', '304', '400', '401', '404', '500', '503'])],
    [2, () => random.of(['000', '099', '100', '101', '102', '103', '199', '205', '206', '299', '600', '999'])],
    [1, () => random.of(['', '1', '20', '2000', '-1', '2x0', 'OK'])],
  ]);
  const reason = random.weighted([
    [5, () => 'OK'],
    [2, () => random.of(['', '\u001b[31mred', 'a\0b', 'a\u007fb', 'caf\u00e9', 'x'.repeat(20_000), 'a\tb'])],
    [1, () => random.text()],
  ]);
  return `${version} ${status} ${reason}`;
};

const headersFor = (random: Random, body: string): string[] => {
  const length = Buffer.byteLength(body, 'latin1');
  const framing = random.weighted<string[]>([
    [5, () => [`Content-Length: ${length}`]],
    [2, () => [`Content-Length: ${length + 1 + random.below(100)}`]],
    [2, () => [`Content-Length: ${random.below(length + 1)}`]],
    [2, () => ['Transfer-Encoding: chunked']],
    [1, () => []],
    [1, () => [`Content-Length: ${length}`, 'Transfer-Encoding: chunked']],
    [1, () => [`Content-Length: ${random.of(['-1', 'x', '0x10', '99999999999999999999', '1, 2', ''])}`]],
    [1, () => [`Content-Length: ${length}`, `Content-Length: ${length + 1}`]],
  ]);
  const others = random.some(3, () =>
    random.of([
      'Content-Type: application/json',
      'Content-Encoding: gzip',
      'Content-Encoding: identity, br',
      'Connection: close',
      'Connection: content-type',
      'Upgrade: h2c',
      'Trailer: x',
      'X-Control: a\u0001b',
      'X-Null: a\0b',
      'X-Latin: caf\u00e9',
      'X-Folded: a\r\n b',
      'no colon',
      ': no name',
      'bad name: x',
      'sl-violations: [',
      `X-Long: ${'y'.repeat(random.of([1, 9_000, 70_000]))}`,
      'Set-Cookie: a=1; Domain=\u0007',
    ]),
  );
  return random.oneIn(8) ? [...others, ...framing] : [...framing, ...others];
};

const bodyOf = (random: Random): string =>
  random.weighted([
    [4, () => AGENT],
    [1, () => ''],
    [1, () => Buffer.from(random.text()).toString('latin1')],
    [1, () => '['.repeat(5_000)],
    [1, () => 'x'.repeat(300_000)],
    [1, () => '\u001f\u008b\u0008\0\0\0'],
  ]);

const chunked = (random: Random, body: string): string => {
  const end = random.of(['0\r\n\r\n', '0\r\n\r\n', '0\r\nx: y\r\n\r\n', '', 'zz\r\n', '0\r\nbad\r\n\r\n']);
  return `${body.length.toString(16)}\r\n${body}\r\n${end}`;
};

/** An answer in bytes that may break HTTP in any way, and what follows it; the same for the same seed and number. */
export function oddAnswer(seed: number, count: number) {
  const random = randomOf(seed, count);
  const body = bodyOf(random);
  const headers = headersFor(random, body);
  const isChunked = headers.some((header) => header.startsWith('Transfer-Encoding'));
  const interim = random.oneIn(10)
    ? random.of(['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 X\r\nlink: <x>\r\n\r\n'])
    : '';
  const head = `${interim}${statusLine(random)}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
  const second = random.oneIn(12) ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}' : '';
  const text = random.weighted([
    [12, () => head + (isChunked ? chunked(random, body) : body) + second],
    [1, () => head.slice(0, random.below(head.length))],
    [1, () => random.text()],
  ]);
  const bytes = Buffer.from(text, 'latin1');
  const cut = random.below(bytes.length + 1);
  return {
    pieces: random.oneIn(2) ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)],
    afterwards: random.of(['keep', 'end', 'end', 'reset'] as const),
  };
}

export function sendOdd(socket: Socket, { pieces, afterwards }: ReturnType<typeof oddAnswer>): void {
  const [first, second] = pieces;
  const finish = (): void => {
    if (afterwards === 'end') socket.end();
    if (afterwards === 'reset') socket.resetAndDestroy();
  };
  socket.write(first ?? '', () => {
    if (second === undefined || socket.destroyed) return finish();
    setImmediate(() => socket.write(second, finish));
  });
}
