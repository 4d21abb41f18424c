import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import manifest from '../package.json';

const root = path.join(__dirname, '..');
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

/** What the compiler says against the resources in a manifest, by the types that Kubernetes publishes. */
function errorsIn(text: string): string {
  const lines = parseAllDocuments(text).map((document, i) => {
    const resource = document.toJS() as { readonly apiVersion: string; readonly kind: string };
    const { apiVersion, kind } = resource;
    const type = `import('${modules[apiVersion] ?? `nothing known as ${apiVersion}`}').${kind}`;
    return `export const resource${i}: ${type} = ${JSON.stringify(resource, null, 1)};`;
  });
  writeFileSync(path.join(folder, 'k6.ts'), k6);
  writeFileSync(path.join(folder, 'manifest.ts'), lines.join('\n'));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--types',
    '',
  ];
  try {
    execFileSync(process.execPath, [tsc, ...flags, 'manifest.ts'], { cwd: folder, encoding: 'utf8' });
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
  for (const text of blocksOf('in-production.md'))
    for (const document of parseAllDocuments(text)) {
      const resource = document.toJS() as { readonly kind: string; readonly spec: Spec };
      if (resource.kind !== 'Deployment') continue;
      const { spec } = resource.spec.template;
      const container = spec.containers.find(({ name }) => name === 'contract');
      const ports = new Map(container?.ports.map(({ name, containerPort }) => [name, containerPort]));
      expect(ports.get('http')).toBe(4020);
      for (const probe of [container?.livenessProbe, container?.readinessProbe])
        expect(ports.get(probe?.httpGet.port ?? '')).toBe(9464);
      expect(container?.env).toContainEqual({ name: 'AGENT_CONTRACT_OPERATE', value: '0.0.0.0:9464' });
      // Longer than the pause before the end, and the ten seconds for requests in flight.
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(15);
    }
});

interface Probe {
  readonly httpGet: { readonly port: string };
}
interface Spec {
  readonly template: {
    readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly containers: readonly {
        readonly name: string;
        readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
        readonly env: readonly object[];
        readonly livenessProbe?: Probe;
        readonly readinessProbe?: Probe;
      }[];
    };
  };
}

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: Record<string, unknown> }[];
}

test('the release workflow runs scripts that exist, and attests the image that it built', () => {
  const text = readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8');
  const jobs = Object.values((parse(text) as Workflow).jobs);
  const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
  for (const script of scripts) execFileSync('bash', ['-n', '-c', script]);
  const named = [...scripts.join('\n').matchAll(/npm (?:run )?(test[:\w]*)/g)].map(([, name = '']) => name);
  expect(named).toEqual(['test', 'test:thorough']);
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
