import fc from 'fast-check';
import { endpointIds, endpoints, schemas, timeFilters, validate } from '../spec/index.ts';
import { profileNames } from './profiles/index.ts';
import { testMock } from './testing/test-client.ts';
import { anyText } from '../text/testing/test-any-text.ts';

const text = anyText();
const documented = Object.keys(schemas['agent-v6'].properties ?? {});
const undocumented = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'folderId'), text);
const value = fc.jsonValue({ maxDepth: 4 });
const agent = fc
  .tuple(
    fc.dictionary(undocumented, value, { maxKeys: 6 }),
    fc.dictionary(fc.constantFrom(...documented), fc.oneof(fc.constant(null), value), { maxKeys: 2 }),
    fc.boolean(),
  )
  .map(([some, others, isMixed]) => (isMixed ? { ...some, ...others } : some));

const spans = ['P1Y', 'P9999999999D', '-271821-04-20', '+275760-09-13T00:00:00Z', '9999999999-01-01'];
const parameter = fc.oneof(
  fc.tuple(fc.constant('limit'), fc.integer({ min: -1, max: 102 }).map(String)),
  fc.tuple(fc.constant('timeFilter'), fc.constantFrom(...timeFilters)),
  fc.tuple(fc.constant('timeZone'), fc.constantFrom('Europe/Paris', '+02:00', 'Asia/Kathmandu', 'UTC')),
  fc.tuple(fc.constantFrom('start', 'end', 'interval'), fc.constantFrom('2026-05-01', ...spans)),
  fc.tuple(fc.constantFrom('limit', 'cursor', 'timeFilter', 'timeZone', 'start', 'end', 'interval', 'x'), text),
);
const query = fc.array(parameter, { maxLength: 3 }).map((pairs) => new URLSearchParams(pairs).toString());

const mostly = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const members = { workspaceId: mostly<unknown>('known', value), agent, name: mostly<unknown>('A', value) };

/** Requests that are mostly valid and partly wrong. */
const requests = fc.record({
  endpoint: fc.constantFrom(...endpointIds),
  id: mostly('known', fc.oneof(text.map(encodeURIComponent), text)),
  query,
  body: fc.oneof(
    { weight: 6, arbitrary: fc.record(members).map((sent) => JSON.stringify(sent)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  ),
  contentType: mostly('application/json', fc.constantFrom('application/json; charset=utf-8', 'text/plain')),
  token: mostly('mock-write-token', fc.constantFrom('mock-read-token', 'nobody')),
});

test.each(profileNames)('under %s, every request gets an answer, and accepted ones match their schema', (profile) => {
  const { mock, call } = testMock({ profile });
  fc.assert(
    fc.property(requests, ({ endpoint, id, query: search, body, contentType, token }) => {
      const { method, path, response } = endpoints[endpoint];
      const target = path.replace('{agentId}', id === 'known' ? mock.target.agentId : id) + (search && `?${search}`);
      const known = JSON.stringify(mock.target.workspaceId);
      const sent = typeof body === 'string' ? body.replaceAll('"known"', known) : body;
      const content = method === 'POST' ? { body: sent, headers: { 'content-type': contentType } } : {};
      const answer = call(target, { method, token, ...content });
      expect(answer.status).toBeLessThan(500);
      // Some profiles write null for absent values (a gap), so the schema does not see nulls.
      const isJudged = profile !== 'trpc' && profile !== 'contrarian' && target.startsWith(path.split('{')[0] ?? '');
      if (isJudged && answer.status < 300) expect(validate(response, answer.json).slice(0, 3)).toEqual([]);
    }),
    { numRuns: 1500, seed: 1 },
  );
});
