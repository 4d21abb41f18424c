import { sampleExchange, type SampleExchange } from '../testing/sample-exchange.ts';
import { createConditions } from './conditions.ts';

const conditions = (samples: readonly (readonly [isRight: boolean, sample: SampleExchange])[]): string | undefined => {
  const all = createConditions({ agents: { get: () => undefined } as never });
  const ns = samples.map(([isRight, sample], i) => {
    all.see(sampleExchange({ n: i + 1, ...sample }));
    return [i + 1, isRight] as const;
  });
  const those = (wanted: boolean): number[] => ns.flatMap(([n, isRight]) => (isRight === wanted ? [n] : []));
  return all.of({ failed: those(false), held: those(true) });
};

const first: SampleExchange = { query: { limit: 7 } };
const later: SampleExchange = { query: { limit: 7, cursor: 'x' } };
const filtered: SampleExchange = { query: { limit: 7, timeFilter: 'today' } };
const laterFiltered: SampleExchange = { query: { limit: 7, cursor: 'x', timeFilter: 'today' } };
const creates = (agent: object): SampleExchange => ({ endpoint: 'import-agent', sent: { agent } });

test.each<[string, readonly (readonly [boolean, SampleExchange])[], string | undefined]>([
  ['nothing', [[true, first]], undefined],
  [
    'one feature',
    [
      [true, first],
      [false, later],
      [false, later],
    ],
    'All 2 requests for a later page were wrong, the other was right.',
  ],
  [
    'two features together',
    [
      [true, later],
      [true, filtered],
      [false, laterFiltered],
      [false, laterFiltered],
    ],
    'All 2 requests for a later page with timeFilter=today were wrong, all 2 others right.',
  ],
  [
    'nothing that separates them',
    [
      [true, later],
      [false, later],
      [true, first],
    ],
    'Wrong in 1 of 3 requests.',
  ],
  [
    'a field of the body',
    [
      [true, creates({ name: 'a' })],
      [false, creates({ name: 'a', isPublished: false })],
    ],
    'The only request with isPublished in the body was wrong, the other was right.',
  ],
  [
    'a name',
    [
      [true, creates({ name: 'a' })],
      [false, creates({ name: 'é' })],
      [true, creates({ name: 'b' })],
    ],
    'The only request whose name has a character beyond ASCII was wrong, all 2 others right.',
  ],
  [
    'everything',
    [
      [false, first],
      [false, later],
    ],
    'All 2 requests were wrong.',
  ],
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
