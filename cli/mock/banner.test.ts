import { createMock, type MockOptions } from '../../mock/index.ts';
import { banner } from './banner.ts';
import type { MockSettings } from './flags.ts';
import type { RunningMock } from './start.ts';

type Settings = Partial<Pick<MockSettings, 'profile' | 'choice' | 'state' | 'adminToken'>>;

/** The lines for people about a mock that is not started. */
function linesOf(
  settings: Settings,
  options: MockOptions = {},
  more: { readonly trust?: RunningMock['trust']; readonly created?: number } = {},
): readonly string[] {
  const mock = createMock({ now: 0, ...options });
  for (let i = 0; i < (more.created ?? 0); i++)
    mock.handle({
      method: 'POST',
      target: '/api/v1/workspaces',
      headers: { authorization: `Bearer ${mock.target.token}`, 'content-type': 'application/json' },
      body: new TextEncoder().encode('{"name":"W"}'),
    });
  const server = { url: 'http://127.0.0.1:1' } as RunningMock['server'];
  const running = { mock, world: {}, server, trust: more.trust ?? {}, stop: () => Promise.resolve(true) };
  const stdout = { write: () => true };
  const io = { argv: [], env: {}, stdout, stderr: stdout, cwd: '.' };
  return banner(running, { choice: [], ...settings } as unknown as MockSettings, io).split('\n');
}

const choices = { 'not-found-status': 'forbidden-403' } as const;
const choice: MockSettings['choice'] = [['not-found-status', 'forbidden-403']];

const MADE = 'with not-found-status=forbidden-403';
const trpc = { profile: { name: 'trpc' }, choice };
const inFile = { profile: { file: './my\u0007.json' }, choice };

test.each<[string, Settings, MockOptions, string]>([
  ['nothing is said', {}, {}, 'default'],
  ['choices are made in a profile', trpc, { profile: 'trpc', choices }, `trpc ${MADE}`],
  ['a profile is in a file', inFile, { choices }, `./my\\u0007.json ${MADE}`],
  ['a state has a profile of its own', { state: 'state.json' }, { choices }, 'from the state file'],
  ['a state has a profile, and one is named', { state: 'state.json', ...trpc }, { choices }, `trpc ${MADE}`],
])('names the profile: %s', (_, settings, options, words) => {
  expect(linesOf(settings, { frozen: true, ...options })[1]).toBe(
    `persona demo, seed 1, clock at 1970-01-01T00:00:00.000Z and frozen, profile ${words}`,
  );
});

const PLAIN = ['dashboard', 'docs'];

test.each<[string, Parameters<typeof linesOf>, readonly string[]]>([
  ['nothing is said', [{}], PLAIN],
  ['nothing was created before', [{ state: 'kept.json' }], [...PLAIN, 'state      kept.json']],
  [
    'something was created before',
    [{ state: 'kept.json' }, {}, { created: 2 }],
    [...PLAIN, 'state      kept.json  2 created before'],
  ],
  ['there are faults', [{}, { faults: ['limit-ignored'] }], [...PLAIN, 'faults     limit-ignored']],
  [
    'a certificate is in a file',
    [{}, {}, { trust: { ca: 'ca.pem' } }],
    [...PLAIN, 'trust      ca.pem  curl --cacert, check --ca, or NODE_EXTRA_CA_CERTS for Node.js'],
  ],
])('has rows only for what there is: %s', (_, given, rows) => {
  const lines = linesOf(...given).slice(2);
  const found = lines.slice(0, lines.indexOf('')).map((line) => line.trim());
  expect(found.map((line, i) => (i < PLAIN.length ? line.split(' ')[0] : line))).toEqual(rows);
});

test.each<[string, string, readonly string[]]>([
  ['demo', 'the agents that it has', ['workspace', 'agent', 'published', 'version']],
  ['empty', 'no agents', ['workspace']],
])('for the world %s lists %s', (persona, _, names) => {
  const lines = linesOf({}, { persona: persona as 'demo' });
  const ids = lines.slice(lines.indexOf('Ids') + 1, lines.indexOf('Try'));
  expect(ids.map((line) => line.trim().split(' ')[0])).toEqual(names);
});
