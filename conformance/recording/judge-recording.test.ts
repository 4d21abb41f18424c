import type { Ticks } from '../foreign/exchange-of.ts';
import type { ForeignExchange } from '../foreign/foreign-exchange.ts';
import type { ForeignJudge } from '../foreign/judge-foreign.ts';
import { harOf, sourceOf } from '../testing/har-of.ts';
import { feedRecordings } from './judge-recording.ts';

interface Sent {
  readonly at: number;
  readonly id: string;
  readonly token?: string;
  readonly own?: object;
}

const har = (...all: readonly Sent[]): string =>
  harOf(
    all.map(({ at, id, token, own }) => ({
      at: Date.UTC(2026, 4, 20) + at,
      url: `http://x.test/${id}`,
      headers: token === undefined ? undefined : { Authorization: `Bearer ${token}` },
      body: {},
      more: { _agentContract: own },
    })),
  );

/** What a judge sees of recordings: each exchange with its place and its token. */
async function seen(...recordings: readonly string[]) {
  const all: string[] = [];
  const leftOut: string[] = [];
  const judge = {
    see: ({ request }: ForeignExchange, { n, begun }: Ticks) => {
      const { authorization = '' } = request.headers;
      all.push([request.url.slice(14), begun, n, authorization.replace('Bearer ', '')].join(' ').trim());
    },
    leftOut: { note: (reason: string) => void leftOut.push(reason) },
  } as unknown as ForeignJudge;
  const areWhole = await feedRecordings(
    recordings.map((text) => sourceOf(text)),
    judge,
  );
  return { all, leftOut, areWhole };
}

const place = (begun: number, n: number, since = 1): object => ({ begun, n, since });

test('the places that a proxy gave hold, and a proxy that was started again goes on after them', async () => {
  const first = [
    { at: 0, id: 'b', own: place(2, 3) },
    { at: 0, id: 'a', own: place(1, 4) },
  ];
  const { all } = await seen(har(...first, { at: 9_000, id: 'c', own: place(1, 2, 2) }));
  expect(all).toEqual(['b 2 3', 'a 1 4', 'c 5 6']);
});

test('one exchange that is recorded twice counts once, if no places tell the two apart', async () => {
  const twice = { at: 0, id: 'a' };
  expect(await seen(har(twice, twice))).toMatchObject({ all: ['a 1 2'], leftOut: ['twice-recorded'] });
  const places = { own: place(1, 2) };
  expect(await seen(har({ ...twice, ...places }, { ...twice, own: place(3, 4) }))).toMatchObject({
    all: ['a 1 2', 'a 3 4'],
  });
});

test('recordings that are joined are in the order of their clocks, and each has its own names for tokens', async () => {
  const one = har({ at: 0, id: 'a', token: '$TOKEN' }, { at: 1000, id: 'c', token: 'real', own: place(1, 2) });
  const other = har({ at: 500, id: 'b', token: '$TOKEN' }, { at: 1050, id: 'd', token: 'real' });
  const { all, areWhole } = await seen(one, other.slice(0, -2));
  // The last two may overlap, as far as clocks of two machines tell.
  expect(all).toEqual(['a 1 2 $TOKEN_of_1', 'b 3 4 $TOKEN_of_2', 'c 5 6 real', 'd 5 8 real']);
  expect(areWhole).toEqual([true, false]);
});
