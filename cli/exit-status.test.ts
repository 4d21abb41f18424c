import type { Report } from '../conformance/report/report.ts';
import { sampleReport } from '../conformance/testing/sample-report.ts';
import { exitStatusOf } from './exit-status.ts';

const pass = { pass: 1, fail: 0, notJudged: 0, error: 0 };
const nothing = { pass: 0, fail: 0, notJudged: 1, error: 0 };
const broken = { pass: 1, fail: 0, notJudged: 0, error: 1 };
const known = (length: number): Partial<Report> => ({
  baseline: {
    verdict: length === 0 ? 'nothing-new' : 'news',
    known: [],
    news: Array.from({ length }, () => ({ kind: 'new-failure', check: 'a', says: 'It fails.' })),
  },
});

test.each<[Partial<Report>, boolean, number]>([
  [{ outcome: 'conformant', counts: pass }, false, 0],
  [{ outcome: 'conformant', counts: broken }, false, 4],
  [{ outcome: 'nonconformant', counts: pass }, true, 1],
  [{ outcome: 'nonconformant', counts: broken }, true, 1],
  [{ outcome: 'unreachable', counts: nothing }, true, 4],
  [{ outcome: 'partial', counts: pass }, false, 3],
  [{ outcome: 'partial', counts: pass }, true, 0],
  [{ outcome: 'partial', counts: nothing }, true, 3],
  [{ outcome: 'partial', counts: pass, unanswered: ['Get agent answered no request.'] }, true, 3],
  [{ outcome: 'partial', counts: broken }, true, 4],
  [{ outcome: 'nonconformant', counts: pass, ...known(0) }, false, 0],
  [{ outcome: 'nonconformant', counts: pass, ...known(1) }, false, 1],
  [{ outcome: 'nonconformant', counts: broken, ...known(1) }, false, 1],
  [{ outcome: 'partial', counts: nothing, ...known(0) }, false, 0],
  [{ outcome: 'partial', counts: broken, ...known(0) }, false, 4],
  [{ outcome: 'unreachable', counts: nothing, ...known(0) }, false, 4],
])('%j with --allow-partial %p ends with %d', (report, allowPartial, status) => {
  expect(exitStatusOf({ ...sampleReport(), ...report }, { allowPartial })).toBe(status);
});
