import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas?: number;
    readonly selector: Readonly<Record<string, string>> & { readonly matchLabels?: object };
    readonly template?: { readonly metadata: { readonly labels: object } };
  };
}

const root = path.join(__dirname, '..');
const page = readFileSync(path.join(root, 'docs/guides/replicas.md'), 'utf8');
const yaml = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const documents = parseAllDocuments(yaml);
const manifests = documents.map((document) => document.toJSON() as Manifest);
const named = (kind: string, name: string): Manifest | undefined =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name);

/** The directives of an nginx configuration, without what depends on the place: folders, addresses, comments. */
const directives = (config: string): readonly string[] =>
  config
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|pid |listen |server [\w.-]+:|\w+_temp_path )/.test(line));

test('the manifest is YAML, and every selector matches something', () => {
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'StatefulSet mock',
    'Service mock-0',
    'Service mock-1',
    'ConfigMap mock-balancer',
    'Deployment mock-balancer',
    'Service agent-contract',
  ]);
  for (const { spec } of manifests.filter(({ kind }) => kind !== 'ConfigMap' && kind !== 'Service'))
    expect(spec.template?.metadata.labels).toEqual(spec.selector.matchLabels);
  expect(named('Service', 'agent-contract')?.spec.selector).toEqual(
    named('Deployment', 'mock-balancer')?.spec.template?.metadata.labels,
  );
});

test('its nginx configuration is the one that was tested', () => {
  const config = named('ConfigMap', 'mock-balancer')?.data?.['nginx.conf'] ?? '';
  expect(directives(config)).toEqual(directives(readFileSync(path.join(root, 'packaging/nginx.conf'), 'utf8')));
  const servers = [...config.matchAll(/server (mock-\d+):4010;/g)].map(([, name]) => name);
  expect(servers).toHaveLength(named('StatefulSet', 'mock')?.spec.replicas ?? 0);
  for (const name of servers)
    expect(named('Service', name ?? '')?.spec.selector).toEqual({ 'statefulset.kubernetes.io/pod-name': name });
});
