import { withDeadline } from './deadline.ts';

/** Work that never ends, and records whether it was told to give up. */
function endless() {
  const seen = { stopped: false };
  const work = (stop: AbortSignal): Promise<never> => {
    stop.addEventListener('abort', () => (seen.stopped = true));
    return new Promise(() => undefined);
  };
  return { work, seen };
}

test('work that is done in time is not stopped afterwards', async () => {
  const run = new AbortController();
  let given: AbortSignal | undefined;
  const work = (stop: AbortSignal): Promise<number> => {
    given = stop;
    return Promise.resolve(7);
  };
  await expect(withDeadline(60_000, 'late', run.signal, work)).resolves.toBe(7);
  run.abort();
  expect(given?.aborted).toBe(false);
});

test('work that fails passes on its error', async () => {
  const failure = new Error('It broke.');
  await expect(withDeadline(60_000, 'late', undefined, () => Promise.reject(failure))).rejects.toBe(failure);
});

test('a stopped run stops the work', async () => {
  const run = new AbortController();
  const { work, seen } = endless();
  const sent = withDeadline(60_000, 'late', run.signal, work);
  run.abort();
  const message = 'The run was stopped before the answer was complete.';
  await expect(sent).rejects.toMatchObject({ failure: 'other', message });
  expect(seen.stopped).toBe(true);
});

test('work that is late is stopped', async () => {
  const { work, seen } = endless();
  const late = withDeadline(0.6, 'late', undefined, work);
  await expect(late).rejects.toMatchObject({ failure: 'timeout', message: 'late' });
  expect(seen.stopped).toBe(true);
});
