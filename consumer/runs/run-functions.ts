import { createCaches, createMock, type MetExchange, type Mock, type MockOptions } from '../../mock/index.ts';
import { senderOf } from '../../mock/steering/steering.ts';
import type { RunTests, TestResult } from './test-run.ts';

/** Tests of a client in this process. Each gets a fresh mock, and fails if it throws. */
export type ClientTests = Readonly<Record<string, (mock: Mock) => Promise<void> | void>>;

/** Runs functions as the tests, one after the other. */
export function functionTests(all: ClientTests, options: MockOptions): RunTests {
  // Every run begins in the same world, which is made once.
  const world = { now: Date.now(), caches: createCaches() };
  return async ({ steering: { senders: [senders = {}] = [], ...steering }, wanted, limit, isRecorded, signal }) => {
    const began = Date.now();
    const exchanges: MetExchange[] = [];
    const tests: TestResult[] = [];
    let wasStopped = false;
    let output = '';
    for (const [name, test] of Object.entries(all)) {
      if (wanted && !wanted.tests.includes(name)) continue;
      const onExchange = (met: MetExchange): void => {
        exchanges.push({ ...met, test: name, file: undefined });
      };
      const own = senders[senderOf({ test: name, session: '' })] ?? steering;
      const mock = createMock({ ...world, ...options, steering: isRecorded ? { ...own, onExchange } : own });
      const stop = new AbortController();
      const end = limit === undefined ? Infinity : Math.max(Date.now() + 50, began + limit);
      const halt = (): void => stop.abort(new Error('The run was stopped.'));
      const timer = setTimeout(halt, Math.min(end - Date.now(), 2 ** 30));
      signal?.addEventListener('abort', halt, { once: true });
      const stopped = new Promise<never>((_, reject) => {
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error), { once: true });
      });
      const { fetch } = mock;
      // A client that loops for ever ends with its next request; it may leave no turn to the timer.
      const fetchUntilStopped: typeof fetch = (...asked) => {
        if (Date.now() > end) halt();
        if (stop.signal.aborted) return Promise.reject(stop.signal.reason as Error);
        return fetch(...asked);
      };
      try {
        await Promise.race([test(Object.assign(mock, { fetch: fetchUntilStopped })), stopped]);
        tests.push({ name, status: 'passed' });
      } catch (error) {
        output += `${name}: ${String(error)}\n`;
        wasStopped = stop.signal.aborted;
        if (wasStopped) break;
        tests.push({ name, status: 'failed' });
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', halt);
      }
    }
    return { tests, wasStopped, durationMs: Date.now() - began, exchanges, output };
  };
}
