import { writeFile } from 'node:fs/promises';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import {
  createMock,
  MockError,
  readState,
  resolveProfile,
  type ListenOptions,
  type Mock,
  type MockOptions,
  type MockServer,
  type MockState,
  type ProfileChoice,
  type Seed,
  type UpstreamOptions,
} from '../../mock/index.ts';
import { readBaseUrl } from '../check/target.ts';
import type { Certificate } from './certificate.ts';
import { codeOf, messageOf } from '../errors.ts';
import type { Io } from '../io.ts';
import { readProfile, readSeedFile, usageErrors } from './data.ts';
import type { MockSettings } from './flags.ts';
import { checkWritable } from '../files/report-files.ts';
import { givenFiles, givenState, readAgain } from './given-files.ts';
import { LEFT, openStateFile, type StateFile } from './state-file.ts';
import { watchFile } from '../files/watch.ts';

/** Milliseconds for answers in progress when the mock stops. */
const GRACE = 5000;

export interface RunningMock {
  readonly mock: Mock;
  readonly server: MockServer;
  readonly trust: Trust | undefined;
  /** Lets answers in progress end, and writes the state; resolves with whether all of it was saved. */
  stop(): Promise<boolean>;
}

/** What a client needs to trust the mock's certificate: the certificate itself, in a file if there is one. */
export type Trust = { readonly file: string } | 'anything';

/**
 * Starts a mock according to the flags, on `defaultPort` unless they name a port. @throws UsageError, and then nothing
 * runs.
 */
export async function startMock(io: Io, given: MockSettings, defaultPort: number): Promise<RunningMock> {
  checkTogether(given);
  const { like } = given;
  const learned = like === undefined ? undefined : await (await import('./like.ts')).learn(io, { ...given, like });
  const settings = learned ? { ...given, profile: learned } : given;
  const { host = '127.0.0.1', port = defaultPort } = settings;
  const certificate = await certificateOf(settings, host);
  const data = {
    upstream: settings.upstream === undefined ? undefined : upstreamOf(settings, settings.upstream, io),
    profile: settings.profile && readProfile(settings.profile),
    seedData: settings.seedFile === undefined ? undefined : readSeedFile(settings.seedFile, io.stderr),
  };

  /** Clean-up steps, the latest first. */
  const ends: (() => unknown)[] = [];
  const end = async (): Promise<void> => {
    for (const undo of ends.splice(0).toReversed()) await undo();
  };
  let isKept = true;
  try {
    const stateFile = stateFileOf(io, settings, () => mock);
    if (stateFile) ends.push(async () => (isKept = await stateFile.close()));
    const mock = mockOf(settings, data, stateFile);
    const { allowedHost: allowedHosts, cors, adminToken } = settings;
    const tls = certificate ? { tls: certificate } : {};
    const server = await listen(mock, { port, host, allowedHosts, cors, adminToken, ...tls });
    ends.push(() => server.close(GRACE));
    if (!server.isLocal && adminToken === undefined) io.stderr.write(`warning: ${openWords(host, settings)}\n`);
    if (stateFile) {
      stateFile.save();
      await stateFile.flush();
      ends.push(mock.onChange(() => stateFile.save()));
    }
    if (settings.watch)
      for (const one of givenFiles(io, settings, mock, stateFile))
        ends.push(watchFile(one.file, () => readAgain(io, one)));
    const trust = await writeCertificate(settings, certificate);
    if (settings.writeTarget !== undefined) await writeTarget(settings.writeTarget, { mock, server, trust });
    return {
      mock,
      server,
      trust,
      async stop() {
        await end();
        return isKept;
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** @throws UsageError */
function stateFileOf(io: Io, { state, watch }: MockSettings, mock: () => Mock): StateFile | undefined {
  if (state === undefined) return undefined;
  const stateFile = openStateFile(state, {
    current: () => mock().exportState(),
    warn: (message) => void io.stderr.write(`warning: ${message}\n`),
    takeOver: watch ? () => readAgain(io, givenState(mock(), stateFile)) : undefined,
  });
  return stateFile;
}

/** The mock according to the flags, with the content of the state file. @throws UsageError */
function mockOf(
  settings: MockSettings,
  data: {
    readonly upstream: UpstreamOptions | undefined;
    readonly profile: ProfileChoice | undefined;
    readonly seedData: Seed | undefined;
  },
  stateFile: StateFile | undefined,
): Mock {
  const label = `--state: ${visible(settings.state ?? '')}: `;
  const found: unknown = stateFile?.state;
  const state = found === undefined ? undefined : usageErrors(label, () => readState(found), ` ${LEFT}`);
  if (state) checkWorld(settings, state);
  const mock = usageErrors('', () => createMock(defined({ ...optionsOf(settings, state), ...data })));
  if (state) {
    usageErrors(label, () => mock.importState(state), ` ${LEFT}`);
    usageErrors('', () => takeSettings(mock, settings, data.profile));
  }
  return mock;
}

/** The upstream according to the flags. @throws UsageError */
function upstreamOf(
  { forward, mock, fallback, learn, upstreamToken: token, upstreamTimeout: timeout, ca, insecure }: MockSettings,
  url: string,
  io: Io,
): UpstreamOptions {
  return {
    url: readBaseUrl(url, '--upstream', io.stderr),
    forward,
    mock,
    fallback,
    learn,
    insecure,
    ...(ca === undefined ? {} : { ca }),
    ...(token === undefined ? {} : { token }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

/** A warning about a mock that other machines can reach. */
const openWords = (host: string, { upstream, upstreamToken }: MockSettings): string =>
  `The mock listens on ${visible(host)}, so other machines may reach it and change what it answers. ` +
  (upstream !== undefined && upstreamToken !== undefined
    ? 'They also reach the upstream, with the token of --upstream-token. '
    : '') +
  'Publish its port only to this machine, or set AGENT_CONTRACT_ADMIN_TOKEN, which /__admin then requires.';

/** Flags that need other flags. */
function checkTogether({ watch, profile, seedFile, state, https, like, ...more }: MockSettings): void {
  const { tlsCert, tlsKey, writeCertificate: certificate, writeTarget: target } = more;
  if (like !== undefined && profile !== undefined)
    throw new UsageError(
      '--like and --profile both say how the mock behaves. Leave one out; --choice changes some of it.',
    );
  if (like === undefined && more.likeFile !== undefined)
    throw new UsageError('--like-file has no effect without --like.');
  if (watch && seedFile === undefined && state === undefined && like === undefined && !(profile && 'file' in profile))
    throw new UsageError('--watch: there is no file to watch. Name one with --profile, --seed-file or --state.');
  const { upstream, forward, mock, fallback, learn, upstreamTimeout } = more;
  const idle = [
    ...(forward.length > 0 ? ['--forward'] : []),
    ...(mock.length > 0 ? ['--mock'] : []),
    ...(fallback ? ['--fallback'] : []),
    ...(learn ? ['--learn'] : []),
    ...(upstreamTimeout === undefined ? [] : ['--upstream-timeout']),
  ];
  if (upstream === undefined && idle.length > 0)
    throw new UsageError(
      `${idle.join(' and ')} ${idle.length > 1 ? 'have' : 'has'} no effect without --upstream <url>.`,
    );
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError(
      `${tlsCert === undefined ? '--tls-key has no effect without --tls-cert' : '--tls-cert has no effect without --tls-key'}.`,
    );
  if (certificate !== undefined && tlsCert !== undefined)
    throw new UsageError('--write-certificate saves a certificate that the mock makes. Yours is already in a file.');
  if (certificate !== undefined && !https) throw new UsageError('--write-certificate has no effect without --https.');
  if (certificate !== undefined) checkWritable(certificate, '--write-certificate');
  if (target !== undefined) checkWritable(target, '--write-target');
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

type Options = { readonly [K in keyof MockOptions]: MockOptions[K] | undefined };

function optionsOf(settings: MockSettings, state: MockState | undefined): Options {
  const { seed, now, freeze, choice, fault, token, latency, rateLimit, validate } = settings;
  return {
    seed: state?.seed ?? seed,
    // The mock validates the name.
    persona: state?.persona ?? (settings.persona as MockOptions['persona']),
    now,
    frozen: freeze,
    choices: Object.fromEntries(choice),
    faults: fault,
    tokens: token.length === 0 ? undefined : Object.fromEntries(token),
    settings: { latency, rateLimit },
    validate,
  };
}

const defined = (options: Options): MockOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

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

async function certificateOf({ https, tlsCert, tlsKey }: MockSettings, host: string): Promise<Certificate | undefined> {
  if (!https && tlsCert === undefined) return undefined;
  const { makeCertificate, readCertificate } = await import('./certificate.ts');
  return tlsCert !== undefined && tlsKey !== undefined ? readCertificate(tlsCert, tlsKey) : makeCertificate(host);
}

async function writeCertificate(
  { tlsCert, writeCertificate: file }: MockSettings,
  certificate: Certificate | undefined,
): Promise<Trust | undefined> {
  if (certificate?.isSelfSigned !== true) return undefined;
  if (file !== undefined)
    await writeFile(file, certificate.cert).catch((error: unknown) => {
      throw new UsageError(`--write-certificate: ${visible(file)} cannot be written (${codeOf(error)}).`);
    });
  const known = tlsCert ?? file;
  return known === undefined ? 'anything' : { file: known };
}

/** Error codes for a host that is not an address of this machine. EAI_AGAIN: no name server answered. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

/** Lets a mock listen. @throws UsageError if it cannot use the port or the host */
export async function listen(
  mock: Pick<Mock, 'listen'>,
  options: ListenOptions & { readonly port: number; readonly host: string },
): Promise<MockServer> {
  const { port, host } = options;
  try {
    return await mock.listen(options);
  } catch (error) {
    if (error instanceof MockError) throw new UsageError(messageOf(error), { cause: error });
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      throw new UsageError(
        `Port ${port} on ${host} is in use. Stop whatever uses it, or choose another: --port 0 takes any free one.`,
      );
    if (code === 'EACCES') throw new UsageError(`You may not use port ${port}. Choose one above 1023.`);
    if (NO_ADDRESS.has(code))
      throw new UsageError(
        `--host: ${visible(JSON.stringify(host))} is not an address of this machine. 127.0.0.1 is one.`,
      );
    throw error;
  }
}

/** Everything that `check` can be told about a mock: its address, its certificate, and its tokens and ids. */
export function targetToCheck({
  mock,
  server,
  trust,
}: Omit<RunningMock, 'stop'>): Readonly<Record<string, string | boolean>> {
  const known = Object.entries(mock.target).filter(([, value]) => value !== '');
  const trusted: Record<string, string | boolean> = {};
  if (trust === 'anything') trusted['insecure'] = true;
  else if (trust) trusted['ca'] = trust.file;
  return { baseUrl: server.url, ...(Object.fromEntries(known) as Record<string, string>), ...trusted };
}

async function writeTarget(file: string, running: Omit<RunningMock, 'stop'>): Promise<void> {
  const content = `${JSON.stringify(targetToCheck(running), null, 2)}\n`;
  await writeFile(file, content, { mode: 0o600 }).catch((error: unknown) => {
    throw new UsageError(`--write-target: ${visible(file)} cannot be written (${codeOf(error)}).`);
  });
}
