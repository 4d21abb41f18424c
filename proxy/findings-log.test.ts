import type { ForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import { createClean } from './clean.ts';
import { createFindingsLog, type Found } from './findings-log.ts';

test('tells each cause once, with its place if there is one, and not without bound', () => {
  const found: Found[] = [];
  const judge = { conclude: () => ({ judged: [] }) } as unknown as ForeignJudge;
  const log = createFindingsLog(judge, createClean([], true), (one) => void found.push(one));
  const request = { method: 'GET', url: 'http://service.test/a', headers: {} };
  const add = (requirement: 'agent-shape' | 'agent-id-in-answers', at: string | undefined, actual = 'b'): void =>
    log.add([{ requirement, expected: 'a', actual, at }], { request, sentAt: 0, answeredAt: 0 });
  for (const at of [undefined, '/id', '/id']) add('agent-shape', at);
  add('agent-id-in-answers', '');
  const [whole, inId] = ['GET /a 0: expected a; met b', 'GET /a 0 at /id: expected a; met b'];
  expect(found.map(({ says }) => says)).toEqual([whole, inId, whole]);
  expect([log.repeated(), Object.values(log.counts)]).toEqual([[`2 times: ${inId}`], [4]]);
  for (let n = 0; n < 600; n++) add('agent-id-in-answers', `/a${n}`, 'x'.repeat(900));
  const { says, actual } = found.at(-1) ?? {};
  expect([found.length, says?.length, actual?.length]).toEqual([500, 300, 500]);
});
