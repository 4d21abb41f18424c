import type { Ticks } from '../foreign/exchange-of.ts';
import type { ForeignExchange } from '../foreign/foreign-exchange.ts';
import type { ForeignJudge } from '../foreign/judge-foreign.ts';
import { createOrdering, type Placed } from './in-order.ts';
import { createOwn, createTicks } from './own.ts';
import { readRecording, type RecordingPart, type RecordingSource } from './read-recording.ts';

/** Clocks of machines that keep time agree this well, in milliseconds. */
const APART_MS = 100;

/** A judge, or whoever else reads exchanges in their order; only a judge has use for the runs that they belong to. */
type Reader = Partial<Pick<ForeignJudge, 'begin' | 'seeOwn'>> &
  Pick<ForeignJudge, 'leftOut'> & { see(exchange: ForeignExchange, place: Ticks): unknown };

/**
 * Feeds recordings of any size to a judge, in a world of their own: one, or several of the same time that are joined by their
 * clocks. @returns for each whether it has an end. @throws RecordingError for a file that is no recording.
 */
export async function feedRecordings(sources: readonly RecordingSource[], judge: Reader) {
  const isJoined = sources.length > 1;
  const ordering = createOrdering(isJoined ? APART_MS : undefined);
  const ownExchange = createOwn();
  const placeOf = createTicks();
  const remembered = new Set<string>();
  let isOwn = false;
  judge.begin?.();

  const see = (placed: Placed | undefined): void => {
    if (!placed) return judge.leftOut.note('out-of-order', '');
    judge.see(placed.item.entry.exchange, placed);
  };

  function take(found: RecordingPart): void {
    if (found.kind === 'left-out') return judge.leftOut.note(found.reason, '');
    if (found.kind === 'run') {
      isOwn = !isJoined && judge.seeOwn !== undefined;
      if (isOwn) judge.begin?.({ target: found.run.target, now: found.run.now });
      return;
    }
    const { entry } = found;
    if (isOwn) {
      const exchange = ownExchange(entry.exchange, entry.own);
      if (exchange) return judge.seeOwn?.(exchange);
      return judge.leftOut.note('no-answer', '');
    }
    const place = !isJoined && placeOf(entry.own);
    if (place) return void judge.see(entry.exchange, place);
    const { sentAt, answeredAt, request, answer } = entry.exchange;
    const mark = `${sentAt} ${answeredAt} ${request.method} ${request.url} ${answer?.body?.length}`;
    if (remembered.has(mark)) return judge.leftOut.note('twice-recorded', '');
    if (remembered.size < 50_000) remembered.add(mark);
    for (const placed of ordering.add(found)) see(placed);
  }

  const areWhole: boolean[] = sources.map(() => false);
  for await (const found of together(sources, areWhole)) take(found);
  for (const placed of ordering.end()) see(placed);
  judge.begin?.();
  return areWhole;
}

/** What recordings hold, about in the order in which it was sent. */
async function* together(sources: readonly RecordingSource[], areWhole: boolean[]): AsyncGenerator<RecordingPart> {
  const readings = await Promise.all(
    sources.map(async (source, index) => {
      const reading = readRecording(source);
      return { index, reading, next: await reading.next() };
    }),
  );
  while (readings.length > 0) {
    const first = readings.reduce((one, other) => (timeOf(other.next) < timeOf(one.next) ? other : one));
    const { next, reading, index } = first;
    if (next.done === true) {
      areWhole[index] = next.value;
      readings.splice(readings.indexOf(first), 1);
      continue;
    }
    yield sources.length > 1 ? ofRecording(next.value, index) : next.value;
    first.next = await reading.next();
  }
}

/** Each recording has its own names for credentials: the same name in two need not be the same one. */
function ofRecording(found: RecordingPart, index: number): RecordingPart {
  if (found.kind !== 'exchange') return found;
  const { exchange } = found.entry;
  const headers = { ...exchange.request.headers };
  for (const name of ['authorization', 'cookie'])
    if (name in headers) headers[name] = headers[name]?.replace(/(?:^| )\$\w+$/, `$&_of_${index + 1}`) ?? '';
  const request = { ...exchange.request, headers };
  return { ...found, entry: { ...found.entry, exchange: { ...exchange, request } } };
}

/** Whatever is no exchange comes at once. */
function timeOf({ done, value }: IteratorResult<RecordingPart, boolean>): number {
  if (done !== true && value.kind === 'exchange') return value.entry.exchange.sentAt;
  return -Infinity;
}
