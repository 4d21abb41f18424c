import type { TinyAnswer, TinyOptions, TinyRequest } from '../../conformance/testing/tiny-service.ts';
import { tinyService } from '../../conformance/testing/tiny-service.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { TransportError } from '../../http/explain-failure.ts';
import { examine } from './examine.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);
const OLD = 24 * 8;
const MORE = 'Give the --agent-id of an agent with more than 100 results, some of them older than 7 days';
const RUNNER = 'The runner never follows redirects, so that the token goes nowhere else.';

type Target = Partial<RunOptions> & Partial<Pick<TinyOptions, 'before' | 'ages'>>;

/** What is said about one thing: its state, its description, and its remedy. */
async function said(what: string, { ages, before, ...options }: Target): Promise<string> {
  const { transport } = tinyService({ now, ...(ages && { ages }), ...(before && { before }) });
  const sleep = (): Promise<void> => Promise.resolve();
  const main = { baseUrl: 'http://127.0.0.1:8080', token: 'good', agentId: 'main', transport, now, sleep };
  const { findings } = await examine({ ...main, ...options });
  const { state, says, fix } = findings.find((one) => one.what === what) ?? { state: 'absent', says: '' };
  return [`${state}: ${says}`, fix].filter(Boolean).join(' | ');
}

/** Answers for those requests whose path ends so; the service answers the others. */
const at =
  (end: string, change: (request: TinyRequest) => TinyAnswer | undefined): TinyOptions['before'] =>
  (request) =>
    request.path.endsWith(end) ? change(request) : undefined;
const always = (answer: TinyAnswer): TinyOptions['before'] => at('', () => answer);
const few = Array.from({ length: 50 }, () => 1);
const ages = (count: number, age: number): readonly number[] => Array.from({ length: count }, () => age);
const dated =
  (seconds: number): TinyOptions['before'] =>
  (_, answer) => ({ ...answer(), headers: { date: new Date(now + seconds * 1000).toUTCString() } });
const tooLate = (): never => {
  throw new TransportError('timeout', 'It took too long.');
};

const cases: Readonly<Record<string, readonly (readonly [Target, string])[]>> = {
  results: [
    [{ ages: [] }, `wrong: The agent has no results. | ${MORE}`],
    [{ ages: [1] }, `note: There are 1; of these, 0 are older than 7 days. | ${MORE}`],
    [{ ages: [...few, ...ages(50, OLD)] }, `note: There are 100; of these, 50 are older than 7 days. | ${MORE}`],
    [{ ages: [...few, ...ages(51, OLD)] }, 'ok: There are more than 100; of these, 50 are older than 7 days.'],
    [{ ages: ages(101, 24 * 7) }, 'ok: There are more than 100; of these, 0 are older than 7 days.'],
    [{ ages: ages(101, OLD) }, `note: There are more than 100; of these, 100 are older than 7 days. | ${MORE}`],
    [
      { now: undefined, ages: [...few, ...ages(51, OLD)], before: dated(0) },
      'ok: There are more than 100; of these, 50 are older than 7 days.',
    ],
    [{ before: at('/results', () => ({ status: 403 })) }, `wrong: They cannot be read (403). | ${MORE}`],
    [
      { before: at('/results', () => ({ status: 200, body: 'no' })) },
      'wrong: They cannot be read: a page was text that is not JSON, beginning with "no": no is not JSON, at position 0.',
    ],
    [{ before: at('/results', tooLate) }, 'wrong: They cannot be read. It took too long.'],
  ],
  'base URL': [
    [{}, 'ok: It answers (200).'],
    [{ before: at('', tooLate) }, 'fatal: It took too long.'],
    [{ before: always({ status: 500 }) }, 'fatal: It answers 500: it is broken, or not ready. | Try again later'],
    [{ before: always({ status: 499 }) }, 'ok: It answers (499).'],
    [
      { before: always({ status: 200, body: 'oh' }) },
      'fatal: It answers 200 with text that is not JSON, beginning with "oh": oh is not JSON, at position 0 instead of JSON.',
    ],
    [
      { before: always({ status: 404, body: '<!doctype html>' }) },
      'fatal: It answers 404 with an HTML page instead of JSON, so this is a web site rather than the service. | Give the URL of the API, without the documented paths, which begin with /api/v1',
    ],
    [{ before: always({ status: 401, body: '<html>' }) }, 'ok: It answers (401).'],
    [{ before: always({ status: 300 }) }, `fatal: It redirects (300) to "nowhere". ${RUNNER}`],
    [
      { before: always({ status: 399, headers: { location: '/v2/api/v1/agents/main' } }) },
      `fatal: It redirects (399) to "/v2/api/v1/agents/main". ${RUNNER}`,
    ],
  ],
  token: [
    [{ token: undefined }, 'missing: No token was given, and a run judges nothing without one.'],
    [{ token: 'wrong' }, 'wrong: It is refused (401). | Give a --token that this server knows'],
    [{}, 'ok: It is accepted, and has write access to the agent.'],
    [
      { token: 'reader' },
      'note: It is accepted, and has read access to the agent. | Give a --token with write access to judge more',
    ],
    [{ agentId: 'nobody' }, 'ok: It is accepted (404, and 401 without it).'],
    [{ agentId: undefined }, 'ok: It is accepted (404, and 401 without it).'],
    [
      { before: always({ status: 404 }) },
      'note: Nothing shows whether it is accepted: the answer is 404 with and without it.',
    ],
    [
      { agentId: undefined, before: always({ status: 404 }) },
      'note: Nothing shows whether it is accepted: the answer is 404 with and without it. | Give the --agent-id of an agent that it may read',
    ],
    [
      { before: always({ status: 200, body: { agent: {}, currentUserMode: 'owner' } }) },
      'ok: It is accepted, but the server does not say which access to the agent it has.',
    ],
  ],
  agent: [
    [{ agentId: undefined }, 'missing: --agent-id was not given. | Give the --agent-id of an agent with results'],
    [{ agentId: 'nobody' }, 'wrong: It was not found (404). | Check --agent-id'],
    [{}, 'ok: It can be read.'],
    [
      { before: at('', ({ authorization }) => ({ status: authorization === undefined ? 401 : 403 })) },
      'wrong: It is refused (403). | Give another --agent-id',
    ],
  ],
  'published agent': [
    [{}, 'missing: --published-agent-id was not given.'],
    [{ publishedAgentId: 'main' }, 'ok: It can be read.'],
    [{ publishedAgentId: 'nobody' }, 'wrong: It was not found (404). | Check --published-agent-id'],
    [
      { publishedAgentId: 'main', before: at('/publishedAgent', () => ({ status: 200, body: {} })) },
      'wrong: It has no published form. | Give another --published-agent-id',
    ],
    [
      { publishedAgentId: 'main', before: at('/publishedAgent', () => ({ status: 403 })) },
      'wrong: It is refused (403). | Give another --published-agent-id',
    ],
    [{ publishedAgentId: 'main', before: at('/publishedAgent', tooLate) }, 'wrong: It took too long.'],
  ],
  'version 5 agent': [
    [{}, 'missing: --v5-agent-id was not given.'],
    [{ v5AgentId: 'main' }, 'ok: It can be read.'],
    [{ v5AgentId: 'nobody' }, 'wrong: It was not found (404). | Check --v5-agent-id'],
  ],
  'read token': [
    [{}, 'missing: --read-token was not given.'],
    [{ readToken: 'reader' }, 'ok: It reads the agent.'],
    [{ readToken: 'good' }, 'wrong: Its access to the agent is write, not read. | Give another --read-token'],
    [{ readToken: 'wrong' }, 'wrong: It is refused (401). | Give another --read-token'],
    [{ readToken: 'reader', agentId: undefined }, 'note: It cannot be tested without --agent-id. | Give --agent-id'],
  ],
  'guest token': [
    [{ guestToken: 'reader' }, 'wrong: Its access to the agent is read, not guest. | Give another --guest-token'],
  ],
};

test.each(
  Object.entries(cases).flatMap(([what, rows]) => rows.map(([target, expected]) => [what, target, expected] as const)),
)('the %s of %j', async (what, target, expected) => {
  expect(await said(what, target)).toBe(expected);
});
