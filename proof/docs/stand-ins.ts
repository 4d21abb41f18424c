/** The files below `node_modules` of a stand-in for Mock Service Worker, which we do not install. */
export const standInFiles: Readonly<Record<string, string>> = {
  'msw/package.json':
    '{ "name": "msw", "types": "./index.d.ts", "exports": { ".": "./index.js", "./node": "./node.js", "./browser": "./browser.js" } }',
  'msw/index.d.ts': `
    export interface RequestHandler { readonly kind: 'handler' }
    export declare const http: {
      all(url: string | RegExp, resolver: (info: { readonly request: Request }) => Promise<Response | undefined> | Response | undefined): RequestHandler;
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
};
