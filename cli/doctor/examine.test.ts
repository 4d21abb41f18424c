import {
  tinyService,
  type TinyAnswer,
  type TinyOptions,
  type TinyRequest,
} from '../../conformance/testing/tiny-service.ts';
import { TransportError } from '../../http/explain-failure.ts';
import type { Transport } from '../../http/exchange.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { examine } from './examine.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);
const OLD = 24 * 8;
const MORE = 'Give the --agent-id of an agent with more than 100 results, some of them older than 7 days';

interface Asked {
  readonly options?: Partial<RunOptions>;
  readonly ages?: readonly number[];
  readonly before?: TinyOptions['before'];
}

/** The finding about one thing: its state, its description, and its remedy. */
async function found(what: string, { options = {}, ages, before }: Asked): Promise<readonly string[]> {
  const { transport } = tinyService({ now, ...(ages ? { ages } : {}), ...(before ? { before } : {}) });
  const { findings } = await examine({
    baseUrl: 'http://127.0.0.1:8080',
    token: 'good',
    agentId: 'main',
    transport,
    now,
    sleep: () => Promise.resolve(),
    ...options,
  });
  return findings
    .filter((one) => one.what === what)
    .map(({ state, says, fix }) => [`${state}: ${says}`, ...(fix ? [fix] : [])].join(' | '));
}

const answering =
  (change: (request: TinyRequest) => TinyAnswer | undefined): TinyOptions['before'] =>
  (request) =>
    change(request);
const lists = (change: (request: TinyRequest) => TinyAnswer | undefined): TinyOptions['before'] =>
  answering((request) => (request.path.endsWith('/results') ? change(request) : undefined));
const page = (results: unknown, nextCursor: unknown = null): TinyAnswer => ({
  status: 200,
  body: { results, nextCursor },
});
const ages = (count: number, age: number): readonly number[] => Array.from({ length: count }, () => age);
const every = (answer: TinyAnswer): TinyOptions['before'] => answering(() => answer);

test.each<[string, Asked, readonly string[]]>([
  ['results', { ages: [] }, [`wrong: The agent has no results. | ${MORE}`]],
  ['results', { ages: [1] }, [`note: There are 1; of these, 0 are older than 7 days. | ${MORE}`]],
  [
    'results',
    { ages: [...ages(50, 1), ...ages(50, OLD)] },
    [`note: There are 100; of these, 50 are older than 7 days. | ${MORE}`],
  ],
  [
    'results',
    { ages: [...ages(50, 1), ...ages(51, OLD)] },
    ['ok: There are more than 100; of these, 50 are older than 7 days.'],
  ],
  ['results', { ages: ages(101, 24 * 7) }, ['ok: There are more than 100; of these, 0 are older than 7 days.']],
  [
    'results',
    { ages: ages(101, OLD) },
    [`note: There are more than 100; of these, 100 are older than 7 days. | ${MORE}`],
  ],
  [
    'results',
    { before: lists(() => page([{ id: 'a' }])) },
    [`note: There are 1; of these, 0 are older than 7 days. | ${MORE}`],
  ],
  ['results', { before: lists(() => ({ status: 403 })) }, [`wrong: They cannot be read (403). | ${MORE}`]],
  [
    'results',
    { before: lists(() => ({ status: 200, body: 'no' })) },
    [
      'wrong: They cannot be read: a page was text that is not JSON, beginning with "no": no is not JSON, at position 0.',
    ],
  ],
  [
    'results',
    {
      before: lists(() => {
        throw new TransportError('timeout', 'It took too long.');
      }),
    },
    ['wrong: They cannot be read. It took too long.'],
  ],
  ['base URL', {}, ['ok: It answers (200).']],
  ['base URL', { options: { baseUrl: 'http://127.0.0.1:8080/' } }, ['ok: It answers (200).']],
  [
    'base URL',
    { options: { baseUrl: 'http://service.test' } },
    ['note: It answers (200). The token goes over http, where anybody on the network can read it.'],
  ],
  ['base URL', { options: { baseUrl: 'http://[::1]:1' } }, ['ok: It answers (200).']],
  ['base URL', { options: { baseUrl: 'http://localhost' } }, ['ok: It answers (200).']],
  ['base URL', { options: { baseUrl: 'https://service.test', token: undefined } }, ['ok: It answers (401).']],
  [
    'base URL',
    { before: every({ status: 500 }) },
    ['fatal: It answers 500: it is broken, or not ready. | Try again later'],
  ],
  ['base URL', { before: every({ status: 499 }) }, ['ok: It answers (499).']],
  [
    'base URL',
    { before: every({ status: 200, body: 'oh' }) },
    [
      'fatal: It answers 200 with text that is not JSON, beginning with "oh": oh is not JSON, at position 0 instead of JSON.',
    ],
  ],
  [
    'base URL',
    { before: every({ status: 404, body: '<!doctype html><title> A  site </title>' }) },
    [
      'fatal: It answers 404 with an HTML page instead of JSON, so this is a web site rather than the service. | Give the URL of the API, without the documented paths, which begin with /api/v1',
    ],
  ],
  ['base URL', { before: every({ status: 401, body: '<html>' }) }, ['ok: It answers (401).']],
  [
    'base URL',
    { before: every({ status: 300 }) },
    ['fatal: It redirects (300) to nowhere. The runner never follows redirects, so that the token goes nowhere else.'],
  ],
  [
    'base URL',
    { before: every({ status: 399, headers: { location: '/v2/api/v1/agents/main' } }) },
    [
      'fatal: It redirects (399) to "http://127.0.0.1:8080/v2/api/v1/agents/main". The runner never follows redirects, so that the token goes nowhere else. | Use "http://127.0.0.1:8080/v2"',
    ],
  ],
  [
    'base URL',
    { before: every({ status: 302, headers: { location: 'http://[' } }) },
    ['fatal: It redirects (302) to nowhere. The runner never follows redirects, so that the token goes nowhere else.'],
  ],
  ['token', { options: { token: undefined } }, ['missing: No token was given, and a run judges nothing without one.']],
  ['token', { options: { token: 'wrong' } }, ['wrong: It is refused (401). | Give a --token that this server knows']],
  ['token', {}, ['ok: It is accepted, and has write access to the agent.']],
  [
    'token',
    { options: { token: 'reader' } },
    ['note: It is accepted, and has read access to the agent. | Give a --token with write access to judge more'],
  ],
  ['token', { options: { agentId: 'nobody' } }, ['ok: It is accepted (404, and 401 without it).']],
  ['token', { options: { agentId: undefined } }, ['ok: It is accepted (404, and 401 without it).']],
  [
    'token',
    { before: every({ status: 404 }) },
    ['note: Nothing shows whether it is accepted: the answer is 404 with and without it.'],
  ],
  [
    'token',
    { options: { agentId: undefined }, before: every({ status: 404 }) },
    [
      'note: Nothing shows whether it is accepted: the answer is 404 with and without it. | Give the --agent-id of an agent that it may read',
    ],
  ],
  [
    'token',
    { before: every({ status: 200, body: { agent: { id: 'main' }, currentUserMode: 'owner' } }) },
    ['ok: It is accepted, but the server does not say which access to the agent it has.'],
  ],
  [
    'agent',
    { options: { agentId: undefined } },
    ['missing: --agent-id was not given. | Give the --agent-id of an agent with results'],
  ],
  ['agent', { options: { agentId: 'nobody' } }, ['wrong: It was not found (404). | Check --agent-id']],
  ['agent', {}, ['ok: It can be read ("Main").']],
  [
    'agent',
    { before: every({ status: 200, body: { agent: {}, currentUserMode: 'write' } }) },
    ['ok: It can be read ("").'],
  ],
  [
    'agent',
    { before: every({ status: 200, body: { agent: { name: 'x'.repeat(61) }, currentUserMode: 'write' } }) },
    ['ok: It can be read ("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx").'],
  ],
  [
    'agent',
    { before: answering(({ authorization }) => ({ status: authorization === undefined ? 401 : 403 })) },
    ['wrong: It is refused (403). | Give another --agent-id'],
  ],
  ['published agent', {}, ['missing: --published-agent-id was not given.']],
  ['published agent', { options: { publishedAgentId: 'main' } }, ['ok: It can be read.']],
  [
    'published agent',
    { options: { publishedAgentId: 'nobody' } },
    ['wrong: It was not found (404). | Check --published-agent-id'],
  ],
  [
    'published agent',
    {
      options: { publishedAgentId: 'main' },
      before: answering(({ path }) => (path.endsWith('/publishedAgent') ? { status: 200, body: {} } : undefined)),
    },
    ['wrong: It has no published form. | Give another --published-agent-id'],
  ],
  [
    'published agent',
    {
      options: { publishedAgentId: 'main' },
      before: answering(({ path }) => (path.endsWith('/publishedAgent') ? { status: 403 } : undefined)),
    },
    ['wrong: It is refused (403). | Give another --published-agent-id'],
  ],
  ['version 5 agent', {}, ['missing: --v5-agent-id was not given.']],
  ['version 5 agent', { options: { v5AgentId: 'main' } }, ['ok: It can be read.']],
  ['version 5 agent', { options: { v5AgentId: 'nobody' } }, ['wrong: It was not found (404). | Check --v5-agent-id']],
  [
    'version 5 agent',
    {
      options: { v5AgentId: 'five' },
      before: answering(({ path }) =>
        path.endsWith('five') ? { status: 200, body: { agent: { version: '5' } } } : undefined,
      ),
    },
    ['ok: It can be read.'],
  ],
  ['read token', {}, ['missing: --read-token was not given.']],
  ['read token', { options: { readToken: 'reader' } }, ['ok: It reads the agent.']],
  [
    'read token',
    { options: { readToken: 'good' } },
    ['wrong: Its access to the agent is write, not read. | Give another --read-token'],
  ],
  ['read token', { options: { readToken: 'wrong' } }, ['wrong: It is refused (401). | Give another --read-token']],
  [
    'read token',
    {
      options: { readToken: 'reader', agentId: undefined },
      before: answering(({ authorization }) => (authorization === undefined ? { status: 401 } : undefined)),
    },
    ['note: It cannot be tested without --agent-id. | Give --agent-id'],
  ],
  ['clock', {}, ['note: The answers have no Date, so a run judges time windows by the clock of this machine.']],
  ...(
    [
      [-61, 'note: It is 61 s behind'],
      [-60, 'note: It is 60 s behind'],
      [-59, 'ok: It agrees with'],
      [0, 'ok: It agrees with'],
      [59, 'ok: It agrees with'],
      [60, 'note: It is 60 s ahead of'],
      [61, 'note: It is 61 s ahead of'],
    ] as const
  ).map(([seconds, says]): [string, Asked, readonly string[]] => [
    'clock',
    { before: (_, answer) => ({ ...answer(), headers: { date: new Date(now + seconds * 1000).toUTCString() } }) },
    [
      says.startsWith('ok')
        ? `${says} this machine (within ${Math.abs(seconds) + 1} s).`
        : `${says} this machine. A run judges time windows by the Date of the answers.`,
    ],
  ]),
  [
    'results',
    {
      options: { now: undefined },
      ages: [...ages(50, 1), ...ages(51, OLD)],
      before: (_, answer) => ({ ...answer(), headers: { date: new Date(now).toUTCString() } }),
    },
    ['ok: There are more than 100; of these, 50 are older than 7 days.'],
  ],
])('the %s of %j', async (what, asked, expected) => {
  expect(await found(what, asked)).toEqual(expected);
});

const { transport: service } = tinyService({ now });

test.each<[string, string, number, string, readonly string[]]>([
  ['http:', 'https:', 404, '<html>', ['https://service.test']],
  ['http:', 'https:', 500, '{}', ['https://service.test']],
  ['http:', 'https:', 404, '{}', []],
  ['https:', 'http:', 404, '<!doctype html>', ['http://service.test']],
])('for a service that is not at %s, %s is tried after %d with %s', async (here, _there, status, text, expected) => {
  const transport: Transport = async (request, signal) =>
    request.url.startsWith(`${here}//`)
      ? { status, headers: {}, body: new TextEncoder().encode(text) }
      : service(request, signal);
  const says = await found('base URL', {
    options: { baseUrl: `${here}//service.test`, transport },
  });
  expect(says.flatMap((one) => / \| Use (.*)$/.exec(one)?.[1] ?? [])).toEqual(expected);
});

test.each([
  ['http://service.test/base/api/v1', 'http://service.test/base'],
  ['http://service.test/base/api/v1/', 'http://service.test/base'],
  ['http://service.test/base/api', 'http://service.test/base'],
  ['http://service.test/base/other', undefined],
])('for the base URL %s, the suggestion is %s', async (baseUrl, better) => {
  const transport: Transport = async (request, signal) =>
    request.url.startsWith('http://service.test/base/api/v1/agents')
      ? service({ ...request, url: request.url.replace('/base/', '/') }, signal)
      : { status: 404, headers: {}, body: new TextEncoder().encode('<!doctype html>') };
  const says = await found('base URL', { options: { baseUrl, transport } });
  expect(says.flatMap((one) => / \| Use (.*)$/.exec(one)?.[1] ?? [])).toEqual(better === undefined ? [] : [better]);
});
