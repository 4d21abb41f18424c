import { TransportError } from '../../../http/explain-failure.ts';
import type { Transport } from '../../../http/exchange.ts';
import { withDeadline } from './deadline.ts';

const request = { method: 'GET', url: 'http://x.test/', headers: {} };
const answer = { status: 200, headers: {}, body: new Uint8Array() };

/** A transport that never answers, and records when it was told to give up. */
function silent(): { readonly transport: Transport; readonly stopped: () => boolean } {
  let signal: AbortSignal | undefined;
  return {
    transport: (_, given) => {
      signal = given;
      return new Promise(() => undefined);
    },
    stopped: () => signal?.aborted === true,
  };
}

test('returns an answer that is in time, and stops nothing afterwards', async () => {
  const run = new AbortController();
  let signal: AbortSignal | undefined;
  const transport: Transport = (_, given) => {
    signal = given;
    return Promise.resolve(answer);
  };
  await expect(withDeadline(transport, request, 60_000, run.signal)).resolves.toBe(answer);
  run.abort();
  expect(signal?.aborted).toBe(false);
});

test('throws the error of the transport', async () => {
  const failure = new TransportError('other', 'It broke.');
  await expect(withDeadline(() => Promise.reject(failure), request, 60_000, undefined)).rejects.toBe(failure);
});

test('a stopped run stops the request', async () => {
  const run = new AbortController();
  const { transport, stopped } = silent();
  const sent = withDeadline(transport, request, 60_000, run.signal);
  run.abort();
  await expect(sent).rejects.toMatchObject({ failure: 'other', message: 'The run was stopped.' });
  expect(stopped()).toBe(true);
});

test('an answer that does not come in time stops the request', async () => {
  const { transport, stopped } = silent();
  await expect(withDeadline(transport, request, 0.6, undefined)).rejects.toMatchObject({
    failure: 'timeout',
    message: 'No complete answer arrived within 1 ms.',
  });
  expect(stopped()).toBe(true);
});
