import { UsageError } from '../../conformance/usage-error.ts';
import { MockError } from '../../mock/mock-error.ts';
import { listen } from './start.ts';

const failingWith = (why: Error) => listen({ listen: () => Promise.reject(why) }, { port: 80, host: 'h' });

test.each([
  ['EADDRINUSE', 'Port 80 on h is in use. Stop whatever uses it, or choose another: --port 0 takes any free one.'],
  ['EACCES', 'You may not use port 80. Choose one above 1023.'],
  ['EADDRNOTAVAIL', '--host: "h" is not an address of this machine. 127.0.0.1 is one.'],
])('explains why a mock cannot listen: %s', async (code, message) => {
  const cause = Object.assign(new Error('listen'), { code });
  await expect(failingWith(cause)).rejects.toThrow(new UsageError(message, { cause }));
});

test('keeps the words of a refusal by the mock, and passes other errors on', async () => {
  const refused = new MockError('No.');
  await expect(failingWith(refused)).rejects.toThrow(new UsageError('No.', { cause: refused }));
  const other = Object.assign(new Error('listen'), { code: 'EMFILE' });
  await expect(failingWith(other)).rejects.toBe(other);
});
