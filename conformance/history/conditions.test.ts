import { sampleExchange, type SampleExchange } from '../testing/sample-exchange.ts';
import { createConditions } from './conditions.ts';

interface Samples {
  readonly right: readonly SampleExchange[];
  readonly wrong: readonly SampleExchange[];
}

const conditions = ({ right, wrong }: Samples): string | undefined => {
  const all = createConditions({ agents: { get: () => undefined } as never });
  const ns = [...right, ...wrong].map((sample, i) => {
    all.see(sampleExchange({ n: i + 1, ...sample }));
    return i + 1;
  });
  return all.of({ failed: ns.slice(right.length), held: ns.slice(0, right.length) });
};

const first: SampleExchange = { query: { limit: 7 } };
const later: SampleExchange = { query: { limit: 7, cursor: 'x' } };
const filtered: SampleExchange = { query: { limit: 7, timeFilter: 'today' } };
const laterFiltered: SampleExchange = { query: { limit: 7, cursor: 'x', timeFilter: 'today' } };
const creates = (agent: object): SampleExchange => ({ endpoint: 'import-agent', sent: { agent } });

const named = (name: string): SampleExchange => creates({ name });

const oneField = 'The only request with isPublished in the body was wrong, the other was right.';
const laterAlone = 'All 2 requests for a later page were wrong, the other was right.';
const beyondAscii = 'The only request whose name has a character beyond ASCII was wrong, all 2 others right.';
const together = 'All 2 requests for a later page with timeFilter=today were wrong, all 2 others right.';

test.each<[string, Samples, string | undefined]>([
  ['nothing', { right: [first], wrong: [] }, undefined],
  ['one feature', { right: [first], wrong: [later, later] }, laterAlone],
  ['two features together', { right: [later, filtered], wrong: [laterFiltered, laterFiltered] }, together],
  ['nothing that separates them', { right: [later, first], wrong: [later] }, 'Wrong in 1 of 3 requests.'],
  ['a field of the body', { right: [named('a')], wrong: [creates({ name: 'a', isPublished: false })] }, oneField],
  ['a name', { right: [named('a'), named('b')], wrong: [named('é')] }, beyondAscii],
  ['everything', { right: [], wrong: [first, later] }, 'All 2 requests were wrong.'],
])('what fails under %s is said in words', (_, samples, sentence) => {
  expect(conditions(samples)).toBe(sentence);
});

test('a condition is confirmed by the requests that came after it was suspected', () => {
  const all = createConditions({ agents: { get: () => undefined } as never });
  const see = (n: number, sample: SampleExchange): void => all.see(sampleExchange({ n, ...sample }));
  see(1, first);
  see(2, later);
  expect(all.suspicionOf({ failed: [2], held: [1] })?.features).toEqual(['for a later page']);
  all.confirm();
  see(3, later);
  see(4, first);
  expect(all.of({ failed: [2, 3], held: [1, 4] })).toBe(
    'All 2 requests for a later page were wrong, all 2 others right; confirmed by 2 requests.',
  );
  expect(all.suspicionOf({ failed: [1, 2], held: [3, 4] })).toBeUndefined();
});
