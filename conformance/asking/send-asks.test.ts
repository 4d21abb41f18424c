import type { Ask } from './asking.ts';
import { hash, type Asking } from './asking.ts';
import { sendAsks } from './send-asks.ts';

/** Sending uses only what is drawn. */
const drawing = (seed: number): Asking =>
  ({ draw: (label: string, below: number) => hash(`${seed} ${label}`) % below }) as unknown as Asking;

interface Sent {
  readonly name: string;
  readonly lane: Ask['lane'];
  readonly phase: Ask['phase'];
  /** The names of the asks in progress when it started, in the same lane and in all. */
  readonly beside: readonly string[];
}

/** This number of asks for each phase and lane, and what was seen when they were sent. */
function watched(each: number): { readonly asks: readonly Ask[]; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const underWay = new Set<string>();
  const asks = (['end', 'credentials', 'first', 'open'] as const).flatMap((phase) =>
    (['lists', 'making'] as const).flatMap((lane) =>
      Array.from({ length: each }, (_, i): Ask => {
        const name = `${phase} ${lane} ${i}`;
        return {
          phase,
          lane,
          async send() {
            sent.push({ name, lane, phase, beside: [...underWay] });
            underWay.add(name);
            for (let turn = 0; turn < 5; turn++) await Promise.resolve();
            underWay.delete(name);
          },
        };
      }),
    ),
  );
  return { asks, sent };
}

const quiet = { onAsked: () => undefined, onFailed: () => undefined };

test.each([1, 2, 4, 16])('phases follow each other, with at most %d asks at once', async (concurrency) => {
  const { asks, sent } = watched(6);
  await sendAsks(asks, drawing(1), { ...quiet, concurrency });
  expect(sent.map(({ name }) => name).toSorted()).toEqual(asks.map((_, i) => sent[i]?.name).toSorted());
  expect(new Set(sent.map(({ name }) => name)).size).toBe(asks.length);
  expect([...new Set(sent.map(({ phase }) => phase))]).toEqual(['first', 'open', 'credentials', 'end']);
  for (const { phase, lane, beside } of sent) {
    expect(beside.length).toBeLessThan(concurrency);
    // No phase starts before the previous one ends, and creations are sent one at a time.
    expect(beside.filter((name) => !name.startsWith(phase))).toEqual([]);
    if (lane === 'making') expect(beside.filter((name) => name.includes('making'))).toEqual([]);
  }
  const most = Math.max(...sent.map(({ beside }) => beside.length));
  expect(most + 1).toBe(Math.min(concurrency, 7));
});

test('the seed determines the order within a phase', async () => {
  const orderOf = async (seed: number): Promise<readonly string[]> => {
    const { asks, sent } = watched(6);
    await sendAsks(asks, drawing(seed), { ...quiet, concurrency: 4 });
    return sent.map(({ name }) => name);
  };
  expect(await orderOf(1)).toEqual(await orderOf(1));
  expect(await orderOf(1)).not.toEqual(await orderOf(2));
});

test('an ask that several checks name is sent once', async () => {
  const { asks, sent } = watched(1);
  let asked = 0;
  await sendAsks([...asks, ...asks, ...asks], drawing(1), { ...quiet, concurrency: 4, onAsked: () => asked++ });
  expect(sent).toHaveLength(asks.length);
  expect(asked).toBe(asks.length);
});

test('an ask that throws does not stop others, and its error is reported', async () => {
  const { asks, sent } = watched(2);
  const error = new TypeError('our own mistake');
  const broken: Ask = { phase: 'first', lane: 'making', send: () => Promise.reject(error) };
  const atOnce: Ask = {
    phase: 'open',
    lane: 'lists',
    send: () => {
      throw error;
    },
  };
  const failed: [Ask, unknown][] = [];
  await sendAsks([broken, atOnce, ...asks], drawing(1), {
    concurrency: 4,
    onAsked: () => undefined,
    onFailed: (ask, why) => void failed.push([ask, why]),
  });
  expect(failed).toEqual([
    [broken, error],
    [atOnce, error],
  ]);
  expect(sent).toHaveLength(asks.length);
});
