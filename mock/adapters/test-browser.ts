import { existsSync } from 'node:fs';
import { chromium as playwrightChromium, type Browser } from 'playwright-core';

/** The program of the browser that tests run in: the system's, or Playwright's own; `undefined` if there is none. */
export const chromium = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  playwrightChromium.executablePath(),
].find((file) => existsSync(file));

/** Whether tests in a browser are left out. Whoever sets the variable says that there is one, so that they fail without. */
export const isBrowserMissing = chromium === undefined && process.env['WITH_BROWSER'] !== '1';

/** Starts the browser, which makes no requests of its own. */
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
