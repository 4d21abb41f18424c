import type { EndpointId } from '../../spec/index.ts';
import facts from '../testing/facts.json';
import { sampleExchange } from '../testing/sample-exchange.ts';
import { tinyService, type TinyRequest } from '../testing/tiny-service.ts';
import type { TargetOptions } from '../target-options.ts';
import { plan } from './plan.ts';
import {
  acceptedRequest,
  agentToRead,
  firstAgent,
  firstAttempt,
  slipSupply,
  validRequest,
  workspaceId,
} from './prerequisites.ts';
import { runOver } from '../testing/run-over.ts';
import type { Run } from './probe.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);
const all: TargetOptions = { agentId: 'main', workspaceId: 'w', publishedAgentId: 'main' };

/** What is sent to a service that refuses some requests with a status, and the outcome. */
async function told<T>(
  ask: (run: Run) => Promise<T>,
  statusOf: (request: TinyRequest) => number | undefined = () => undefined,
  target: TargetOptions = all,
): Promise<{ readonly sent: readonly string[]; readonly made: T | string }> {
  const service = tinyService({
    now,
    before(request) {
      const status = statusOf(request);
      return status === undefined ? undefined : { status, body: {}, headers: { location: 'http://tiny.test/b/' } };
    },
  });
  const made = await ask(runOver(service.transport, { target, now })).catch((error: unknown) => String(error));
  return { sent: service.requests.map(({ method, path }) => `${method} ${path.slice('/api/v1/'.length)}`), made };
}

const agentOf = ({ body }: TinyRequest): object => Object(body['agent']) as object;

test.each<[string, (request: TinyRequest) => number | undefined, number, string | undefined]>([
  ['everything', () => undefined, 1, 'full'],
  ['no publicId', (request) => ('publicId' in agentOf(request) ? 400 : undefined), 18, 'full'],
  ['only a name', (request) => (Object.keys(agentOf(request)).length > 1 ? 400 : undefined), 31, 'name-only'],
  ['nothing', () => 400, 4, undefined],
  ['no long name', (request) => (/"name":"[^"]{21}/.test(JSON.stringify(request.body)) ? 400 : undefined), 5, 'full'],
  ['no body from this caller', () => 403, 1, undefined],
  ['no body without payment', () => 402, 1, undefined],
])('a service that accepts %s is sent smaller and smaller bodies', async (_, statusOf, times, detail) => {
  const { sent, made } = await told(async (run) => {
    const last = await firstAttempt(run, 'create-agent');
    return last.exchange.answer.accepted ? last.detail : undefined;
  }, statusOf);
  expect([sent.length, made]).toEqual([times, detail]);
});

test.each<[string, (run: Run) => Promise<unknown>, TargetOptions, readonly string[]]>([
  ['the given workspace', workspaceId, all, []],
  ['a created workspace', workspaceId, {}, ['POST workspaces']],
  ['the given agent', agentToRead, all, []],
  ['a created agent', agentToRead, { workspaceId: 'w' }, ['POST agents']],
  ['a created agent in a created workspace', agentToRead, {}, ['POST workspaces', 'POST agents']],
])('%s', async (_, ask, target, expected) => {
  const { sent } = await told(async (run) => [await ask(run), await ask(run)], undefined, target);
  expect(sent).toEqual(expected);
});

test.each<[string, readonly string[]]>([
  ['that takes all fields', ['icon slug']],
  ['that takes neither', ['icon slug', 'icon slug', 'icon', 'icon', 'slug', 'slug', '']],
])('a service of workspaces %s is sent the fields together, and then one by one', async (what, expected) => {
  const bodies: string[] = [];
  await told(
    (run) => plan.createWorkspaceWithOptionalFields.send(run),
    ({ body }) => {
      const fields = ['icon', 'slug'].filter((name) => body[name] !== undefined);
      bodies.push(fields.join(' '));
      return what === 'that takes all fields' || fields.length === 0 ? undefined : 400;
    },
  );
  expect(bodies.slice(0, 7)).toEqual(expected);
});

test.each<[EndpointId, readonly string[]]>([
  ['create-agent', ['POST agents']],
  ['import-agent', ['POST agents/import']],
  ['get-agent', ['GET agents/main']],
  ['get-published-agent', ['GET agents/main/publishedAgent']],
  ['list-results', ['GET agents/main/results']],
  ['create-workspace', ['POST workspaces']],
])(
  'a plain valid request of %s is sent once, and everyone who needs the answer gets it',
  async (endpoint, expected) => {
    const { sent, made } = await told(async (run) => [
      await validRequest(run, endpoint),
      await acceptedRequest(run, endpoint),
    ]);
    expect(sent).toEqual(expected);
    const [one, other] = made as readonly unknown[];
    expect(one).toMatchObject({ endpoint, answer: { accepted: true } });
    expect(other).toBe(one);
  },
);

const nothingFurther = 'answered 400, so nothing further is known.';

const elsewhere = 'answered 307, a redirect to "/b/", which no run follows';

test.each<[string, (run: Run) => Promise<unknown>, TargetOptions, string, number?]>([
  ['an agent', (run) => firstAgent(run, 'create-agent'), all, `Create agent ${elsewhere}`, 307],
  ['an agent', (run) => firstAgent(run, 'create-agent'), all, `Create agent ${nothingFurther}`],
  ['an agent to read', agentToRead, { workspaceId: 'w' }, `Create agent ${nothingFurther}`],
  ['a workspace', workspaceId, {}, 'This needs a workspace, but none was given and none could be created.'],
  ['a published agent', (run) => validRequest(run, 'get-published-agent'), {}, 'This needs --published-agent-id'],
  ['a list', (run) => acceptedRequest(run, 'list-results'), all, `List results of an agent ${nothingFurther}`],
])('if everything is refused, it says why there is not %s', async (_, ask, target, expected, status = 400) => {
  const { made } = await told(ask, () => status, target);
  expect(made).toContain(expected);
});

test.each(facts.slips as unknown as [EndpointId, number, TargetOptions, string | null][])(
  'a refusal of %s with %d, with %j given, may be solved by: %s',
  (endpoint, status, target, expected) => {
    expect(slipSupply(sampleExchange({ n: 2, endpoint, status }), target) ?? null).toBe(expected);
  },
);
