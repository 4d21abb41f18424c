import type { EndpointId } from '../../../spec/index.ts';
import { createJudgement } from '../judgement.ts';
import { checks } from '../../checks/index.ts';
import facts from '../../testing/facts.json';
import { sampleExchange, type SampleExchange, verdictsOn } from '../../testing/sample-exchange.ts';
import { foreignTraffic } from '../policy.ts';
import { createFailures, wordOf } from './failures.ts';

/** `a!` is the request a that fails, `a#` one that is not implemented, `a` the same served, `a?` one that must wait, `a-` refused, `a*` for its right token, `a/` no answer. */
const marks: Readonly<Record<string, Partial<SampleExchange>>> = {
  '!': { status: 502 },
  '#': { status: 501 },
  '?': { status: 429 },
  '-': { status: 400 },
  '*': { status: 401 },
  '/': { isSilent: true },
};

function failuresIn(line: string, more: Partial<SampleExchange> = {}) {
  const failures = createFailures();
  for (const [i, [name = '', mark = '']] of line.split(' ').entries()) {
    const sample = { ...more, ...marks[mark] };
    const { excerpt: one, ...exchange } = sampleExchange({ n: 2 * i + 2, ...sample });
    const answer = sample.isSilent === true ? undefined : exchange.answer;
    const excerpt = { ...one, status: answer?.status, request: { ...one.request, url: `http://x/${name}` } };
    failures.see({ ...exchange, answer, excerpt });
  }
  return failures;
}

test.each(facts.failures as unknown as [string, string, string][])(
  'after %s it says that these always fail: %j, and now and then: %j',
  (line, always, sometimes) => {
    const failures = failuresIn(line);
    const names = failures.always('list-results').map(({ excerpt }) => excerpt.request.url.at(-1));
    expect(new Set(names)).toEqual(new Set(always.split(' ').filter((name) => name !== '')));
    expect(failures.sometimes().map(({ failed, of }) => `${failed} of ${of}`)).toEqual(
      sometimes === '' ? [] : [sometimes],
    );
  },
);

test.each<[string, Partial<SampleExchange>, string?]>([
  ['without the right credentials', { caller: 'wrong' }],
  ['that asks what is open', { open: true }],
  ['for something of no shown format that is not implemented', { query: { timeZone: 'UTC' } }, 'a# b a# a#'],
])('a request %s does not count', (_, more, line = 'a! b a! a!') => {
  expect(failuresIn(line, more).always('list-results')).toEqual([]);
});

test.each(facts.words as unknown as [number | null, string][])('%p means %s', (status, word) => {
  expect(wordOf(status ?? undefined)).toBe(word);
});

test('what fails is judged by the checks of failing alone, and in traffic by none', () => {
  const agent = { agent: { id: 'a' }, currentUserMode: 'read' };
  const get: EndpointId = 'get-agent';
  const samples = [200, 500, 200, 500, 500].map((status): SampleExchange => ({ endpoint: get, status, json: agent }));
  const seen = (policy?: typeof foreignTraffic): readonly string[] =>
    [...verdictsOn(checks, samples, policy && { policy })].flatMap(([id, { findings }]) =>
      findings.length > 0 ? [id] : [],
    );
  // Each sample has its own address.
  expect(seen()).toEqual([]);
  const judgement = createJudgement(checks, { target: {}, strict: false });
  for (const [i, sample] of samples.entries()) {
    const exchange = sampleExchange({ n: 2 * i + 2, ...sample });
    judgement.see({
      ...exchange,
      excerpt: { ...exchange.excerpt, request: { method: 'GET', url: `http://x/${sample.status}`, headers: {} } },
    });
  }
  const failing = judgement.conclude().filter((one) => 'verdict' in one && one.verdict.findings.length > 0);
  expect(failing.map(({ check }) => check.id)).toEqual(['get-agent-does-not-fail']);
  expect(seen(foreignTraffic)).toEqual([]);
});
