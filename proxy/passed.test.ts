import { createPacker, unpackAll, type PackedExchanges, type Passed } from './passed.ts';

const bytes = (length: number, from = 0): Uint8Array => Uint8Array.from({ length }, (_, i) => (from + i) % 251);
const one: Passed = {
  method: 'GET',
  url: 'http://service.test/api/v1/agents/a?x=%20',
  sentAt: 1_764_000_000_000,
  answeredAt: 1_764_000_000_000.5,
  begun: 1,
  n: 2,
  status: 200,
  sent: ['Accept', '*/*', 'X-Empty', ''],
  came: ['X-Name', 'Jos\u{e9}'],
  isWhole: true,
  isJudged: true,
  begins: false,
  waits: false,
  request: undefined,
  answer: [bytes(3), bytes(700_000, 5)],
};

test('what is packed, in blocks that are used again, comes out as it was', () => {
  const all = [
    one,
    { ...one, n: 4, request: [], answer: undefined, begins: true },
    { ...one, n: 6, sent: [], came: [], status: 0, isWhole: false, answer: [bytes(1_500_000)] },
    { ...one, n: 8, isJudged: false, waits: true, answer: [] },
  ];
  const joined = (pieces: readonly Uint8Array[] | undefined) => pieces && Buffer.concat(pieces).toString('latin1');
  const whole = (passed: Passed) => ({ ...passed, request: joined(passed.request), answer: joined(passed.answer) });
  const got: ReturnType<typeof whole>[] = [];
  let exchanges = 0;
  const read = (packed: PackedExchanges): void => {
    got.push(...unpackAll(packed).map(whole));
    exchanges += packed.exchanges;
    packer.reuse(packed.bytes);
  };
  const packer = createPacker(() => read(packer.take()));
  for (const passed of [...all, ...all]) packer.add(passed);
  read(packer.take());
  expect(got).toEqual([...all, ...all].map(whole));
  expect(exchanges).toBe(8);
});
