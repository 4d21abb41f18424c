#!/usr/bin/env node
// Makes the pictures of the README from the built program: `npm run build && node docs/pictures/make.mjs`.
// It needs a Chromium; CHROMIUM names one that is not at /usr/bin/chromium.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const { createMock } = createRequire(import.meta.url)(path.join(root, 'dist/mock/index.js'));

const mock = createMock({ seed: 1, now: Date.UTC(2026, 4, 20, 15, 30), frozen: true });
const server = await mock.listen({ port: 0 });
const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-pictures-'));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
try {
  await dashboard();
  await failedCheck();
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}

/** What an app asks while it is developed: a list, an agent, a state on demand, a slip. */
async function dashboard() {
  const { agentId, token } = mock.target;
  const ask = (target, headers = {}) =>
    fetch(server.url + target, { headers: { authorization: `Bearer ${token}`, ...headers } });
  await ask(`/api/v1/agents/${agentId}`);
  await ask(`/api/v1/agents/${agentId}/results?limit=20`);
  await ask(`/api/v1/agents/${agentId}/results?timeFilter=last7Days`, { prefer: 'code=503' });
  await ask(`/api/v1/agents/${agentId}/results?timeFilter=last7days`);
  const page = await open(`${server.url}/__admin/ui`);
  await page.getByText('last7days').first().waitFor();
  await page.screenshot({ path: path.join(here, 'dashboard.png') });
}

async function failedCheck() {
  mock.setFaults(['results-out-of-order-between-pages']);
  const report = path.join(folder, 'report.html');
  const argv = [path.join(root, 'dist/cli/bin.js'), 'check', server.url, '--only', 'list-results', '--seed', '1'];
  const { token, agentId } = mock.target;
  const env = { ...process.env, AGENT_CONTRACT_TOKEN: token, AGENT_CONTRACT_AGENT_ID: agentId };
  await new Promise((done) => execFile(process.execPath, [...argv, '--report', `html=${report}`], { env }, done));
  const page = await open(pathToFileURL(report).href);
  await page
    .getByRole('link', { name: /newest first/ })
    .first()
    .click();
  await page.screenshot({ path: path.join(here, 'failed-check.png') });
}

async function open(url) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 560 }, colorScheme: 'light' });
  await page.goto(url);
  return page;
}
