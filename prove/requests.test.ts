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

test.each<[name: string, options: MockOptions, layer: Layer]>([
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
});
