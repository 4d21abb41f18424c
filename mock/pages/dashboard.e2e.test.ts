import type { Browser, Page } from 'playwright-core';
import { isBrowserMissing, launchBrowser } from '../testing/test-browser.ts';
import { createMock, type Mock, type MockServer } from '../mock.ts';

if (isBrowserMissing) process.stderr.write('\nNOT RUN, for want of a browser: the dashboard.\n');

(isBrowserMissing ? describe.skip : describe)('the dashboard in a browser', () => {
  let browser: Browser;
  let mock: Mock;
  let server: MockServer;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
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

  test('draws the journal near the visible part, and reaches all of it by keyboard', async () => {
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

  test('says that it is loading before it says that nothing came', async () => {
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

  test('says that the stream is broken, keeps its entries, and catches up', async () => {
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

  test('shows the duration and size of an answer', async () => {
    mock.handle({ method: 'GET', target: '/api/v1/agents/slow', headers: { prefer: 'delay=1500' } });
    await open();
    const row = page.getByRole('button', { name: /agents\/slow/ });
    await row.waitFor();
    const size = mock.journal.entry(1)?.response.size ?? 0;
    expect(await row.locator('.measure').allTextContents()).toEqual(['1.5 s', `${size} B`]);
  });

  test('edits, adds and removes results, and says what is wrong with them', async () => {
    const { agentId } = mock.target;
    const count = (): number => mock.store.results(agentId).count;
    const before = count();
    const newest = mock.store.results(agentId).at(0).id ?? '';
    await page.goto(`${server.url}/__admin/ui/#agents/${agentId}/results`);
    await page.getByText(`of ${before} results, newest first`).waitFor();
    const first = page.locator('tbody button').first();
    const dialog = page.getByRole('dialog', { name: /^(Result of|New result)/ });
    await first.click();
    await dialog.getByText('Edit', { exact: true }).click();
    const text = dialog.getByRole('textbox');
    await text.fill((await text.inputValue()).replace(/"isCompleted": \w+/, '"isCompleted": "yes"'));
    await dialog.getByText('/isCompleted').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    const righted = (await text.inputValue()).replace('"isCompleted": "yes"', '"isCompleted": true');
    await text.fill(righted.replace('"isArchived": false', '"isArchived": true'));
    await dialog.getByText('It is valid').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The result is changed.').waitFor();
    expect(mock.store.result(agentId, newest)).toMatchObject({ isArchived: true, isCompleted: true });

    await page.getByRole('button', { name: 'New result' }).click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('The result is added.').waitFor();
    expect(count()).toBe(before + 1);

    await page.getByText(`of ${before + 1} results`).waitFor();
    await first.click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The result will be gone.').waitFor();
    await page.locator('dialog.question').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The result is gone.').waitFor();
    expect(count()).toBe(before);
  });

  test('shows persona, seed and profile of the session, and changes them after a confirmation', async () => {
    const session = mock.session('other');
    await page.goto(`${server.url}/__admin/ui/?session=other`);
    await page.getByRole('button', { name: 'demo · seed 1 · default' }).click();
    const form = page.getByRole('dialog', { name: 'World of the session' });
    await form.getByLabel('Persona').selectOption('tiny');
    await form.getByLabel('Seed').fill('5');
    await form.getByLabel('Profile').selectOption('minimal');
    await form.getByRole('button', { name: 'Change' }).click();
    await page.getByText('is lost. Snapshots stay.').waitFor();
    expect(session.world).toEqual({ seed: 1, persona: 'demo' });
    await page.locator('dialog.question').getByRole('button', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'tiny · seed 5 · minimal' }).waitFor();
    expect([session.world, mock.world]).toEqual([
      { seed: 5, persona: 'tiny' },
      { seed: 1, persona: 'demo' },
    ]);
  });

  test('opens every panel and every view of an agent', async () => {
    const { agentId } = mock.target;
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    mock.plan('get-agent', [{ code: 404 }]);
    mock.takeSnapshot('one');
    mock.setFaults(['limit-ignored@first-page']);
    for (const [place, seen] of [
      ['journal', 'No request yet'],
      ['states', 'Connection reset'],
      ['agents', 'Solar estimate'],
      ['workspaces', 'As it is stored'],
      ['clock', 'Move it'],
      ['behaviour', 'Connection faults'],
      ['plans', '1 answer to come'],
      ['snapshots', 'Compare with'],
      ['sessions', 'Make a session'],
      ...[
        ['flow', 'Read as a list'],
        ['results', 'newest first'],
        ['published', 'agentId'],
        ['json', 'groups'],
        ['edit', 'It is valid'],
      ].map(([view = '', text = '']) => [`agents/${agentId}/${view}`, text] as const),
    ] as const) {
      await page.goto(`${server.url}/__admin/ui/#${place}`);
      await page.locator('#panel').getByText(seen).first().waitFor();
    }
    expect(troubles).toEqual([]);
    expect(await page.locator('.toast').count()).toBe(0);
  });
});
