import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerReader } from './answer-reader.ts';
import { putLoad, type Measured } from './load.ts';
import { median, medianRatio } from '../statistics.ts';

/** All ways of splitting these bytes in two are read alike. */
function readInPieces(text: string): readonly (readonly [number, number])[][] {
  const bytes = Buffer.from(text);
  return Array.from({ length: bytes.length - 1 }, (_, i) => {
    const heard: [number, number][] = [];
    const read = answerReader((status, length) => heard.push([status, length]));
    read(bytes.subarray(0, i + 1));
    read(bytes.subarray(i + 1));
    return heard;
  });
}

test('an answer ends where content-length says', () => {
  for (const heard of readInPieces('HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello'))
    expect(heard).toEqual([[201, 5]]);
});

test('an answer without a body ends with its head', () => {
  for (const heard of readInPieces('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'))
    expect(heard).toEqual([[404, 0]]);
});

test('an answer in chunks ends with the last one', () => {
  const text = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';
  for (const heard of readInPieces(text)) expect(heard).toEqual([[200, 15]]);
});

test('reports whether an answer is the last of its connection', () => {
  const heard: boolean[] = [];
  const read = answerReader((_status, _length, isLast) => heard.push(isLast));
  for (const connection of ['keep-alive', 'close'])
    read(Buffer.from(`HTTP/1.1 200 OK\r\nConnection: ${connection}\r\nContent-Length: 0\r\n\r\n`));
  expect(heard).toEqual([false, true]);
});

describe('putLoad', () => {
  async function measured(listener: RequestListener): Promise<Measured> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?y=1`;
    try {
      return await putLoad({
        url,
        method: 'POST',
        headers: { a: 'b' },
        body: 'é',
        connections: 2,
        warmUp: 10,
        duration: 100,
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test('sends the given requests, and counts the answers', async () => {
    const asked = new Set<string>();
    let count = 0;
    const { answers, failures, bytes, perSecond } = await measured((request, response) => {
      count++;
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        asked.add(`${request.method} ${request.url} ${String(request.headers['a'])} ${body}`);
        response.end('four');
      });
    });
    expect([...asked]).toEqual(['POST /x?y=1 b é']);
    expect([answers, failures, bytes]).toEqual([count, 0, 4]);
    // On a busy machine none may be answered during the measurement.
    expect(perSecond).toBeGreaterThanOrEqual(0);
  });

  test('answers without success and broken connections count as failures', async () => {
    expect(
      (await measured((request, response) => request.resume().on('end', () => response.writeHead(500).end()))).failures,
    ).toBeGreaterThan(0);
    expect((await measured((request) => request.socket.resetAndDestroy())).failures).toBeGreaterThan(0);
  });
});

test('medians', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, Number.NaN]);
  expect(medianRatio([10, 20, 90], [10, 10, 10])).toBe(2);
});
