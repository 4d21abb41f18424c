import type { Transport } from '../conformance/index.ts';
import type { MockOptions } from '../mock/index.ts';
import { deadAt } from './degenerates.ts';
import { judge } from './target.ts';

type Layer = (transport: Transport) => Transport;

const asItIs: Layer = (transport) => transport;

/** Every list is the same empty page, whose cursor leads to it again. */
const emptyForEver: Layer = (transport) => async (request, stop) => {
  const answer = await transport({ ...request, url: request.url.replace(/cursor=[^&]*/, '') }, stop);
  if (answer.status !== 200 || !/\/results(?:\?|$)/.test(request.url)) return answer;
  return { ...answer, body: new TextEncoder().encode('{"results":[],"nextCursor":"x"}') };
};

type Request = Parameters<Transport>[0];

/** Refuses what a test matches. */
const refusing =
  (isRefused: (request: Request) => boolean): Layer =>
  (transport) =>
  async (request, stop) =>
    isRefused(request)
      ? { status: 400, headers: {}, body: new TextEncoder().encode('{"message":"no"}') }
      : transport(request, stop);

/** Every third request has to be sent once more. */
const busy: Layer = (transport) => {
  let sent = 0;
  return async (request, stop) => {
    const answer = await transport(request, stop);
    return ++sent % 3 === 0 ? { ...answer, status: 429, headers: { 'retry-after': '0' } } : answer;
  };
};

const lettingEverybodyIn: Layer = (transport) => (request, stop) =>
  transport({ ...request, headers: { ...request.headers, authorization: 'Bearer mock-write-token' } }, stop);

const isList = ({ url }: Request): boolean => /cursor=/.test(url);
const isUnusual = ({ body = '' }: Request): boolean => /[^\0-\x7f]|"icon"|null|007|\{\{|&|'/.test(body);

test.each<[name: string, options: MockOptions, layer: Layer]>([
  ['one that chooses otherwise', { profile: 'contrarian' }, asItIs],
  ['lists that refuse each cursor', {}, refusing(isList)],
  ['one that refuses many kinds of values', {}, refusing(isUnusual)],
  ['one that refuses every creation', {}, refusing(({ method }) => method === 'POST')],
  ['one that lets everybody in', {}, lettingEverybodyIn],
  ['one that asks for patience', {}, busy],
  ['the mock', {}, asItIs],
  ['one that behaves like tRPC', { profile: 'trpc' }, asItIs],
  ['lists that never end and hold nothing', {}, emptyForEver],
  ['an endpoint that is silent', {}, deadAt('get-agent', 'is silent')],
  ['lists that fail each time', {}, deadAt('list-results', 'answers 500')],
])('a run sends at most 450 requests to %s', async (_, options, layer) => {
  let sent = 0;
  const report = await judge(options, {}, (transport) => {
    const over = layer(transport);
    return (request, stop) => {
      sent++;
      return over(request, stop);
    };
  });
  expect(report.counts.pass + report.counts.fail).toBeGreaterThan(10);
  expect(sent).toBeGreaterThan(100);
  expect(sent).toBeLessThanOrEqual(450);
  if (report.summary.includes('The run sent the 450 requests that it sends at most.')) expect(sent).toBe(450);
});
