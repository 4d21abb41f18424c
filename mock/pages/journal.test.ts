import type { Browser, Page } from 'playwright-core';
import { chromium, isBrowserMissing } from '../adapters/test-browser.ts';
import { createMock, type Mock, type MockServer } from '../mock.ts';

if (isBrowserMissing) process.stderr.write('\nNOT RUN, for want of a browser: the journal of the dashboard.\n');

(isBrowserMissing ? describe.skip : describe)('the journal in a browser', () => {
  let browser: Browser;
  let mock: Mock;
  let server: MockServer;
  let page: Page;

  beforeAll(async () => {
    const playwright = require('playwright-core') as typeof import('playwright-core');
    browser = await playwright.chromium.launch({
      executablePath: chromium ?? '',
      args: ['--no-sandbox', '--disable-gpu'],
    });
  });
  beforeEach(async () => {
    mock = createMock();
    server = await mock.listen();
    page = await browser.newPage();
    page.setDefaultTimeout(10_000);
  });
  afterEach(async () => {
    await page.close();
    await server.close();
  });
  afterAll(() => browser.close());

  const ask = (from: number, to: number): void => {
    for (let n = from; n <= to; n++) mock.handle({ method: 'GET', target: `/api/v1/agents/asked-${n}`, headers: {} });
  };
  const open = (): Promise<unknown> => page.goto(`${server.url}/__admin/ui/`);
  const rows = () => page.getByRole('listitem');

  test('draws what is near the window, and leads to all of it by keys', async () => {
    ask(1, 1000);
    await open();
    await page.getByText('1,000 requests').waitFor();
    expect(await rows().count()).toBeLessThan(200);
    await page.getByRole('button', { name: /asked-1000\b/ }).focus();
    await page.keyboard.press('End');
    const last = page.getByRole('button', { name: /asked-1\b/ });
    await last.waitFor();
    expect(await page.locator(':focus').innerText()).toMatch(/asked-1\D/);
    const item = rows().filter({ has: last });
    expect([await item.getAttribute('aria-posinset'), await item.getAttribute('aria-setsize')]).toEqual([
      '1000',
      '1000',
    ]);
    expect(await rows().count()).toBeLessThan(200);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator(':focus').innerText()).toMatch(/asked-999\D/);
    ask(1001, 1002);
    await page.getByRole('button', { name: /asked-1002\b/ }).waitFor();
    expect(await page.locator(':focus').innerText()).toMatch(/asked-999\D/);
  });

  test('says that it is read before it says that nothing came', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/__admin/requests?*', async (route) => {
      await released;
      await route.continue();
    });
    await open();
    await page.getByText('Reading the journal').waitFor();
    expect(await page.getByText('No request yet').count()).toBe(0);
    release();
    await page.getByText('No request yet').waitFor();
  });

  test('says that the stream is broken, keeps what it has, and catches up', async () => {
    ask(1, 2);
    await open();
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByText('asked-2').first().waitFor();
    const { port } = server;
    await server.close();
    await page.getByText('reconnecting', { exact: true }).waitFor();
    expect(await rows().count()).toBe(2);
    ask(3, 3);
    server = await mock.listen({ port });
    await page.getByText('asked-3').first().waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    expect(await rows().count()).toBe(3);
  });

  test('shows how long and how large an answer was', async () => {
    mock.handle({ method: 'GET', target: '/api/v1/agents/slow', headers: { prefer: 'delay=1500' } });
    await open();
    const row = page.getByRole('button', { name: /agents\/slow/ });
    await row.waitFor();
    const size = mock.journal.entry(1)?.response.size ?? 0;
    expect(await row.locator('.measure').allTextContents()).toEqual(['1.5 s', `${size} B`]);
  });
});
