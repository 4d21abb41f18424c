import { runSecrets, validateOptions, type RunOptions } from './run-options.ts';

const valid = { baseUrl: 'http://tiny.test/' };

test.each<[Partial<RunOptions>, string]>([
  [{ baseUrl: 'tiny.test' }, 'The base URL must begin with http:// or https://; it is "tiny.test".'],
  [{ baseUrl: 'ftp://tiny.test' }, 'The base URL must begin with http:// or https://; it is "ftp://tiny.test".'],
  [{ baseUrl: 'http://a@tiny.test' }, 'The base URL must hold no user name or password.'],
  [{ baseUrl: 'http://:b@tiny.test' }, 'The base URL must hold no user name or password.'],
  [{ baseUrl: 'http://tiny.test/?a' }, 'The base URL must hold no ? and no #.'],
  [{ baseUrl: 'http://tiny.test/#a' }, 'The base URL must hold no ? and no #.'],
  [{ token: '' }, 'token is empty, or holds characters that an HTTP header cannot hold.'],
  [{ token: ' a' }, 'token is empty, or holds characters that an HTTP header cannot hold.'],
  [{ readToken: 'a\nb' }, 'readToken is empty, or holds characters that an HTTP header cannot hold.'],
  [{ guestToken: 'a ' }, 'guestToken is empty, or holds characters that an HTTP header cannot hold.'],
  [{ headers: { 'x-key': '\u0100' } }, 'x-key is empty, or holds characters that an HTTP header cannot hold.'],
  [{ timeoutMs: 0 }, 'timeoutMs must be above 0; it is 0.'],
  [{ maxTimeMs: -1 }, 'maxTimeMs must be above 0; it is -1.'],
  [{ rps: Number.NaN }, 'rps must be above 0; it is NaN.'],
  [{ concurrency: 0 }, 'concurrency must be above 0; it is 0.'],
  [{ durationMs: 0 }, 'durationMs must be above 0; it is 0.'],
  [{ repeat: 0 }, 'repeat must be a whole number above 0; it is 0.'],
  [{ repeat: -1 }, 'repeat must be a whole number above 0; it is -1.'],
  [{ repeat: 1.5 }, 'repeat must be a whole number above 0; it is 1.5.'],
  [{ seed: 1.5 }, 'The seed must be a whole number; it is 1.5.'],
])('%j is refused', (options, message) => {
  expect(() => validateOptions({ ...valid, ...options })).toThrow(new Error(message));
});

test.each<Partial<RunOptions>>([
  {},
  { baseUrl: 'HTTPS://tiny.test:8080/base' },
  { token: 'a', readToken: 'a b\tc', guestToken: '\u00fc~!' },
  { timeoutMs: 0.5, maxTimeMs: Infinity, rps: 0.1, concurrency: 1, durationMs: 1 },
  { repeat: 1, seed: -1 },
  { repeat: undefined, seed: undefined, token: undefined, timeoutMs: undefined },
])('%j is accepted', (options) => {
  expect(() => validateOptions({ ...valid, ...options })).not.toThrow();
});

test('tokens are secret, and so are headers whose names suggest it', () => {
  const headers = { 'X-Api-Key': 'k', cookie: 'c', Trace: 't' };
  const secrets = runSecrets({ ...valid, token: 'tok', readToken: 'r', guestToken: 'g', headers });
  const own = secrets.map(({ placeholder }) => placeholder).filter((one, i, all) => all.indexOf(one) === i);
  expect(own).toEqual(expect.arrayContaining(['$TOKEN', '$READ_TOKEN', '$GUEST_TOKEN', '$X_API_KEY', '$COOKIE']));
  expect(secrets.map(({ value }) => value)).not.toContain('t');
  expect(runSecrets(valid)).toEqual([]);
});
