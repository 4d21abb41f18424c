import { execFileSync } from 'node:child_process';
import { bytesOf, toCurl, type CurlOptions, type CurlRequest } from './curl.ts';
import { UNSEEN } from './visible.ts';

const TOKEN = 's3cret-token';
const get: CurlRequest = { method: 'GET', url: 'http://127.0.0.1:4010/api/v1/agents/a', headers: {} };

/** What curl gets: a shell runs the line with a curl that only records its arguments and its input. */
function run(request: CurlRequest, options: CurlOptions = { token: TOKEN }, env: Record<string, string> = { TOKEN }) {
  const output = execFileSync('bash', ['--norc'], {
    input: `curl() { printf '%s\\0' "$@"; case "$*" in *@-) cat;; esac; }\n${toCurl(request, options)}`,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const words = output.split('\0');
  const input = words.pop() ?? '';
  const after = (flag: string): string[] => words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  return { words, input, headers: after('-H'), body: after('--data-raw')[0] };
}

const AWKWARD = `it's "quoted" $HOME \`id\` $(id) \\ \\n ! * ~ {a,b} [x] # ; & | < > % é 日本 😀`;
const INVISIBLE = 'esc \u001b[31m nl\ncr\r tab\t bidi \u202e zero\u200b \u0085 end';

test('is one readable line, with the token as a variable', () => {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const request = { ...get, method: 'POST', headers, body: '{"name":"it\'s"}' };
  expect(toCurl(request, { token: TOKEN })).toBe(
    'curl -sS -i http://127.0.0.1:4010/api/v1/agents/a -H "authorization: Bearer $TOKEN"' +
      ` -H 'content-type: application/json' --data-raw '{"name":"it'\\''s"}'`,
  );
});

test.each([AWKWARD, INVISIBLE, '', "'", "''", '\\', '-x', '@file', '\u007f', '$TOKEN', '{"a":"\\u0000"}'])(
  'a shell passes %j on unchanged',
  (text) => {
    const given = { 'content-type': text === '' ? 'x' : text, 'x-own': `before ${text}` };
    const url = `http://host/${text.replaceAll(' ', '%20')}?q=${text}`;
    const request = { method: 'POST', url, headers: given, body: text };
    const { words, headers, body } = run(request);
    expect(words).toContain(request.url);
    expect(headers).toEqual([`content-type: ${request.headers['content-type']}`, `x-own: before ${text}`]);
    expect(body).toBe(text);
    // The line is one line, of what can be seen.
    expect(toCurl(request, { token: TOKEN }).match(UNSEEN)).toBeNull();
  },
);

test('the token is not in the line, and still reaches curl wherever it occurs', () => {
  const given = { authorization: `Bearer ${TOKEN}`, 'x-more': `!${TOKEN}'${TOKEN}` };
  const url = `http://host/${TOKEN}?t=${TOKEN}x`;
  const request = { method: 'POST', url, headers: given, body: `{"token":"${TOKEN}"}` };
  expect(toCurl(request, { token: TOKEN })).not.toContain(TOKEN);
  const { words, headers, body } = run(request);
  expect(words).toContain(request.url);
  expect(headers).toEqual([`authorization: Bearer ${TOKEN}`, `x-more: !${TOKEN}'${TOKEN}`, 'content-type:']);
  expect(body).toBe(request.body);
});

const line = 'curl -sS -i http://127.0.0.1:4010/api/v1/agents/a';
const secrets = [
  { value: 'read-one', placeholder: '$READ_TOKEN' },
  { value: 'key-value', placeholder: '$X_API_KEY' },
];

test.each<readonly [what: string, headers: Record<string, string>, options: CurlOptions, sent: string]>([
  [
    'other secrets have their own variables',
    { authorization: 'Bearer read-one', 'x-api-key': 'key-value' },
    { token: 'read', secrets },
    '"authorization: Bearer $READ_TOKEN" -H "x-api-key: $X_API_KEY"',
  ],
  [
    'a short token is replaced only as the whole of a Bearer token',
    { authorization: 'Bearer a' },
    { token: 'a' },
    '"authorization: Bearer $TOKEN"',
  ],
  [
    'a wrong or empty token is shown unchanged',
    { authorization: 'Bearer ', 'x-own': '' },
    { token: TOKEN },
    "'authorization: Bearer ' -H 'x-own;'",
  ],
])('%s', (_, headers, options, sent) => {
  expect(toCurl({ ...get, headers }, options)).toBe(`${line} -H ${sent}`);
});

test('a long body goes through a pipe, complete', () => {
  const body = JSON.stringify({ text: AWKWARD.repeat(4000) });
  const request = { ...get, method: 'POST', headers: { 'content-type': 'application/json' }, body };
  expect(toCurl(request, {})).not.toContain('\n');
  const { words, input } = run(request);
  expect(words.slice(-2)).toEqual(['--data-binary', '@-']);
  expect(input).toBe(body);
});

test('a body with NUL also goes through a pipe', () => {
  const { words, input } = run({ ...get, method: 'POST', body: 'a\0b\\0 \\ %s\n' });
  // The shell function ends each word with NUL, so the first part of the body counts as a word here.
  expect([...words.slice(-1), input]).toEqual(['a', 'b\\0 \\ %s\n']);
});

test('curl expands no brackets and no dots', () => {
  expect(run({ ...get, url: 'http://[::1]:4010/a' }).words).not.toContain('--globoff');
  expect(run({ ...get, url: 'http://[::1]:4010/a?b=[1]' }).words).toContain('--globoff');
  expect(run({ ...get, url: 'http://host/a/../b' }).words).toContain('--path-as-is');
  expect(run({ ...get, url: 'http://host/a/..b' }).words).not.toContain('--path-as-is');
});

test('the method is named if curl would use another', () => {
  expect(run(get).words).not.toContain('-X');
  expect(run({ ...get, method: 'POST' }).words).toContain('POST');
  expect(run({ ...get, method: 'POST', body: '{}' }).words).not.toContain('-X');
  expect(run({ ...get, body: '{}' }).words).toContain('GET');
});

test.each<readonly [string, string | Uint8Array, readonly number[]]>([
  ['plain text', 'a\0b', [0x61, 0, 0x62]],
  ['text beyond ASCII', 'é', [0xc3, 0xa9]],
  ['plain bytes', Uint8Array.of(0x61, 0x62), [0x61, 0x62]],
  ['bytes with a mark before them', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), [0xef, 0xbb, 0xbf, 0x61]],
  ['bytes that are not text', Uint8Array.of(0xff, 0x61), [0xff, 0x61]],
  ['many bytes', new Uint8Array(20_000).fill(0xe9), Array.from({ length: 20_000 }, () => 0xe9)],
  ['a view of a larger buffer', Uint8Array.of(0x61, 0xe9, 0x80).subarray(1), [0xe9, 0x80]],
])('each byte of %s is one character', (_, content, bytes) => {
  expect(Array.from(bytesOf(content), (byte) => byte.charCodeAt(0))).toEqual(bytes);
});
