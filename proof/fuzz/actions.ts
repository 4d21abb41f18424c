import fc from 'fast-check';
import { endpointIds, schemas, timeFilters, type EndpointId } from '../../spec/index.ts';
import { oddRequest, type OddRequest } from './odd-requests.ts';
import { anyText } from '../../text/testing/test-any-text.ts';

const junk = anyText({ maxLength: 60 });
const documented = Object.keys(schemas['agent-v6'].properties ?? {});

const agentBody = fc
  .record({
    good: fc.dictionary(fc.constantFrom('description', 'icon', 'publicId'), fc.string({ maxLength: 20 })),
    bad: fc.option(
      fc.dictionary(fc.oneof(fc.constantFrom(...documented, '__proto__'), junk), fc.jsonValue({ maxDepth: 3 }), {
        maxKeys: 3,
      }),
      {
        freq: 3,
      },
    ),
    name: fc.string({ minLength: 1, maxLength: 30 }),
  })
  .map(({ good, bad, name }) => ({ ...good, ...bad, name }));

const query = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('limit'), fc.integer({ min: -2, max: 120 }).map(String)),
      fc.tuple(fc.constant('timeFilter'), fc.constantFrom(...timeFilters, 'Today', '')),
      fc.tuple(fc.constantFrom('timeZone', 'start', 'end', 'interval', 'cursor', '__code', 'x'), junk),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => new URLSearchParams(pairs).toString());

/** A worker's next action; `which` is the number of an agent of its session, modulo their count. */
export type Action =
  | { readonly kind: 'create' | 'import'; readonly agent: object; readonly isWhole: boolean }
  | { readonly kind: 'read' | 'list' | 'read-published'; readonly which: number; readonly query: string }
  | { readonly kind: 'publish' | 'unpublish' | 'add-results'; readonly which: number; readonly count: number }
  | { readonly kind: 'workspace'; readonly body: unknown }
  | {
      readonly kind: 'malformed';
      readonly endpoint: EndpointId;
      readonly id: string;
      readonly body: string | Uint8Array;
      readonly headers: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'odd'; readonly request: OddRequest }
  | { readonly kind: 'garbage'; readonly bytes: string };

const weighted = (weight: number, arbitrary: fc.Arbitrary<Action>): fc.WeightedArbitrary<Action> => ({
  weight,
  arbitrary,
});

/** The distribution of actions: most of them read, and every other kind occurs. */
export const action: fc.Arbitrary<Action> = fc.oneof(
  weighted(12, fc.record({ kind: fc.constantFrom('create', 'import'), agent: agentBody, isWhole: fc.boolean() })),
  weighted(30, fc.record({ kind: fc.constantFrom('read', 'list', 'read-published'), which: fc.nat(), query })),
  weighted(
    8,
    fc.record({
      kind: fc.constantFrom('publish', 'unpublish', 'add-results'),
      which: fc.nat(),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  ),
  weighted(
    4,
    fc.record({
      kind: fc.constant('workspace' as const),
      body: fc.oneof(fc.record({ name: fc.string() }), fc.jsonValue({ maxDepth: 2 })),
    }),
  ),
  weighted(
    14,
    fc.record({
      kind: fc.constant('malformed' as const),
      endpoint: fc.constantFrom(...endpointIds),
      id: junk.map((id) => encodeURIComponent(id.replaceAll(/\p{Surrogate}/gu, ''))),
      body: fc.oneof(junk, fc.uint8Array({ maxLength: 300 }), fc.json({ maxDepth: 6 })),
      headers: fc.array(
        fc.tuple(
          fc.constantFrom(
            'prefer',
            'x-mock-now',
            'content-type',
            'authorization',
            'content-encoding',
            'accept',
            'origin',
          ),
          fc.oneof(
            fc.constantFrom(
              'gzip',
              'code=418',
              'delay=1',
              'example=none',
              'Bearer x',
              '2020-01-01',
              'fault=limit-ignored',
            ),
            fc.string({ maxLength: 30 }),
          ),
        ),
        { maxLength: 3 },
      ),
    }),
  ),
  weighted(20, fc.record({ kind: fc.constant('odd' as const), request: oddRequest })),
  weighted(
    2,
    fc.record({
      kind: fc.constant('garbage' as const),
      bytes: fc.oneof(
        junk,
        fc.constant('GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\nab'),
        fc.constant('POST /api/v1/agents HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
        fc.constant(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`),
      ),
    }),
  ),
);
