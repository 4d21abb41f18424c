import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json';
import { chromium } from '../../mock/testing/test-browser.ts';
import { literal } from '../../text/literal.ts';
import type { CodeBlock } from './pages.ts';

/** The runner of a test snippet; `undefined` if it is not a test. */
export function runnerOf({ file, text }: CodeBlock): Runner | undefined {
  if (/\.config\.[cm]?[jt]s$/.test(file ?? '')) return undefined;
  if (/\bfrom 'vitest'/.test(text)) return 'vitest';
  if (/\bfrom '@playwright\/test'/.test(text)) return 'playwright';
  if (file?.endsWith('.test.ts') === true || /^import .* from 'agent-contract\/jest'/m.test(text)) return 'jest';
  return undefined;
}

/**
 * The command of each runner that runs only the named tests, configured as on the page, and what it writes of a file that
 * passed. Without a browser, Playwright only lists them.
 */
const known = {
  jest: { configure: jestConfig, command: "jest --config '{config}' --runTestsByPath", passed: '^PASS \\./{file}' },
  vitest: { configure: undefined, command: 'vitest run --reporter verbose', passed: '^ *✓ {file} >' },
  playwright: {
    configure: playwrightConfig,
    command: `playwright test --config '{config}' ${chromium === undefined ? '--list' : '--reporter list'}`,
    passed: chromium === undefined ? '^ *{file}:\\d' : '^ *✓ .*\\b{file}:\\d',
  },
};
export type Runner = keyof typeof known;
export const runners = Object.keys(known) as readonly Runner[];

export function testCommand(runner: Runner, folder: string, files: readonly string[]): string {
  const { configure, command } = known[runner];
  return [command.replace('{config}', () => configure?.(folder) ?? ''), ...files].join(' ');
}

export const hasPassed = (runner: Runner, file: string, written: string): boolean =>
  new RegExp(
    known[runner].passed.replace('{file}', () => literal(file)),
    'm',
  ).test(written);

function jestConfig(rootDir: string): string {
  const file = path.join(rootDir, 'jest.docs.json');
  const transform = { '\\.ts$': Object.values(manifest.jest.transform)[0] };
  const own = path.join(rootDir, 'jest.config.json');
  const given = existsSync(own) ? (JSON.parse(readFileSync(own, 'utf8')) as object) : {};
  writeFileSync(file, JSON.stringify({ ...given, rootDir, transform, testMatch: ['**/*.test.ts'] }));
  return file;
}

/** The page's configuration, with the installed browser instead of the one that Playwright would download. */
function playwrightConfig(folder: string): string {
  const file = path.join(folder, 'docs.playwright.config.mjs');
  const own = existsSync(path.join(folder, 'playwright.config.ts')) ? "import own from './playwright.config.js';" : '';
  const use = { launchOptions: { executablePath: chromium } };
  writeFileSync(
    file,
    `import { defineConfig } from '@playwright/test';\n${own}\n` +
      `export default defineConfig(${own === '' ? '' : 'own, '}${JSON.stringify({ use })});\n`,
  );
  return file;
}
