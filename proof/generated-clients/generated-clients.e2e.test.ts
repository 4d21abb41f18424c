import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { served } from '../../http/testing/test-server.ts';
import { documentOf } from '../../mock/document/of-profile.ts';
import { createMock, profiles, type Mock, type MockServer } from '../../mock/index.ts';
import { openapi } from '../../spec/openapi/document.ts';
import { neutralDocument } from '../../spec/openapi/neutral.ts';
import manifest from './generators.json';

/**
 * Generated clients of each document against the mock. A program of natural use is compiled strictly with each: it walks a list,
 * creates, imports, reads an agent, narrows it by its version, and meets a refusal. Only GENERATED_CLIENTS=1 runs this, since it
 * fetches half a gigabyte of generators and takes a quarter of an hour.
 */

const isAsked = process.env['GENERATED_CLIENTS'] === '1';
if (!isAsked) process.stderr.write('\nNOT RUN without GENERATED_CLIENTS=1: the clients that generators make.\n');

/** Another server; the programs import less than its other choice demands. */
const trpc = { ...profiles.trpc, 'import-parts': profiles.default['import-parts'] };

const okay = ['200', '200'];
/** Each with the statuses of its answers, as the programs write them: of reading, of creation. */
const documents = {
  default: { document: () => openapi, mock: () => createMock(), numbers: ['200', '201'], names: ['200', '201'] },
  neutral: { document: neutralDocument, mock: () => createMock(), numbers: ['200', '201'], names: ['2XX', '2XX'] },
  trpc: { document: () => documentOf(trpc), mock: () => createMock({ profile: trpc }), numbers: okay, names: okay },
};

const folder = mkdtempSync(path.join(tmpdir(), 'generated-clients-'));
const inside = (...parts: string[]): string => path.join(folder, ...parts);

const started = promisify(execFile);
/** Runs a line of words. @throws Error with all that the program printed */
async function run(own: string, line: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [command = '', ...args] = line.split(' ');
  try {
    const given = { cwd: own, env: { ...process.env, ...env }, maxBuffer: 100_000_000 };
    return (await started(command, args, given)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${line}\n${stdout.slice(-8000)}\n${stderr.slice(-8000)}`, { cause: error });
  }
}

interface Generator {
  /** The program of natural use, and where it goes. */
  readonly program: readonly [from: string, to: string];
  /** Whether the program names statuses as the document does, and not as numbers. */
  readonly namesStatuses?: boolean;
  /** Once, in the folder of all. */
  readonly install?: () => Promise<unknown>;
  /** Makes the client of `openapi.json` in a folder. */
  readonly generate: (own: string, url: string) => Promise<unknown>;
  /** Compiles client and program. @returns the line that runs it */
  readonly compile: (own: string) => Promise<string>;
}

/** The line begins with one of the installed programs. */
const typescript = (name: string, config: object | undefined, line: string): Generator => ({
  program: [`${name}.mts`, 'program.ts'],
  async generate(own, url) {
    const text = JSON.stringify(config)?.replace('SERVICE_URL', url);
    writeFileSync(path.join(own, 'config.mjs'), `export default ${text};`);
    // As strict as a careful user sets it. Generators read it to see how modules are named.
    writeFileSync(path.join(own, 'tsconfig.json'), JSON.stringify(manifest.tsconfig));
    await run(own, inside('node_modules/.bin', line));
  },
  async compile(own) {
    await run(own, inside('node_modules/.bin/tsc -p .'));
    return `${process.execPath} out/program.js`;
  },
});

async function openapiGenerator(own: string, language: string, options: string): Promise<void> {
  const jar = inside('jvm', `openapi-generator-cli-${manifest.maven.split(':')[2]}.jar`);
  const none = '--global-property apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  await run(own, `java -jar ${jar} generate -i openapi.json -o . -g ${language} ${options} ${none}`);
}

async function compileOnJvm(own: string, program: string): Promise<string> {
  await run(own, 'mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=classes.txt');
  return `java -cp target/classes:${readFileSync(path.join(own, 'classes.txt'), 'utf8')} ${program}`;
}

const kubb = typescript('kubb', undefined, 'kubb generate --config kubb.config.mjs');
const extended = { extension: '.js' };
const output = { target: './service.ts', client: 'fetch', baseUrl: 'SERVICE_URL' };
const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript': typescript('openapi-fetch', {}, 'openapi-typescript openapi.json -o service.d.ts'),
  'hey-api': typescript(
    'hey-api',
    { input: './openapi.json', output: { path: 'service', module: extended }, plugins: ['@hey-api/client-fetch'] },
    'openapi-ts -f config.mjs',
  ),
  orval: typescript('orval', { service: { input: './openapi.json', output } }, 'orval --config config.mjs'),
  kubb: {
    ...kubb,
    async generate(own, url) {
      writeFileSync(path.join(own, 'kubb.config.mjs'), readFileSync(path.join(__dirname, 'kubb.config.mjs')));
      await kubb.generate(own, url);
    },
  },
  'openapi-generator, Java': {
    program: ['Program.java', 'src/main/java/Program.java'],
    async generate(own) {
      const packages = 'invokerPackage=service,apiPackage=service.api,modelPackage=service.model';
      const properties = `--additional-properties=useOneOfDiscriminatorLookup=true,${packages}`;
      await openapiGenerator(own, 'java', `--library native ${properties}`);
    },
    compile: (own) => compileOnJvm(own, 'Program'),
  },
  'openapi-generator, Kotlin': {
    program: ['program.kt', 'src/main/kotlin/Program.kt'],
    async generate(own) {
      const document = path.join(own, 'openapi.json');
      // An object that says it is open becomes a HashMap, of which serializers take only the entries, and not the fields.
      const isOpen = (key: string, value: unknown): boolean => key === 'additionalProperties' && value === true;
      const closed = JSON.parse(readFileSync(document, 'utf8'), (key, value: unknown) =>
        isOpen(key, value) ? undefined : value,
      ) as unknown;
      writeFileSync(document, JSON.stringify(closed));
      writeFileSync(path.join(own, 'pom.xml'), readFileSync(path.join(__dirname, 'kotlin.xml')));
      // It has no form for either of two shapes that its serializer can read.
      const shapes = 'AgentInResponse=com.google.gson.JsonObject,ImportAgentRequest_agent=service.models.ImportAgentV6';
      const properties = '--additional-properties=serializationLibrary=gson,packageName=service,omitGradleWrapper=true';
      await openapiGenerator(own, 'kotlin', `--library jvm-okhttp4 ${properties} --schema-mappings ${shapes}`);
    },
    compile: (own) => compileOnJvm(own, 'ProgramKt'),
  },
  'oapi-codegen': {
    program: ['program.go', 'program.go'],
    namesStatuses: true,
    install: () => run(folder, `go install ${manifest.go}`, { GOBIN: inside('go') }),
    async generate(own) {
      await run(own, inside('go/oapi-codegen -generate types,client -package main -o service.go openapi.json'));
      await run(own, 'go mod init program');
    },
    async compile(own) {
      for (const line of ['go mod tidy', 'go vet .', 'go build -o program .']) await run(own, line);
      return path.join(own, 'program');
    },
  },
  'openapi-python-client': {
    program: ['program.py', 'program.py'],
    async install() {
      await run(folder, 'python3 -m venv python');
      await run(folder, inside(`python/bin/pip -q install ${manifest.python.join(' ')}`));
    },
    async generate(own) {
      const made = 'generate --path openapi.json --meta none --output-path service --fail-on-warning';
      const PATH = `${inside('python/bin')}:${process.env['PATH']}`;
      await run(own, inside(`python/bin/openapi-python-client ${made}`), { PATH });
    },
    async compile(own) {
      await run(own, inside('python/bin/mypy --strict --follow-imports=silent program.py'));
      return inside('python/bin/python program.py');
    },
  },
};

(isAsked ? describe : describe.skip)('a generated client', () => {
  beforeAll(async () => {
    writeFileSync(inside('package.json'), '{"private":true,"type":"module"}');
    await run(folder, `npm install --no-audit --no-fund --ignore-scripts ${manifest.npm.join(' ')}`);
    await run(folder, `mvn -q -B dependency:copy -Dartifact=${manifest.maven} -DoutputDirectory=jvm`);
    for (const { install } of Object.values(generators)) await install?.();
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const cases = Object.keys(generators).flatMap((name) => Object.keys(documents).map((of) => [name, of] as const));
  test.each(cases)(
    '%s: the client of the %s document compiles and works',
    async (name, of) => {
      const { document, mock: create, numbers, names } = documents[of as keyof typeof documents];
      const { program, namesStatuses, generate, compile } = generators[name] as Generator;
      const mock = create();
      const server = await served(mock);
      const own = inside(`${name}-${of}`.replaceAll(/\W+/g, '-'));
      const [from, to] = program;
      mkdirSync(path.dirname(path.join(own, to)), { recursive: true });
      writeFileSync(path.join(own, 'openapi.json'), JSON.stringify(document()));
      const [read, created] = namesStatuses ? names : numbers;
      const text = readFileSync(path.join(__dirname, from), 'utf8');
      await generate(own, server.url);
      writeFileSync(path.join(own, to), text.replaceAll('OKAY', read ?? '').replaceAll('CREATED', created ?? ''));
      const told = JSON.parse(await run(own, await compile(own), targetOf(mock, server))) as object;
      const same = { made: 'x', imported: 'One', mode: 'write', blocks: 2, isRefused: true };
      const wanted = { walked: await walkedBy(mock), ...same };
      expect({ ...wanted, ...told }).toEqual(wanted);
      expect(Object.keys(told).length).toBeGreaterThan(3);
    },
    900_000,
  );
});

const targetOf = ({ target }: Mock, { url }: MockServer): NodeJS.ProcessEnv => ({
  SERVICE_URL: url,
  TOKEN: target.token,
  AGENT_ID: target.agentId,
  WORKSPACE_ID: target.workspaceId,
});

/** The number of results that a client can walk. */
async function walkedBy({ fetch: ask, target }: Mock): Promise<number> {
  let walked = 0;
  const headers = { authorization: `Bearer ${target.token}` };
  const query = new URLSearchParams({ timeFilter: 'allTime' });
  for (let cursor: string | null = ''; cursor !== null; query.set('cursor', cursor ?? '')) {
    const answer = await ask(`/api/v1/agents/${target.agentId}/results?${query.toString()}`, { headers });
    const page = (await answer.json()) as { results: unknown[]; nextCursor: string | null };
    walked += page.results.length;
    cursor = page.nextCursor;
  }
  return walked;
}
