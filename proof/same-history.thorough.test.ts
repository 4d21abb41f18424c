import { checks, createJudgement, type Exchange } from '../conformance/index.ts';
import { createMock, profileNames } from '../mock/index.ts';
import { idsOfTarget, judge, proofNow } from '../prove/target.ts';

/** What remains of a history that was written to a file and read back. */
const stored = (exchange: Exchange): string => JSON.stringify(exchange);

test.each([
  ...profileNames.map((profile) => [profile, undefined] as const),
  ['default', 'results-out-of-order-in-page'],
  ['default', 'created-agent-reads-otherwise'],
  ['contrarian', 'get-agent-answer-misshapen'],
] as const)(
  'a history that is judged again on another day gets the same verdicts: %s, with %s',
  async (profile, fault) => {
    const lines: string[] = [];
    const options = { profile, ...(fault === undefined ? {} : { faults: [fault] }) };
    const report = await judge(options, { onExchange: (exchange) => void lines.push(stored(exchange)) });

    jest.useFakeTimers({ now: Date.UTC(2031, 0, 1), doNotFake: ['performance'] });
    try {
      const target = idsOfTarget(createMock({ seed: 1, now: proofNow, frozen: true, ...options }));
      const again = createJudgement(checks, { target, strictNull: false, now: proofNow });
      for (const line of lines) again.see(JSON.parse(line) as Exchange);
      const verdicts = again.conclude().map((one) => {
        if (!('verdict' in one)) throw one.error;
        const { findings, judged } = one.verdict;
        return [one.check.id, judged, findings.length, findings[0]?.actual];
      });
      expect(verdicts).toEqual(
        report.checks.map(({ id, judged, failure }) => [
          id,
          judged,
          failure ? 1 + (failure.more?.length ?? 0) : 0,
          failure?.actual,
        ]),
      );
      expect(report.counts.fail > 0).toBe(fault !== undefined);
    } finally {
      jest.useRealTimers();
    }
  },
  60_000,
);
