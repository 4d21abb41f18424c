import { visible } from '../../conformance/report/redact.ts';
import { readState, type Mock } from '../../mock/index.ts';
import { messageOf } from '../errors.ts';
import type { Io } from '../io.ts';
import { readProfile, readSeedFile, usageErrors } from './data.ts';
import type { MockSettings } from './flags.ts';
import type { StateFile } from './state-file.ts';

/** A file of the mock that may be read again. */
export interface GivenFile {
  readonly file: string;
  /** Adopts the present content of the file; false if it has not changed. @throws UsageError or MockError */
  readonly take: () => boolean;
}

/** The files with a profile, with data and with a state, if given. */
export function givenFiles(
  { stderr }: Io,
  { profile, seedFile }: MockSettings,
  mock: Mock,
  stateFile: StateFile | undefined,
): readonly GivenFile[] {
  const ofProfile = (file: string): GivenFile => ({
    file,
    take() {
      mock.setBeginning({ profile: readProfile({ file }) });
      stateFile?.save();
      return true;
    },
  });
  const ofSeed = (file: string): GivenFile => ({
    file,
    take() {
      mock.setBeginning({ seedData: readSeedFile(file, stderr) });
      return true;
    },
  });
  return [
    ...(profile && 'file' in profile ? [ofProfile(profile.file)] : []),
    ...(seedFile === undefined ? [] : [ofSeed(seedFile)]),
    ...(stateFile ? [givenState(mock, stateFile)] : []),
  ];
}

export const givenState = (mock: Mock, stateFile: StateFile): GivenFile => ({
  file: stateFile.file,
  take: () => stateFile.takeChange((value) => mock.importState(readState(value))),
});

/** Reads a file again, and reports the result. If the file is invalid, the mock keeps what it had. */
export function readAgain({ stderr }: Io, { file, take }: GivenFile): void {
  try {
    if (usageErrors(`${visible(file)}: `, take)) stderr.write(`read again: ${visible(file)}\n`);
  } catch (error) {
    stderr.write(`error: ${visible(messageOf(error))} The mock keeps what it had.\n`);
  }
}
