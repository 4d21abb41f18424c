import { visible } from '../../text/visible.ts';
import { MockError, readSeed, resolveProfile, type ProfileChoice, type Seed } from '../../mock/index.ts';
import { messageOf, UsageError } from '../errors.ts';
import { readJsonFile } from '../files/json-file.ts';
import { readFile } from '../files/files.ts';
import type { Output } from '../io.ts';
import type { NameOrFile } from '../flags.ts';

/** A built-in profile by name, or the choices in a file: a profile, or a report with an observed one. @throws UsageError */
export function readProfile(source: NameOrFile): ProfileChoice {
  if ('name' in source) return usageErrors('', () => resolveProfile(source.name as ProfileChoice));
  const { file } = source;
  const found = readJsonFile('profile', file, '/') as ProfileChoice | Readonly<Record<string, unknown>>;
  const isReport = typeof found === 'object' && found !== null && 'outcome' in found;
  if (isReport && !('observedProfile' in found))
    throw new UsageError(
      `--profile: ${visible(file)} is a report without "observedProfile". Write a new one: check --report json=FILE.`,
    );
  const profile = (isReport ? found['observedProfile'] : found) as Exclude<ProfileChoice, string>;
  if (typeof profile === 'string') throw new UsageError(`--profile: ${visible(file)} does not hold an object.`);
  usageErrors(`--profile: ${visible(file)}: `, () => resolveProfile(profile));
  return profile;
}

/** Your own data from a file; its errors are written line by line. @throws UsageError */
export function readSeedFile(file: string, stderr: Output): Seed {
  const text = readFile('--seed-file:', file);
  try {
    return readSeed(text, file);
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    for (const line of messageOf(error).split('\n')) stderr.write(`${visible(line)}\n`);
    throw new UsageError(`--seed-file: ${visible(file)} is invalid. The errors are listed above.`, { cause: error });
  }
}

/** The result of `work`. If the mock refuses something, that is a mistake of the user, which `label` and `advice` explain. */
export function usageErrors<T>(label: string, work: () => T, advice = ''): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof MockError ? new UsageError(`${label}${messageOf(error)}${advice}`, { cause: error }) : error;
  }
}
