import type { Probe } from './probe.ts';
import { hash } from './draw.ts';
import type { Run } from './probe.ts';
import { sendProbes } from './send-probes.ts';

/** Sending uses only what is drawn. */
const drawing = (seed: number): Run =>
  ({
    draw: (label: string, below: number) => hash(`${seed} ${label}`) % below,
    reserve: () => undefined,
  }) as unknown as Run;

interface Sent {
  readonly name: string;
  readonly queue: Probe['queue'];
  readonly phase: Probe['phase'];
  /** The names of the probes in progress when it started, in the same queue and in all. */
  readonly beside: readonly string[];
}

/** This number of probes for each phase and queue, and what was seen when they were sent. */
function watched(each: number): { readonly probes: readonly Probe[]; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const underWay = new Set<string>();
  const probes = (['end', 'credentials', 'first', 'open'] as const).flatMap((phase) =>
    (['lists', 'creations'] as const).flatMap((queue) =>
      Array.from({ length: each }, (_, i): Probe => {
        const name = `${phase} ${queue} ${i}`;
        return {
          phase,
          queue,
          async send() {
            sent.push({ name, queue, phase, beside: [...underWay] });
            underWay.add(name);
            for (let turn = 0; turn < 5; turn++) await Promise.resolve();
            underWay.delete(name);
          },
        };
      }),
    ),
  );
  return { probes, sent };
}

const quiet = { onFailed: () => undefined };

test.each([1, 2, 4, 16])('phases follow each other, with at most %d probes at once', async (concurrency) => {
  const { probes, sent } = watched(6);
  await sendProbes(probes, drawing(1), { ...quiet, concurrency });
  expect(sent.map(({ name }) => name).toSorted()).toEqual(probes.map((_, i) => sent[i]?.name).toSorted());
  expect(new Set(sent.map(({ name }) => name)).size).toBe(probes.length);
  expect([...new Set(sent.map(({ phase }) => phase))]).toEqual(['first', 'open', 'credentials', 'end']);
  for (const { phase, queue, beside } of sent) {
    expect(beside.length).toBeLessThan(concurrency);
    // No phase starts before the previous one ends. Creations are sent one at a time, and later in parallel.
    expect(beside.filter((name) => !name.startsWith(phase))).toEqual([]);
    const more = phase === 'first' ? 0 : Math.max(0, Math.floor(concurrency / 2) - 1);
    if (queue === 'creations')
      expect(beside.filter((name) => name.includes('creations')).length).toBeLessThanOrEqual(more);
  }
  expect(Math.max(...sent.map(({ beside }) => beside.length)) + 1).toBe(Math.min(concurrency, 12));
});

test('the seed determines the order within a phase', async () => {
  const orderOf = async (seed: number): Promise<readonly string[]> => {
    const { probes, sent } = watched(6);
    await sendProbes(probes, drawing(seed), { ...quiet, concurrency: 4 });
    return sent.map(({ name }) => name);
  };
  expect(await orderOf(1)).toEqual(await orderOf(1));
  expect(await orderOf(1)).not.toEqual(await orderOf(2));
});

test('a probe that several checks name is sent once', async () => {
  const { probes, sent } = watched(1);
  await sendProbes([...probes, ...probes, ...probes], drawing(1), { ...quiet, concurrency: 4 });
  expect(sent).toHaveLength(probes.length);
});

test('a probe that throws does not stop others, and its error is reported', async () => {
  const { probes, sent } = watched(2);
  const error = new TypeError('our own mistake');
  const broken: Probe = { phase: 'first', queue: 'creations', send: () => Promise.reject(error) };
  const throwing = jest.fn<never, []>().mockImplementation(() => {
    throw error;
  });
  const atOnce: Probe = { phase: 'open', queue: 'lists', send: throwing };
  const onFailed = jest.fn();
  await sendProbes([broken, atOnce, ...probes], drawing(1), { ...quiet, concurrency: 4, onFailed });
  expect(onFailed.mock.calls).toEqual([broken, atOnce].map((probe) => [probe, error]));
  expect(sent).toHaveLength(probes.length);
});
