import { Interrupted, TransportError, explain } from './explain-failure.ts';

const asked = { host: 'service.test', origin: 'https://service.test', maxHeaderBytes: 65_536 };
const failed = (code: string, message = '', more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more });
const parser = (message: string, data = ''): Error =>
  Object.assign(new Error(message), { name: 'HTTPParserError', data });
const refused = (address: string): Error => failed('ECONNREFUSED', '', { address, port: 81 });
const all = (codes: string, text: string) => codes.split(' ').map((code) => [failed(code), text] as const);
const far = 'refused: This machine cannot reach service.test.';
const tooLarge = 'too-large: The headers of the answer of service.test are larger than 65536';
const late = 'timeout: service.test did not answer in time.';
const cut = 'reset: service.test closed the connection in the middle of its answer.';
const reset = 'reset: service.test closed the connection without an answer.';
const noTls = 'tls: service.test does not speak TLS on this port.';
const at = (host: string): string => `refused: Nothing accepts connections at ${host}:81 (asked for service.test). Is`;
const byProxy = (status: number) => `other: The proxy from the environment answered ${status}, and did not connect`;
const untrusted = (code: string): string => `tls: The certificate of service.test is not trusted (${code}).`;

test.each<readonly [unknown, string]>([
  [failed('ECONNREFUSED'), 'refused: Nothing accepts connections at service.test. Is'],
  [refused('127.0.0.1'), at('127.0.0.1')],
  [new AggregateError([refused('::1')]), at('[::1]')],
  ...all('EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL', far),
  ...all('ENOTFOUND EAI_AGAIN EAI_NODATA EAI_NONAME EAI_FAIL', 'name: The name service.test cannot be resolved.'),
  [failed('ENOTFOUND', '', { hostname: 'proxy.test' }), 'name: The name proxy.test cannot be resolved.'],
  [failed('EPROTO', 'wrong version number'), noTls],
  [failed('ERR_SSL_WRONG_VERSION_NUMBER', 'packet length too long'), noTls],
  [failed('EPROTO', 'something else'), 'tls: The TLS connection to service.test failed (EPROTO).'],
  [failed('ERR_SSL_OTHER', 'something else'), 'tls: The TLS connection to service.test failed (ERR_SSL_OTHER).'],
  [failed('OTHER', 'something else'), 'other: The request to service.test failed: "something else".'],
  [failed('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'), 'malformed: service.test speaks only HTTP/2, and'],
  [parser('Expected HTTP/', '\0\0\x12\x04\0\0\0\0\0'), 'malformed: service.test speaks only HTTP/2, and'],
  [failed('CERT_HAS_EXPIRED'), `${untrusted('CERT_HAS_EXPIRED')} It has expired. Renew it,`],
  [failed('CERT_NOT_YET_VALID'), `${untrusted('CERT_NOT_YET_VALID')} Check the clock of this machine`],
  [failed('ERR_TLS_CERT_ALTNAME_INVALID'), `${untrusted('ERR_TLS_CERT_ALTNAME_INVALID')} It is for a name other than`],
  [failed('SELF_SIGNED_CERT_IN_CHAIN'), `${untrusted('SELF_SIGNED_CERT_IN_CHAIN')} Name the authority that signed it`],
  ...all('UND_ERR_HEADERS_OVERFLOW HPE_HEADER_OVERFLOW', tooLarge),
  ...all('UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT ETIMEDOUT', late),
  ...all('HPE_INVALID_EOF_STATE UND_ERR_RES_CONTENT_LENGTH_MISMATCH', cut),
  [parser('Response failed (Invalid method)'), 'malformed: What service.test sent is not HTTP (Invalid method).'],
  [parser('Odd'), 'malformed: What service.test sent is not HTTP (Odd).'],
  [failed('HPE_INVALID_CONSTANT', 'Odd'), 'malformed: What service.test sent is not HTTP (Odd).'],
  [new Error('bad upgrade'), 'malformed: service.test switched protocols, although the request did not ask for that.'],
  [new Error('Proxy response (502) !== 200'), byProxy(502)],
  [new Error('Proxy Authentication Required (407)'), byProxy(407)],
  ...all('ECONNRESET EPIPE ECONNABORTED UND_ERR_SOCKET', reset),
  [new Interrupted(failed('ECONNRESET'), { status: 200, headers: {} }), cut],
  [new Error('outer', { cause: failed('ECONNRESET') }), reset],
  ['a mere text', 'other: The request to service.test failed: "a mere text".'],
  [null, 'other: The request to service.test failed: "null".'],
  [undefined, 'other: The request to service.test failed: "undefined".'],
  [new TransportError('tls', 'as it is'), 'tls: as it is'],
])('explains %s', (error, expected) => {
  const { failure, message } = explain(error, asked);
  expect(`${failure}: ${message}`.slice(0, expected.length)).toBe(expected);
});

test('suggests HTTPS only if the request did not use it, and no other name of localhost if localhost refuses', () => {
  const hint = (origin: string): boolean => explain(parser('Odd'), { ...asked, origin }).message.includes('https://');
  expect([hint('http://service.test'), hint('https://service.test')]).toEqual([true, false]);
  const { message } = explain(refused('::1'), { ...asked, host: 'localhost:81' });
  expect(message).toMatch(/^Nothing .* at \[::1\]:81\. Is/);
});

test('follows causes to a limited depth, and not in circles', () => {
  const circle: { cause?: unknown } = new Error('round');
  circle.cause = circle;
  expect(explain(circle, asked).message).toBe('The request to service.test failed: "round".');
  const deep = [1, 2, 3].reduce<Error>((cause, i) => new Error(`${i}`, { cause }), failed('ECONNRESET'));
  const expected = ['reset', 'other'];
  expect([explain(deep, asked).failure, explain(new Error('0', { cause: deep }), asked).failure]).toEqual(expected);
});
