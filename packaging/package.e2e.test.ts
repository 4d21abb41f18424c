import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import manifest from '../package.json';
import { documents, execute, install, modules, pack, temporaryFolder } from './test-package.ts';

// The package as users get it: packed, installed in a separate folder, and used from there.

const folder = temporaryFolder();
let consumer: string;

beforeAll(async () => {
  consumer = await install(await pack(folder), folder);
});

describe('each entry', () => {
  function runInConsumer(text: string) {
    const script = path.join(consumer, 'load.mjs');
    writeFileSync(script, text);
    return execute(process.execPath, [script], { cwd: consumer });
  }

  test('loads by require and by import, with the same exports', async () => {
    const printed = await runInConsumer(`
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const loaded = {};
      for (const name of ${JSON.stringify(modules.map(({ name }) => name))}) {
        const required = require(name);
        const { default: whole, 'module.exports': _, __esModule, ...imported } = await import(name);
        loaded[name] = { isSame: whole === required, required: Object.keys(required).sort(), imported: Object.keys(imported).sort() };
      }
      console.log(JSON.stringify(loaded));
    `);
    type Loaded = Record<string, { isSame: boolean; required: readonly string[]; imported: readonly string[] }>;
    const loaded = JSON.parse(printed.stdout) as Loaded;
    expect([printed.stderr, Object.keys(loaded).length]).toEqual(['', modules.length]);
    for (const [name, { isSame, required, imported }] of Object.entries(loaded)) {
      expect({ name, isSame, imported }).toEqual({ name, isSame: true, imported: required });
      // These are functions.
      if (!/\/(?:global-setup|vite)$/.test(name)) expect(required).not.toEqual([]);
    }
  });

  test('JSON files can be loaded too', async () => {
    const imports = documents.map((name, at) => `import d${at} from ${JSON.stringify(name)} with { type: 'json' };`);
    const { stdout } = await runInConsumer(`
      ${imports.join('\n')}
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const imported = [${documents.map((_, at) => `d${at}`).join(', ')}];
      const required = ${JSON.stringify(documents)}.map((name) => require(name));
      console.log(JSON.stringify(imported) === JSON.stringify(required), imported.length);
    `);
    expect(stdout).toBe(`true ${documents.length}\n`);
    expect(documents.length).toBeGreaterThan(30);
  });

  test('nothing else can be loaded', async () => {
    const inside = execute(process.execPath, ['-e', "require('agent-contract/dist/mock/core.js')"], { cwd: consumer });
    await expect(inside).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

test('the program shows its pages, serves a mock with them, and judges it', async () => {
  const bin = path.join(consumer, 'node_modules/agent-contract', manifest.bin['agent-contract']);
  expect(existsSync(bin)).toBe(true);
  await expect(execute(process.execPath, [bin, 'mcp'], { cwd: consumer })).rejects.toThrow(
    /npm install --save-dev @modelcontextprotocol\/server/,
  );
  const { stdout: shown } = await execute(process.execPath, [bin, 'docs', 'mock-in-tests'], { cwd: consumer });
  expect(shown).toMatch(/^# The mock in tests\n/);
  const mock = spawn(process.execPath, [bin, 'mock', '--port', '0', '--json'], { cwd: consumer });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      createInterface(mock.stdout).once('line', resolve);
      mock.once('exit', (status) => reject(new Error(`The mock ended with ${status}.`)));
    });
    const { url, target } = JSON.parse(line) as { url: string; target: { token: string; agentId: string } };
    for (const page of ['/docs/', '/docs/packages/swagger-ui-dist/swagger-ui-bundle.js', '/__admin/ui/'])
      expect([page, (await fetch(url + page)).status]).toEqual([page, 200]);
    const drawn = await fetch(`${url}/api/v1/agents/${target.agentId}`, {
      headers: { authorization: `Bearer ${target.token}`, prefer: 'dynamic=true' },
    });
    expect([drawn.status, drawn.headers.get('preference-applied')]).toEqual([200, expect.stringContaining('dynamic')]);
    const flags = ['--token', target.token, '--agent-id', target.agentId, '--allow-partial'];
    const { stdout } = await execute(process.execPath, [bin, 'check', url, ...flags], { cwd: consumer });
    expect(stdout).toMatch(/\nPARTIAL: \d+ passed, 0 failed/);
  } finally {
    mock.kill();
  }
});
