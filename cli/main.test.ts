import { EventEmitter } from 'node:events';
import { checks } from '../conformance/index.ts';
import { personaNames } from '../fixtures/index.ts';
import { connectionFaults } from '../mock/wire/wire.ts';
import { endpointIds, gapIds, requirementIds, requirements, triggerIds, violationIds } from '../spec/index.ts';
import { version } from '../package.json';
import { profiles } from '../mock/index.ts';
import { catalogKinds } from './catalog.ts';
import type { Cli } from './command.ts';
import { tolerateBrokenPipe } from './io.ts';
import { createProgram } from './main.ts';
import { testFolder } from './testing/test-io.ts';

const { run, write } = testFolder();

describe('the program', () => {
  test('knows every command, and loads only the one that is named', async () => {
    const io = { argv: [], env: {}, cwd: '/', stdout: { write: String }, stderr: { write: String } };
    const cli: Cli = { io, secrets: [], canary: { value: '', placeholder: '' }, clean: String };
    const { commands } = await createProgram(cli, 'diff');
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter(({ options }) => options.length > 0).map((one) => one.name())).toEqual(['diff']);
  });

  const usage = /^Usage: agent-contract/;
  test.each<[readonly string[], number, RegExp]>([
    [['--help'], 0, usage],
    [['help'], 0, usage],
    [['check', '--help'], 0, usage],
    [['help', 'list'], 0, usage],
    [['--version'], 0, new RegExp(`^${version}\n$`)],
    [[], 2, usage],
  ])('answers %j with %d, on standard error if it is a mistake', async (argv, status, message) => {
    const { stdout, stderr, ...ended } = await run(argv);
    const [said, other] = status === 0 ? [stdout, stderr] : [stderr, stdout];
    expect({ ...ended, said, other }).toEqual({ status, said: expect.stringMatching(message), other: '' });
  });

  test.each([
    ['ends a command at once', 'list checks', 1],
    ['is left to a command that heeds it', 'check', 0],
  ])('a signal %s', async (_, line, times) => {
    const stopping = new AbortController();
    const exit = jest.fn();
    await run(line.split(' '), { signal: stopping.signal, exit });
    stopping.abort();
    expect(exit).toHaveBeenCalledTimes(times);
  });

  test('prints the OpenAPI document, that of the specification, and that of a server with a profile or a report', async () => {
    interface Printed {
      readonly info: { readonly 'x-profile'?: object };
      readonly paths: Readonly<Record<string, { readonly post?: { readonly responses: object } }>>;
    }
    const printed = async (...flags: readonly string[]): Promise<readonly [object | undefined, string[]]> => {
      const { stdout } = await run(['openapi', ...flags]);
      const { info, paths } = JSON.parse(stdout) as Printed;
      return [info['x-profile'], Object.keys(paths['/api/v1/workspaces']?.post?.responses ?? {})];
    };
    expect((await printed())[1]).toContain('201');
    expect(await printed('--neutral')).toEqual([undefined, ['2XX', '4XX']]);
    expect(await printed('--profile', 'contrarian')).toEqual([
      profiles.contrarian,
      ['200', '400', '403', '422', '429'],
    ]);
    const report = { outcome: 'conformant', observedProfile: { 'success-status': 'accepted' } };
    const [profile, statuses] = await printed('--profile', `./${write('report.json', report)}`);
    expect(profile).toEqual({ ...profiles.default, 'success-status': 'accepted' });
    expect(statuses).toContain('202');
  });
});

describe('list', () => {
  const ids: Readonly<Record<string, readonly string[]>> = {
    checks: checks.map(({ id }) => id),
    requirements: requirementIds,
    violations: violationIds,
    faults: violationIds,
    triggers: triggerIds,
    'connection-faults': connectionFaults,
    gaps: gapIds,
    choices: gapIds,
    profiles: ['default', 'contrarian', 'trpc', 'minimal'],
    personas: personaNames,
    endpoints: endpointIds,
  };

  test.each(Object.keys(ids))('%s shows all entries, as a table and as JSON', async (kind) => {
    const { stdout } = await run(['list', kind]);
    expect(Array.from(stdout.matchAll(/^\S+/gm), String)).toEqual(ids[kind]);
    const json = JSON.parse((await run(['list', kind, '--json'])).stdout) as { id: string }[];
    expect(json.map(({ id }) => id)).toEqual(ids[kind]);
  });

  test('names every word that it accepts in its help, and no other', async () => {
    const others: Record<string, string> = { violation: ' (faults)', gap: ' (choices)' };
    const words = catalogKinds.map((kind) => `${kind}s${others[kind] ?? ''}`);
    const help = (await run(['list', '--help'])).stdout.replaceAll(/\s+/g, ' ');
    expect(help).toContain(`list everything that has an id: ${words.join(', ')} Arguments:`);
  });

  test('aligns its columns, and uses colour only on a terminal', async () => {
    const plain = (await run(['list', 'requirements'])).stdout;
    const starts = Array.from(plain.matchAll(/^.*? (?:stated|derived) /gm), ([start]) => start.length);
    expect([starts.length, new Set(starts).size]).toEqual([requirementIds.length, 2]);
    expect(plain).not.toContain('\u001b');
    expect((await run(['list', 'requirements'], { isTTY: true })).stdout).toContain('\u001b[1m');
  });
});

describe('explain', () => {
  test('a requirement: statement, section, lane, derivation, checks and violations', async () => {
    const id = requirementIds.find((one) => requirements[one].lane === 'derived') ?? 'agent-shape';
    const { stdout, status } = await run(['explain', id]);
    const { statement, section, derivation } = requirements[id];
    expect(status).toBe(0);
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      `${id} (requirement)`,
      `  states      ${statement}`,
      `  section     ${section}`,
      '  lane        derived',
      `  derivation  ${derivation ?? ''}`,
    ]);
    expect(stdout).toContain('  verified by\n    ');
  });

  test('a violation, a gap, a profile and an endpoint', async () => {
    expect((await run(['explain', 'results-ascending'])).stdout).toMatch(
      / {2}caught by\n {4}list-results-newest-first: /,
    );
    expect((await run(['explain', 'success-status'])).stdout).toMatch(/ {4}created: .*\(default/);
    expect((await run(['explain', 'trpc'])).stdout).toContain('    success-status: ok');
    expect((await run(['explain', 'get-agent'])).stdout).toContain('  request     GET /api/v1/agents/{agentId}');
  });

  test('everything with an id, as JSON, in its own words', async () => {
    for (const kind of catalogKinds) {
      const listed = JSON.parse((await run(['list', `${kind}s`, '--json'])).stdout) as { id: string }[];
      const { id } = listed.at(-1) ?? { id: '' };
      const explained = JSON.parse((await run(['explain', id, '--json'])).stdout) as { id: string }[];
      expect(explained).toContainEqual(expect.objectContaining(listed.at(-1)));
    }
  });
});

test('a closed output is not an error of the program, and other errors are', () => {
  const stream = new EventEmitter();
  tolerateBrokenPipe(stream);
  const emit = (code: string): boolean => stream.emit('error', Object.assign(new Error(code), { code }));
  expect(emit('EPIPE')).toBe(true);
  expect(() => emit('EIO')).toThrow('EIO');
});
