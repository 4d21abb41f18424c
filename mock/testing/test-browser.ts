import { existsSync } from 'node:fs';
import { chromium as playwrightChromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** The browser for the tests: the system's, or Playwright's own; `undefined` if there is none. */
export const chromium = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  playwrightChromium.executablePath(),
].find((file) => existsSync(file));

/** Whether to skip browser tests. If the variable is set, a browser is expected, and the tests fail without one. */
export const isBrowserMissing = chromium === undefined && process.env['WITH_BROWSER'] !== '1';

/** Skipped, and that is said, where there is no browser. `openPage` opens a page in a context of its own. */
export function describeInBrowser(
  what: string,
  declare: (openPage: (options?: BrowserContextOptions) => Promise<Page>) => void,
): void {
  if (isBrowserMissing) process.stderr.write(`\nNOT RUN, for want of a browser: ${what}.\n`);
  (isBrowserMissing ? describe.skip : describe)(`${what}, in a browser`, () => {
    let browser: Browser;
    beforeAll(async () => {
      const quiet = ['gpu', 'background-networking', 'component-update', 'sync'].map((part) => `--disable-${part}`);
      browser = await playwrightChromium.launch({ executablePath: chromium ?? '', args: ['--no-sandbox', ...quiet] });
    });
    afterAll(() => browser.close());
    declare((options) => browser.newPage(options));
  });
}
