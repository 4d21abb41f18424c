import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMock } from '../mock/index.ts';
import openApi from '../spec/generated/openapi.json';
import { freePort } from '../proof/free-port.ts';
import { start, stop, untilAnswered, type Started } from './processes.ts';
import versions from './references.json';
import type { ConstantAnswer } from './servers/answers.ts';
import { NOW, type Asked, type Operation } from './requests.ts';

/** Another mock server with the same data. */
export interface Reference {
  readonly name: string;
  readonly start: () => Promise<Omit<Started, 'ready'>>;
  readonly request?: (operation: Operation, request: Asked) => Asked;
}

/** Versions of the other programs. */
export const VERSIONS = versions;

/** Where they are installed: they are not our dependencies. */
const CACHE = path.join(tmpdir(), 'agent-contract-bench');

/** Installs the other servers, unless they already are. @returns the reason if that fails */
export function install(): string | undefined {
  const installed = (name: string): string | undefined => {
    const manifest = path.join(CACHE, 'node_modules', name, 'package.json');
    if (!existsSync(manifest)) return undefined;
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
  };
  const missing = Object.entries(versions).filter(([name, version]) => installed(name) !== version);
  if (missing.length === 0) return undefined;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(path.join(CACHE, 'package.json'), '{"private":true}');
  const wanted = missing.map(([name, version]) => `${name}@${version}`);
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', '--loglevel=error'];
  const env = { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' };
  const run = spawnSync('npm', ['install', ...flags, ...wanted], { cwd: CACHE, env, encoding: 'utf8' });
  return run.status === 0 ? undefined : `${wanted.join(', ')} could not be installed: ${run.stderr.slice(0, 300)}`;
}

export type AskedAndAnswered = ReadonlyMap<Operation, { readonly asked: Asked; readonly answer: ConstantAnswer }>;

/** The other servers, configured in `folder` to answer with the mock's own data, each in its cheapest way. */
export function referenceServers(
  folder: string,
  pairs: AskedAndAnswered,
): { readonly servers: readonly Reference[]; readonly notes: readonly string[] } {
  const failed = install();
  if (failed !== undefined) return { servers: [], notes: [`Not compared with others: ${failed}`] };
  return { servers: [prism(folder, pairs), mockoon(folder, pairs), jsonServer(folder)], notes: [] };
}

/** Starts an installed program on a free port. */
export async function launch(
  program: string,
  flags: (port: number) => readonly string[],
  ready: string,
): Promise<Omit<Started, 'ready'>> {
  const port = await freePort();
  const script = path.join(CACHE, 'node_modules', '.bin', program);
  const child = start([process.execPath, script, ...flags(port)], { cwd: CACHE, env: { NODE_ENV: 'production' } });
  child.stdout?.resume();
  child.stderr?.resume();
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilAnswered(`${url}${ready}`);
  } catch (error) {
    await stop(child);
    throw error;
  }
  return { child, url, stop: () => stop(child) };
}

const pathOf = (target: string): string => target.split('?')[0] ?? target;
const exampleOf = (operation: Operation): string => operation.replaceAll(' ', '-');

/** Prism with our OpenAPI document, and the mock's answers as its examples. */
function prism(folder: string, pairs: AskedAndAnswered): Reference {
  const document = path.join(folder, 'openapi.json');
  const shown = structuredClone(openApi) as unknown as {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly responses: Record<string, OpenApiAnswer> }>>>
    >;
  };
  const agentId =
    pathOf(pairs.get('get agent')?.asked.target ?? '')
      .split('/')
      .at(-1) ?? '';
  const answers = new Set<OpenApiAnswer>();
  for (const [operation, { asked, answer }] of pairs) {
    const place = pathOf(asked.target).replace(agentId, '{agentId}');
    const found = shown.paths[place]?.[asked.method.toLowerCase()]?.responses[String(answer.status)];
    if (!found) throw new Error(`The OpenAPI document has no ${answer.status} for ${asked.method} ${place}.`);
    if (!answers.has(found)) found.content['application/json'].examples = {};
    answers.add(found);
    found.content['application/json'].examples[exampleOf(operation)] = { value: JSON.parse(answer.body) as unknown };
  }
  writeFileSync(document, JSON.stringify(shown));
  const flags = (port: number): readonly string[] => [
    'mock',
    document,
    '-p',
    String(port),
    '-v',
    'silent',
    '--no-multiprocess',
  ];
  return {
    name: `Prism ${versions['@stoplight/prism-cli']}`,
    start: () => launch('prism', flags, '/'),
    request: (operation, asked) => ({
      ...asked,
      headers: { ...asked.headers, prefer: `example=${exampleOf(operation)}` },
    }),
  };
}

interface OpenApiAnswer {
  readonly content: { readonly 'application/json': { examples: Record<string, { readonly value: unknown }> } };
}

/** Mockoon with constant bodies and without templates; a route for each answer, which is its cheapest way. */
function mockoon(folder: string, pairs: AskedAndAnswered): Reference {
  const file = path.join(folder, 'mockoon.json');
  const endpoint = (operation: Operation): string => `bench/${exampleOf(operation)}`;
  const routes = [...pairs].map(([operation, { asked, answer }], i) => ({
    uuid: uuid(i),
    type: 'http',
    documentation: '',
    method: asked.method.toLowerCase(),
    endpoint: endpoint(operation),
    responses: [mockoonResponse(uuid(100 + i), answer)],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  }));
  const rootChildren = routes.map((route) => ({ type: 'route', uuid: route.uuid }));
  writeFileSync(file, JSON.stringify({ ...MOCKOON_ENVIRONMENT, routes, rootChildren }));
  const flags = (port: number): readonly string[] => [
    'start',
    '--data',
    file,
    '--port',
    String(port),
    '--disable-log-to-file',
    '--disable-admin-api',
  ];
  return {
    name: `Mockoon ${versions['@mockoon/cli']}`,
    start: () => launch('mockoon-cli', flags, '/'),
    request: (operation, asked) => ({ ...asked, target: `/${endpoint(operation)}` }),
  };
}

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const mockoonResponse = (id: string, { status, headers, body }: ConstantAnswer): object => ({
  uuid: id,
  body,
  latency: 0,
  statusCode: status,
  label: '',
  headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
  bodyType: 'INLINE',
  filePath: '',
  databucketID: '',
  sendFileAsBody: false,
  rules: [],
  rulesOperator: 'OR',
  disableTemplating: true,
  fallbackTo404: false,
  default: true,
  crudKey: 'id',
  callbacks: [],
});

const MOCKOON_ENVIRONMENT = {
  uuid: uuid(1000),
  lastMigration: 33,
  name: 'bench',
  endpointPrefix: '',
  latency: 0,
  port: 3000,
  hostname: '127.0.0.1',
  folders: [],
  proxyMode: false,
  proxyHost: '',
  proxyRemovePrefix: false,
  tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
  cors: false,
  headers: [],
  proxyReqHeaders: [],
  proxyResHeaders: [],
  data: [],
  callbacks: [],
};

/** json-server with the agents of the world, and the results of the requested one. */
function jsonServer(folder: string): Reference {
  const file = path.join(folder, 'db.json');
  const { store, target } = createMock({ now: Date.parse(NOW), frozen: true });
  const { universe } = store;
  const listing = store.results(target.agentId);
  const count = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  writeFileSync(
    file,
    JSON.stringify({
      agents: count(universe.agentCount).map((i) => universe.agent(i)),
      results: count(listing.count).map((n) => listing.at(n)),
    }),
  );
  const flags = (port: number): readonly string[] => [
    '--quiet',
    '--no-gzip',
    '--no-cors',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    file,
  ];
  const list = (limit: number): string =>
    `/results?agentId=${target.agentId}&_sort=createdAt&_order=desc&_limit=${limit}`;
  const targets: Readonly<Record<Operation, string>> = {
    'get agent': `/agents/${target.agentId}`,
    'list 50 results': list(50),
    'list 100 results': list(100),
    'create agent': '/agents',
  };
  return {
    name: `json-server ${versions['json-server']}`,
    start: () => launch('json-server', flags, '/agents/none'),
    request: (operation, asked) => ({ ...asked, target: targets[operation] }),
  };
}
