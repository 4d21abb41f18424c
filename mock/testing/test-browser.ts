import { existsSync } from 'node:fs';
import { chromium as playwrightChromium, type Browser } from 'playwright-core';

/** The browser for the tests: the system's, or Playwright's own; `undefined` if there is none. */
export const chromium = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  playwrightChromium.executablePath(),
].find((file) => existsSync(file));

/** Whether to skip browser tests. If the variable is set, a browser is expected, and the tests fail without one. */
export const isBrowserMissing = chromium === undefined && process.env['WITH_BROWSER'] !== '1';

/** Starts the browser so that it sends no requests of its own. */
export const launchBrowser = (): Promise<Browser> =>
  playwrightChromium.launch({
    executablePath: chromium ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
