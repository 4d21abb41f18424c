import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { compiled } from '../proof/compiled.ts';

// `npm run bench` measures times. The modules that a start loads make it slow, and they do not depend on the machine.

const dist = path.join(__dirname, '..', 'dist');

/** What a process has loaded. */
interface Loaded {
  readonly packages: ReadonlySet<string>;
  /** Our own modules. */
  readonly own: ReadonlySet<string>;
  /** Whether Node.js has loaded its `fetch`, with `Request` and `Response`. */
  readonly hasFetch: boolean;
}

/** Runs `work` in a separate process. @returns what is loaded afterwards */
function loadedAfter(work: string): Loaded {
  compiled('mock/index');
  const script = `
    const write = process.stdout.write.bind(process.stdout);
    const work = async () => { ${work} };
    work().then(() => {
      // A pipe takes what it has room for, so that the process ends only when all of it has been taken.
      const hasFetch = process.moduleLoadList.some((name) => name.endsWith(' internal/deps/undici/undici'));
      write('\\n' + JSON.stringify({ files: Object.keys(require.cache), hasFetch }), () => process.exit(0));
    });`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: dist,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  const line = stdout.split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(stderr);
  const { hasFetch, ...loaded } = JSON.parse(line) as { readonly files: readonly string[]; readonly hasFetch: boolean };
  const files = loaded.files.map((file) => file.replaceAll('\\', '/'));
  const ofPackage = (file: string): string[] => {
    const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(file.split('/node_modules/').at(-1) ?? '') ?? [];
    return file.includes('/node_modules/') ? [name] : [];
  };
  return {
    hasFetch,
    packages: new Set(files.flatMap(ofPackage)),
    own: new Set(
      files.filter((file) => !file.includes('/node_modules/')).map((file) => file.split('/dist/').at(-1) ?? ''),
    ),
  };
}

/** Starts the program's mock. @returns its URL and token */
const started = `
  const written = [];
  const real = process.stdout.write.bind(process.stdout);
  const ready = new Promise((resolve) => {
    process.stdout.write = (text) => { resolve(JSON.parse(text)); return true; };
  });
  process.argv = [process.execPath, 'agent-contract', 'mock', '--port', '0', '--json'];
  require('./cli/bin.js');
  const { url, target } = await ready;
  process.stdout.write = real;
  const headers = { authorization: 'Bearer ' + target.token };
  const get = (path) => new Promise((resolve, reject) => {
    require('node:http').get(url + path, { headers }, (answer) => {
      answer.resume().on('end', () => answer.statusCode === 200 ? resolve() : reject(new Error(path + ' ' + answer.statusCode)));
    }).on('error', reject);
  });
  await get('/api/v1/agents/' + target.agentId + '/results?limit=50');`;

const late = ['express', 'body-parser', 'undici', '@peculiar/asn1-x509', 'open', 'fast-check', 'ajv'];

/** Prefixes of module names. */
const needless = [
  'mock/pages/ mock/on-demand/examples.js mock/on-demand/dynamic.js spec/openapi/document.js spec/generated/openapi.json',
  'fixtures/universe/difficult/surprises.js conformance/run.js conformance/checks/ conformance/reporters/text.js',
  'conformance/reporters/html/html.js conformance/http/http-transport.js proof/ bench/ cli/mock/certificate.js',
  'cli/mock/open-page.js cli/run/',
].flatMap((line) => line.split(' '));

let before: Loaded;
beforeAll(() => {
  before = loadedAfter(started);
});

test('the first answer of the mock needs neither Express nor fetch, examples, pages, reports, certificates or a browser', () => {
  const { packages, own, hasFetch } = before;
  expect(hasFetch).toBe(false);
  expect(late.filter((name) => packages.has(name))).toEqual([]);
  expect(own).toContain('mock/hosts/server.js');
  expect([...own].filter((file) => needless.some((beginning) => file.startsWith(beginning)))).toEqual([]);
});

test('the judge needs neither worlds nor a mock, and loads its HTTP client when it sends a request', () => {
  const { packages, own, hasFetch } = loadedAfter(`require('./conformance/index.js')`);
  expect([...packages].filter((name) => late.includes(name))).toEqual([]);
  expect([...own].filter((file) => /^(?:mock|cli|fixtures\/universe\/personas)\//.test(file))).toEqual([]);
  expect(hasFetch).toBe(false);
});

test('each prefix is one of existing names', () => {
  const all = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  expect(needless.filter((beginning) => !all.some((file) => file.startsWith(beginning)))).toEqual([]);
});

test('a body needs no package that the first answer did not need', () => {
  const { packages } = loadedAfter(
    `${started}\nawait fetch(url + '/api/v1/workspaces', { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"name":"A"}' });`,
  );
  expect([...packages].toSorted()).toEqual([...before.packages].toSorted());
});

test.each([
  ['an example', 'example=version-5', 'spec/generated/openapi.json', 'fixtures/universe/difficult/surprises.js'],
  ['a made-up answer', 'dynamic=true', 'fixtures/universe/difficult/surprises.js', undefined],
])('%s loads what it needs, and no package', (_, prefer, wanted, spared) => {
  const { packages, own } = loadedAfter(
    `${started}\nawait fetch(url + '/api/v1/agents/x', { headers: { ...headers, prefer: '${prefer}' } });`,
  );
  expect(own).toContain(wanted);
  expect(own).not.toContain(spared);
  expect([...packages].toSorted()).toEqual([...before.packages].toSorted());
});
