#!/usr/bin/env node
// Records the requests of the mock's pages while somebody uses them: `npm run build && node proof/record-pages.mjs`
// writes pages-session.json. It needs Chromium; CHROMIUM names one that is not at /usr/bin/chromium.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { format } from 'oxfmt';

const root = path.join(import.meta.dirname, '..');
const { createMock } = createRequire(import.meta.url)(path.join(root, 'dist/mock/index.js'));

/** Headers that may affect the answer. */
const KEPT = ['accept', 'authorization', 'content-type', 'prefer'];
/** Where an answer has a value that later requests use. */
const NAMING = ['workspace/id', 'agent/id', 'nextCursor', 'results/0/id'];
/** Requests to the service and the admin API, except for the endless stream of the journal, and for the document. */
const API = /^http:\/\/[^/]+(?:\/_s\/[^/]+)?\/(?:api|__admin(?!\/ui))\/(?!.*(?:stream|openapi\.json)$)/;

const mock = createMock({ seed: 1, now: Date.UTC(2026, 4, 20, 15, 30), frozen: true });
const { agentId, publishedAgentId, workspaceId, token } = mock.target;
const server = await mock.listen({ port: 0 });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
const folder = mkdtempSync(path.join(tmpdir(), 'pages-'));
const har = path.join(folder, 'pages.har');
const context = await browser.newContext({ recordHar: { path: har, content: 'embed', urlFilter: API } });
const page = await context.newPage();
const panel = page.locator('#panel');
try {
  page.setDefaultTimeout(60_000);
  page.on('dialog', (question) => void question.accept());
  await useReference();
  await useDashboard();
  await context.close();
  const requests = playable(JSON.parse(readFileSync(har, 'utf8')).log.entries);
  const file = path.join(root, 'prove/foreign/pages-session.json');
  writeFileSync(file, (await format(file, JSON.stringify(requests), { printWidth: 120 })).code);
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}

/** The reference at /docs: every operation with its default values, other lists, and a request without a token. */
async function useReference() {
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
    const [answer] = await Promise.all([page.waitForResponse(/\/api\/v1\//), block.locator('.execute').click()]);
    return answer.json();
  };
  const operations = ['createWorkspace', 'createAgent', 'importAgent', 'getAgent', 'getPublishedAgent', 'listResults'];
  const answers = {};
  for (const operation of operations) answers[operation] = await tryIt(operation);
  const list = async (values) =>
    tryIt('listResults', { agentId, limit: '10', timeFilter: 'allTime', cursor: '', ...values });
  let cursor = '';
  for (let n = 1; n <= 3; n++) ({ nextCursor: cursor } = await list({ cursor }));
  for (const timeFilter of ['today', 'last7Days', 'monthToDate']) await list({ timeFilter, limit: '25' });
  await list({ limit: '1' });
  for (const { agent } of [answers.createAgent, answers.importAgent]) await tryIt('getAgent', { agentId: agent.id });
  await tryIt('getAgent', { agentId });
  await authorize('Logout');
  for (const operation of operations) await tryIt(operation);
  await authorize('Authorize', token);
  await tryIt('getAgent', { agentId });
  await list({ limit: '50' });
}

async function authorize(verb, value) {
  await page.locator('.auth-wrapper .btn.authorize').first().click();
  const form = page.locator('.modal-ux');
  if (value !== undefined) await form.locator('input').first().fill(value);
  await form.locator('button', { hasText: verb }).first().click();
  await form.locator('.btn-done').click();
}

async function open(place, session = '') {
  await page.goto('about:blank');
  await page.goto(`${server.url}/__admin/ui/index.html${session && `?session=${session}`}#${place}`);
  await panel.locator('h1').waitFor();
}

/** Waits for the answer too, if a click sends something other than a reading of the mock's state. */
async function sending(button) {
  const isSent = (answer) => API.test(answer.url()) && !isReading(answer.request().method(), answer.url());
  await Promise.all([page.waitForResponse(isSent), button.first().click()]);
}

function press(name) {
  return sending(panel.getByRole('button', { name, exact: true }));
}

async function createAgent(name) {
  await panel.getByText('New agent, or import').click();
  await panel.getByLabel('Name').fill(name);
  await press('Create');
}

async function sendAgain(row) {
  await panel.getByRole('button', { name: row }).first().click();
  await press('Send again');
}

/** The dashboard in two sessions: data is created, edited, published and removed, and requests are sent again. */
async function useDashboard() {
  await open('workspaces');
  await panel.getByLabel('New workspace').fill('From the dashboard');
  await press('Create');
  await open('agents');
  await createAgent('From the dashboard');
  await press('Publish');
  await panel.getByText('Add results, set modes').click();
  await panel.getByLabel('Count').fill('12');
  await press('Add');
  await panel.getByRole('link', { name: 'Edit' }).click();
  const text = panel.getByRole('textbox').last();
  await text.fill((await text.inputValue()).replace('From the dashboard', 'Edited in the dashboard'));
  await press('Save');
  await press('Duplicate');
  await open(`agents/${agentId}/results`);
  const dialog = page.getByRole('dialog', { name: /^(?:Result of|New result)/ });
  await panel.getByRole('button', { name: 'New result' }).click();
  await sending(dialog.getByRole('button', { name: 'Add' }));
  await page.getByText('The result is added.').waitFor();
  await panel.locator('tbody button').first().click();
  await sending(dialog.getByRole('button', { name: 'Delete' }));
  await open('clock');
  await press('Forward 1 hour');
  await open('snapshots');
  await panel.getByLabel('Name').fill('before');
  await press('Take it');
  await open('agents');
  await panel.getByText('New agent, or import').click();
  const flow = { version: '6', name: 'Out of a file', groups: [{ id: 'g1', title: 'Hello', blocks: [] }] };
  const buffer = Buffer.from(JSON.stringify(flow));
  const file = { name: 'flow.json', mimeType: 'application/json', buffer };
  const upload = panel.locator('input[type=file]').setInputFiles(file);
  await Promise.all([page.waitForResponse(/\/import$/), upload]);
  await open('journal');
  await sendAgain(/List results/);
  await sendAgain(/Import agent/);
  await open('snapshots');
  await press('Restore');
  await open('journal');
  await sendAgain(/Get agent/);
  await sendAgain(/Create workspace/);
  await open('agents', 'second');
  await createAgent('In a second session');
  await open('journal', 'second');
  await sendAgain(/Create agent/);
}

/** Whether a request only reads the mock's state, other than the results that somebody chooses from. */
function isReading(method, url) {
  if (url.includes('check=true')) return true;
  return method === 'GET' && url.includes('/__admin/') && !url.includes('/results');
}

/**
 * Requests that can be played in any world, without reads of the mock's own state except for results. A symbol replaces each value
 * that the mock gave: `{agentId}` comes from the target, `{3/agent/id}` from that place in the answer to the third request.
 */
function playable(entries) {
  const given = new Map(Object.entries({ publishedAgentId, agentId, workspaceId, token }).map(([k, v]) => [v, k]));
  const symbolic = (text, write = (value) => value) =>
    [...given].reduce((sum, [value, name]) => sum.replaceAll(write(value), `{${name}}`), text);
  const requests = entries.filter(({ request: { method, url } }) => !isReading(method, url));
  return requests.map(({ request: { method, url, headers, postData }, response }, i) => {
    const sent = headers.filter(({ name }) => KEPT.includes(name.toLowerCase()));
    const played = {
      method,
      // The same agent has both roles here; a world may have two.
      path: symbolic(url.slice(server.url.length), encodeURIComponent).replace(
        '{agentId}/publishedAgent',
        '{publishedAgentId}/publishedAgent',
      ),
      headers: Object.fromEntries(sent.map(({ name, value }) => [name.toLowerCase(), symbolic(value)])),
      body: postData && JSON.parse(symbolic(JSON.stringify(JSON.parse(postData.text)))),
    };
    const answer = JSON.parse(response.content.text || '{}');
    for (const pointer of NAMING) {
      const value = pointer.split('/').reduce((inner, key) => inner?.[key], answer);
      if (typeof value === 'string' && !given.has(value)) given.set(value, `${i + 1}/${pointer}`);
    }
    return played;
  });
}
