import type { ViolationId } from '../spec/index.ts';
import { valueAt } from '../spec/json-pointer.ts';
import { abridged } from '../mock/wording/slips.ts';
import { isObject, parseJson, type Json } from '../text/json.ts';
import { visible } from '../text/visible.ts';
import type { Difference, TwinAnswer } from './twins.ts';

/** What a violation does to a user who nobody warns, the worst first. */
const harms: readonly { readonly harm: number; readonly like: RegExp; readonly says: string }[] = [
  {
    harm: 5,
    like: /another|other-agents|exchange|overwrite|same-for-every|repeats-(?!result)|ignores-workspace|escapes|replaces|turns|rejoins|breaks-ref/,
    says: 'The user sees, or works on, something else than what was asked for.',
  },
  {
    harm: 4,
    like: /loses|forgotten|not-stored|without-variables|cut|early|repeats-result|ends-first|walk|differs-by/,
    says: 'Something is missing, or there twice, and nothing says so.',
  },
  {
    harm: 3,
    like: /ascending|out-of-order|filter|limit|cursor|page|month|mode-always|reads-otherwise|takes-no/,
    says: 'The user sees another selection or order than was asked for.',
  },
  { harm: 1, like: /not-utf8|byte-order-mark/, says: 'Most programs read over it.' },
  { harm: 1, like: /accepts-|refusal-holds|in-spite/, says: 'What should be refused is done.' },
  { harm: 2, like: /./, says: 'The answer cannot be used, and the user should be told.' },
];

/** How much harm a violation does, from 5 to 1, and to whom. */
export function harmOf(violation: ViolationId): { readonly harm: number; readonly says: string } {
  return harms.find(({ like }) => like.test(violation)) ?? { harm: 2, says: '' };
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
