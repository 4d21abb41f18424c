import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import express from 'express';
import { serverOf } from '../http/testing/test-server.ts';
import { describeInBrowser } from '../mock/testing/test-browser.ts';
import { root, temporaryFolder } from './test-package.ts';

// The built site, as a visitor uses it. Only SITE=1 runs this, since it fetches the generator and builds for a minute.
const isAsked = process.env['SITE'] === '1';
if (!isAsked) process.stderr.write('\nNOT RUN without SITE=1: the site and its playground.\n');

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const folder = temporaryFolder();

if (!isAsked) test.todo('the site, with SITE=1');
const describeSite = isAsked ? describeInBrowser : (): void => undefined;

describeSite('the site', (openPage) => {
  let url = '';

  beforeAll(async () => {
    execFileSync(process.execPath, ['dist/cli/bin.js', 'site', folder], { cwd: root, stdio: 'ignore' });
    ({ url } = await serverOf(express().use(express.static(folder, { extensions: ['html'] }))));
  });

  test.each([1280, 390])('answers, breaks the contract and judges at %d px, and asks nobody else', async (width) => {
    const page = await openPage({ viewport: { width, height: 900 } });
    const elsewhere: string[] = [];
    const troubles: string[] = [];
    page.on('request', (request) => void (request.url().startsWith(url) || elsewhere.push(request.url())));
    page.on('console', (said) => void (said.type() === 'error' && troubles.push(said.text())));
    page.on('pageerror', ({ message }) => void troubles.push(message));
    const verdict = (words: string) =>
      page.getByLabel('Verdict').filter({ hasText: words }).waitFor({ timeout: 60_000 });

    await page.goto(`${url}/playground`);
    await page.getByLabel('Answer').filter({ hasText: 'HTTP 200' }).waitFor();
    await page.getByLabel('Find a violation').fill('oldest first');
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Check this mock' }).click();
    await verdict('NONCONFORMANT');
    const recording = { name: 'traffic.har', mimeType: 'application/json', buffer: Buffer.from(har()) };
    await page.getByLabel('or a recording').setInputFiles(recording);
    await verdict('1 exchange judged');

    for (const view of ['/playground', '/', '/docs/guides/judging-traffic', '/docs/reference/checks']) {
      await page.goto(url + view);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const { violations } = (await page.evaluate(`${axe}; axe.run()`)) as { violations: readonly { id: string }[] };
      expect([view, violations.map(({ id }) => id)]).toEqual([view, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    }
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('cursor');
    await page.getByRole('option').first().waitFor();
    expect({ elsewhere, troubles }).toEqual({ elsewhere: [], troubles: [] });
    await page.close();
  });
});

function har(): string {
  const headers = [{ name: 'authorization', value: 'Bearer t' }];
  const request = { method: 'GET', url: 'http://service.test/api/v1/agents/a', headers };
  const content = { mimeType: 'application/json', text: '{"agent":{"id":5},"currentUserMode":"owner"}' };
  const entry = { startedDateTime: '2026-01-01T00:00:00Z', time: 1, request };
  return JSON.stringify({ log: { entries: [{ ...entry, response: { status: 200, headers: [], content } }] } });
}
