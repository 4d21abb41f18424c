import type { MockOptions } from '../mock-core.ts';
import { bodyBytes, type ConnectionFault, cookiesIn, waitingTime } from '../wire/wire.ts';
import { pause, type Handler } from '../hosts/fetch.ts';
import { MockError } from '../mock-error.ts';
import { createMock, type Mock } from '../mock.ts';
import type { Session } from '../session/session.ts';
import { STEERING } from '../steering/steering.ts';
import { TELLING } from '../steering/telling.ts';
import { serviceUrls, type ServiceOptions } from './service-urls.ts';

/** The needed part of a Playwright `Route`. */
export interface PlaywrightRoute {
  request(): {
    method(): string;
    url(): string;
    headers(): Readonly<Record<string, string>>;
    postDataBuffer(): Uint8Array | null;
  };
  fulfill(answer: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string | Buffer;
  }): Promise<void>;
  abort(reason: string): Promise<void>;
  fallback(): Promise<void>;
}

/** The needed part of a Playwright `Page` or `BrowserContext`. */
export interface Routed {
  route(url: RegExp, handler: (route: PlaywrightRoute) => Promise<void>): Promise<unknown>;
  unroute(url: RegExp, handler?: (route: PlaywrightRoute) => Promise<void>): Promise<void>;
}

/** The needed part of a Playwright `BrowserContext`. */
export interface PlaywrightContext extends Routed {
  on(event: 'response', listener: (response: PlaywrightResponse) => void): unknown;
}

/** The needed part of a Playwright `Response`. */
export interface PlaywrightResponse {
  request(): Pick<ReturnType<PlaywrightRoute['request']>, 'method' | 'url'>;
  fromServiceWorker(): boolean;
}

export type { ServiceOptions } from './service-urls.ts';

// The options of the fixture in a plain `defineConfig` and in `test.use`. The package may be missing.
/** @ts-ignore */
declare module '@playwright/test' {
  interface PlaywrightTestOptions extends Partial<Pick<MockFixtures, 'mockBaseUrl' | 'mockOnly'>> {}
  interface PlaywrightWorkerOptions extends Partial<Pick<MockWorkerFixtures, 'mockOptions'>> {}
}

/**
 * Answers the requests of a page, or of all pages of a context, from a mock in the same process or from one of its
 * sessions. A slow answer comes late and in one piece. Resolves with a function that removes the route.
 * @throws MockError for an invalid `baseUrl` or an unknown endpoint.
 */
export async function routeToMock(
  page: Routed,
  mock: Handler,
  options: ServiceOptions = {},
): Promise<() => Promise<void>> {
  const urls = serviceUrls(options);
  const stopped = new AbortController();
  const answer = async (route: PlaywrightRoute): Promise<void> => {
    const request = route.request();
    const asked = request.headers()['access-control-request-method'];
    const isPreflight = request.method() === 'OPTIONS' && asked !== undefined;
    if (!urls.isAnswered(isPreflight ? asked : request.method(), request.url())) return route.fallback();
    const wire = await mock.respond({
      method: request.method(),
      target: urls.targetOf(request.url()),
      headers: request.headers(),
      body: request.postDataBuffer() ?? undefined,
    });
    try {
      await pause(waitingTime(wire), stopped.signal);
      const { status, cookies, delivery } = wire;
      // Playwright takes several cookies as lines.
      const headers: Record<string, string> = { ...wire.headers };
      if (cookies) headers['set-cookie'] = cookiesIn(wire).join('\n');
      if (delivery?.connection === undefined)
        await route.fulfill({ status, headers, body: Buffer.from(bodyBytes(wire)) });
      else await route.abort(reasons[delivery.connection]);
    } catch (error) {
      // A page that closed before its answer needs none.
      const isClosed = error instanceof Error && /has been closed/.test(error.message);
      if (!stopped.signal.aborted && !isClosed) throw error;
    }
  };
  await page.route(urls.pattern, answer);
  return async () => {
    stopped.abort();
    await page.unroute(urls.pattern, answer);
  };
}

/** The error that a browser shows for a broken connection, as Playwright names it. */
const reasons: Readonly<Record<ConnectionFault, string>> = {
  CONNECTION_RESET_BY_PEER: 'connectionreset',
  EMPTY_RESPONSE: 'connectionclosed',
  MALFORMED_RESPONSE_CHUNK: 'failed',
  RANDOM_DATA_THEN_CLOSE: 'failed',
};

/** The fixtures of {@link mockFixture}. */
export interface MockFixtures {
  /** The test's own session, which answers the requests of all pages of its context. */
  readonly session: Session;
  /** An option: the URL before the paths of the service. Default: any origin and any path. */
  readonly mockBaseUrl: string | undefined;
  /** An option: the endpoints that the mock answers; other requests pass through. Default: all. */
  readonly mockOnly: readonly string[] | undefined;
}

export interface MockWorkerFixtures {
  /** One mock for all tests of a worker. */
  readonly mock: Mock;
  /** An option: the options of the mock. */
  readonly mockOptions: MockOptions;
}

type Use<T> = (value: T) => Promise<void>;

/** The needed part of a Playwright `TestInfo`. */
interface PlaywrightTest {
  readonly testId: string;
  readonly retry: number;
  /** The file, and the titles. */
  readonly titlePath?: readonly string[];
  readonly file?: string;
  readonly project?: { readonly name: string };
  readonly repeatEachIndex?: number;
}

interface MockFixture {
  mockOptions: [MockOptions, { option: true; scope: 'worker' }];
  mock: [(given: Pick<MockWorkerFixtures, 'mockOptions'>, use: Use<Mock>) => Promise<void>, { scope: 'worker' }];
  mockBaseUrl: [string | undefined, { option: true; scope: 'test' }];
  mockOnly: [readonly string[] | undefined, { option: true; scope: 'test' }];
  session: [
    (
      given: Pick<MockFixtures, 'mockBaseUrl'> &
        Partial<Pick<MockFixtures, 'mockOnly'>> & { readonly context: PlaywrightContext; readonly mock: Mock },
      use: Use<Session>,
      test: PlaywrightTest,
    ) => Promise<void>,
    { auto: true },
  ];
}

/**
 * Fixtures for `test.extend` of Playwright: a mock for each worker, and for each test a session, which begins as the
 * mock does and ends with the test. The session answers the service requests of the test's pages, whether or not the
 * test uses it: `test.extend<MockFixtures, MockWorkerFixtures>(mockFixture)`. A test whose pages reach the service past
 * their session fails.
 */
export const mockFixture: MockFixture = {
  mockOptions: [{}, { option: true, scope: 'worker' }],
  mock: [async ({ mockOptions }, use) => use(createMock(mockOptions)), { scope: 'worker' }],
  mockBaseUrl: [undefined, { option: true, scope: 'test' }],
  mockOnly: [undefined, { option: true, scope: 'test' }],
  session: [
    async ({ context, mock, mockBaseUrl, mockOnly }, use, test) => {
      const id = `${test.testId}-${test.retry}`;
      const options = { baseUrl: mockBaseUrl, only: mockOnly };
      const own = { 'x-mock-session': id, ...tellingOf(test) };
      // The mock with the test's session as its default, so that `/__admin` also controls that session.
      const respond: Handler['respond'] = (request) =>
        mock.respond({ ...request, headers: { ...own, ...request.headers } });
      const stop = await routeToMock(context, { respond }, options);
      const past = answersPast(context, options);
      await use(mock.session(id));
      await stop();
      mock.sessions.end(id);
      if (past.size > 0)
        throw new MockError(`The session did not answer what the page asked:\n${[...past].join('\n')}`);
    },
    { auto: true },
  ],
};

/** What somebody else answered although it was meant for the session: each request with the reason and a remedy. */
function answersPast(context: PlaywrightContext, options: ServiceOptions): ReadonlySet<string> {
  const urls = serviceUrls(options);
  const past = new Set<string>();
  context.on('response', (response) => {
    const [method, url] = [response.request().method(), response.request().url()];
    const line = `  ${method} ${url.slice(0, 200)}`;
    if (urls.isMissed(method, url))
      past.add(`${line} is not below mockBaseUrl, ${JSON.stringify(options.baseUrl)}. Change it, or leave it out.`);
    else if (response.fromServiceWorker() && urls.pattern.test(url) && urls.isAnswered(method, url))
      past.add(`${line} was answered by a service worker. Set serviceWorkers: 'block' in "use" of the configuration.`);
  });
  return past;
}

/** Says which test asks, and in which of its turns, if somebody steers this mock. */
function tellingOf({ titlePath = [], file, project, repeatEachIndex: turn }: PlaywrightTest): Record<string, string> {
  if (process.env[STEERING] === undefined) return {};
  const titles = [...titlePath.slice(1), project?.name ?? ''];
  return { [TELLING]: JSON.stringify({ test: titles.join(' '), file, turn }) };
}
