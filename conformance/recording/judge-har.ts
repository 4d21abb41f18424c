import type { ForeignJudge } from '../foreign/judge-foreign.ts';
import { createHarScanner, jsonOf, type HarPart } from './har-scanner.ts';
import { readEntry, type HarEntry } from './har-entry.ts';
import { createOrdering, type Placed } from './in-order.ts';
import { createOwn, readRun } from './own.ts';

const MAX_REMEMBERED = 50_000;

type Waiting = HarEntry & { readonly sentAt: number; readonly answeredAt: number; readonly size: number };

/**
 * Feeds a HAR file of any size to a judge, in a world of its own. @returns whether the file has an end.
 * @throws HarError if the file is not HAR.
 */
export async function judgeHar(chunks: AsyncIterable<Buffer>, judge: ForeignJudge): Promise<boolean> {
  const scanner = createHarScanner();
  const ordering = createOrdering<Waiting>();
  const ownExchange = createOwn();
  const remembered = new Set<string>();
  let isOwn = false;
  judge.begin();

  const see = (placed: Placed<Waiting> | undefined): void => {
    if (!placed) return judge.leftOut.note('out-of-order', '');
    judge.see(placed.item.exchange, placed);
  };

  function take(part: HarPart): void {
    if (part.kind === 'too-large' || part.kind === 'cut-short') return judge.leftOut.note(part.kind, '');
    const json = jsonOf(part.bytes);
    if (part.kind === 'member') {
      const run = part.name === '_agentContract' ? readRun(json) : undefined;
      isOwn = run !== undefined;
      return run && judge.begin({ target: run.target, now: run.now });
    }
    const entry = readEntry(json);
    if (typeof entry === 'string') return judge.leftOut.note(entry, '');
    if (isOwn) {
      const exchange = ownExchange(entry.exchange, entry.own);
      if (exchange) return judge.seeOwn(exchange);
      return judge.leftOut.note('no-answer', '');
    }
    const { sentAt, answeredAt, request, answer } = entry.exchange;
    const mark = `${sentAt} ${answeredAt} ${request.method} ${request.url} ${answer?.body?.length}`;
    if (remembered.has(mark)) return judge.leftOut.note('twice-recorded', '');
    if (remembered.size < MAX_REMEMBERED) remembered.add(mark);
    for (const placed of ordering.add({ ...entry, sentAt, answeredAt, size: part.bytes.length })) see(placed);
  }

  for await (const chunk of chunks) for (const part of scanner.push(chunk)) take(part);
  const { isWhole, parts } = scanner.end();
  for (const part of parts) take(part);
  for (const placed of ordering.end()) see(placed);
  judge.begin();
  return isWhole;
}
