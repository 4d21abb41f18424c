import { sampleExchange } from '../../testing/sample-exchange.ts';
import { createBetweens } from './between.ts';

/** A thing that is answered, refused or no longer due, at these milliseconds after the beginning. */
type Told = readonly [what: 'answered' | 'refused' | 'forget', at: number, more?: { key?: string; begun?: number }];

/** Which exchanges show that something was missing, counted from 1. */
function found(told: readonly Told[]): readonly (readonly number[])[] {
  const betweens = createBetweens();
  for (const [i, [what, at, { key = 'k', begun }]] of told.map(([a, b, c = {}]) => [a, b, c] as const).entries()) {
    const n = 2 * i + 2;
    const exchange = sampleExchange({ n, at, begun: begun ?? n - 1, status: what === 'refused' ? 404 : 200 });
    if (what === 'forget') betweens.forget(key);
    else betweens[what](key, exchange);
  }
  return betweens.found.map(({ exchanges }) =>
    exchanges.map(({ request: { url } }) => Number(url.split('/').at(-1)) / 2),
  );
}

const away: readonly Told[] = [
  ['answered', 0],
  ['refused', 5000],
  ['answered', 6000],
];

test.each<[string, readonly Told[], readonly (readonly number[])[]]>([
  ['between two answers', away, [[1, 2, 3]]],
  ['after the last of several answers', [['answered', 0], ...away], [[2, 3, 4]]],
  [
    'twice in a row',
    [
      ['answered', 0],
      ['refused', 5000],
      ['refused', 6000],
      ['answered', 7000],
    ],
    [[1, 2, 4]],
  ],
  [
    'twice, with an answer between',
    [
      ['answered', 0],
      ['refused', 5000],
      ['answered', 6000],
      ['refused', 7000],
      ['answered', 8000],
    ],
    [
      [1, 2, 3],
      [3, 4, 5],
    ],
  ],
  ['and is answered twice afterwards', [...away, ['answered', 7000]], [[1, 2, 3]]],
  [
    'before it was ever answered',
    [
      ['refused', 0],
      ['answered', 5000],
    ],
    [],
  ],
  [
    'for good',
    [
      ['answered', 0],
      ['refused', 5000],
    ],
    [],
  ],
  [
    'a moment after it was created',
    [
      ['answered', 0],
      ['refused', 2000],
      ['answered', 3000],
    ],
    [],
  ],
  [
    'a moment later than that',
    [
      ['answered', 0],
      ['refused', 2001],
      ['answered', 3000],
    ],
    [[1, 2, 3]],
  ],
  [
    'while it was answered for the first time',
    [
      ['answered', 0],
      ['refused', 5000, { begun: 1 }],
      ['answered', 6000],
    ],
    [],
  ],
  [
    'until the first answer to it ended',
    [
      ['answered', 0],
      ['refused', 5000, { begun: 2 }],
      ['answered', 6000],
    ],
    [],
  ],
  [
    'right after that',
    [
      ['answered', 0],
      ['refused', 5000, { begun: 3 }],
      ['answered', 6000],
    ],
    [[1, 2, 3]],
  ],
  [
    'while it was answered again',
    [
      ['answered', 0],
      ['refused', 5000],
      ['answered', 6000, { begun: 4 }],
    ],
    [],
  ],
  [
    'until right before it was answered',
    [
      ['answered', 0],
      ['refused', 5000],
      ['answered', 6000, { begun: 5 }],
    ],
    [[1, 2, 3]],
  ],
  [
    'and is answered during it and after it',
    [
      ['answered', 0],
      ['refused', 5000],
      ['answered', 6000, { begun: 4 }],
      ['answered', 7000],
    ],
    [[1, 2, 4]],
  ],
  [
    'when it is no longer due',
    [
      ['answered', 0],
      ['forget', 1],
      ['refused', 5000],
      ['answered', 6000],
    ],
    [],
  ],
  [
    'and then no longer has to be answered',
    [
      ['answered', 0],
      ['refused', 5000],
      ['forget', 5500],
      ['answered', 6000],
    ],
    [],
  ],
  [
    'as another thing',
    [
      ['answered', 0],
      ['refused', 5000, { key: 'other' }],
      ['answered', 6000],
    ],
    [],
  ],
])('something is missing %s', (_, told, expected) => {
  expect(found(told)).toEqual(expected);
});

test('the number of findings and of remembered things is bounded', () => {
  const often = Array.from({ length: 30 }, (_, i): Told => [i % 2 === 0 ? 'refused' : 'answered', 5000 + i]);
  expect(found([['answered', 0], ...often, ...often]).length).toBe(25);
  const things = (count: number): readonly Told[] => [
    ...Array.from({ length: count }, (_, i): Told => ['answered', 0, { key: `${i}` }]),
    ['refused', 5000, { key: `${count - 1}` }],
    ['answered', 6000, { key: `${count - 1}` }],
  ];
  expect([found(things(2000)).length, found(things(2001)).length]).toEqual([1, 0]);
});
