import facts from '../../testing/facts.json';
import { sampleHistory, type SampleExchange } from '../../testing/sample-exchange.ts';
import { createCredentials, credentialFlaws, type CredentialFlaw } from './credentials.ts';

/** A request with these credentials, and a status and body, or nothing if no answer came. */
interface Given extends Omit<SampleExchange, 'requestHeaders'> {
  readonly authorization?: string;
  readonly ifNoneMatch?: string;
  readonly cookie?: string;
}

function historyOf(all: readonly Given[]) {
  const samples = all.map(({ authorization, cookie, ifNoneMatch, ...given }): SampleExchange => {
    const headers = Object.entries({ authorization, cookie, 'if-none-match': ifNoneMatch }).filter(
      ([, value]) => value !== undefined,
    );
    return {
      endpoint: 'get-agent',
      caller: authorization === undefined ? 'none' : 'wrong',
      isSilent: given.status === undefined,
      requestHeaders: Object.fromEntries(headers) as Record<string, string>,
      ...given,
    };
  });
  return sampleHistory(samples);
}

function seenAfter(all: readonly Given[]) {
  const credentials = createCredentials({ use: () => undefined });
  for (const exchange of historyOf(all)) credentials.see(exchange);
  return credentials;
}

const agent = { id: 'a', version: '6', name: 'A', groups: [], edges: [] };
const json = { agent, currentUserMode: 'write' };
const right: Given = { caller: 'valid', authorization: 'Bearer Secret-1', status: 200, json };

describe('the kind of wrong credentials', () => {
  test.each(facts.flaws as unknown as [Given, CredentialFlaw][])('%j', (given, way) => {
    const credentials = seenAfter([right, { ...given, status: 401 }, right]);
    expect(credentialFlaws.filter((one) => credentials.seen('get-agent', one).refused > 0)).toEqual([way]);
  });

  test('an accepted request without a token says nothing about tokens', () => {
    const { authorization: _, ...without } = right;
    const wrong = { authorization: 'Bearer other', status: 401 };
    const credentials = seenAfter([{ ...without, caller: 'unknown' }, right, wrong, right]);
    expect(credentials.seen('get-agent', 'unknown-token').refused).toBe(1);
  });

  test('a cookie that is sent with every request is not a credential', () => {
    const credentials = seenAfter([{ ...right, cookie: 'gate=1' }, { cookie: 'gate=1', status: 401 }, right]);
    expect(credentials.seen('get-agent', 'no-authorization').refused).toBe(1);
  });
});

describe('a refusal', () => {
  const refused = (all: readonly Given[]) => {
    const { refused: counted, unconfirmed } = seenAfter(all).seen('get-agent', 'no-authorization');
    return [counted, unconfirmed.length];
  };

  test.each<[string, readonly Given[], readonly number[]]>([
    ['counts between two accepted requests', [right, { status: 401 }, right], [1, 0]],
    ['counts with any status', [right, { status: 302 }, { status: 500 }, { status: 404 }, right], [3, 0]],
    ['counts for nothing without an accepted one before it', [{ status: 401 }, right], [0, 0]],
    ['of another agent counts for nothing', [right, { agentId: 'b', status: 401 }, right], [0, 0]],
    ['is not confirmed if nothing is accepted after it', [right, { status: 401 }, { ...right, status: 403 }], [0, 1]],
    ['is confirmed by another endpoint', [right, { status: 401 }, { ...right, endpoint: 'list-results' }], [1, 0]],
    ['does not count if it asks to wait', [right, { status: 429 }, { status: 503 }, right], [0, 0]],
    ['may have a success status, with an error', [right, { status: 200, json: { error: 'no' } }, right], [1, 0]],
    ['may have a success status, with a page', [right, { status: 200, body: '<html>' }, right], [1, 0]],
  ])('%s', (_, all, expected) => {
    expect(refused(all)).toEqual(expected);
  });

  test('is confirmed only by what was requested after it', () => {
    const credentials = seenAfter([right, { status: 401, n: 9, begun: 3 }, { ...right, n: 10, begun: 8 }]);
    expect(credentials.seen('get-agent', 'no-authorization')).toMatchObject({ refused: 0, unconfirmed: [9] });
  });
});

test.each(facts.served as unknown as [string, Given, number[]][])('%s', (_, given, expected) => {
  const shown = { agent: { ...agent, id: 'agent-123456', groups: [{ id: 'group-123456' }] } };
  const about = { agentId: 'agent-123456' };
  const headers = { etag: '"1"', 'content-length': '900' };
  const before = { ...right, ...about, json: shown, headers };
  const { served, refused } = seenAfter([
    before,
    { ...given, ...about },
    { ...right, headers: { 'content-length': '40' } },
  ]).seen('get-agent', 'no-authorization');
  expect([served.length, refused]).toEqual(expected);
});

describe('an answer that is no refusal', () => {
  const result = { id: 'r', agentId: 'a' };
  const parts = { name: 'N', groups: [], edges: [] };
  const withId = { agent: { ...parts, id: 'x' } };
  const refusedCreation = { endpoint: 'create-agent', status: 401 } as const;

  test.each<[string, Given, readonly number[]]>([
    ['the agent', { status: 200, json: { agent } }, [1, 0]],
    ['only the envelope', { status: 200, json: { agent: null } }, [1, 0]],
    ['success without a body', { status: 204 }, [1, 0]],
    ['an empty list', { endpoint: 'list-results', status: 200, json: { results: [], nextCursor: null } }, [1, 0]],
    ['the agent in a refusal', { status: 401, json: { error: 'no', agent } }, [0, 1]],
    ['the agent deeper in a refusal', { status: 403, json: { error: { data: { agent } } } }, [0, 1]],
    ['results in a refusal', { endpoint: 'list-results', status: 401, json: { results: [result] } }, [0, 1]],
    ['results in a refusal', { endpoint: 'list-results', status: 401, json: { results: [{ id: 'r' }] } }, [0, 0]],
    ['a made-up agent in a refusal', { status: 401, json: { example: { agent: { ...agent, id: 'x' } } } }, [0, 0]],
    ['the name of the agent in a refusal', { status: 401, json: { agent: { id: 'a', name: 'A' } } }, [0, 0]],
    ['what was sent in a refusal', { ...refusedCreation, sent: withId, json: withId }, [0, 0]],
    ['what was created in a refusal', { ...refusedCreation, sent: { agent: parts }, json: withId }, [0, 1]],
  ])('%s', (_, given, expected) => {
    const { endpoint = 'get-agent' } = given;
    const { served, holding } = seenAfter([right, given, right]).seen(endpoint, 'no-authorization');
    expect([served.length, holding.length]).toEqual(expected);
  });

  test('two unanswered requests in a row, beside an answered one', () => {
    const silent = (all: readonly Given[]) => seenAfter(all).seen('get-agent', 'no-authorization').silent?.length;
    expect(silent([right, {}, {}, right])).toBe(3);
    expect(silent([right, {}, right])).toBeUndefined();
    expect(silent([right, {}, { status: 401 }, {}, right])).toBeUndefined();
    expect(silent([right, {}, {}, { ...right, endpoint: 'list-results' }])).toBeUndefined();
    expect(silent([right, {}, {}])).toBeUndefined();
    expect(silent([right, {}, {}, { ...right, begun: 5 }])).toBeUndefined();
  });
});

test.each<[string | undefined, string | undefined]>([
  ['sid=1; Path=/; HttpOnly', 'sid=1'],
  ['a=1; Expires=Wed, 20 May 2026 10:00:00 GMT, b=2; Path=/', 'a=1; b=2'],
  ['', undefined],
  [undefined, undefined],
])('the cookie of %j', (setCookie, cookie) => {
  const headers: Record<string, string> = setCookie === undefined ? {} : { 'set-cookie': setCookie };
  expect(seenAfter([{ ...right, headers }]).cookie).toBe(cookie);
});
