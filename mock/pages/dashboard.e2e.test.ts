import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { served } from '../../http/testing/test-server.ts';
import { describeInBrowser } from '../testing/test-browser.ts';
import type { AgentV6 } from '../../spec/index.ts';
import texts from '../testing/pages.json';
import { createMock, type Mock, type MockServer } from '../mock.ts';

/** Judges a page by the rules for accessible content. */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What is chosen in selects that do not show all of it, on several lines if need be. */
const cutChoices = `[...document.querySelectorAll('select')].filter((select) => {
  const isWrapped = getComputedStyle(select).appearance === 'base-select';
  return !isWrapped || select.scrollWidth > select.clientWidth;
}).map(({ selectedOptions: [{ text }] }) => text)`;

describeInBrowser('the dashboard', (openPage) => {
  let mock: Mock;
  let server: MockServer;
  let page: Page;

  beforeEach(async () => {
    mock = createMock();
    server = await served(mock);
    page = await openPage();
    page.setDefaultTimeout(10_000);
  });
  afterEach(() => page.close());

  const authorized = () => ({ authorization: `Bearer ${mock.target.token}` });
  const ask = (from: number, to: number): void => {
    const headers = authorized();
    for (let n = from; n <= to; n++) mock.handle({ method: 'GET', target: `/api/v1/agents/asked-${n}`, headers });
  };
  /** Answers the next question with yes, and resolves with its text. */
  const confirmed = async (press: Promise<void>): Promise<string> => {
    const asked = page.waitForEvent('dialog', (question) => question.accept().then(() => true));
    await press;
    return (await asked).message();
  };
  const open = (): Promise<unknown> => page.goto(`${server.url}/__admin/ui/`);
  const rows = () => page.locator('.rows').getByRole('listitem');

  test('shows a long journal, all of which is reached by keyboard, and keeps the focus when requests come', async () => {
    ask(1, 1000);
    await open();
    await page.getByText('1,000 requests').waitFor();
    expect(await rows().count()).toBe(1000);
    const focused = async (): Promise<string> => page.locator(':focus').innerText();
    await page.locator('[data-id="1000"]').focus();
    await page.keyboard.press('End');
    expect(await focused()).toMatch(/asked-1\D/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/asked-999\D/);
    ask(1001, 1002);
    await page.locator('[data-id="1002"]').waitFor();
    expect(await focused()).toMatch(/asked-999\D/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /asked-999/ }).waitFor();
    expect(await focused()).toMatch(/asked-999/);
    await page.keyboard.press('Escape');
    await page.locator('.row:focus', { hasText: 'asked-999' }).waitFor();
  });

  test('filters by words, endpoint and status, which stay in the address', async () => {
    ask(1, 3);
    mock.handle({ method: 'GET', target: '/somewhere', headers: {} });
    await open();
    await page.getByLabel('Search').fill('ASKED-2');
    await page.getByText('1 of 4 requests').waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Endpoint').selectOption('No endpoint');
    await page.getByText('1 of 4 requests').waitFor();
    await page.reload();
    await page.getByText('1 of 4 requests').waitFor();
    await page.getByLabel('Status').selectOption('2xx');
    await page.getByRole('button', { name: 'Show all requests' }).click();
    await page.getByText('4 requests', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('shows what comes from requests as text', async () => {
    const { agentId } = mock.target;
    const hostile = '<img src=x onerror="document.title=1"><b>bold</b>';
    const body = new TextEncoder().encode(JSON.stringify({ name: hostile, [hostile]: [hostile] }));
    const headers = { ...authorized(), 'content-type': 'application/json', 'x-a': hostile };
    mock.handle({ method: 'POST', target: `/api/v1/workspaces?${hostile}`, headers, body });
    const groups = [{ id: 'g', title: hostile, blocks: [hostile] }];
    mock.edits.replaceAgent(agentId, { ...mock.store.agent(agentId)?.agent, name: hostile, groups });
    for (const place of ['journal/1', `agents`, `agents/${agentId}`, `agents/${agentId}/json`]) {
      await page.goto(`${server.url}/__admin/ui/#${place}`);
      await page.getByText('<b>bold').first().waitFor({ state: 'attached' });
      expect(await page.locator('img[src=x], #panel b').count()).toBe(0);
    }
  });

  test('says that it is loading before it says that nothing came', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/__admin/requests?*', (route) => released.then(() => route.continue()));
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
    await server.close();
    await page.getByText('reconnecting', { exact: true }).waitFor();
    expect(await rows().count()).toBe(2);
    ask(3, 3);
    server = await served(mock, { port: server.port });
    await page.getByText('asked-3').first().waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    expect(await rows().count()).toBe(3);
  });

  test('shows the duration and size of an answer', async () => {
    mock.handle({ method: 'GET', target: '/api/v1/agents/slow', headers: { ...authorized(), prefer: 'delay=1500' } });
    await open();
    const row = page.getByRole('button', { name: /agents\/slow/ });
    await row.waitFor();
    const { duration = 0, response } = mock.journal.entry(1) ?? {};
    expect(duration).toBeGreaterThanOrEqual(1500);
    const measures = [`${(duration / 1000).toFixed(1)} s`, `${response?.size} B`];
    expect(await row.locator('.measure').allTextContents()).toEqual(measures);
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
    expect(await confirmed(dialog.getByRole('button', { name: 'Delete' }).click())).toBe('The result will be gone.');
    await page.getByText('The result is gone.').waitFor();
    expect(count()).toBe(before);
  });

  test('shows persona, seed and profile of the session, and changes them after a confirmation', async () => {
    const session = mock.session('other');
    await page.goto(`${server.url}/__admin/ui/?session=other`);
    await page.getByRole('link', { name: 'demo · seed 1 · default' }).click();
    await page.getByLabel('Persona').selectOption('tiny');
    await page.getByLabel('Seed').fill('5');
    const change = page.getByRole('button', { name: 'Change', exact: true });
    page.once('dialog', (dialog) => void dialog.dismiss());
    await change.click();
    expect(session.world).toEqual({ seed: 1, persona: 'demo' });
    expect(await confirmed(change.click())).toContain('is lost. Snapshots stay.');
    await confirmed(page.getByRole('button', { name: 'minimal' }).click());
    await page.getByRole('link', { name: 'tiny · seed 5 · minimal' }).waitFor();
    expect(session.world).toEqual({ seed: 5, persona: 'tiny' });
    expect(mock.world).toEqual({ seed: 1, persona: 'demo' });
  });

  test('makes forms from the schemas of the admin API', async () => {
    await page.goto(`${server.url}/__admin/ui/#behaviour`);
    const latency = page.locator('form', { hasText: 'Latency' });
    await latency.getByLabel('Delay distribution').selectOption('uniform');
    expect(await latency.getByLabel('Upper').inputValue()).toBe('500');
    await latency.getByLabel('Upper').fill('60');
    await latency.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The latency is set.').waitFor();
    expect(mock.settings).toEqual({ latency: { type: 'uniform', lower: 50, upper: 60 }, rateLimit: undefined });
    await latency.getByLabel('Delay distribution').selectOption('off');
    await latency.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('link', { name: 'Plans' }).click();
    await page.getByRole('button', { name: 'One refusal' }).click();
    await page.getByRole('button', { name: 'Add one' }).click();
    await page.getByLabel('Delay').last().fill('20');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('2 answers to come').waitFor();
    expect(mock.settings.latency).toBeUndefined();
    expect(mock.plans.list()).toMatchObject([{ on: 'get-agent', steps: [{ code: 404 }, { delay: 20 }] }]);
    await page.getByRole('link', { name: 'Snapshots' }).click();
    await page.getByLabel('Name').fill('no/name');
    await page.getByRole('button', { name: 'Take it' }).click();
    await page.getByRole('alert').waitFor();
  });

  test.each([1280, 390])('shows every view at %d px, in which axe finds nothing', async (width) => {
    const { agentId } = mock.target;
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('response', (answer) => answer.status() > 399 && troubles.push(`${answer.status()} ${answer.url()}`));
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(axe);
    ask(1, 2);
    mock.plans.add({ on: 'get-agent', match: { agentId }, steps: [{ code: 404 }] });
    mock.standing.set('list-results', { code: 503 });
    mock.snapshots.take('one');
    mock.setFaults(['limit-ignored@first-page']);
    const ui = `${server.url}/__admin/ui/`;
    // Seventy operations, which take axe seconds.
    const views = width > 1000 ? [...texts.views, ...texts.wideViews] : texts.views;
    for (const [view = '', seen = ''] of views) {
      const place = view.replace('AGENT', agentId);
      await page.goto(new URL(place, ui).href);
      await page.getByText(seen).first().waitFor();
      const found = await page.evaluate(`axe.run({ resultTypes: ['violations'] })`);
      const { violations } = found as { violations: readonly { id: string }[] };
      expect([place, violations.map(({ id }) => id)]).toEqual([place, []]);
      if (!place.startsWith('#')) continue;
      const top = await page.evaluate(`document.querySelector('#panel').getBoundingClientRect().top`);
      expect(top).toBeLessThanOrEqual(96);
      expect(await page.evaluate(cutChoices)).toEqual([]);
      await page.getByRole('group', { name: 'What is on' }).getByText('1 state').waitFor();
    }
    await page.goto(ui);
    await page.getByRole('button', { name: 'All off' }).click();
    await page.getByText('All of it is off.').waitFor();
    expect([mock.faults, mock.plans.list(), mock.standing.list()]).toEqual([[], [], []]);
    // The profile stays.
    expect(await page.getByRole('button', { name: 'All off' }).count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  test('finds agents by words, and sends a request again with other headers', async () => {
    ask(1, 1);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/__admin/agents?*search=DESK', (route) => released.then(() => route.continue()));
    await page.goto(`${server.url}/__admin/ui/#agents`);
    await page.getByLabel('Search').fill('DESK');
    // Before its answer, when the list still shows another agent first.
    await page.getByLabel('Search').press('Enter');
    release();
    await page.getByRole('heading', { name: 'Help desk' }).waitFor();
    await page.goto(`${server.url}/__admin/ui/#journal/1`);
    await page.getByRole('button', { name: 'Edit and send' }).waitFor();
    const focused = await page.evaluate(`(async () => {
      [...document.querySelectorAll('button')].find(({ innerText }) => innerText === 'Edit and send').click();
      await new Promise((done) => new MutationObserver(done).observe(document.body, { attributes: true, subtree: true }));
      return document.activeElement.name;
    })()`);
    expect(focused).toBe('url');
    await page.getByLabel('Headers').fill('x-own: a:b\nprefer: code=418');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('It was answered with 418.').waitFor();
    expect(mock.journal.entry(2)?.headers).toMatchObject({ 'x-own': 'a:b' });
  });

  test('creates agents and imports files as an app would, and says what is refused', async () => {
    const shown = async (name: string): Promise<void> => {
      await page.getByRole('heading', { name }).waitFor();
      await page.locator(`a[href="#workspaces/${mock.target.workspaceId}"]`).waitFor();
    };
    const bring = async (content: unknown): Promise<void> => {
      await page.goto(`${server.url}/__admin/ui/#agents`);
      await page.getByText('New agent, or import').click();
      const file = { name: 'flow.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) };
      await page.locator('[type=file]').setInputFiles(file);
    };
    const { agent } = mock.store.agent(mock.target.agentId) ?? {};
    const { events, groups, edges, variables, theme, settings } = agent as AgentV6;
    await page.goto(`${server.url}/__admin/ui/#agents/${mock.target.agentId}/flow`);
    const flow = page.getByRole('region', { name: 'Flow' });
    const known = await flow.textContent();
    await page.goto(`${server.url}/__admin/ui/#agents`);
    await page.getByText('New agent, or import').click();
    await page.getByLabel('Name').fill('Érable 名 🧭 & <b>');
    await page.getByRole('button', { name: 'Create' }).click();
    await shown('Érable 名 🧭 & <b>');
    await bring({ version: '6', name: 'Brought 名', events, groups, edges, variables, theme, settings });
    await shown('Brought 名');
    expect(await flow.textContent()).toBe(known);
    await bring('no flow');
    expect(await page.getByRole('alert').innerText()).toMatch(/agent: |import answered 4\d\d\./);
    expect(mock.journal.entries().map(({ response }) => String(response.status)[0])).toEqual(['2', '2', '4']);
  });

  test('creates workspaces, and says if an answer holds none', async () => {
    await page.goto(`${server.url}/__admin/ui/#workspaces`);
    await page.getByLabel('New workspace').fill('Our team');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Our team' }).waitFor();
    mock.setFaults(['create-workspace-answer-wrapped']);
    // A server may refuse a name that is taken.
    await page.getByLabel('New workspace').fill('Another team');
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('The answer holds no workspace with an id');
  });

  test('copies curl that runs as it is pasted', async () => {
    const target = `/api/v1/agents/${mock.target.agentId}`;
    mock.handle({ method: 'GET', target, headers: authorized() });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${server.url}/__admin/ui/#journal/1`);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const line = (await page.evaluate('navigator.clipboard.readText()')) as string;
    const { stdout } = await promisify(execFile)('bash', ['-c', line]);
    const [head = '', body = ''] = stdout.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 2/);
    const shown = { agent: { id: mock.target.agentId, groups: expect.any(Array) }, currentUserMode: 'write' };
    expect(JSON.parse(body)).toMatchObject(shown);
    expect(mock.journal.entry(2)?.url).toBe(target);
  });

  test('updates plans as requests come, and sections, search and help are reached by keys', async () => {
    mock.plans.add({ on: 'every', steps: [{ code: 503, times: 2 }] });
    await page.setViewportSize({ width: 390, height: 800 });
    await open();
    await page.getByLabel('Panel', { exact: true }).selectOption('Plans');
    await page.getByText('2 answers to come').waitFor();
    ask(1, 1);
    await page.getByText('1 answer to come').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByText('1 request', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing');
    await page.getByText('No request matches').waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('nothing');
  });
});
