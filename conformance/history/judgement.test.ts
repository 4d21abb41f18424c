import { addFailure, type Check, type Finding, type Judge, type Verdict } from '../check.ts';
import { sampleExchange } from '../testing/sample-exchange.ts';
import { createJudgement } from './judgement.ts';

const proof = { verifies: ['agent-shape'], provenBy: ['get-agent-refused'] } as const;
const about = { title: 'It holds', endpoint: 'get-agent', ...proof } as const;
const check = (id: string, judge: Judge): Check => ({ ...about, id, judge: () => judge });
const broken = new Error('our own mistake');
const throws = (): never => {
  throw broken;
};

const history = [1, 2, 3].map((n) => sampleExchange({ n, endpoint: 'get-agent', json: {} }));
const by = { target: {}, strict: false };

/** What becomes of these checks when they have seen the history. */
function conclusionsOf(checks: readonly Check[]) {
  const judgement = createJudgement(checks, by);
  for (const exchange of history) judgement.see(exchange);
  return judgement.conclude();
}

test.each<[string, Judge]>([
  ['while it sees', { see: throws }],
  ['at its end', { conclude: throws }],
])('a judge that throws %s is an error of its check only', (_, judge) => {
  const counts: Judge = { see: (_exchange, verdict) => void verdict.judged++ };
  const conclusions = conclusionsOf([check('before', counts), check('broken', judge), check('after', counts)]);
  expect(conclusions.map(({ check: { id }, ...came }) => [id, came])).toEqual([
    ['before', { verdict: { findings: [], judged: 3 } }],
    ['broken', { error: broken }],
    ['after', { verdict: { findings: [], judged: 3 } }],
  ]);
});

test('a judge that threw sees nothing more', () => {
  const seen: number[] = [];
  const judge: Judge = {
    see({ n }) {
      seen.push(n);
      throws();
    },
  };
  conclusionsOf([check('broken', judge)]);
  expect(seen).toEqual([1]);
});

test('facts see an exchange before the judges do', () => {
  const requests: number[] = [];
  const judge: Check['judge'] = (facts) => ({ see: () => void requests.push(facts.traffic.requests) });
  conclusionsOf([{ ...about, id: 'counts', judge }]);
  expect(requests).toEqual([1, 2, 3]);
});

test('a history may go on after its verdicts: what only the whole shows is found anew, not twice', () => {
  const finding: Finding = { expected: 'one', actual: 'another', exchanges: [] };
  const judge: Judge = {
    see: (_, { findings }) => void findings.push(finding),
    conclude: (verdict) => addFailure(verdict, finding),
    missing: { reason: 'Nothing was judged.' },
  };
  const judgement = createJudgement([check('fails', judge)], by);
  const concluded = () =>
    judgement
      .conclude()
      .map(
        (judged) =>
          'verdict' in judged && [judged.verdict.judged, judged.verdict.findings.map(({ times = 1 }) => times)],
      );
  for (const exchange of history) {
    judgement.see(exchange);
    expect(concluded()).toEqual([[1, [exchange.n + 1]]]);
    expect(concluded()).toEqual([[1, [exchange.n + 1]]]);
  }
});

test.each([[['rare', 'often', 'often', 'also rare']], [['also rare', 'often', 'rare', 'often']]])(
  'what was met most stands first, whichever answer came first: %j',
  (met) => {
    const judgement = createJudgement(
      [
        check('fails', {
          see: ({ n }, { findings }) =>
            void findings.push({ expected: met[n] ?? '', actual: 'another', exchanges: [] }),
        }),
      ],
      by,
    );
    for (const n of met.keys()) judgement.see(sampleExchange({ n }));
    const found = judgement.conclude().flatMap((one) => ('verdict' in one ? one.verdict.findings : []));
    expect(found.map(({ expected, times }) => [expected, times])).toEqual([
      ['often', 2],
      ['also rare', undefined],
      ['rare', undefined],
    ]);
  },
);

const NO_PAGE = { reason: 'No page.' };

test.each<[Judge, Verdict['missing']]>([
  [{}, undefined],
  [{ missing: { reason: 'No list.' } }, { reason: 'No list.' }],
  [{ missing: { reason: 'No list.' }, see: (_, verdict) => void verdict.judged++ }, undefined],
  [{ missing: { reason: 'No list.' }, conclude: (verdict) => void (verdict.missing = NO_PAGE) }, NO_PAGE],
])('the reason why a check is not judged: %#', (judge, missing) => {
  const missed = conclusionsOf([check('judges', judge)]).map((one) => 'verdict' in one && one.verdict.missing);
  expect(missed).toEqual([missing]);
});
