import type { Check, Judge, Verdict } from '../check.ts';
import { sampleExchange } from '../testing/sample-exchange.ts';
import { createJudgement } from './judgement.ts';

const about = {
  title: 'It holds',
  endpoint: 'get-agent',
  verifies: ['agent-shape'],
  provenBy: ['get-agent-refused'],
} as const;
const check = (id: string, judge: () => Judge): Check => ({ ...about, id, judge });
const passes: Verdict = { findings: [], judged: 1 };
const broken = new Error('our own mistake');
const throws = (): never => {
  throw broken;
};

const history = [1, 2, 3].map((n) => sampleExchange({ n, endpoint: 'get-agent', json: {} }));

test.each<[string, (seen: number[]) => Judge]>([
  [
    'while it sees',
    (seen) => ({
      see({ n }) {
        seen.push(n);
        throws();
      },
      verdict: () => passes,
    }),
  ],
  ['at its verdict', (seen) => ({ see: ({ n }) => void seen.push(n), verdict: throws })],
])('a judge that throws %s is an error of its check only', (when, judgeOf) => {
  const seen: number[] = [];
  const heard: number[] = [];
  const judgement = createJudgement(
    [
      check('before', () => ({ see: ({ n }) => void heard.push(n), verdict: () => passes })),
      check('broken', () => judgeOf(seen)),
      check('after', () => ({ see: ({ n }) => void heard.push(n), verdict: () => ({ findings: [], judged: 3 }) })),
    ],
    { target: {}, strictNull: false },
  );
  for (const exchange of history) judgement.see(exchange);
  expect(judgement.conclude().map(({ check: { id }, ...came }) => [id, came])).toEqual([
    ['before', { verdict: passes }],
    ['broken', { error: broken }],
    ['after', { verdict: { findings: [], judged: 3 } }],
  ]);
  expect(heard).toEqual([1, 1, 2, 2, 3, 3]);
  // A judge that threw sees nothing more.
  expect(seen).toEqual(when === 'while it sees' ? [1] : [1, 2, 3]);
});

test('facts see an exchange before the judges do', () => {
  const requests: number[] = [];
  const judgement = createJudgement(
    [
      {
        ...about,
        id: 'counts',
        judge: (facts) => ({ see: () => void requests.push(facts.traffic.requests), verdict: () => passes }),
      },
    ],
    { target: {}, strictNull: false },
  );
  for (const exchange of history) judgement.see(exchange);
  expect(requests).toEqual([1, 2, 3]);
});
