import { createMock, type Mock, type MockOptions } from '../mock/index.ts';
import { runConformance, type Report, type RunOptions, type Transport } from '../conformance/index.ts';

/** A Wednesday in the middle of a month, so that every span of time differs from every other. */
export const proofNow = Date.UTC(2026, 4, 20, 15, 30);

/** Sends requests to a mock in the same process. */
export function inProcess(mock: Mock): Transport {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const wire = mock.handle({
      method: request.method,
      target: pathname + search,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: new TextEncoder().encode(request.body) }),
    });
    return { status: wire.status, headers: wire.headers, body: new TextEncoder().encode(wire.body) };
  };
}

/** What of a target the mock's world holds; some personas lack some of it. */
export const idsOf = ({ target }: Mock): Pick<RunOptions, 'token'> & Partial<RunOptions> => ({
  ...Object.fromEntries(Object.entries(target).filter(([, value]) => value !== '')),
  token: target.token,
});

/** Runs the checks against a mock made for the purpose: its clock stands still, nothing waits. */
export function judge(options: MockOptions, run: Partial<RunOptions> = {}): Promise<Report> {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true, ...options });
  return runConformance({
    baseUrl: 'http://mock.test',
    ...idsOf(mock),
    transport: inProcess(mock),
    seed: 1,
    now: proofNow,
    sleep: () => Promise.resolve(),
    ...run,
  });
}
