import { createColors } from 'picocolors';
import type { Diagnosis } from './diagnose.ts';
import { doctorText } from './doctor-text.ts';
import type { Prospects } from './prospects.ts';

const plain = createColors(false);
const findings: Diagnosis['findings'] = [
  { what: 'token', standing: 'ok', says: 'It writes.' },
  { what: 'agent of all', standing: 'wrong', says: 'It has no \u001b[31mresults.', fix: 'Give another.' },
];
const textOf = (prospects: Prospects | undefined): string =>
  doctorText('http://127.0.0.1:1/\u0007', { findings, means: undefined, requests: 3 }, prospects, plain);
/** The text about the prospects, below the findings. */
const said = (prospects: Prospects | undefined): readonly string[] => textOf(prospects).split('\n').slice(6);

const ids = (count: number, from = 0): readonly string[] => Array.from({ length: count }, (_, i) => `c${from + i}`);
const prospects = (more: Partial<Prospects> & { readonly dark?: readonly string[] }): Prospects => ({
  judged: ['a', 'b'],
  notJudged: (more.dark ?? []).map((id) => ({ id, title: id })),
  unlocks: [],
  together: [],
  ...more,
});

test('findings are in columns, with remedies below them, and no text of a target reaches the terminal raw', () => {
  expect(textOf(undefined).split('\n').slice(0, 6)).toEqual([
    'agent-contract doctor  http://127.0.0.1:1/\\u0007  3 GET requests',
    '',
    '  ✓ token         It writes.',
    '  ✗ agent of all  It has no \\u001b[31mresults.',
    '                  Give another.',
    '',
  ]);
});

test.each<[string, Prospects | undefined, readonly string[]]>([
  ['no service', undefined, ['A run makes no sense until this is fixed.']],
  ['everything', prospects({}), ['All 2 checks can be judged.']],
  [
    'one check, with one more option',
    prospects({ dark: ['c0'], unlocks: [{ supply: '--x', checks: ['c0'] }] }),
    ['2 of 3 checks can be judged.', '  --x would unlock 1 check:', '      c0'],
  ],
  [
    'as many as are listed',
    prospects({ dark: ids(4), unlocks: [{ supply: '--x', checks: ids(4) }] }),
    ['2 of 6 checks can be judged.', '  --x would unlock 4 checks:', '      c0, c1, c2, c3'],
  ],
  [
    'one more than are listed',
    prospects({ dark: ids(5), unlocks: [{ supply: '--x', checks: ids(5) }] }),
    [
      '2 of 7 checks can be judged.',
      '  --x would unlock 5 checks:',
      '      c0, c1, c2, c3 and 1 more (--json lists all)',
    ],
  ],
  [
    'some with one option, some with all of them, some with none',
    prospects({ dark: ids(6), unlocks: [{ supply: '--x', checks: ids(2) }], together: ['c2'] }),
    [
      '2 of 8 checks can be judged.',
      '  --x would unlock 2 checks:',
      '      c0, c1',
      '  All of these together would unlock 1 check:',
      '      c2',
      '  We know nothing that would unlock:',
      '      c3, c4, c5',
    ],
  ],
  [
    'some only with all options',
    prospects({ dark: ids(2), together: ids(2) }),
    ['2 of 4 checks can be judged.', '  Everything that is missing would unlock 2 checks:', '      c0, c1'],
  ],
])('what can be judged: %s', (_, given, lines) => {
  expect(said(given)).toEqual([...lines, '']);
});
