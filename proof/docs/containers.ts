import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from './pages.ts';
import { openShell } from './shell.ts';

/** What a page starts from our image with `docker run`: command, passed variables, and arguments of the program. */
export function containersOf({ blocks }: Page, root: string) {
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
