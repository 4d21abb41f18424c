import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createProgram } from '../cli/main.ts';
import { entriesOf } from '../cli/catalog.ts';
import { documentedNames } from '../proof/docs/pages.ts';
import { root } from './test-package.ts';

const ids = (['endpoint', 'violation'] as const).flatMap((kind) => entriesOf(kind).map(({ id }) => id));

test.each(['SKILL.md', 'llms.txt', 'packaging/package-readme.md'])('the commands of %s exist', async (file) => {
  const output = { write: () => true };
  const io = { argv: [], env: {}, cwd: root, stdout: output, stderr: output };
  const program = await createProgram({ io, secrets: [], canary: { value: '', placeholder: '' }, clean: String });
  const names = new Set(program.commands.map((command) => command.name()));
  const said = readFileSync(path.join(root, file), 'utf8');
  const commands = [...said.matchAll(/(?:npx --no |`)agent-contract ([a-z][\w-]*)(?: ([a-z][\w-]*))?/g)];
  const flags = said.match(/--[a-z][a-z-]*|AGENT_CONTRACT_\w+/g) ?? [];
  expect(commands.length).toBeGreaterThan(2);
  expect(commands.filter(([, name = '']) => !names.has(name)).map(([text]) => text)).toEqual([]);
  for (const [, name, id = ''] of commands) if (name === 'explain' && id !== '') expect(ids).toContain(id);
  const known = new Set([...documentedNames(root), '--no', '--save-dev']);
  expect(flags.filter((flag) => !known.has(flag))).toEqual([]);
});
