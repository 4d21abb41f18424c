import { runSecrets, validateOptions, type RunOptions } from './run-options.ts';
import judged from './testing/judged.json';

const valid = { baseUrl: 'http://tiny.test/' };

test.each(judged.options as unknown as [Partial<RunOptions>, string][])('%j is refused', (options, message) => {
  expect(() => validateOptions({ ...valid, ...options })).toThrow(new Error(message));
});

test('tokens are secret, and so are headers whose names suggest it', () => {
  const headers = { 'X-Api-Key': 'k', cookie: 'c', Trace: 't' };
  const secrets = runSecrets({ ...valid, token: 'tok', readToken: 'r', guestToken: 'g', headers });
  const own = secrets.map(({ placeholder }) => placeholder).filter((one, i, all) => all.indexOf(one) === i);
  expect(own).toEqual(expect.arrayContaining(['$TOKEN', '$READ_TOKEN', '$GUEST_TOKEN', '$X_API_KEY', '$COOKIE']));
  expect(secrets.map(({ value }) => value)).not.toContain('t');
});
