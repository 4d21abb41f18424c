import { getEventListeners, getMaxListeners } from 'node:events';
import { isAnswered, type Answer, type Answered, type Exchange } from '../../http/exchange.ts';
import { createTargetApi } from './api.ts';
import type { ApiOptions } from './send.ts';
import { retryAfter } from './pauses.ts';
import { CannotProbe, UnansweredProbe } from '../cannot-probe.ts';
import { TransportError } from '../../../http/explain-failure.ts';
import type { Transport, HttpRequest, HttpAnswer } from '../../../http/exchange.ts';

const reply = (status: number, body = '{}', headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers,
  body: new TextEncoder().encode(body),
});

const retry = (status: number, after: string): HttpAnswer => reply(status, '', { 'retry-after': after });

function apiOver(transport: Transport, options: Partial<ApiOptions> = {}) {
  const heard: Exchange[] = [];
  const waits: number[] = [];
  const api = createTargetApi({
    baseUrl: 'https://host.test/base',
    token: 'good',
    transport,
    timeoutMs: 1000,
    sleep: (ms) => Promise.resolve(void waits.push(ms)),
    onExchange: (exchange) => void heard.push(exchange),
    ...options,
  });
  return { api, heard, waits };
}

/** An API whose target gives these answers in turn, and then repeats the last one. */
function answering(...replies: readonly (HttpAnswer | TransportError)[]) {
  const sent: HttpRequest[] = [];
  const over = apiOver((request) => {
    sent.push(request);
    const next = replies[Math.min(sent.length, replies.length) - 1] ?? reply(200);
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
  return { ...over, sent };
}

describe('requests', () => {
  test('are built from path, query, body and token', async () => {
    const { api, sent } = answering(reply(200));
    await api.call('list-results', { agentId: 'a/b ?é', query: { limit: 7, timeFilter: undefined, cursor: 'x+/=&' } });
    await api.call('create-workspace', { body: { name: 'W' }, authorization: null });
    expect(sent).toEqual([
      {
        method: 'GET',
        url: 'https://host.test/base/api/v1/agents/a%2Fb%20%3F%C3%A9/results?limit=7&cursor=x%2B%2F%3D%26',
        headers: { accept: 'application/json', authorization: 'Bearer good' },
      },
      {
        method: 'POST',
        url: 'https://host.test/base/api/v1/workspaces',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: '{"name":"W"}',
      },
    ]);
  });

  test('carry identifiers of any characters, lone surrogates included, and a parameter more than once', async () => {
    const { api, sent } = answering(reply(200));
    const query = ['1', '2'].map((value) => ['x', value] as const);
    for (const agentId of ['\ud800x', '$&$1', '\u0000', '..']) await api.call('get-agent', { agentId, query });
    const expected = ['%EF%BF%BDx', '%24%26%241', '%00', '..'].map((id) => `${id}?x=1&x=2`);
    expect(sent.map(({ url }) => url.split('/agents/')[1])).toEqual(expected);
  });

  test('are not sent without a token, or if nothing may be created', async () => {
    const { api } = apiOver(() => Promise.resolve(reply(200)), { token: undefined, readOnly: true });
    await expect(api.call('get-agent', { agentId: 'a' })).rejects.toMatchObject({ supply: '--token' });
    await expect(api.call('create-workspace', { body: {} })).rejects.toBeInstanceOf(CannotProbe);
    const { answer } = await api.call('create-workspace', { method: 'GET', authorization: null });
    expect(answer).toMatchObject({ accepted: true });
  });
});

describe('answers', () => {
  test.each<[string, HttpAnswer, Partial<Answer>]>([
    ['JSON', reply(201, '{"a":1}'), { accepted: true, json: { a: 1 }, problem: undefined }],
    ['a refusal', reply(404, 'nope'), { accepted: false, json: undefined }],
    ['a redirect', reply(302, ''), { accepted: false }],
    ['nothing', reply(204, ''), { accepted: true, json: undefined, problem: 'an empty body' }],
  ])('with %s', async (_, wire, expected) => {
    const { api } = answering(wire);
    expect((await api.call('get-agent', { agentId: 'a' })).answer).toMatchObject(expected);
  });

  test('nested 100,000 deep are read like any other', async () => {
    const { api } = answering(reply(200, '['.repeat(100_000) + ']'.repeat(100_000)));
    expect((await api.call('get-agent', { agentId: 'a' })).answer.json).toBeInstanceOf(Array);
  });

  test('with __proto__ affect only themselves', async () => {
    const { api } = answering(reply(200, '{"__proto__":{"accepted":true},"constructor":{"prototype":{"polluted":1}}}'));
    await api.call('get-agent', { agentId: 'a' });
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('accepted');
  });

  test('are kept only in part', async () => {
    const { api } = answering(reply(200, JSON.stringify('é'.repeat(3_000_000))));
    const { answer, excerpt } = await api.call('get-agent', { agentId: 'a' });
    expect([answer.text.length, excerpt.body?.length]).toEqual([2000, 2000]);
    expect(answer.json).toHaveLength(3_000_000);
  });

  test('with equal bodies are parsed once', async () => {
    const { api } = answering(reply(200, '{"a":1}'));
    const [one, other] = [await api.call('get-agent', { agentId: 'a' }), await api.call('get-agent', { agentId: 'a' })];
    expect(one.answer.json).toBe(other.answer.json);
  });

  test('enter the history one by one, with repetitions and failures', async () => {
    const { api, heard } = answering(
      retry(429, '0'),
      reply(201, '{"a":1}'),
      new TransportError('reset', 'The connection was closed.'),
    );
    const body = { name: 'W' };
    const twin = await api.call('create-workspace', { body, query: { x: 1 }, open: true });
    const differs = 'without it';
    await api.call('get-agent', { agentId: 'a', authorization: null, twin, differs }).catch(() => 0);
    const outcomes = heard.map((one) => (isAnswered(one) ? one.answer.status : one.excerpt.failure));
    expect(outcomes).toEqual([429, 201, 'The connection was closed.', 'The connection was closed.']);
    expect(heard[1]).toMatchObject({
      endpoint: 'create-workspace',
      method: 'POST',
      caller: 'valid',
      query: [['x', '1']],
      sent: body,
      open: true,
      answer: { accepted: true, json: { a: 1 } },
    });
    expect(heard[2]).toMatchObject({ caller: 'none', agentId: 'a', twin: twin.n, differs, open: false });
    const ticks = heard.flatMap(({ begun, n }) => [begun, n]);
    expect(ticks).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('name the caller by the token', async () => {
    const heard: Answered[] = [];
    const { api } = apiOver(() => Promise.resolve(reply(200)), {
      readToken: 'reader',
      guestToken: 'guest',
      onExchange: (exchange) => void (isAnswered(exchange) && heard.push(exchange)),
    });
    const others = ['bearer good', 'Bearer reader', 'Bearer guest', null, 'Bearer Good', 'good'];
    for (const authorization of [undefined, ...others]) await api.call('get-agent', { agentId: 'a', authorization });
    expect(heard.map(({ caller }) => caller)).toEqual(['valid', 'valid', 'read', 'guest', 'none', 'wrong', 'wrong']);
  });
});

describe('patience', () => {
  test('waits as long as 429 and 503 ask, and tries again', async () => {
    const { api, waits, sent } = answering(retry(429, '3'), retry(503, '0'), reply(200));
    expect((await api.call('get-agent', { agentId: 'a' })).answer.status).toBe(200);
    expect(waits).toEqual([3000]);
    expect(sent).toHaveLength(3);
    expect(api.statistics).toMatchObject({ requests: 3, answers: 3, limited: [429, 503] });
  });

  test('applies to the whole run: while one request waits as asked, no other starts', async () => {
    const sent: string[] = [];
    const waits: number[] = [];
    let wake = (): void => undefined;
    const { api } = apiOver(
      (request) => {
        sent.push(request.url.slice(-1));
        return Promise.resolve(sent.length === 1 ? retry(429, '1') : reply(200));
      },
      { sleep: (ms) => new Promise((resolve) => void (waits.push(ms), (wake = resolve))) },
    );
    const first = api.call('get-agent', { agentId: 'a' });
    while (waits.length === 0) await Promise.resolve();
    const others = ['b', 'c'].map((agentId) => api.call('get-agent', { agentId }));
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(sent).toEqual(['a']);
    wake();
    await Promise.all([first, ...others]);
    expect(sent.toSorted()).toEqual(['a', 'a', 'b', 'c']);
  });

  test.each([
    ['after many pauses', retry(429, '1'), /answers 429/, 20],
    ['before one of hours', retry(503, '7200'), /asks to wait 7200 seconds/, 0],
  ])('ends %s', async (_, wire, said, most) => {
    const { api, sent, waits } = answering(wire);
    for (let i = 0; i < 10; i++) await expect(api.call('get-agent', { agentId: 'a' })).rejects.toThrow(said);
    expect(sent.length).toBeLessThan(30);
    expect(waits.length).toBeLessThanOrEqual(most);
  });

  // Each of three requests three times, or one that is silent.
  test.each([
    ['reset', 11],
    ['timeout', 5],
  ] as const)('with an endpoint that never answers (%s) ends, while others go on', async (failure, requests) => {
    const sent: string[] = [];
    const { api } = apiOver(({ url }) => {
      sent.push(url);
      return url.includes('workspaces')
        ? Promise.resolve(reply(200))
        : Promise.reject(new TransportError(failure, 'gone'));
    });
    await api.call('create-workspace', { body: {} });
    for (let i = 0; i < 9; i++)
      await expect(api.call('get-agent', { agentId: 'a' })).rejects.toBeInstanceOf(CannotProbe);
    await api.call('create-workspace', { body: {} });
    expect(sent).toHaveLength(requests);
  });

  test.each([
    [new TransportError('reset', 'closed'), /^Requests had no answer beside others.* went on with 2 at once/],
    [retry(503, '1'), /^6 answers of 429 or 503 came while others .* went on with 2 at once/],
  ])('becomes fewer at once where only those beside others have to wait: %#', async (instead, said) => {
    let [inFlight, most] = [0, 0];
    const transport: Transport = async () => {
      most = Math.max(most, inFlight + 1);
      if (inFlight >= 2) return instead instanceof Error ? Promise.reject(instead) : instead;
      inFlight++;
      await new Promise(setImmediate);
      inFlight--;
      return reply(200);
    };
    const { api } = apiOver(transport, { concurrency: 6 });
    const send = () => Promise.all(Array.from({ length: 12 }, () => api.call('get-agent', { agentId: 'a' })));
    await send();
    expect(most).toBe(3);
    most = 0;
    await send();
    expect([most, api.statistics.narrowed]).toEqual([2, expect.stringMatching(said)]);
  });

  test('is the same with a transport that throws other errors', async () => {
    const { api } = apiOver(() => Promise.reject(new TypeError('fetch failed')));
    await expect(api.call('get-agent', { agentId: 'a' })).rejects.toBeInstanceOf(UnansweredProbe);
  });

  // Requests in turn: answered, silent, and silent where that is open (which is sent once more). Milliseconds are the limits met.
  test.each([
    [50, [...Array<string>(20).fill('answered'), 'silent'], [6_500, 500, 500]],
    [700, [...Array<string>(20).fill('answered'), 'silent'], [15_000, 3_000, 3_000]],
    [100, ['answered', 'silent'], [15_000, 500, 500]],
    [500, ['answered', 'silent'], [15_000, 2_500, 2_500]],
    [900, ['answered', 'silent'], [15_000, 3_000, 3_000]],
    [100, ['answered', 'once', 'once', 'once'], [15_000, 500, 500, 500, 500, 500]],
    [100, ['answered', 'once', 'once', 'answered', 'once'], [15_000, 500, 500, 500, 15_000, 500]],
  ])('is shorter after silence, with answers in %d ms: %j', async (ms, turns, expected) => {
    jest.useFakeTimers();
    try {
      const limits: number[] = [];
      let isSilent = false;
      const transport: Transport = (_, stop) =>
        new Promise((resolve) => {
          const began = performance.now();
          if (isSilent) stop?.addEventListener('abort', () => limits.push(Math.round(performance.now() - began)));
          else setTimeout(() => resolve(reply(200)), ms);
        });
      const { api } = apiOver(transport, { timeoutMs: 10_000 });
      for (const turn of turns) {
        isSilent = turn !== 'answered';
        const called = api.call('get-agent', { agentId: 'a', open: turn !== 'silent' }).catch(() => undefined);
        await jest.advanceTimersByTimeAsync(60_000);
        await called;
      }
      expect(limits).toEqual(expected);
    } finally {
      jest.useRealTimers();
    }
  });

  test('ends with the time for the run', async () => {
    const { api } = apiOver(() => new Promise(() => undefined), { maxTimeMs: 40 });
    await expect(api.call('get-agent', { agentId: 'a' })).rejects.toBeInstanceOf(UnansweredProbe);
    await expect(api.call('get-agent', { agentId: 'a' })).rejects.toThrow('The time for the run was over.');
  });

  test('keeps the minimum interval between requests', async () => {
    const { api, waits } = apiOver(() => Promise.resolve(reply(200)), { rps: 10 });
    await Promise.all([1, 2, 3].map(() => api.call('get-agent', { agentId: 'a' })));
    expect(waits.map((ms) => Math.round(ms / 50))).toEqual([2, 4]);
  });

  test.each([
    ['5', 5000],
    ['0', 0],
    [' 1.5 ', 1500],
    ['Wed, 20 May 2026 15:30:05 GMT', 5000],
    ['Wed, 20 May 2020 15:30:05 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    [undefined, undefined],
  ])('reads Retry-After: %s', (value, expected) => {
    const read = retryAfter(value, Date.UTC(2026, 4, 20, 15, 30));
    if (value === '-1') expect(read === undefined || read === 0).toBe(true);
    else expect(read).toBe(expected);
  });
});

test('any number of requests may listen to the signal that stops the run', async () => {
  const { signal } = new AbortController();
  const { api } = apiOver(() => new Promise((resolve) => setImmediate(() => resolve(reply(200)))), { signal });
  const calls = Array.from({ length: 20 }, () => api.call('get-agent', { agentId: 'a' }));
  await new Promise((resolve) => process.nextTick(resolve));
  expect(getEventListeners(signal, 'abort').length).toBe(20);
  // Without a limit there is no warning of a leak.
  expect(getMaxListeners(signal)).toBe(Infinity);
  await Promise.all(calls);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
