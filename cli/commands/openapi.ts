import { documentOf } from '../../mock/document/of-profile.ts';
import { resolveProfile } from '../../mock/profiles/index.ts';
import { openapi, type OpenApi } from '../../spec/openapi/document.ts';
import { neutralDocument } from '../../spec/openapi/neutral.ts';
import type { Cli, Command } from '../command.ts';
import { flagsOf, readFlags, readNameOrFile, typedFlags, type ValuesOf } from '../flags.ts';
import { readProfile } from '../mock/data.ts';

export const flags = typedFlags(flagsOf('openapi', { profile: readNameOrFile }));

export function run({ io }: Cli, command: Command): void {
  io.stdout.write(`${JSON.stringify(documentFor(readFlags(flags, command, io)), null, 2)}\n`);
}

function documentFor({ neutral, profile }: ValuesOf<typeof flags>): OpenApi {
  if (neutral) return neutralDocument();
  if (profile === undefined) return openapi;
  return documentOf(resolveProfile(readProfile(profile)));
}
