import { orNothing } from '../../conformance/collections.ts';
import { definedIfAny } from '../../fixtures/universe/defined.ts';
import { visible } from '../../text/visible.ts';
import { createMock, MockError, readState, resolveProfile } from '../../mock/index.ts';
import type {
  BeginningOptions,
  ListenOptions,
  Mock,
  MockOptions,
  MockServer,
  MockState,
  ProfileChoice,
  UpstreamOptions,
} from '../../mock/index.ts';
import { readBaseUrl } from '../check/target.ts';
import { listenError, messageOf, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { writeFile } from '../files/files.ts';
import { readProfile, readSeedFile, usageErrors } from './data.ts';
import type { MockSettings } from './flags.ts';
import { LEFT, openStateFile, type StateFile } from './state-file.ts';
import { watchFile } from '../files/watch.ts';

/** Milliseconds for answers in progress when the mock stops. */
const GRACE = 5000;

export type RunningMock = Awaited<ReturnType<typeof startMock>>;

/** Starts a mock according to the flags, on `defaultPort` unless they name a port. @throws UsageError, and then nothing runs. */
export async function startMock(
  io: Io,
  given: MockSettings,
  defaultPort: number,
  { steering, onExchange }: Pick<MockOptions, 'steering' | 'onExchange'> = {},
) {
  const { like, host = '127.0.0.1', port = defaultPort, adminToken, allowedHost: allowedHosts, cors } = given;
  const settings = { ...given };
  if (settings.open) (await import('./open-page.ts')).checkOpenable(host);
  if (like !== undefined) settings.profile = await (await import('./like.ts')).behaviourOf(io, { ...given, like });
  const { seedFile, state, watch } = settings;
  if (watch && !(seedFile ?? state ?? (settings.profile && 'file' in settings.profile)))
    throw new UsageError('--watch: there is no file to watch. Name one with --profile, --seed-file or --state.');
  const tls = settings.https ? await (await import('./certificate.ts')).makeCertificate(host) : undefined;
  const data = {
    steering,
    onExchange,
    upstream: upstreamOf(settings, io),
    profile: settings.profile && readProfile(settings.profile),
    seedData: seedFile === undefined ? undefined : readSeedFile(seedFile, io.stderr),
  };

  const ends: (() => unknown)[] = [];
  const end = async (): Promise<void> => {
    for (const undo of ends.splice(0).toReversed()) await undo();
  };
  let isKept = true;
  try {
    const stateFile = stateFileOf(io, settings, () => mock);
    if (stateFile) ends.push(async () => (isKept = await stateFile.close()));
    const { mock, world } = mockOf(settings, data, stateFile);
    const server = await listen(mock, { port, host, allowedHosts, cors, adminToken, tls });
    ends.push(() => server.close(GRACE));
    if (!server.isLocal && adminToken === undefined) io.stderr.write(`warning: ${openWords(host, settings)}\n`);
    if (stateFile) {
      stateFile.save();
      await stateFile.flush();
      ends.push(mock.onChange(() => stateFile.save()));
    }
    if (watch) ends.push(...watchFiles(io, settings, mock, stateFile));
    const trust = trustIn(tls?.cert, settings);
    if (settings.writeTarget !== undefined) {
      const target = JSON.stringify(targetToCheck({ mock, server, trust }), null, 2);
      writeFile('--write-target', settings.writeTarget, `${target}\n`, { mode: 0o600 });
    }
    return {
      mock,
      /** With what it began. */
      world,
      server,
      trust,
      /** Lets answers in progress end, and writes the state; resolves with whether all of it was saved. */
      stop: async (): Promise<boolean> => {
        await end();
        return isKept;
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function stateFileOf(io: Io, { state, watch }: MockSettings, mock: () => Mock): StateFile | undefined {
  if (state === undefined) return undefined;
  const stateFile: StateFile = openStateFile(
    state,
    () => mock().exportState(),
    (message) => void io.stderr.write(`warning: ${message}\n`),
    watch ? () => readAgain(io, stateFile.file, () => takeState(mock(), stateFile)) : undefined,
  );
  return stateFile;
}

/** Adopts what another process wrote into the state file; false if nothing. @throws UsageError or MockError */
function takeState(mock: Mock, stateFile: StateFile): boolean {
  return stateFile.takeChange((value) => mock.importState(readState(value)));
}

/** Reads the files with a profile, with data and with a state again when they change, until the returned functions are called. */
function watchFiles(
  io: Io,
  { profile, seedFile }: MockSettings,
  mock: Mock,
  stateFile: StateFile | undefined,
): readonly (() => void)[] {
  const begin = (beginning: Parameters<Mock['setBeginning']>[0]): true => {
    mock.setBeginning(beginning);
    stateFile?.save();
    return true;
  };
  const takes = new Map<string, () => boolean>();
  if (profile && 'file' in profile) takes.set(profile.file, () => begin({ profile: readProfile(profile) }));
  if (seedFile !== undefined) takes.set(seedFile, () => begin({ seedData: readSeedFile(seedFile, io.stderr) }));
  if (stateFile) takes.set(stateFile.file, () => takeState(mock, stateFile));
  return [...takes].map(([file, take]) => watchFile(file, () => readAgain(io, file, take)));
}

/** Reads a file again, and reports the result. If the file is invalid, the mock keeps what it had. */
function readAgain({ stderr }: Io, file: string, take: () => boolean): void {
  try {
    if (usageErrors(`${visible(file)}: `, take)) stderr.write(`read again: ${visible(file)}\n`);
  } catch (error) {
    stderr.write(`error: ${visible(messageOf(error))} The mock keeps what it had.\n`);
  }
}

/** The mock according to the flags, with the content of the state file. @throws UsageError */
function mockOf(
  settings: MockSettings,
  data: Pick<MockOptions, 'steering' | 'onExchange' | 'upstream' | 'profile' | 'seedData'>,
  stateFile: StateFile | undefined,
) {
  const label = `--state: ${visible(settings.state ?? '')}: `;
  const found: unknown = stateFile?.state;
  const state = found === undefined ? undefined : usageErrors(label, () => readState(found), ` ${LEFT}`);
  if (state) checkWorld(settings, state);
  const { seed, now, freeze, choice, fault: faults, token, latency, rateLimit, validate } = settings;
  const world: BeginningOptions = {
    seed: state?.seed ?? seed,
    // The mock validates the name.
    persona: state?.persona ?? (settings.persona as MockOptions['persona']),
    profile: data.profile,
    seedData: data.seedData,
    now,
    frozen: freeze || undefined,
    choices: orNothing(choice) && Object.fromEntries(choice),
    tokens: orNothing(token) && Object.fromEntries(token),
    settings: definedIfAny({ latency, rateLimit }),
  };
  const mock = usageErrors('', () => createMock({ ...data, ...world, faults, validate }));
  if (state) {
    usageErrors(label, () => mock.importState(state), ` ${LEFT}`);
    usageErrors('', () => takeSettings(mock, settings, data.profile));
  }
  return { mock, world };
}

function upstreamOf(
  { upstream, forward, mock, fallback, learn, upstreamToken, upstreamTimeout, ca, insecure }: MockSettings,
  { stderr }: Io,
): UpstreamOptions | undefined {
  if (upstream === undefined) return undefined;
  const url = readBaseUrl(upstream, '--upstream', stderr);
  return { url, forward, mock, fallback, learn, insecure, ca, token: upstreamToken, timeout: upstreamTimeout };
}

function openWords(host: string, { upstream, upstreamToken }: MockSettings): string {
  const words = [`The mock listens on ${visible(host)}, so other machines may reach it and change what it answers.`];
  if (upstream !== undefined && upstreamToken !== undefined)
    words.push('They also reach the upstream, with the token of --upstream-token.');
  words.push('Publish its port only to this machine, or set AGENT_CONTRACT_ADMIN_TOKEN, which /__admin then requires.');
  return words.join(' ');
}

/** A world cannot change under written data. */
function checkWorld({ seed, persona, state: file = '' }: MockSettings, state: MockState): void {
  for (const [flag, wanted, was] of [
    ['--seed', seed, state.seed],
    ['--persona', persona, state.persona],
  ])
    if (wanted !== undefined && wanted !== was)
      throw new UsageError(
        `${flag} ${visible(String(wanted))}: the state in ${visible(file)} belongs to a world with ${flag} ${was}. Leave out ${flag}, or name another state file.`,
      );
}

/** Flags take precedence over a state file. */
function takeSettings(mock: Mock, settings: MockSettings, profile: ProfileChoice | undefined): void {
  const { choice, fault, latency, rateLimit, now, freeze } = settings;
  if (profile !== undefined || choice.length > 0)
    mock.rebase(resolveProfile(profile ?? mock.profile, Object.fromEntries(choice)));
  if (fault.length > 0) mock.setFaults(fault);
  if (latency) mock.setSettings({ latency });
  if (rateLimit) mock.setSettings({ rateLimit });
  if (freeze) mock.clock.freeze(now);
  else if (now !== undefined) {
    mock.clock.set(now);
    mock.clock.resume();
  }
}

/** What a client needs to trust the mock's certificate, as flags of `check`; writes the file with it. @throws UsageError */
function trustIn(
  cert: string | undefined,
  { writeCertificate: ca }: MockSettings,
): { readonly ca?: string; readonly insecure?: true } {
  if (cert === undefined) return {};
  if (ca === undefined) return { insecure: true };
  writeFile('--write-certificate', ca, cert);
  return { ca };
}

/** Lets a mock listen. @throws UsageError if it cannot use the port or the host */
export async function listen(
  mock: Pick<Mock, 'listen'>,
  options: ListenOptions & { readonly port: number; readonly host: string },
): Promise<MockServer> {
  return mock.listen(options).catch((error: unknown) => {
    throw error instanceof MockError ? new UsageError(messageOf(error), { cause: error }) : listenError(error, options);
  });
}

/** Everything that `check` can be told about a mock: its address, its certificate, and its tokens and ids. */
export function targetToCheck({ mock, server, trust }: Pick<RunningMock, 'mock' | 'server' | 'trust'>) {
  const known = Object.entries(mock.target).filter(([, value]) => value);
  return { baseUrl: server.url, ...(Object.fromEntries(known) as Partial<typeof mock.target>), ...trust };
}
