import { tinyService, type TinyAnswer, type TinyRequest } from '../testing/tiny-service.ts';
import creations from '../testing/creations.json';
import type { Probe } from './probe.ts';
import type { TargetOptions } from '../target-options.ts';
import { plan } from './plan.ts';
import { runOver } from '../testing/run-over.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);
const target: TargetOptions = { agentId: 'main', workspaceId: 'w' };

/** What probes send in turn to a service that answers as `before` says, and how long they wait between requests. */
async function transcript(
  probes: readonly Probe[],
  before: (line: string, answer: () => TinyAnswer, nth: number) => TinyAnswer | undefined = () => undefined,
  given: TargetOptions & { readonly readToken?: string; readonly guestToken?: string } = {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  const named = ({ method, path, authorization = '' }: TinyRequest): string =>
    `${method} ${path.slice('/api/v1/'.length)} ${authorization}`.replace(/\ba\d+/, 'made').replace(' Bearer good', '');
  const service = tinyService({
    now,
    before(request, answer) {
      const line = named(request);
      const other = before(line, answer, lines.filter((one) => one.startsWith(line)).length + 1) ?? answer();
      lines.push(`${line} ${other.status}`);
      return other;
    },
  });
  const run = runOver(service.transport, {
    target: { ...target, ...given },
    now,
    sleep: (ms) => Promise.resolve(void lines.push(`wait ${ms}`)),
  });
  for (const probe of probes) await probe.send(run).catch((error: Error) => void lines.push(error.message));
  return lines;
}

/** What probes send while one kind of request is refused, but for those with the given counts, which start at 1. */
interface Creation {
  readonly probes: readonly (keyof typeof plan)[];
  readonly refused?: string;
  readonly accepted?: readonly number[];
  readonly sent: readonly string[];
}

test.each(creations as readonly Creation[])('$description', async ({ probes, refused = '', accepted = [], sent }) => {
  const [, refusedLine, status] = /^(.*) (\d+)$/.exec(refused) ?? [];
  const told = await transcript(
    probes.map((name) => plan[name]),
    (line, _, nth) => (line === refusedLine && !accepted.includes(nth) ? { status: Number(status) } : undefined),
  );
  const times = sent.map((line) => /^(?:(\d) × )?(.*)$/.exec(line) ?? []);
  expect(told).toEqual(times.flatMap(([, many = '1', line]) => Array.from({ length: Number(many) }, () => line)));
});

test('agents with every kind of value are created, and each is read', async () => {
  const told = await transcript([plan.createOfEveryKind, plan.importOfEveryKind]);
  const count = (line: string): number => told.filter((one) => one.endsWith(`${line} 200`)).length;
  expect(['POST agents', 'agents/import', 'agents/made', 'publishedAgent'].map(count)).toEqual([8, 8, 14, 6]);
});

test.each<[string, RegExp, RegExp, RegExp]>([
  ['an icon', /"icon":"\P{ASCII}/u, /^\{"name":"[^"]*","icon":"[^"]*"\}$/, /"slug"/],
  ['a letter of a name', /"name":"[^"]*\P{ASCII}/u, /^\{"name":".{1,12}"\}$/u, /"icon".*"slug"/],
])(
  'a workspace that is refused for %s is made smaller, and later ones are without it',
  async (_, refused, smallest, later) => {
    const bodies: string[] = [];
    const service = tinyService({
      now,
      before({ path, body }) {
        if (path !== '/api/v1/workspaces') return undefined;
        bodies.push(JSON.stringify(body));
        return refused.test(bodies.at(-1) ?? '') ? { status: 422 } : undefined;
      },
    });
    const run = runOver(service.transport, { target, now });
    await plan.createWorkspaceByName.send(run);
    await plan.createWorkspaceWithOptionalFields.send(run);
    const before = bodies.length;
    await plan.createTwoWorkspaces.send(run);
    expect(bodies.filter((body) => refused.test(body)).some((body) => smallest.test(body))).toBe(true);
    expect(bodies.slice(before).some((body) => later.test(body) && !refused.test(body))).toBe(true);
    expect(bodies.length).toBeLessThan(45);
  },
);

const read = ['made', 'made', 'main', 'main/results'];
test.each<[string, { readonly readToken?: string; readonly guestToken?: string }, readonly string[]]>([
  ['no weaker token', {}, []],
  ['one', { readToken: 'reader' }, [...read, read[3], read[3]].map((path) => `GET agents/${path} Bearer reader 200`)],
  ['the other', { guestToken: 'nobody' }, read.map((path) => `GET agents/${path} Bearer nobody 401`)],
])('with %s, whose second list is asked for if it gets the first', async (_, tokens, expected) => {
  const told = await transcript([plan.createAgent, plan.importAgent, plan.readAgainWithLessAccess], undefined, tokens);
  expect(told.slice(4)).toEqual(expected);
});

test('a given published form is read again with every weaker token', async () => {
  const given = { publishedAgentId: 'main', readToken: 'reader', guestToken: 'nobody' };
  expect(await transcript([plan.readPublishedAgain], undefined, given)).toEqual([
    'GET agents/main/publishedAgent 200',
    'GET agents/main/publishedAgent Bearer reader 200',
    'GET agents/main/publishedAgent Bearer nobody 401',
  ]);
  expect(await transcript([plan.readPublishedAgain])).toEqual([]);
});
