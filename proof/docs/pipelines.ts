import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { runScript } from '../../packaging/test-package.ts';
import type { CodeBlock, DocsPage } from './pages.ts';
import { openShell } from './shell.ts';

/** Where the commands of a pipeline run. */
export interface PipelinePlace {
  /** The checked-out project. */
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables that the GitLab project settings add to the job `contract`. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The output of tests that reach the service. */
const REACHED = 'the service answered';

/** The `package.json` of a project whose tests ask for a workspace, and pass if they get one. */
export const projectManifest = { private: true, scripts: { test: 'node test.mjs' } };
export const projectTests = `
  const { AGENT_CONTRACT_BASE_URL, AGENT_SERVICE_URL = AGENT_CONTRACT_BASE_URL } = process.env;
  const { AGENT_CONTRACT_TOKEN, AGENT_SERVICE_TOKEN = AGENT_CONTRACT_TOKEN } = process.env;
  const headers = { authorization: 'Bearer ' + AGENT_SERVICE_TOKEN, 'content-type': 'application/json' };
  const url = AGENT_SERVICE_URL + '/api/v1/workspaces';
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'Ours' }) });
  console.log('${REACHED}', answer.status);
  process.exit(answer.ok ? 0 : 1);
`;

interface Job {
  readonly variables?: Readonly<Record<string, string>>;
  readonly services?: readonly { readonly name: string; readonly alias: string }[];
  readonly script: readonly string[];
  readonly artifacts?: { readonly paths: readonly string[]; readonly reports: Readonly<Record<string, string>> };
}

/** Runs the jobs of a GitLab block as its runner does, with their service. @returns what is wrong */
export async function runJobs(text: string, { project, env, secrets }: PipelinePlace): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [name, job] of Object.entries(parse(text) as Readonly<Record<string, Job>>)) {
    const given = { ...env, CI: 'true', CI_PROJECT_DIR: project, ...job.variables };
    // The command of the image, with the variables of the job, which GitLab also passes to services.
    const service = openShell(project, given, path.join(env['HOME'] ?? '', 'service.log'));
    try {
      const seen: Record<string, string> = { ...given };
      if (name === 'contract') Object.assign(seen, secrets);
      for (const { alias } of job.services ?? []) {
        const { output } = await service.run('npx --no agent-contract mock --port 0 --json');
        const { url } = JSON.parse(output) as { url: string };
        for (const [key, value] of Object.entries(seen)) seen[key] = value.replace(`http://${alias}:4010`, url);
      }
      const found = await problemsOf(['-eo', 'pipefail', '-c', job.script.join('\n')], project, seen);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
      const { paths, reports } = job.artifacts ?? { paths: [], reports: {} };
      for (const file of [...paths, ...Object.values(reports)])
        if (!existsSync(path.join(project, file))) problems.push(`${name} wrote no ${file}`);
    } finally {
      await service.close();
    }
  }
  return problems;
}

export interface PipelineStep {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

export function stepsOf({ text }: CodeBlock): readonly PipelineStep[] {
  const value = parse(text) as
    | readonly PipelineStep[]
    | { readonly jobs: Readonly<Record<string, { readonly steps: readonly PipelineStep[] }>> };
  if ('jobs' in value) return Object.values(value.jobs).flatMap(({ steps }) => steps);
  return value;
}

/** Runs the commands in a block's steps as a GitHub runner does, without the actions. @returns what is wrong */
export async function runSteps(block: CodeBlock, { project, env }: PipelinePlace): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { run } of stepsOf(block))
    if (run !== undefined) problems.push(...(await problemsOf(['-e', '-c', run], project, { ...env, CI: 'true' })));
  return problems;
}

/** Runs bash with arguments, of which the last is a script. */
async function problemsOf(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const { status, log } = await runScript(args, { cwd, env });
  const script = args.at(-1) ?? '';
  const problems: string[] = [];
  if (status !== 0) problems.push(`${script}\nended with ${status}\n${log}`);
  if (/npm test$/m.test(script) && !log.includes(REACHED)) problems.push(`${script}\nran no tests\n${log}`);
  return problems;
}

/** What a page starts from our image with `docker run`: command, passed variables, and arguments of the program. */
export function containersOf({ blocks }: DocsPage, root: string) {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8')) ?? [];
  return blocks
    .flatMap(({ text }) => text.split('\n'))
    .flatMap((line) => {
      const [, options, args = (JSON.parse(command) as string[]).join(' ')] =
        /^docker run (.*?) agent-contract(?: (.*))?$/.exec(line) ?? [];
      if (options === undefined) return [];
      return [{ line, args, variables: [...options.matchAll(/--env (\w+)/g)].map(([, name = '']) => name) }];
    });
}

/** Starts what a container would start, in a project with the package installed. @returns what is wrong */
export async function runContainer(
  { line, args, variables }: ReturnType<typeof containersOf>[number],
  project: string,
  given: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const handed = Object.fromEntries(Object.entries(secrets).filter(([name]) => variables.includes(name)));
  const env = { ...given, AGENT_CONTRACT_PORT: '0', ...handed };
  const shell = openShell(project, env, path.join(project, 'container.log'));
  try {
    // With only some tokens and ids, a run judges only a part.
    const expected = args.startsWith('check') ? ' # exit status 3' : '';
    const { problems } = await shell.run(`npx --no agent-contract ${args}${expected}`);
    return problems.map((problem) => `${line}: ${problem}`);
  } finally {
    await shell.close();
  }
}
