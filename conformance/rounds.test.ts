import type { RunOptions } from './run-options.ts';
import { judgeTiny } from './testing/test-run.ts';

/** A run of the few checks that send little, and what it sent. */
async function rounds(options: Partial<RunOptions>) {
  const told: number[] = [];
  const report = await judgeTiny({
    only: ['create-agent-keeps-what-was-sent', 'create-workspace-refuses-unknown-token'],
    ...options,
    onProgress(progress) {
      told.push(progress.round);
      options.onProgress?.(progress);
    },
  });
  return { report, told, wires: report.sent.wires.map(({ method, url, body }) => `${method} ${url} ${body}`) };
}

const namesIn = (wires: readonly string[]): readonly string[] =>
  wires.flatMap((line) => /"name":"(agent-contract check \w+ created)"/.exec(line)?.[1] ?? []);

test('one round is the default, and each further round is reported', async () => {
  expect(new Set((await rounds({})).told)).toEqual(new Set([1]));
  const { told, report } = await rounds({ repeat: 3 });
  expect([...new Set(told)]).toEqual([1, 2, 3]);
  expect(report).toMatchObject({ outcome: 'conformant', options: { repeat: 3 }, seed: 7 });
});

test('the first round equals a run without repetition, and the others draw anew and add to what is judged', async () => {
  const [once, thrice] = await Promise.all([rounds({}), rounds({ repeat: 3 })]);
  expect(thrice.wires.slice(0, once.wires.length)).toEqual(once.wires);
  expect(thrice.report.requests).toBeGreaterThan(2 * once.report.requests);
  expect(new Set(namesIn(thrice.wires)).size).toBe(3);
  // The same run again has the same rounds.
  expect((await rounds({ repeat: 3 })).wires).toEqual(thrice.wires);
  // All rounds are judged as one history.
  const judged = ({ report }: typeof once): readonly number[] => report.checks.map((check) => check.judged ?? 0);
  expect(thrice.report.checks.length).toBe(once.report.checks.length);
  for (const [place, count] of judged(once).entries()) expect(judged(thrice)[place]).toBeGreaterThan(count);
});

test('a run with a duration ends with the round in which it expires', async () => {
  const clock = jest.spyOn(performance, 'now');
  let elapsed = 0;
  clock.mockImplementation(() => elapsed);
  try {
    const { told } = await rounds({ durationMs: 1_000, onProgress: () => void (elapsed += 100) });
    const each = told.filter((round) => round === 1).length;
    expect(told.at(-1)).toBe(Math.ceil(10 / each));
    expect(told.length).toBe(each * Math.ceil(10 / each));
  } finally {
    clock.mockRestore();
  }
});

test('no round starts after the run was stopped', async () => {
  const controller = new AbortController();
  const { told } = await rounds({ repeat: 50, signal: controller.signal, onProgress: () => controller.abort() });
  expect(new Set(told)).toEqual(new Set([1]));
});
