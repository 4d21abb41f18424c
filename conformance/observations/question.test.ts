import { sampleHistory, type SampleExchange } from '../testing/sample-exchange.ts';
import { createFacts } from '../history/facts/facts.ts';
import { createObservations } from './observe.ts';
import { observerOf, seenAs } from './question.ts';

const differs = 'without what is asked about';

const observer = observerOf({
  endpoint: 'list-results',
  differs,
  parameters: () => undefined,
  note: (observe, exchange) =>
    observe('limit-not-integer', exchange.answer.accepted ? 'default' : 'refused', seenAs(exchange)),
});

/** What is observed of a history. */
function seen(...samples: readonly SampleExchange[]): readonly (readonly [string | undefined, string])[] {
  const { facts, see } = createFacts({ target: {}, strict: false });
  const observations = createObservations([observer], facts);
  for (const exchange of sampleHistory(samples)) {
    see(exchange);
    observations.see(exchange);
  }
  return observations.conclude().observations.map(({ choice, seen: says }) => [choice, says]);
}

const accepted: SampleExchange = { n: 2, json: { results: [], nextCursor: null } };
const answer: SampleExchange = { n: 4, twin: 2, differs, status: 400 };

test('an answer beside an accepted twin is a choice', () => {
  expect(seen(accepted, answer)).toEqual([['refused', 'refused with 400']]);
  expect(seen(accepted, { ...answer, status: 200, json: accepted.json })).toEqual([['default', 'accepted']]);
});

test.each<[string, readonly SampleExchange[]]>([
  ['without a twin', [accepted, { ...answer, twin: undefined }]],
  ['with a twin that is not in the history', [answer]],
  ['with a twin that was refused', [{ ...accepted, status: 400 }, answer]],
  ['with a twin that comes later', [answer, accepted]],
  ['of another question', [accepted, { ...answer, differs: 'in another way' }]],
  ['at another endpoint', [accepted, { ...answer, endpoint: 'get-agent' }]],
  ['of a server that limits requests', [accepted, { ...answer, status: 429 }]],
  ['of a server that broke', [accepted, { ...answer, status: 500 }]],
  ['of a server that is unavailable', [accepted, { ...answer, status: 503 }]],
])('an answer %s is not a choice', (_, samples) => {
  expect(seen(...samples)).toEqual([]);
});
