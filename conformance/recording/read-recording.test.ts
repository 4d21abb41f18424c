import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sourceOf } from '../testing/har-of.ts';
import { RecordingError } from './json-scanner.ts';
import { readRecording, type RecordingPart } from './read-recording.ts';

interface Row {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly sent?: string;
  readonly got: string;
}
const noon = Date.UTC(2026, 4, 20, 12);
const rows: readonly Row[] = [
  { at: noon, method: 'GET', path: '/api/v1/agents/a?x=%C3%A9', got: '{"agent":{"name":"é\\n"}}' },
  { at: noon + 40, method: 'POST', path: '/api/v1/agents', sent: '{"name":"ü"}', got: '{"agent":{}}' },
];
const TOOK = 20;
const host = 'x.test:81';
const sentHeaders = { 'content-type': 'application/json', authorization: 'Bearer abc' };
const gotHeaders = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
const pairs = (of: object): readonly [string, string][] => Object.entries(of) as [string, string][];
const named = (of: object): readonly object[] => pairs(of).map(([name, value]) => ({ name, value }));

const har = ({ at, method, path, sent, got }: Row) => ({
  startedDateTime: new Date(at).toISOString(),
  time: TOOK,
  request: {
    method,
    url: `http://${host}${path}`,
    headers: named(sentHeaders),
    postData: sent === undefined ? undefined : { text: sent },
  },
  response: { status: 200, headers: named(gotHeaders), content: { size: Buffer.byteLength(got), text: got } },
});
/** An entry whose bodies are files beside the recording. */
const attached = (row: Row, refer: (name: string) => object) => {
  const { request, response, ...rest } = har(row);
  const postData = row.sent === undefined ? undefined : refer(`${row.at}.sent`);
  return {
    ...rest,
    request: { ...request, postData },
    response: { ...response, content: { size: response.content.size, ...refer(`${row.at}.got`) } },
  };
};
const beside = (name: string): Promise<Uint8Array | undefined> => {
  const row = rows.find(({ at }) => name.includes(String(at)));
  return Promise.resolve(Buffer.from((name.endsWith('sent') ? row?.sent : row?.got) ?? ''));
};

const envoy = ({ at, method, path, sent, got }: Row): object => {
  const message = (headers: object, body: Buffer, ms: number): object => ({
    headers: pairs(headers).map(([key, value]) => ({ key, value })),
    body: { truncated: false, as_bytes: body.toString('base64') },
    headers_received_time: new Date(ms).toISOString(),
  });
  const head = { ':scheme': 'http', ':authority': host, ':path': path, ':method': method, ...sentHeaders };
  return {
    http_buffered_trace: {
      request: message(head, Buffer.from(sent ?? ''), at),
      response: message({ ':status': '200', ...gotHeaders }, gzipSync(got), at + TOOK),
    },
  };
};
const kong = ({ at, method, path, sent, got }: Row): object => ({
  request: { method, url: `http://${host}${path}`, headers: sentHeaders, body: sent },
  response: { status: 200, headers: gotHeaders, body: got },
  latencies: { request: TOOK },
  started_at: at,
});
const nginx = ({ at, method, path, sent, got }: Row): object => ({
  msec: ((at + TOOK) / 1000).toFixed(3),
  request_time: '0.020',
  request_method: method,
  scheme: 'http',
  http_host: host,
  request_uri: path,
  content_type: 'application/json',
  http_authorization: 'Bearer abc',
  request_body: sent ?? '-',
  status: '200',
  sent_http_content_type: 'application/json',
  response_body: got,
});

/** A value as mitmproxy writes it. */
function netstring(value: unknown): Buffer {
  const [data, type] = dataOf(value);
  return Buffer.concat([Buffer.from(`${data.length}:`), data, Buffer.from(type)]);
}
function dataOf(value: unknown): readonly [Buffer, string] {
  if (value === null) return [Buffer.alloc(0), '~'];
  if (Buffer.isBuffer(value)) return [value, ','];
  if (typeof value === 'string') return [Buffer.from(value), ';'];
  if (typeof value === 'number') return [Buffer.from(String(value)), Number.isInteger(value) ? '#' : '^'];
  if (typeof value === 'boolean') return [Buffer.from(String(value)), '!'];
  if (Array.isArray(value)) return [Buffer.concat(value.map(netstring)), ']'];
  return [Buffer.concat(Object.entries(value as object).flatMap((pair) => pair.map(netstring))), '}'];
}
const mitmproxy = ({ at, method, path, sent, got }: Row): Buffer => {
  const bytes = (of: object): unknown => pairs(of).map((pair) => pair.map((one) => Buffer.from(one)));
  return netstring({
    timestamp_created: at / 1000 + 0.0001,
    intercepted: false,
    error: null,
    request: {
      method: Buffer.from(method),
      scheme: Buffer.from('http'),
      host: '10.0.0.1',
      port: 80,
      authority: Buffer.from(''),
      path: Buffer.from(path),
      headers: bytes({ Host: host, ...sentHeaders }),
      content: Buffer.from(sent ?? ''),
      timestamp_start: at / 1000,
    },
    response: {
      status_code: 200,
      headers: bytes(gotHeaders),
      content: gzipSync(got),
      timestamp_end: (at + TOOK) / 1000,
    },
  });
};

const lines = (all: readonly object[], indent?: number): string =>
  all.map((row) => JSON.stringify(row, null, indent)).join('\n');
const whole = JSON.stringify({ log: { version: '1.2', entries: rows.map(har) } });
const formats: Readonly<Record<string, string | Buffer>> = {
  HAR: whole,
  'HAR, packed': gzipSync(whole),
  'HAR in UTF-16': Buffer.from(`\ufeff${whole}`, 'utf16le'),
  'HAR in UTF-16 without a mark': Buffer.from(whole, 'utf16le'),
  'HAR in UTF-16, big end first': Buffer.from(`\ufeff${whole}`, 'utf16le').swap16(),
  'a list of entries': JSON.stringify(rows.map(har), null, 2),
  'lines of entries': lines(rows.map(har)),
  'HAR with bodies beside it': lines(rows.map((row) => attached(row, (_file) => ({ _file })))),
  'a trace of Playwright': lines([
    { type: 'before' },
    ...rows.map((row) => ({ type: 'resource-snapshot', snapshot: attached(row, (_sha1) => ({ _sha1 })) })),
  ]),
  'taps of Envoy': lines(rows.map(envoy), 1),
  'a log of Kong': lines(rows.map(kong)),
  'a log of nginx': `${lines(rows.map(nginx))}\n`,
  'flows of mitmproxy': Buffer.concat(rows.map(mitmproxy)),
};

async function read(content: string | Uint8Array, size = 100): Promise<readonly [readonly RecordingPart[], boolean]> {
  const bytes = Buffer.from(content as string);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  const reading = readRecording({ ...sourceOf(...pieces), beside });
  const found: RecordingPart[] = [];
  for (;;) {
    const { done, value } = await reading.next();
    if (done === true) return [found, value];
    found.push(value);
  }
}

const shown = (found: readonly RecordingPart[]): readonly object[] =>
  found.flatMap((one) => {
    if (one.kind !== 'exchange') return [];
    const { request, answer, sentAt, answeredAt } = one.entry.exchange;
    const { method, url, headers, body } = request;
    const { authorization, 'content-type': type } = headers;
    const got = Buffer.from(answer?.body ?? []).toString();
    return [{ method, url, authorization, type, body, status: answer?.status, got, sentAt, took: answeredAt - sentAt }];
  });
const expected = rows.map(({ at, method, path, sent, got }) => ({
  method,
  url: `http://${host}${path}`,
  authorization: 'Bearer abc',
  type: 'application/json',
  body: sent,
  status: 200,
  got,
  sentAt: at,
  took: expect.closeTo(TOOK, 1) as number,
}));

test.each(Object.keys(formats))('reads %s', async (format) => {
  const [found, isWhole] = await read(formats[format] ?? '', 7);
  expect(shown(found)).toEqual(expected);
  expect(isWhole).toBe(true);
});

test('a recording that is cut anywhere counts as far as it goes', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(formats)), fc.double({ min: 0, max: 1 }), async (format, share) => {
      const bytes = Buffer.from((formats[format] ?? '') as string);
      const cut = bytes.subarray(0, Math.floor(share * (bytes.length - 1)));
      const found = await read(cut).catch((error: unknown) => error);
      if (found instanceof RecordingError) return expect(found.message).toMatch(/empty|ends too early|no part/);
      const [parts] = found as [readonly RecordingPart[]];
      expect(expected).toEqual(expect.arrayContaining([...shown(parts)]));
    }),
    { numRuns: 300, seed: 1 },
  ));

test('bytes that anybody made up are refused with words, or hold nothing', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(formats)),
      fc.nat(),
      fc.uint8Array({ maxLength: 9 }),
      (of, at, by) => {
        const bytes = Buffer.from(of as string);
        bytes.set(by, at % Math.max(1, bytes.length - by.length));
        return read(bytes).then(
          () => undefined,
          (error: unknown) => expect(error).toBeInstanceOf(RecordingError),
        );
      },
    ),
    { numRuns: 300, seed: 1 },
  ));

test.each<[string, string | Buffer, RegExp]>([
  ['pcap', Buffer.from([0xd4, 0xc3, 0xb2, 0xa1]), /capture of packets .*: record with agent-contract proxy/],
  ['pcapng', '\n\r\r\n', /capture of packets/],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), /zstd.*: unpack it first/],
  ['Charles', '[{"status":"COMPLETE","method":"GET"}]', /Charles: choose File, Export Session/],
  ['Burp', '<?xml version="1.0"?>\n<!DOCTYPE items [', /Burp/],
  ['Chrome', '{"constants":{},"events":[]}', /netlog.*Export HAR/],
  ['Postman', '{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/"}}', /Postman/],
  ['Envoy, streamed', '{"http_streamed_trace_segment":{}}', /streaming: false/],
  ['Envoy, as protobuf', '\n\x8a\x05\n\x99\x02\n\x1d\n\x0a:authority\x12', /JSON_BODY_AS_BYTES/],
  ['Docker', '{"log":"{}","stream":"stdout"}', /docker logs/],
  ['WARC', 'WARC/1.1\r\n', /WARC/],
  ['VCR', '---\nhttp_interactions:\n', /VCR/],
  ['an access log', '1.2.3.4 - - [20/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1', /log JSON with bodies/],
  ['a page', '<!doctype html>', /web page/],
  ['a report', '{"tool":{},"checks":[]}', /^no part of it is an exchange$/],
  ['broken gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff]), /gzip, and broken/],
])('refuses %s by its name, and says what to do', async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test.each<[string, object]>([
  ['a log of Kong', { ...kong(rows[0] as Row), response: { status: 200, headers: {} } }],
  ['a log of nginx', { ...nginx(rows[0] as Row), response_body: '' }],
])('%s without bodies shows that an answer came, and no more', async (_, row) => {
  const [[found]] = await read(JSON.stringify(row));
  expect(found?.kind === 'exchange' && found.entry.exchange.answer?.body).toBeUndefined();
});
