/**
 * Stand-ins for the tools that snippets use and that we do not install: as little of each as the snippets need, so that
 * what they take from this package is checked against what the tools hand over. Mock Service Worker can be run; the rest
 * are types. By files below `node_modules`.
 */
export const standIns: Readonly<Record<string, string>> = {
  'msw/package.json':
    '{ "name": "msw", "types": "./index.d.ts", "exports": { ".": "./index.js", "./node": "./node.js", "./browser": "./browser.js" } }',
  'msw/index.d.ts': `
    export interface RequestHandler { readonly kind: 'handler' }
    export declare const http: {
      all(url: string | RegExp, resolver: (info: { readonly request: Request }) => Promise<Response> | Response): RequestHandler;
    };`,
  'msw/index.js': `exports.http = { all: (url, resolver) => ({ url, resolver }) };`,
  'msw/node.js': `
    exports.setupServer = (...handlers) => {
      const before = globalThis.fetch;
      return {
        listen() {
          globalThis.fetch = async (...asked) => {
            const request = new Request(...asked);
            const handler = handlers.find(({ url }) => url.test(request.url.split('?')[0]));
            if (!handler) throw new Error('Nothing handles ' + request.url);
            return handler.resolver({ request });
          };
        },
        close: () => void (globalThis.fetch = before),
      };
    };`,
  'msw/node.d.ts': `
    import type { RequestHandler } from './index.js';
    export declare function setupServer(...handlers: readonly RequestHandler[]): {
      listen(options?: { readonly onUnhandledRequest?: 'error' | 'warn' | 'bypass' }): void;
      close(): void;
    };`,
  'msw/browser.d.ts': `
    import type { RequestHandler } from './index.js';
    export declare function setupWorker(...handlers: readonly RequestHandler[]): { start(): Promise<void> };`,
  'vitest/package.json': '{ "name": "vitest", "exports": { ".": "./index.js", "./config": "./config.js" } }',
  'vitest/index.d.ts': `
    export interface ProvidedContext {}
    export declare function inject<K extends keyof ProvidedContext>(key: K): ProvidedContext[K];
    export declare function test(name: string, run: () => unknown): void;
    export declare function describe(name: string, run: () => void): void;
    export declare function beforeEach(run: () => unknown): void;
    export declare function afterEach(run: () => unknown): void;
    export interface Assertion { toBe(value: unknown): void; toEqual(value: unknown): void; toMatchObject(value: object): void }
    export declare function expect(value: unknown): Assertion;
    export declare namespace expect { function extend(matchers: Record<string, (...args: never[]) => unknown>): void }`,
  'vitest/config.d.ts': `
    export declare function defineConfig(config: {
      readonly test?: { readonly globalSetup?: string | readonly string[]; readonly setupFiles?: readonly string[] };
    }): unknown;`,
  '@playwright/test/package.json': '{ "name": "@playwright/test", "exports": { ".": "./index.js" } }',
  '@playwright/test/index.d.ts': `
    export interface Route {
      request(): { method(): string; url(): string; headers(): Record<string, string>; postDataBuffer(): Buffer | null };
      fulfill(answer?: { status?: number; headers?: Record<string, string>; body?: string | Buffer }): Promise<void>;
      abort(reason?: string): Promise<void>;
    }
    type Handler = (route: Route) => Promise<unknown> | unknown;
    export interface BrowserContext {
      route(url: string | RegExp, handler: Handler): Promise<void>;
      unroute(url: string | RegExp, handler?: Handler): Promise<void>;
    }
    export interface Page extends BrowserContext {
      goto(url: string): Promise<unknown>;
      getByText(text: string): object;
      getByRole(role: string, options?: { name?: string }): { click(): Promise<void> };
    }
    type Use<V> = (value: V) => Promise<void>;
    interface TestInfo { readonly testId: string; readonly retry: number }
    type Fixture<V, Args> = ((args: Args, use: Use<V>, info: TestInfo) => Promise<unknown>) | V | [((args: Args, use: Use<V>, info: TestInfo) => Promise<unknown>) | V, { scope?: 'test' | 'worker'; auto?: boolean; option?: boolean }];
    interface Given { page: Page; context: BrowserContext; request: object }
    export interface TestType<Args extends object> {
      (name: string, run: (args: Args) => Promise<unknown> | unknown): void;
      extend<T extends object, W extends object = {}>(
        fixtures: { [K in keyof (T & W)]?: Fixture<(T & W)[K], Args & T & W> },
      ): TestType<Args & T & W>;
      use(options: Partial<Args>): void;
    }
    export declare const test: TestType<Given>;
    interface LocatorAssertions { toBeVisible(): Promise<void> }
    export declare const expect: {
      (value: object): LocatorAssertions & { toBe(value: unknown): void };
      extend<M extends Record<string, (...args: never[]) => unknown>>(matchers: M): {
        (value: unknown): LocatorAssertions & { [K in keyof M]: M[K] extends (received: never, ...args: infer A) => unknown ? (...args: A) => void : never };
      };
    };`,
};
