import { tinyService, type TinyAnswer, type TinyRequest } from '../testing/tiny-service.ts';
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

const {
  createAgent: firstCreated,
  importAgent: firstImported,
  createUnusual: unusual,
  createTwoAgents: twoCreated,
  importTwoAgents: twoImported,
  importPublished,
  createWorkspaceByName: nameAlone,
  createWorkspaceWithOptionalFields: optionalFields,
  readAgainWithLessAccess: withLess,
  readPublishedAgain: publishedAgain,
} = plan;

/** A service that refuses one kind of request, every time or at the given counts, which start at 1. */
const refusing =
  (what: string, status: number, times: (nth: number) => boolean = () => true) =>
  (line: string, _: unknown, nth: number): TinyAnswer | undefined =>
    line === what && times(nth) ? { status, body: { message: 'no' } } : undefined;

const many = (times: number, line: string): readonly string[] => Array.from({ length: times }, () => line);
const notFound = 'GET agents/made 404';
const publicForm = 'GET agents/made/publishedAgent';
const inNewWorkspace = ['POST agents 200', 'POST agents/import 200', 'POST workspaces 201', 'POST agents 200'];
const made = ['POST agents 200', 'GET agents/made 200'];
const again = ['POST agents 400', 'POST agents 200'];
const imported = ['POST agents/import 200', 'GET agents/made 200'];

test.each<[string, readonly Probe[], ReturnType<typeof refusing> | undefined, readonly string[]]>([
  ['a created agent is read', [firstCreated], undefined, made],
  [
    'a late agent is waited for',
    [firstCreated],
    refusing('GET agents/made', 404, (nth) => nth < 3),
    ['POST agents 200', notFound, 'wait 100', notFound, 'wait 400', 'GET agents/made 200'],
  ],
  [
    'the wait for an agent that never appears ends',
    [firstCreated],
    refusing('GET agents/made', 404),
    ['POST agents 200', ...[100, 400, 1500, 1000].flatMap((ms) => [notFound, `wait ${ms}`]), notFound],
  ],
  [
    'an agent is not waited for after a refused token',
    [firstCreated],
    refusing('GET agents/made', 401),
    ['POST agents 200', 'GET agents/made 401'],
  ],
  ['a refused creation is tried with less', [firstCreated], refusing('POST agents', 400), many(3, 'POST agents 400')],
  [
    'a forbidden creation is not tried again',
    [firstCreated],
    refusing('POST agents', 403),
    ['POST agents 403', 'Create agent answered 403, so nothing further is known.'],
  ],
  [
    'two more are created at once, and read',
    [firstCreated, twoCreated],
    undefined,
    [...made, ...many(2, 'POST agents 200'), ...many(2, 'GET agents/made 200')],
  ],
  [
    'if no more are accepted, two others are tried, and an import',
    [firstCreated, twoCreated],
    refusing('POST agents', 400, (nth) => nth > 1),
    [...made, ...many(6, 'POST agents 400'), ...many(3, 'POST agents/import 200')],
  ],
  [
    'the same for imports',
    [firstImported, twoImported],
    refusing('POST agents/import', 400, (nth) => nth > 1),
    [...imported, ...many(6, 'POST agents/import 400'), ...many(3, 'POST agents 200')],
  ],
  [
    'an acceptance at the second attempt is enough',
    [firstCreated, twoCreated],
    refusing('POST agents', 400, (nth) => nth % 2 === 0),
    [...made, ...again, ...again, ...again, 'GET agents/made 200', 'GET agents/made 200'],
  ],
  [
    'a second attempt that is forbidden is the last',
    [firstCreated, twoCreated],
    refusing('POST agents', 403, (nth) => nth > 1),
    [...made, ...many(2, 'POST agents 403')],
  ],
  [
    'a published form is read if there is one',
    [importPublished],
    undefined,
    ['POST agents/import 200', ...imported, 'GET agents/made/publishedAgent 200'],
  ],
  [
    'and is read once more if it is late',
    [importPublished],
    refusing(publicForm, 404, (nth) => nth === 1),
    ['POST agents/import 200', ...imported, `${publicForm} 404`, 'wait 100', `${publicForm} 200`],
  ],
  [
    'unusual agents are created in a new workspace, one of them published',
    [unusual],
    undefined,
    [...inNewWorkspace, ...imported, `${publicForm} 200`, ...imported, 'GET agents/made 200', `${publicForm} 200`],
  ],
  ['a name alone is enough', [nameAlone], undefined, ['POST workspaces 201']],
  [
    'if it is not, a plain one is tried, and what was accepted before',
    [nameAlone],
    refusing('POST workspaces', 400),
    many(3, 'POST workspaces 400'),
  ],
  [
    'a plain name that is accepted is enough',
    [nameAlone],
    refusing('POST workspaces', 400, (nth) => nth === 1),
    ['POST workspaces 400', 'POST workspaces 201'],
  ],
  ['a forbidden name is not tried again', [nameAlone], refusing('POST workspaces', 403), ['POST workspaces 403']],
  ['all fields are enough', [optionalFields], undefined, ['POST workspaces 201']],
  [
    'if they are not, each is tried on its own',
    [optionalFields],
    refusing('POST workspaces', 400, (nth) => nth < 3),
    [...many(2, 'POST workspaces 400'), ...many(5, 'POST workspaces 201')],
  ],
  [
    'fields that are accepted the second time are enough',
    [optionalFields],
    refusing('POST workspaces', 400, (nth) => nth < 2),
    ['POST workspaces 400', 'POST workspaces 201'],
  ],
])('%s', async (_, probes, before, expected) => {
  expect(await transcript(probes, before)).toEqual(expected);
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
    await nameAlone.send(run);
    await optionalFields.send(run);
    const before = bodies.length;
    await plan.createTwoWorkspaces.send(run);
    expect(bodies.filter((body) => refused.test(body)).some((body) => smallest.test(body))).toBe(true);
    expect(bodies.slice(before).some((body) => later.test(body) && !refused.test(body))).toBe(true);
    expect(bodies.length).toBeLessThan(45);
  },
);

test.each<[string, { readonly readToken?: string; readonly guestToken?: string }, readonly string[]]>([
  ['no weaker token', {}, []],
  ['one', { readToken: 'reader' }, ['made', 'made', 'main'].map((id) => `GET agents/${id} Bearer reader 200`)],
  ['the other', { guestToken: 'nobody' }, ['made', 'made', 'main'].map((id) => `GET agents/${id} Bearer nobody 401`)],
])('with %s', async (_, tokens, expected) => {
  const told = await transcript([firstCreated, firstImported, withLess], undefined, tokens);
  expect(told.slice(4)).toEqual(expected);
});

test('a given published form is read again with one weaker token', async () => {
  const given = { publishedAgentId: 'main', readToken: 'reader', guestToken: 'nobody' };
  expect(await transcript([publishedAgain], undefined, given)).toEqual([
    'GET agents/main/publishedAgent 200',
    'GET agents/main/publishedAgent Bearer reader 200',
  ]);
  expect(await transcript([publishedAgain])).toEqual([]);
});
