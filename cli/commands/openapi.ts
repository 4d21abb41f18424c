import { UsageError } from '../../conformance/usage-error.ts';
import type { OpenApi } from '../../spec/openapi/document.ts';
import type { AddCommand } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';

interface Flags {
  readonly neutral?: true;
  readonly profile?: string;
}

export const addOpenapi: AddCommand = (program, { io, action }) => {
  program
    .command('openapi')
    .description(
      'print the OpenAPI 3.1 document of the service as JSON; it describes the answers of the mock unless a flag says otherwise',
    )
    .option('--neutral', 'describe only what the specification states: statuses are 2XX and 4XX, error bodies are open')
    .option(
      '--profile <name|file>',
      'describe a server with these choices: the name of a profile, or a file with a profile or a JSON report of check',
    )
    .action(
      action(async (flags: Flags) => {
        io.stdout.write(`${JSON.stringify(await documentFor(flags, io.cwd), null, 2)}\n`);
        return exitStatus.conformant;
      }),
    );
};

async function documentFor({ neutral, profile }: Flags, folder: string): Promise<OpenApi> {
  if (neutral && profile !== undefined)
    throw new UsageError('--neutral and --profile say two different things. Leave one of them out.');
  if (neutral) return (await import('../../spec/openapi/neutral.ts')).neutralDocument();
  if (profile === undefined) return (await import('../../spec/openapi/document.ts')).openapi;
  const [{ documentOf }, { resolveProfile }, { readProfile }, { nameOrFile }] = await Promise.all([
    import('../../mock/document/of-profile.ts'),
    import('../../mock/profiles/index.ts'),
    import('../mock/data.ts'),
    import('../mock/flags.ts'),
  ]);
  return documentOf(resolveProfile(readProfile(nameOrFile(profile, { label: '--profile', folder }))));
}
