import { DateTime } from 'luxon';
import { importAgentBody, importAgentV5Body } from '../../fixtures/index.ts';
import type { Answer } from '../history/exchange.ts';
import type { CallParameters } from '../asking/api.ts';
import type { CheckContext } from '../check.ts';
import { CannotJudge, count, field, isObject, show, stringAt, type JsonObject } from '../expect.ts';
import { observeIdentifier, observeRefusal, observeTimestamp } from './recognise.ts';
import { readPage, type Walk } from '../results/walk.ts';

type Probe = (t: CheckContext) => Promise<void>;

/**
 * Looks at what the specification leaves open, where the requests of the checks do not show it. Nothing here is ever
 * held against the target: what cannot be asked is passed over.
 */
export async function probe(t: CheckContext): Promise<void> {
  for (const one of probes)
    await one(t).catch((error: unknown) => {
      if (!(error instanceof CannotJudge)) throw error;
    });
}

const accepts = async (t: CheckContext, parameters: CallParameters): Promise<Answer> =>
  t.api.call('list-results', { agentId: t.given.need('agentId'), ...parameters, probe: true });

const seenAs = (answer: Answer): string => (answer.accepted ? 'accepted' : `refused with ${answer.status}`);

const idsOn = (answer: Answer): readonly string[] => {
  const page = answer.accepted ? readPage(answer) : undefined;
  return typeof page === 'object' ? page.rows.map(({ id }) => id) : [];
};

/** A request with one query parameter that is not documented, or holds what is not documented. */
const query =
  (pairs: readonly (readonly [string, string])[], note: (t: CheckContext, answer: Answer) => void): Probe =>
  async (t) => {
    await t.given.accepted('list-results');
    const answer = await accepts(t, { query: pairs });
    note(t, answer);
    observeRefusal(t.observe, 'invalid', answer);
  };

/** A creation that differs from an accepted one in what is not documented. */
const creation =
  (
    label: string,
    change: (agent: JsonObject, body: JsonObject, t: CheckContext) => JsonObject,
    note: (t: CheckContext, answer: Answer) => void,
    parameters: CallParameters = {},
  ): Probe =>
  async (t) => {
    await t.given.createdSecond('create-agent');
    const plain = await t.given.body('create-agent', 'name-only', label);
    const agent = field(plain, 'agent');
    const body = isObject(agent) ? change(agent, plain, t) : plain;
    note(t, await t.api.call('create-agent', { ...parameters, body, probe: true }));
  };

const probes: readonly Probe[] = [
  lookAtAnswers,
  lookAtWalks,

  async ({ api, given, observe }) => {
    await given.accepted('get-agent');
    const answer = await api.call('get-agent', { agentId: `agent-contract-unknown-${given.tag}`, probe: true });
    observeRefusal(observe, 'not-found', answer);
  },
  async ({ api, given, observe }) => {
    await given.accepted('get-agent');
    const agentId = await given.agentToRead();
    const answer = await api.call('get-agent', { agentId, authorization: `bearer ${given.token()}`, probe: true });
    observe('bearer-case', answer.accepted ? 'any-case' : 'exact', `bearer in lower case is ${seenAs(answer)}`);
  },
  async ({ api, given, observe }) => {
    const answer = await api.call('get-agent', { agentId: given.need('v5AgentId') });
    const version = answer.accepted ? stringAt(answer.json, 'agent', 'version') : undefined;
    if (version !== undefined)
      observe('stored-v5', version === '6' ? 'as-v6' : 'as-v5', `with the version ${show(version)}`);
  },
  async ({ api, given, observe }) => {
    const { id: agentId } = await given.created('create-agent');
    if (agentId === undefined) return;
    const answer = await api.call('get-published-agent', { agentId, probe: true });
    const isNull = answer.accepted && isObject(answer.json) && answer.json['publicAgent'] === null;
    observe(
      'unpublished-agent',
      isNull ? 'null' : answer.accepted ? undefined : 'refused',
      isNull ? 'publicAgent null' : seenAs(answer),
    );
  },
  async ({ api, given, observe }) => {
    await given.created('import-agent');
    const workspaceId = await given.workspaceId();
    const body = importAgentBody({ workspaceId, tag: `${given.tag}-published`, detail: 'plain', isPublished: true });
    const imported = await api.call('import-agent', { body });
    const agentId = imported.accepted ? stringAt(imported.json, 'agent', 'id') : undefined;
    if (agentId === undefined) return;
    const answer = await api.call('get-published-agent', { agentId, probe: true });
    const isThere = answer.accepted && field(answer.json, 'publicAgent') !== undefined;
    observe(
      'import-published',
      isThere ? 'published' : 'draft',
      isThere ? 'it has a published form' : `its published form is ${seenAs(answer)}`,
    );
  },
  async ({ api, given, observe }) => {
    await given.accepted('create-workspace');
    const answer = await api.call('create-workspace', { method: 'GET', probe: true });
    if (answer.accepted) observe('wrong-method-status', undefined, `GET is accepted with ${answer.status}`);
    observeRefusal(observe, 'wrong-method', answer);
  },
  async ({ api, given, observe }) => {
    await given.accepted('list-results');
    const answer = await api.call('list-results', { agentId: `agent-contract-unknown-${given.tag}`, probe: true });
    const isEmpty = answer.accepted && idsOn(answer).length === 0;
    observe(
      'results-of-unknown-agent',
      isEmpty ? 'empty-list' : answer.accepted ? undefined : 'refused',
      isEmpty ? 'an empty list' : seenAs(answer),
    );
  },
  modes,

  query([['limit', 'abc']], ({ observe }, answer) =>
    observe('limit-not-integer', answer.accepted ? 'default' : 'refused', `limit=abc is ${seenAs(answer)}`),
  ),
  query([['timeFilter', 'lastDecade']], ({ observe }, answer) =>
    observe('unknown-time-filter', answer.accepted ? 'default' : 'refused', `lastDecade is ${seenAs(answer)}`),
  ),
  query([['timeZone', 'Nowhere/Atlantis']], ({ observe }, answer) =>
    observe(
      'time-zone-format',
      answer.accepted ? 'ignored' : 'iana-and-offset',
      `Nowhere/Atlantis is ${seenAs(answer)}`,
    ),
  ),
  query([['start', 'not-a-date']], ({ observe }, answer) =>
    observe('date-format', answer.accepted ? 'lenient' : 'iso-8601', `not-a-date is ${seenAs(answer)}`),
  ),
  query([['agentContract', '1']], ({ observe }, answer) =>
    observe('unknown-parameters', answer.accepted ? 'ignored' : 'refused', `agentContract=1 is ${seenAs(answer)}`),
  ),
  query([['cursor', 'agent-contract']], ({ observe }, answer) =>
    observe('malformed-cursor', cursorChoice(answer), `cursor=agent-contract is ${seenAs(answer)}`),
  ),
  query(
    [
      ['timeFilter', 'allTime'],
      ['limit', '1'],
      ['limit', '9'],
    ],
    ({ observe }, answer) => {
      const shown = idsOn(answer).length;
      const choice = shown === 1 ? 'first' : shown > 1 ? 'last' : undefined;
      observe(
        'duplicate-parameters',
        answer.accepted ? choice : 'refused',
        answer.accepted ? `limit=1&limit=9 gives ${count(shown, 'result')}` : seenAs(answer),
      );
    },
  ),
  foreignCursor,
  startAndEnd,
  interval,

  creation(
    'as-text',
    (_, body) => body,
    ({ observe }, answer) => {
      const choice = answer.accepted ? 'read' : answer.status === 415 ? 'refused' : 'refused-as-invalid';
      observe('content-type', choice, `text/plain is ${seenAs(answer)}`);
    },
    { contentType: 'text/plain' },
  ),
  creation(
    'without-a-name',
    (_, { workspaceId }) => ({ workspaceId, agent: {} }),
    ({ observe }, answer) =>
      observe(
        'required-body-fields',
        answer.accepted ? 'workspace-and-agent' : 'name-too',
        `an agent without a name is ${seenAs(answer)}`,
      ),
  ),
  creation(
    'mistyped',
    (agent, body) => ({ ...body, agent: { ...agent, icon: 42 } }),
    ({ observe }, answer) => {
      observe('mistyped-body-field', answer.accepted ? 'ignored' : 'refused', `icon: 42 is ${seenAs(answer)}`);
      observeRefusal(observe, 'invalid', answer);
    },
  ),
  creation(
    'with-null',
    (agent, body) => ({ ...body, agent: { ...agent, icon: null } }),
    ({ observe }, answer) =>
      observe('null-in-body', answer.accepted ? 'accepted' : 'refused', `icon: null is ${seenAs(answer)}`),
  ),
  async (t) => {
    let isTaken = false;
    await creation(
      'undocumented-field',
      (agent, body) => ({ ...body, agent: { ...agent, agentContract: 'kept' } }),
      ({ observe }, answer) => {
        if (!answer.accepted) return observe('undocumented-fields-sent', undefined, seenAs(answer));
        isTaken = true;
        const kept = field(answer.json, 'agent', 'agentContract') === 'kept';
        observe('undocumented-fields-sent', kept ? 'kept' : 'dropped', kept ? 'answered' : 'not answered');
      },
    )(t);
    // Where the field itself is refused, a refusal of what is in it shows nothing.
    if (isTaken) await nested(t);
  },
  large,
  creation(
    'unknown-workspace',
    (agent, _, { given }) => ({ workspaceId: `agent-contract-unknown-${given.tag}`, agent }),
    ({ observe }, answer) =>
      observe('unknown-workspace', answer.accepted ? 'accepted' : 'refused', `it is ${seenAs(answer)}`),
  ),
  async (t) => {
    const { answer: first } = await t.given.created('create-agent');
    const publicId = stringAt(first.json, 'agent', 'publicId');
    if (publicId === undefined) return;
    await creation(
      'taken-publicid',
      (agent, body) => ({ ...body, agent: { ...agent, publicId } }),
      ({ observe }, answer) => {
        const met = stringAt(answer.json, 'agent', 'publicId');
        const choice = !answer.accepted ? 'refused' : met === publicId ? undefined : 'changed';
        observe('taken-public-id', choice, choice === undefined ? 'given twice' : seenAs(answer));
      },
    )(t);
  },
  async ({ api, given, observe }) => {
    await given.accepted('create-workspace');
    const answer = await api.call('create-workspace', { body: {}, probe: true });
    const choice = answer.accepted ? 'named-by-server' : 'refused';
    observe('missing-workspace-name', choice, `it is ${seenAs(answer)}`);
    observeRefusal(observe, 'invalid', answer);
  },
  async ({ api, given, observe }) => {
    await given.created('import-agent');
    const workspaceId = await given.workspaceId();
    const body = importAgentV5Body({ workspaceId, tag: `${given.tag}-v5`, detail: 'plain' });
    const answer = await api.call('import-agent', { body, probe: true });
    observe('import-v5', answer.accepted ? 'upgraded' : 'refused', `it is ${seenAs(answer)}`);
  },
  async ({ api, given, observe }) => {
    const { detail } = await given.created('import-agent');
    const sent = await given.body('import-agent', detail, 'with-server-fields');
    const agent = field(sent, 'agent');
    const claimed = { id: `agent-contract-${given.tag}`, createdAt: '2020-01-01T00:00:00.000Z' };
    if (!isObject(agent)) return;
    const body = { ...sent, agent: { ...agent, ...claimed } };
    const answer = await api.call('import-agent', { body, probe: true });
    const taken = stringAt(answer.json, 'agent', 'id') === claimed.id;
    observe(
      'import-server-fields',
      !answer.accepted ? 'refused' : taken ? undefined : 'ignored',
      taken ? 'the id that was sent is taken over' : seenAs(answer),
    );
  },
];

/** Between the limits that are known. */
const LEVELS = 300;

const nested = creation(
  'nested',
  (agent, body) => {
    const deep = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`;
    return { ...body, agent: { ...agent, agentContract: JSON.parse(deep) as unknown } };
  },
  ({ observe }, answer) => {
    const choice = answer.accepted ? 'levels-1000' : isClients(answer) ? 'levels-100' : undefined;
    observe('nesting-limit', choice, `${LEVELS} levels are ${seenAs(answer)}`);
  },
);

const LARGE_BYTES = 1_200_000;

const tooLarge: Readonly<Record<number, 'payload-too-large-413' | 'bad-request-400'>> = {
  413: 'payload-too-large-413',
  400: 'bad-request-400',
};

/** Sends an accepted body again with blanks after it, and only on this machine: see docs/decisions/large-bodies.md. */
async function large({ api, given, observe }: CheckContext): Promise<void> {
  if (!api.isLoopback) return;
  const { detail } = await given.createdSecond('create-agent');
  const body = JSON.stringify(await given.body('create-agent', detail, 'large')).padEnd(LARGE_BYTES);
  const answer = await api.call('create-agent', { body, probe: true });
  const choice = answer.accepted ? 'ten-megabytes' : isClients(answer) ? 'one-megabyte' : undefined;
  observe('body-limit', choice, `1.2 MB are ${seenAs(answer)}`);
  if (choice === 'one-megabyte') observe('too-large-status', tooLarge[answer.status], String(answer.status));
}

/** Whether the answer lays a refusal at the request's door, and not at that of the caller or the server. */
const isClients = ({ status }: Answer): boolean => status >= 400 && status < 500 && ![401, 402, 403].includes(status);

/** What the accepted answers of the checks show. */
async function lookAtAnswers({ given, observe }: CheckContext): Promise<void> {
  for (const endpoint of ['create-agent', 'import-agent'] as const) {
    const made = await given.attempt(endpoint).catch(() => undefined);
    if (!made?.creation) continue;
    const { answer } = made.creation;
    const agent = field(answer.json, 'agent');
    if (!isObject(agent)) continue;
    const shown = field(agent, 'version') !== undefined;
    observe('version-field', shown ? 'shown' : 'omitted', shown ? 'shown' : 'not shown');
    observeIdentifier(observe, field(agent, 'id'));
    observeTimestamp(observe, field(agent, 'createdAt'));
    observeSuccess(observe, answer.status);
    const read = await given.readBack(endpoint).catch(() => undefined);
    const items = field(read?.json, 'agent', 'settings', 'messagingApp', 'startCondition', 'comparisons');
    if (Array.isArray(items) && isObject(items[0])) {
      const isEmpty = Object.keys(items[0]).length === 0;
      observe('comparison-items', isEmpty ? 'empty-objects' : 'full', isEmpty ? 'nothing' : 'what was sent');
    }
  }
}

function observeSuccess(observe: CheckContext['observe'], status: number): void {
  const choice = status === 201 ? 'created' : status === 200 ? 'ok' : status === 202 ? 'accepted' : undefined;
  observe('success-status', choice, `${status} for a creation`);
}

/** What the walks of the checks show. */
async function lookAtWalks({ given, observe }: CheckContext): Promise<void> {
  const whole = await given.reference();
  const [newest] = whole.rows;
  if (!newest) return;
  observeIdentifier(observe, newest.id);
  observeTimestamp(observe, newest.createdAt);
  if (whole.end === 'null') {
    const isEmpty = whole.pages.at(-1)?.count === 0;
    observe(
      'last-page',
      isEmpty ? 'empty-page-after' : 'with-last-result',
      isEmpty ? 'on an empty page' : 'on a page with results',
    );
  }
  const walks = [whole];
  for (const limit of [7, 3]) walks.push(await given.walk(limit, 'allTime'));
  const isShort = ({ pages, query: { limit = 0 } }: Walk): boolean => {
    const last = pages.findLastIndex((page) => page.count > 0);
    return pages.some((page, i) => i < last && page.count > 0 && page.count < limit);
  };
  const short = walks.some((walked) => isShort(walked));
  observe('page-filling', short ? 'short' : 'full', short ? 'some hold fewer results than their limit' : 'they are');
  const arrived = walks.some(({ rows: [first] }) => first !== undefined && !whole.place.has(first.id));
  observe(
    'results-while-reading',
    arrived ? 'arriving' : 'still',
    arrived ? 'later walks begin with newer results' : 'none came during the run',
  );

  const idle = whole.rows.filter(({ isIdle }) => isIdle).length;
  observe(
    'listed-results',
    idle > 0 ? 'all' : undefined,
    `${idle} of ${count(whole.rows.length, 'result')} never started or are archived`,
  );

  const window = await given.window('last7Days');
  const [now, ...others] = window.instants;
  if (now === undefined || others.length > 0) return;
  const edges = edgeOf(window, whole);
  const rolling = now - 7 * 86_400_000;
  if (edges && edges.leftOut >= rolling) observe('window-edges', 'calendar-days', 'later than 7 times 24 hours ago');
  else if (edges && edges.shown <= rolling + 900_000) observe('window-edges', 'rolling', '7 times 24 hours ago');

  const today = await given.window('today');
  const dayBreak = edgeOf(today, whole);
  if (!dayBreak) return;
  const begins = (zone: string): boolean => {
    const midnight = DateTime.fromMillis(now, { zone }).startOf('day').toMillis();
    return midnight > dayBreak.leftOut && midnight <= dayBreak.shown;
  };
  const [utc, newYork] = [begins('UTC'), begins('America/New_York')];
  if (utc !== newYork)
    observe('default-time-zone', utc ? 'utc' : 'new-york', `today begins as in ${utc ? 'UTC' : 'New York'}`);
  else if (!utc) observe('default-time-zone', undefined, 'today begins neither as in UTC nor as in New York');
}

/** Between which instants a window begins: that of its oldest result, and of the next older one that it leaves out. */
function edgeOf(window: Walk, whole: Walk): { readonly shown: number; readonly leftOut: number } | undefined {
  const oldest = window.rows.at(-1);
  if (window.end !== 'null' || !oldest?.at?.zoneKnown) return undefined;
  const next = whole.rows[(whole.place.get(oldest.id) ?? whole.rows.length) + 1];
  return next?.at && !window.place.has(next.id) ? { shown: oldest.at.ms, leftOut: next.at.ms } : undefined;
}

const cursorChoice = (answer: Answer): 'refused' | 'empty-page' | undefined => {
  if (!answer.accepted) return 'refused';
  const page = readPage(answer);
  return typeof page === 'object' && page.count === 0 ? 'empty-page' : undefined;
};

async function foreignCursor(t: CheckContext): Promise<void> {
  const { pages } = await t.given.walk(7, 'allTime');
  const cursor = pages[0]?.nextCursor;
  if (typeof cursor !== 'string') return;
  const answer = await accepts(t, { query: { limit: 7, timeFilter: 'last30Days', cursor } });
  t.observe('foreign-cursor', cursorChoice(answer), `the cursor of another filter is ${seenAs(answer)}`);
}

/** Asks for the hour around a result that is not of today, once against today and once up to its very instant. */
async function startAndEnd(t: CheckContext): Promise<void> {
  const whole = await t.given.reference();
  const today = await t.given.window('today');
  // A time to the millisecond, so that asking for it asks for that very result.
  const row = whole.rows.find(({ id, at }) => at?.zoneKnown === true && at.ms % 1000 !== 0 && !today.place.has(id));
  if (!row?.at) return;
  const { ms } = row.at;
  const write = (instant: number): string => new Date(instant).toISOString();
  const around = { start: write(ms - 3_600_000), end: write(ms + 1000) };
  const answer = await accepts(t, { query: { timeFilter: 'today', limit: 100, ...around } });
  if (!answer.accepted) return t.observe('start-end-with-filter', undefined, seenAs(answer));
  const shown = idsOn(answer);
  if (shown.includes(row.id)) t.observe('start-end-with-filter', 'replace', 'results outside timeFilter are shown');
  else if (shown.length === 0) t.observe('start-end-with-filter', 'intersect', 'only what both allow is shown');
  else return t.observe('start-end-with-filter', 'ignored', 'the results of timeFilter are shown');

  const upTo = { start: write(ms - 3_600_000), end: write(ms) };
  const exact = await accepts(t, { query: { timeFilter: 'allTime', limit: 100, ...upTo } });
  if (!exact.accepted || idsOn(exact).some((id) => (whole.place.get(id) ?? -1) < (whole.place.get(row.id) ?? 0)))
    return;
  const isIn = idsOn(exact).includes(row.id);
  t.observe(
    'end-edge',
    isIn ? 'inclusive' : 'exclusive',
    isIn ? 'a result of that instant is shown' : 'it is not shown',
  );
}

async function interval(t: CheckContext): Promise<void> {
  const whole = await t.given.reference();
  const answer = await accepts(t, { query: { timeFilter: 'allTime', limit: 100, interval: 'P1D' } });
  if (!answer.accepted) return t.observe('interval-meaning', undefined, `P1D is ${seenAs(answer)}`);
  const page = readPage(answer);
  const first = whole.pages[0];
  if (typeof page === 'string' || !first) return;
  const cutShort = page.count < first.count && page.nextCursor === null;
  // Where start and end have no effect either, it may be understood and still have none.
  t.observe('interval-meaning', cutShort ? 'iso-8601' : undefined, cutShort ? 'P1D shows fewer' : 'P1D shows no fewer');
}

async function modes({ api, given, observe }: CheckContext): Promise<void> {
  const { readToken, guestToken } = given.target;
  if (readToken !== undefined) {
    await given.createdSecond('create-agent');
    const body = await given.body('create-agent', 'name-only', 'with-read-token');
    const answer = await api.call('create-agent', { body, authorization: `Bearer ${readToken}`, probe: true });
    observeMode({ observe }, answer, 'a creation with the read token');
  } else if (guestToken !== undefined) {
    const answer = await api.call('list-results', {
      agentId: given.need('agentId'),
      authorization: `Bearer ${guestToken}`,
      probe: true,
    });
    observeMode({ observe }, answer, 'a list of results with the guest token');
  }
}

function observeMode({ observe }: Pick<CheckContext, 'observe'>, answer: Answer, what: string): void {
  observe('mode-permissions', answer.accepted ? 'reported-only' : 'graded', `${what} is ${seenAs(answer)}`);
  observeRefusal(observe, 'forbidden', answer);
}
