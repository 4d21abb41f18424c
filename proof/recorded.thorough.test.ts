import fc from 'fast-check';
import { checks, type Report } from '../conformance/index.ts';
import { createForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import { reportForeign } from '../conformance/foreign/report-foreign.ts';
import { feedRecordings } from '../conformance/recording/judge-recording.ts';
import { createPersonal } from '../conformance/recording/personal.ts';
import { createHarWriter, ownOf, type HarRecord, type RecordedRun } from '../conformance/recording/write-har.ts';
import type { Secret } from '../conformance/report/redact.ts';
import { recordedSecrets } from '../conformance/run-options.ts';
import { sourceOf } from '../conformance/testing/har-of.ts';
import { createMock, profileNames, type JournalEntry, type MockOptions } from '../mock/index.ts';
import { typedClient, type Program } from '../prove/foreign/typed-client.ts';
import { judgeTraffic } from '../prove/foreign/witness.ts';
import { randomClient } from '../prove/random/clients.ts';
import { idsOfTarget, judge, proofNow } from '../prove/target.ts';

// The law of recordings: what is judged is judged alike when it is recorded, and read again on another day.

const verdictsOf = ({ checks: all }: Report): unknown =>
  all.map(({ id, status, judged, failure }) => [id, status, judged, failure?.actual, failure?.more?.length]);

const wholeOf = (report: Report): unknown => [verdictsOf(report), report.observations, report.traffic];

/** Recordings that are written while exchanges come, which go to each in turn. */
function recordings(count: number, secrets: readonly Secret[], run?: RecordedRun) {
  const texts = Array.from({ length: count }, () => '');
  // Replacing personal data changes no verdict either.
  const personal = createPersonal();
  const writers = texts.map((_, i) => createHarWriter((text) => void (texts[i] += text), secrets, { run, personal }));
  let next = 0;
  return {
    add: (recorded: HarRecord): void => writers[next++ % count]?.add(recorded),
    texts,
    async judged(): Promise<Report> {
      for (const writer of writers) writer.end();
      return judgedAgain(texts);
    },
  };
}

/** The report on recordings of the same time, on another day. */
async function judgedAgain(texts: readonly string[]): Promise<Report> {
  jest.useFakeTimers({ now: Date.UTC(2031, 0, 1), doNotFake: ['performance', 'setImmediate', 'nextTick'] });
  try {
    const by = { checks, strict: false, secrets: [] };
    const foreign = createForeignJudge(by);
    const sources = texts.map((text) => sourceOf(text));
    await feedRecordings(sources, foreign);
    return reportForeign(foreign, { ...by, includeBodies: true });
  } finally {
    jest.useRealTimers();
  }
}

/** The report on the traffic of a program as it passed the proxy, and as it was recorded, in so many recordings. */
async function proxied(options: MockOptions, program: Program, count = 1): Promise<readonly [Report, Report]> {
  const secrets: Secret[] = [];
  const recorded = recordings(count, secrets);
  const report = await judgeTraffic(options, program, {
    secrets,
    record: (exchange, { n, begun }) =>
      recorded.add({ ...exchange, own: { n, begun, since: 1, hasAllHeaders: exchange.hasAllHeaders } }),
  });
  for (const token of Object.keys(options.tokens ?? {})) expect(recorded.texts.join('')).not.toContain(token);
  return [report, await recorded.judged()];
}

/** An identifier of the world, which tokens begin like. */
const { agentId } = createMock({ seed: 1, now: proofNow }).target;
const tokens = { [`${agentId.slice(0, 8)}-one`]: 'write', [`${agentId.slice(0, 8)}-other`]: 'read' } as const;

test('what passes the proxy, with tokens that begin like identifiers', async () => {
  const [live, read] = await proxied({ tokens, faults: ['results-out-of-order-in-page'] }, typedClient);
  expect(wholeOf(read)).toEqual(wholeOf(live));
  expect(live.counts.fail).toBe(1);
});

const { toHar } = require('../mock/pages/assets/ui/journal/entries.js') as {
  readonly toHar: (entries: readonly JournalEntry[], baseUrl: string) => object;
};

test('what the journal of the mock exports', async () => {
  let exported = '';
  const live = await judgeTraffic({ faults: ['results-out-of-order-in-page'] }, async (work) => {
    await typedClient(work);
    // The clock of this mock stands still while it answers.
    const newestFirst = work.mock.journal.entries().map((entry) => ({ ...entry, duration: 0 }));
    exported = JSON.stringify(toHar(newestFirst.toReversed(), work.baseUrl));
    expect(exported).not.toContain(work.mock.target.token);
  });
  const read = await judgedAgain([exported]);
  expect(wholeOf(read)).toEqual(wholeOf(live));
  expect(live.counts.fail).toBe(1);
});

test('random traffic of any seed', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...profileNames), fc.nat(1000), async (profile, seed) => {
      const [live, read] = await proxied({ profile }, randomClient(seed, 60));
      expect([verdictsOf(read), read.traffic]).toEqual([verdictsOf(live), live.traffic]);
    }),
    { numRuns: 3, seed: 1 },
  ));

test('two proxies that get requests in turn judge less than one, and nothing otherwise', async () => {
  const [live, read] = await proxied({ tokens, persona: 'tiny' }, typedClient, 2);
  const judged = ({ checks: all }: Report): readonly string[] =>
    all.filter(({ status }) => status === 'pass').map(({ id }) => id);
  expect([live.counts.fail, read.counts.fail, read.traffic]).toEqual([0, 0, live.traffic]);
  expect(judged(live)).toEqual(expect.arrayContaining([...judged(read)]));
  expect(judged(read).length).toBeGreaterThan(0.75 * judged(live).length);
});

// Only what is about lists needs more than a few results.
test.each([
  ['contrarian', 'tiny', undefined],
  ['minimal', 'tiny', undefined],
  ['default', 'demo', 'results-out-of-order-in-page'],
  ['default', 'tiny', 'created-agent-reads-otherwise'],
  ['default', 'tiny', 'get-agent-accepts-similar-token'],
  ['contrarian', 'tiny', 'get-agent-answer-misshapen'],
] as const)('a run of our own: %s, over %s, with %s', async (profile, persona, fault) => {
  const token = `${agentId.slice(0, 10)}4711`;
  const faults = fault === undefined ? [] : [fault];
  const options = { profile, persona, tokens: { [token]: 'write' }, faults } as const;
  const { token: _, ...target } = idsOfTarget(createMock({ seed: 1, now: proofNow, ...options }));
  const recorded = recordings(1, recordedSecrets({ baseUrl: '', token }), { target, now: proofNow });
  const report = await judge(options, {
    onExchange(exchange, body) {
      const { excerpt, sentAt, answer } = exchange;
      const answeredAt = sentAt + excerpt.durationMs;
      recorded.add({
        request: excerpt.request,
        answer: answer && { ...answer, body },
        sentAt,
        answeredAt,
        own: ownOf(exchange),
      });
    },
  });
  expect(recorded.texts.join('')).not.toContain(token);
  expect(verdictsOf(await recorded.judged())).toEqual(verdictsOf(report));
  expect(report.counts.fail > 0).toBe(fault !== undefined);
});
