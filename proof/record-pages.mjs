#!/usr/bin/env node
// Records the requests of the mock's pages while somebody uses them: `npm run build && node proof/record-pages.mjs`
// writes pages-session.json. It needs Chromium; CHROMIUM names one that is not at /usr/bin/chromium.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { format } from 'oxfmt';

const root = path.join(import.meta.dirname, '..');
const { createMock } = createRequire(import.meta.url)(path.join(root, 'dist/mock/index.js'));

const mock = createMock({ seed: 1, now: Date.UTC(2026, 4, 20, 15, 30), frozen: true });
const { agentId, publishedAgentId, workspaceId, token } = mock.target;
const server = await mock.listen({ port: 0 });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
const met = [];
/** Headers that may affect the answer. */
const KEPT = ['accept', 'authorization', 'content-type', 'prefer'];
/** Where an answer has a value that later requests use. */
const NAMING = /^(?:(?:\/agent|\/workspace)?\/id|\/nextCursor|\/results\/\d+\/id)$/;
/** The value at a pointer in an earlier answer. */
const SYMBOL = /\{(\d+)(\/[^{}]+)\}/g;
const file = path.join(root, 'prove/foreign/pages-session.json');
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  page.on('request', (request) => void (isOfApi(request) && met.push(read(request))));
  await useReference(page);
  await useDashboard(page);
  const requests = told(await Promise.all(met));
  writeFileSync(file, (await format(file, JSON.stringify(requests), { printWidth: 120 })).code);
} finally {
  await browser.close();
  await server.close();
}

/** Requests to the service and the admin API, except for the endless stream of the journal, and for the document. */
function isOfApi(request) {
  const { pathname } = new URL(request.url());
  return /^(?:\/_s\/[^/]+)?\/(?:api|__admin(?!\/ui))\//.test(pathname) && !/\/(?:stream|openapi\.json)$/.test(pathname);
}

/**
 * The reference at /docs: every operation is tried with its default values, then lists in other ways, and then a request without
 * a token.
 */
async function useReference(page) {
  await page.goto(`${server.url}/docs/index.html`);
  await page.locator('.opblock').first().waitFor();
  const tryIt = async (operation, values = {}) => {
    const block = page.locator(`.opblock[id$="${operation}"]`);
    if (!(await block.getAttribute('class')).includes('is-open'))
      await block.locator('.opblock-summary-control').click();
    for (const [name, value] of Object.entries(values)) {
      const place = block.locator(`tr[data-param-name="${name}"]`).locator('select, input').first();
      const isChoice = (await place.evaluate((element) => element.tagName)) === 'SELECT';
      await (isChoice ? place.selectOption(value) : place.fill(value));
    }
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.url().includes('/api/v1/') && isOfApi(one.request())),
      block.locator('.execute').click(),
    ]);
    return answer.json();
  };
  const operations = ['createWorkspace', 'createAgent', 'importAgent', 'getAgent', 'getPublishedAgent', 'listResults'];
  const shown = {};
  for (const operation of operations) shown[operation] = await tryIt(operation);
  const list = async (values) =>
    tryIt('listResults', { agentId, limit: '10', timeFilter: 'allTime', cursor: '', ...values });
  let cursor = '';
  for (let n = 1; n <= 3; n++) ({ nextCursor: cursor } = await list({ cursor }));
  for (const timeFilter of ['today', 'last7Days', 'monthToDate']) await list({ timeFilter, limit: '25' });
  await list({ limit: '1' });
  for (const made of ['createAgent', 'importAgent']) await tryIt('getAgent', { agentId: shown[made].agent.id });
  await tryIt('getAgent', { agentId });
  await authorize(page, 'Logout');
  for (const operation of operations) await tryIt(operation);
  await authorize(page, 'Authorize', token);
  await tryIt('getAgent', { agentId });
  await list({ limit: '50' });
}

async function authorize(page, verb, value) {
  await page.locator('.auth-wrapper .btn.authorize').first().click();
  const form = page.locator('.modal-ux');
  if (value !== undefined) await form.locator('input').first().fill(value);
  await form.locator('button', { hasText: verb }).first().click();
  await form.locator('.btn-done').click();
}

/** The dashboard in two sessions: data is created, edited, published and removed, and requests are sent again. */
async function useDashboard(page) {
  const tools = dashboardTools(page);
  await createInDashboard(tools);
  await editResults(tools);
  await importAndRestore(tools);
  await tools.open('agents', 'second');
  await tools.makeAgent('In a second session');
  await tools.open('journal', 'second');
  await tools.again(/Create agent/);
}

function dashboardTools(page) {
  const panel = page.locator('#panel');
  const press = (name) => panel.getByRole('button', { name, exact: true }).click();
  const said = (text) => page.getByText(text).first().waitFor();
  const confirm = (name) => page.locator('dialog.question').getByRole('button', { name }).click();
  const open = async (place, session = '') => {
    await page.goto('about:blank');
    await page.goto(`${server.url}/__admin/ui/index.html${session && `?session=${session}`}#${place}`);
    await panel.locator('h1').waitFor();
  };
  const makeAgent = async (name) => {
    await panel.getByText('New agent, or import').click();
    await panel.getByLabel('Name').fill(name);
    await press('Create');
    await said('The agent is created.');
    await said('changed ');
  };
  const again = async (row) => {
    await panel.getByRole('button', { name: row }).first().click();
    await press('Send again');
    await said('It was answered with');
  };
  return { page, panel, press, said, confirm, open, makeAgent, again };
}

async function createInDashboard({ panel, press, said, open, makeAgent }) {
  await open('workspaces');
  await panel.getByLabel('New workspace').fill('From the dashboard');
  await press('Create');
  await said('The workspace is created.');
  await open('agents');
  await makeAgent('From the dashboard');
  await press('Publish');
  await said('The agent is published.');
  await panel.getByText('Add results, set modes').click();
  await panel.getByLabel('Count').fill('12');
  await press('Add');
  await said('12 results added');
  await panel.getByRole('link', { name: 'Edit' }).click();
  const text = panel.getByRole('textbox').last();
  await text.fill((await text.inputValue()).replace('From the dashboard', 'Edited in the dashboard'));
  await said('It is valid');
  await press('Save');
  await said('The agent is changed.');
  await press('Duplicate');
  await said('This is the copy.');
}

async function editResults({ page, panel, press, said, confirm, open }) {
  await open(`agents/${agentId}/results`);
  const dialog = page.getByRole('dialog', { name: /^(?:Result of|New result)/ });
  await press('New result');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await said('The result is added.');
  await panel.locator('tbody button').first().click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await confirm('Delete');
  await said('The result is gone.');
}

async function importAndRestore({ panel, press, said, confirm, open, again }) {
  await open('clock');
  await press('Forward 1 hour');
  await open('snapshots');
  await panel.getByLabel('Name').fill('before');
  await press('Take it');
  await said('The snapshot is taken.');
  await open('agents');
  await panel.getByText('New agent, or import').click();
  const flow = { version: '6', name: 'Out of a file', groups: [{ id: 'g1', title: 'Hello', blocks: [] }] };
  const buffer = Buffer.from(JSON.stringify(flow));
  await panel.locator('input[type=file]').setInputFiles({ name: 'flow.json', mimeType: 'application/json', buffer });
  await said('flow.json is imported.');
  await open('journal');
  await again(/List results/);
  await again(/Import agent/);
  await open('snapshots');
  await press('Restore');
  await confirm('Restore');
  await said('Data and clock are restored from before.');
  await open('journal');
  await again(/Get agent/);
  await again(/Create workspace/);
}

/** One request with its answer, which must be read before the page is left. */
async function read(request) {
  const answer = await request.response();
  const { pathname, search } = new URL(request.url());
  return {
    method: request.method(),
    target: pathname + search,
    headers: request.headers(),
    body: request.postData() ?? undefined,
    answer: await answer?.json().catch(() => undefined),
  };
}

/**
 * Requests that can be played in any world. A symbol replaces each value that the mock gave: `{agentId}` comes from the target,
 * `{3/agent/id}` from that place in the answer to the third request.
 */
function told(all) {
  const given = new Map(Object.entries({ publishedAgentId, agentId, workspaceId, token }).map(([k, v]) => [v, k]));
  const symbolic = (text, write = (value) => value) =>
    [...given].reduce((sum, [value, name]) => sum.replaceAll(write(value), `{${name}}`), text);
  const requests = all.map(({ method, target, headers, body, answer }, i) => {
    const kept = KEPT.filter((name) => headers[name] !== undefined).map((name) => [name, symbolic(headers[name])]);
    const request = {
      method,
      // The same agent has both roles here; a world may have two.
      path: symbolic(target, encodeURIComponent).replace(
        '{agentId}/publishedAgent',
        '{publishedAgentId}/publishedAgent',
      ),
      headers: Object.fromEntries(kept),
      body: body && JSON.parse(symbolic(JSON.stringify(JSON.parse(body)))),
    };
    for (const [pointer, value] of stringsIn(answer))
      if (NAMING.test(pointer) && !given.has(value)) given.set(value, `${i}${pointer}`);
    return request;
  });
  return numbered(requests);
}

/** Every string of a JSON value, with its pointer. */
function stringsIn(value, at = '') {
  if (typeof value === 'string') return [[at, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => stringsIn(inner, `${at}/${key}`));
}

/** Without reads of the mock's own state, unless a later request needs their answers. */
function numbered(requests) {
  const named = new Set(requests.flatMap((one) => [...JSON.stringify(one).matchAll(SYMBOL)].map(([, n]) => Number(n))));
  const isOwn = ({ method, path: target }) =>
    target.includes('/__admin/') && (method === 'GET' || target.includes('check=true'));
  const left = requests.map((one, i) => ({ one, i })).filter(({ one, i }) => named.has(i) || !isOwn(one));
  const places = new Map(left.map(({ i }, place) => [i, place + 1]));
  const renumber = (text) => text.replaceAll(SYMBOL, (_, n, pointer) => `{${places.get(Number(n))}${pointer}}`);
  return left.map(({ one }) => JSON.parse(renumber(JSON.stringify(one))));
}
