import type { OpenApi } from '../../spec/openapi/document.ts';
import type { Cli, Command } from '../command.ts';
import { flagsOf, readFlags, readNameOrFile, typedFlags, type ValuesOf } from '../flags.ts';

export const flags = typedFlags(flagsOf('openapi', { profile: readNameOrFile }));

export async function run({ io }: Cli, command: Command): Promise<void> {
  io.stdout.write(`${JSON.stringify(await documentFor(readFlags(flags, command, io)), null, 2)}\n`);
}

async function documentFor({ neutral, profile }: ValuesOf<typeof flags>): Promise<OpenApi> {
  if (neutral) return (await import('../../spec/openapi/neutral.ts')).neutralDocument();
  if (profile === undefined) return (await import('../../spec/openapi/document.ts')).openapi;
  const [{ documentOf }, { resolveProfile }, { readProfile }] = await Promise.all([
    import('../../mock/document/of-profile.ts'),
    import('../../mock/profiles/index.ts'),
    import('../mock/data.ts'),
  ]);
  return documentOf(resolveProfile(readProfile(profile)));
}
