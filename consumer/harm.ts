import type { ViolationId } from '../spec/index.ts';
import { valueAt } from '../spec/json-pointer.ts';
import { abridged } from '../mock/wording/slips.ts';
import { isObject, parseJson, type Json } from '../text/json.ts';
import { visible } from '../text/visible.ts';
import harms from './harm.json';
import type { Difference, TwinAnswer } from './twins.ts';

/** How much harm a violation does to a user who nobody warns, from 5 to 1: by the first pattern that fits it. */
export function harmOf(violation: ViolationId): { readonly harm: number; readonly says: string } {
  return harms.find(({ like }) => new RegExp(like).test(violation)) ?? { harm: 2, says: '' };
}

/** Where the answer differs from the right one, as a sentence. */
export function seenIn({ exchange: { request }, was, is }: Difference): string {
  const target = request.target.replace(/(\?.{60}).*/s, '$1');
  return visible(`${request.method} ${target}: ${changeIn(was, is)}`);
}

function changeIn(was: TwinAnswer, is: TwinAnswer): string {
  if (was.status !== is.status) return `status ${is.status} instead of ${was.status}.`;
  const [before, after] = [parseJson(was.body), parseJson(is.body)];
  if (before === undefined || after === undefined) return 'a body that is not JSON.';
  const at = firstChange(before, after, '');
  if (at === undefined) return 'other bytes.';
  const [here, there] = [before, after].map((body) => {
    const value = valueAt(body, at);
    if (value === undefined) return 'nothing';
    return abridged(value).slice(0, 60);
  });
  return `${at || 'the body'} is ${there} instead of ${here}.`;
}

/** The first place at which two values differ. */
function firstChange(before: Json, after: Json, at: string): string | undefined {
  const isPair = (isObject(before) && isObject(after)) || (Array.isArray(before) && Array.isArray(after));
  if (!isPair && before === after) return undefined;
  if (!isPair) return at;
  const [one, other] = [before, after] as readonly Readonly<Record<string, Json>>[];
  for (const key of new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])) {
    const [x, y] = [one?.[key], other?.[key]];
    if (x === undefined || y === undefined) return `${at}/${key}`;
    const found = firstChange(x, y, `${at}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
