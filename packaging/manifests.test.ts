import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1';
import type { ConfigMap } from 'kubernetes-types/core/v1';
import { parse, parseAllDocuments } from 'yaml';
import manifest from '../package.json';
import { root } from './test-package.ts';

// Below node_modules, where the compiler finds the types of Kubernetes.
const folder = path.join(root, 'node_modules/.cache/agent-contract-manifests');
beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** Where Kubernetes declares the kinds that we use. */
const modules: Readonly<Record<string, string>> = {
  'apps/v1': 'kubernetes-types/apps/v1',
  v1: 'kubernetes-types/core/v1',
  'k6.io/v1alpha1': './k6.ts',
};

/** What we use of the definition of k6-operator (k6.io_testruns.yaml), which publishes no types. */
const k6 = `
import type { EnvFromSource, EnvVar, ResourceRequirements } from 'kubernetes-types/core/v1';
import type { ObjectMeta } from 'kubernetes-types/meta/v1';
export interface TestRun {
  apiVersion: 'k6.io/v1alpha1';
  kind: 'TestRun';
  metadata: ObjectMeta;
  spec: {
    parallelism: number;
    script: { configMap: { name: string; file?: string } };
    separate?: boolean;
    runner?: { env?: EnvVar[]; envFrom?: EnvFromSource[]; resources?: ResourceRequirements };
  };
}`;

const blocksOf = (page: string): readonly string[] =>
  Array.from(
    readFileSync(path.join(root, 'docs/guides', page), 'utf8').matchAll(/```yaml\n(.*?)```/gs),
    ([, text = '']) => text,
  );

/** What the tests read of a resource, whatever its kind. */
interface Resource extends Pick<Deployment, 'spec'>, Pick<ConfigMap, 'data'> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The resources in the blocks of a page. @throws Error if one is not YAML */
const resourcesIn = (text: string): readonly Resource[] =>
  parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw error;
    return document.toJS() as Resource;
  });

/** What the compiler says against the resources in a manifest, by the types that Kubernetes publishes. */
function errorsIn(text: string): string {
  const lines = resourcesIn(text).map((resource, i) => {
    const { apiVersion, kind } = resource;
    const type = `import('${modules[apiVersion] ?? `nothing known as ${apiVersion}`}').${kind}`;
    return `export const resource${i}: ${type} = ${JSON.stringify(resource, null, 1)};`;
  });
  writeFileSync(path.join(folder, 'k6.ts'), k6);
  writeFileSync(path.join(folder, 'manifest.ts'), lines.join('\n'));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const flags = '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --allowImportingTsExtensions'.split(
    ' ',
  );
  try {
    execFileSync(process.execPath, [tsc, ...flags, '--types', '', 'manifest.ts'], { cwd: folder, encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

const pages = ['in-production.md', 'replicas.md', 'under-load.md'];
const all = pages.flatMap((page) => blocksOf(page).map((text, i) => [page, i, text] as const));

test.each(all)('%s: manifest %i is one that Kubernetes knows', (_, __, text) => {
  expect(errorsIn(text)).toBe('');
});

test('a wrong manifest is noticed', () => {
  const [text = ''] = blocksOf('in-production.md');
  expect(errorsIn(blocksOf('under-load.md')[0]?.replace('separate', 'seperate') ?? '')).toContain('seperate');
  expect(errorsIn(text.replace('httpGet', 'httpget'))).toContain('httpget');
  expect(errorsIn(text.replace('replicas: 2', 'replicas: two'))).toContain("Type 'string'");
});

test('probes, ports and commands of the manifests fit each other', () => {
  const resources = blocksOf('in-production.md').flatMap(resourcesIn);
  for (const { spec } of resources.filter(({ kind }) => kind === 'Deployment')) {
    const { terminationGracePeriodSeconds, containers = [] } = spec?.template.spec ?? {};
    const container = containers.find(({ name }) => name === 'contract');
    const ports = new Map(container?.ports?.map(({ name, containerPort }) => [name, containerPort]));
    expect(ports.get('http')).toBe(4020);
    for (const probe of [container?.livenessProbe, container?.readinessProbe])
      expect(ports.get(String(probe?.httpGet?.port))).toBe(9464);
    expect(container?.env).toContainEqual({ name: 'AGENT_CONTRACT_OPERATE', value: '0.0.0.0:9464' });
    // Longer than the pause before the end, and the ten seconds for requests in flight.
    expect(terminationGracePeriodSeconds).toBeGreaterThan(15);
  }
});

const replicas = blocksOf('replicas.md').flatMap(resourcesIn);
const replica = (kind: string, name: string): Resource | undefined =>
  replicas.find((one) => one.kind === kind && one.metadata.name === name);

/** The directives of an nginx configuration, without what depends on the place: folders, addresses, comments. */
const directives = (config: string): readonly string[] =>
  config
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|pid |listen |server [\w.-]+:|\w+_temp_path )/.test(line));

test('every selector of the replicas matches something', () => {
  expect(replicas.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'StatefulSet mock',
    'Service mock-0',
    'Service mock-1',
    'ConfigMap mock-balancer',
    'Deployment mock-balancer',
    'Service agent-contract',
  ]);
  for (const { spec } of replicas.filter(({ kind }) => kind !== 'ConfigMap' && kind !== 'Service'))
    expect(spec?.template.metadata?.labels).toEqual(spec?.selector.matchLabels);
  expect(replica('Service', 'agent-contract')?.spec?.selector).toEqual(
    replica('Deployment', 'mock-balancer')?.spec?.template.metadata?.labels,
  );
});

test('the nginx configuration of the replicas is the one that was tested', () => {
  const config = replica('ConfigMap', 'mock-balancer')?.data?.['nginx.conf'] ?? '';
  expect(directives(config)).toEqual(directives(readFileSync(path.join(root, 'packaging/nginx.conf'), 'utf8')));
  const servers = [...config.matchAll(/server (mock-\d+):4010;/g)].map(([, name]) => name);
  expect(servers).toHaveLength(replica('StatefulSet', 'mock')?.spec?.replicas ?? 0);
  for (const name of servers)
    expect(replica('Service', name ?? '')?.spec?.selector).toEqual({ 'statefulset.kubernetes.io/pod-name': name });
});

interface Job {
  readonly permissions?: object;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[];
}

test('the release workflow runs scripts that exist, among them the whole proof, and attests the image that it built', () => {
  const text = readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8');
  const jobs = Object.values((parse(text) as { readonly jobs: Readonly<Record<string, Job>> }).jobs);
  const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
  for (const script of scripts) execFileSync('bash', ['-n', '-c', script]);
  const named = [...scripts.join('\n').matchAll(/npm (?:run )?(test[:\w]*)/g)].map(([, name = '']) => name);
  expect([named, text]).toEqual([['test', 'test:thorough'], expect.stringContaining("WHOLE_PROOF: '1'")]);
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named));
  for (const { permissions, steps } of jobs) {
    const attested = steps.find(({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@'));
    expect([attested?.uses, permissions]).toMatchObject([
      expect.any(String),
      { 'id-token': 'write', attestations: 'write' },
    ]);
  }
  const built = jobs.at(-1)?.steps.find(({ uses = '' }) => uses.startsWith('docker/build-push-action@'));
  expect(built?.with).toMatchObject({ push: true, provenance: 'mode=max', sbom: true });
  expect(text).toContain('subject-digest: ${{ steps.build.outputs.digest }}');
});
