import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import supertest from 'supertest';
import { scripts } from '../../package.json';
import { openapi } from '../../spec/openapi/document.ts';
import packages from './packages.json';
import { served } from '../../http/testing/test-server.ts';
import { createMock } from '../mock.ts';
import texts from '../testing/pages.json';
import { testNow } from '../testing/test-client.ts';

const mock = createMock({ now: testNow, frozen: true });
const get = (target: string): supertest.Test => supertest(mock.app).get(target);
const ASSETS = path.join(__dirname, 'assets');
const filesOf = (page: string, assets = ASSETS): readonly string[] =>
  readdirSync(path.join(assets, page), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.extname(file) !== '')
    .map((file) => file.replaceAll(path.sep, '/'));

const types: Readonly<Record<string, string>> = texts.mediaTypes;

const pages = (['docs', 'ui'] as const).flatMap((site) => {
  const others = packages[site].filter((file) => path.extname(file) in types);
  const files = [...filesOf(site), ...others.map((file) => `packages/${file}`)];
  return files.map((file) => [site === 'docs' ? `/docs/${file}` : `/__admin/ui/${file}`, site] as const);
});

describe('assets', () => {
  test.each(pages)('%s is served with its type, and may load nothing from other origins', async (target, site) => {
    const { headers, status } = await get(target);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(types[path.extname(target)]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    const policy = (headers['content-security-policy'] ?? '').split('; ');
    const style = site === 'docs' ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'";
    const script = site === 'docs' ? /^script-src 'self'$/ : /^script-src 'self' 'sha256-[\w+/]+='$/;
    const wanted = ["default-src 'none'", style, "img-src 'self' data:", "connect-src 'self'"];
    expect(policy).toEqual(expect.arrayContaining([...wanted, expect.stringMatching(script)]));
    expect(policy.join(' ')).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  test('a page that the browser already has is not sent again', async () => {
    const { headers } = await get('/__admin/ui/app.js').expect(200);
    const again = await get('/__admin/ui/app.js').set('if-none-match', String(headers['etag'])).expect(304);
    const { etag, 'content-length': length } = again.headers;
    expect([etag, length, again.text]).toEqual([headers['etag'], undefined, '']);
    await get('/__admin/ui/app.js').set('if-none-match', 'W/"other"').expect(200);
  });

  test('HEAD is answered without a body, and pages are read-only', async () => {
    const { headers, text } = await supertest(mock.app).head('/__admin/ui/app.js').expect(200);
    expect([Number(headers['content-length']) > 0, text ?? '']).toEqual([true, '']);
    expect((await supertest(mock.app).post('/docs/').send('x').expect(405)).headers['allow']).toBe('GET, HEAD');
  });

  const ofOthers = '/__admin/ui/packages/swagger-ui-dist/swagger-ui.css';
  test.each(['/docs/nothing.js', '/__admin/ui/docs.js', '/docs/app.js', ofOthers])('there is no %s', async (target) => {
    const { text } = await get(target).expect(404);
    expect(text).toBe(`There is no page ${target}.\n`);
  });

  test.each(texts.outside)('%s is not found', async (target) => {
    const { status, text } = await get(target);
    expect([[403, 404].includes(status), text.includes('import')]).toEqual([true, false]);
  });
});

test('the build contains every served file, and the licences of what others wrote', () => {
  const target = mkdtempSync(path.join(tmpdir(), 'pages-'));
  try {
    execFileSync(process.execPath, [path.join(__dirname, 'copy-assets.mjs'), target]);
    const copied = path.join(target, 'mock/pages/assets');
    for (const site of ['docs', 'ui'] as const) {
      expect(filesOf(site, copied)).toEqual(filesOf(site));
      const licences = packages[site].filter((file) => /LICENSE|LEGAL/.test(file));
      const names = (files: readonly string[]) => new Set(files.map((file) => /^(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]));
      expect(names(licences)).toEqual(names(packages[site]));
      const granting = /Apache License|Permission is hereby granted|license/i;
      for (const file of licences) expect(readFileSync(path.join(copied, 'packages', file), 'utf8')).toMatch(granting);
    }
    for (const script of ['build', 'start', 'test'] as const) expect(scripts[script]).toContain('copy-assets.mjs');
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
});

describe('the document of the reference page', () => {
  test('describes the service, points to this mock, and names no dialect', async () => {
    const { body } = await get('/docs/openapi.json').expect(200);
    expect(Object.keys(body.paths)).toEqual(Object.keys(openapi.paths));
    expect(body.components.schemas).toEqual(openapi.components.schemas);
    expect(body).not.toHaveProperty('jsonSchemaDialect');
    expect(body.servers[0]).toEqual({ url: '/', description: expect.any(String) });
  });

  test('contains the ids of the mock or of a session, and none for those who may not ask for them', async () => {
    const { agentId, workspaceId } = mock.target;
    const { text } = await get('/docs/openapi.json').expect(200);
    expect(text).toContain(`"example":"${agentId}"`);
    expect(text).toContain(`"workspaceId":"${workspaceId}"`);
    const { body } = await get('/_s/one/__admin/service/openapi.json').expect(200);
    expect(body.servers).toEqual([{ url: '/_s/one', description: expect.any(String) }]);
    const server = await served(createMock({ seed: 1 }), { adminToken: 'open-sesame' });
    const closed = await (await fetch(`${server.url}/docs/openapi.json`)).text();
    expect(closed).toContain('"openapi":"3.1.0"');
    expect(closed).not.toContain(createMock({ seed: 1 }).target.agentId);
  });

  test('has the security scheme that the page authorises', () => {
    const page = readFileSync(path.join(ASSETS, 'docs/docs.js'), 'utf8');
    const scheme = /scheme: '(\w+)'/.exec(page)?.[1] ?? '';
    expect(openapi).toHaveProperty(['components', 'securitySchemes', scheme]);
  });
});

const ours = ['docs', 'ui'].flatMap((page) => filesOf(page).map((file) => `${page}/${file}`));

test.each(ours)('%s names no other origin', (file) => {
  const text = readFileSync(path.join(ASSETS, file), 'utf8').replaceAll('http://www.w3.org/2000/svg', '');
  expect(text.match(/\b(?:https?|wss?):\/\/[a-z0-9]|["'(]\/\/[a-z]/gi)).toBeNull();
});

const modules = ours.filter((file) => file.endsWith('.js'));
test.each(modules)('%s writes no markup, evaluates no text, and lets the mock write shell commands', (file) => {
  const text = readFileSync(path.join(ASSETS, file), 'utf8');
  const unsafe = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|curl [-$]/gi;
  expect(text.match(unsafe)).toBeNull();
});

test.each(modules)('%s imports only existing modules', (file) => {
  const text = readFileSync(path.join(ASSETS, file), 'utf8');
  const folder = path.join(ASSETS, path.dirname(file));
  const page = readFileSync(path.join(ASSETS, 'ui/index.html'), 'utf8');
  const [, importMap = ''] = /<script type="importmap">([^<]*)</.exec(page) ?? [];
  const { imports } = JSON.parse(importMap) as { readonly imports: Readonly<Record<string, string>> };
  const expected = packages.ui.filter((name) => name.endsWith('js')).map((name) => `./packages/${name}`);
  expect(Object.values(imports)).toEqual(expected);
  for (const [, from = ''] of text.matchAll(/ from '([^']+)'/g))
    if (from.startsWith('.'))
      expect(ours).toContain(path.relative(ASSETS, path.join(folder, from)).replaceAll(path.sep, '/'));
    else expect(Object.keys(imports)).toContain(from);
  // The linter finds no names that are missing.
  const declared = Array.from(
    text.matchAll(/(?:function|class|const) (\w+)|(?:import|const) \{([^}]*)\}/g),
    ([, name, names = '']) => name ?? names.split(',').map((one) => one.trim()),
  ).flat();
  for (const [, used] of text.matchAll(/<\$\{([A-Z]\w+)\}/g)) expect(declared).toContain(used);
});
