import { sampleExchange, type SampleExchange } from '../testing/sample-exchange.ts';
import { createFacts } from '../history/facts/facts.ts';
import { createObservations } from './observe.ts';
import { observerOf, seenAs } from './question.ts';

const differs = 'without what is asked about';

const observer = observerOf({
  endpoint: 'list-results',
  differs,
  pair: () => Promise.resolve(undefined),
  note: (observe, exchange) =>
    observe('limit-not-integer', exchange.answer.accepted ? 'default' : 'refused', seenAs(exchange)),
});

interface Told extends SampleExchange {
  readonly twin?: number;
  readonly differs?: string;
}

/** What is observed of a history. */
function seen(...told: readonly Told[]): readonly (readonly [string | undefined, string])[] {
  const { facts, see } = createFacts({ target: {}, strictNull: false });
  const observations = createObservations([observer], facts);
  for (const { twin, differs: what, ...one } of told) {
    const exchange = {
      ...sampleExchange(one),
      ...(twin === undefined ? {} : { twin }),
      ...(what === undefined ? {} : { differs: what }),
    };
    see(exchange);
    observations.see(exchange);
  }
  return observations.conclude().observations.map(({ choice, seen: says }) => [choice, says]);
}

const json = { results: [], nextCursor: null };

test('an answer beside an accepted twin is a choice', () => {
  expect(seen({ n: 2, json }, { n: 4, twin: 2, differs, status: 400 })).toEqual([['refused', 'refused with 400']]);
  expect(seen({ n: 2, json }, { n: 4, twin: 2, differs, json })).toEqual([['default', 'accepted']]);
});

test.each<[string, readonly Told[]]>([
  ['without a twin', [{ n: 4, differs, status: 400 }]],
  ['with a twin that is not in the history', [{ n: 4, twin: 2, differs, status: 400 }]],
  [
    'with a twin that was refused',
    [
      { n: 2, status: 400 },
      { n: 4, twin: 2, differs, status: 400 },
    ],
  ],
  [
    'with a twin that comes later',
    [
      { n: 4, twin: 6, differs, status: 400 },
      { n: 6, json },
    ],
  ],
  [
    'of another question',
    [
      { n: 2, json },
      { n: 4, twin: 2, differs: 'in another way', status: 400 },
    ],
  ],
  [
    'at another endpoint',
    [
      { n: 2, json },
      { n: 4, twin: 2, differs, status: 400, endpoint: 'get-agent' },
    ],
  ],
  [
    'of a server that limits requests',
    [
      { n: 2, json },
      { n: 4, twin: 2, differs, status: 429 },
    ],
  ],
  [
    'of a server that broke',
    [
      { n: 2, json },
      { n: 4, twin: 2, differs, status: 500 },
    ],
  ],
  [
    'of a server that is unavailable',
    [
      { n: 2, json },
      { n: 4, twin: 2, differs, status: 503 },
    ],
  ],
])('an answer %s is not a choice', (_, told) => {
  expect(seen(...told)).toEqual([]);
});
