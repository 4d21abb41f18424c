import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../testing/test-io.ts';

const docs = path.join(__dirname, '../../docs');

test('lists every page of the guides, the recipes and the reference', async () => {
  const { status, stdout } = await run(['docs']);
  expect(status).toBe(0);
  for (const folder of ['guides', 'recipes', 'reference'])
    for (const file of readdirSync(path.join(docs, folder)).filter((one) => one !== 'README.md'))
      expect(stdout).toMatch(new RegExp(`^  ${file.slice(0, -3)} +\\S`, 'm'));
});

test('shows a page', async () => {
  const { stdout } = await run(['docs', 'gating-ci']);
  expect(stdout).toBe(readFileSync(path.join(docs, 'guides/gating-ci.md'), 'utf8'));
});
