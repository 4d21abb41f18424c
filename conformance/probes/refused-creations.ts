import { isCreatingAgents, type CreatingEndpoint } from '../../spec/index.ts';
import { wordOf } from '../history/facts/failures.ts';
import type { Answered } from '../http/exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import { ifPossible } from './cannot-probe.ts';
import type { Run } from './probe.ts';
import type { RefusedKind } from './refused-values.ts';
import { alikeFor, LONG, OPACITIES, placeOf, refusedKinds, withoutKinds, withPlainest } from './refused-values.ts';
import { smallerBody } from './smaller.ts';

/** Creations that are refused: what of them the target refuses, and what is left without it. */

export const refusedOf = ({ refused }: Run, endpoint: CreatingEndpoint): RefusedKind[] =>
  refused[isCreatingAgents(endpoint) ? 'agent' : 'workspace'];

/** Bodies that a round makes smaller, and creations for that: most for one, and for all. */
const MOST = { differences: { bodies: 2, one: 14, all: 18 }, refusals: { bodies: 3, one: 20, all: 36 } };

/** How many creations may make one more body smaller; `undefined` if it was done before, or for enough others. */
export async function allowed(run: Run, why: keyof typeof MOST, what: string) {
  const tried = await run.once(`made smaller: ${why}`, () => Promise.resolve(new Map<string, number>()));
  const { bodies, one, all } = MOST[why];
  if (tried.has(what) || tried.size >= bodies) return undefined;
  const most = Math.min(one, all - [...tried.values()].reduce((sum, of) => sum + of, 0));
  tried.set(what, 0);
  return { most, count: () => void tried.set(what, (tried.get(what) ?? 0) + 1) };
}

/**
 * Sends smaller and smaller bodies that are refused as well. Later creations leave out what the smallest holds. If the
 * target had to accept it, the smallest is sent beside one that differs in that alone. Resolves with the place of what
 * is refused.
 */
async function makeRefusedSmaller(run: Run, { sent, answer, n }: Answered, endpoint: CreatingEndpoint) {
  const limits = await allowed(run, 'refusals', `${endpoint} ${n}`);
  if (!isObject(sent) || !limits) return undefined;
  const only = await smallerBody(sent, {
    ...limits,
    async shows(body) {
      if (!run.hasSpare()) return false;
      limits.count();
      return (await ifPossible(run.call(endpoint, { body })))?.answer.status === answer.status;
    },
  });
  if (!only) return undefined;
  refusedOf(run, endpoint).push(...refusedKinds(only.pointer, only.value));
  const alike = alikeFor(only.value, only.pointer);
  const isDecimal = typeof only.value === 'number' && !Number.isInteger(only.value);
  // Whoever refuses a decimal where any number is documented may refuse it where a decimal is.
  const withOpacity = (opacity: unknown): JsonObject => {
    const whole = only.instead(0);
    return { ...whole, agent: { ...Object(whole['agent']), theme: { chat: { buttons: { opacity } } } } };
  };
  const bodyWith = alike ? only.instead : withOpacity;
  const [refused, other] = alike ?? OPACITIES;
  if ((!alike && !isDecimal) || !run.hasSpare()) return placeOf(only.pointer);
  const twin = await run.call(endpoint, { body: bodyWith(other) });
  if (twin.answer.accepted) await run.call(endpoint, { body: bodyWith(refused), twin, differs: 'in one value' });
  return placeOf(only.pointer);
}

/** What a refused creation becomes without the values that are refused, once these are known. */
export async function createWithoutRefused(run: Run, refusal: Answered, endpoint: CreatingEndpoint): Promise<Answered> {
  const { sent, answer } = refusal;
  const refused = refusedOf(run, endpoint);
  const isTooLarge = answer.status === 413;
  if (isTooLarge && !refused.includes(LONG)) refused.push(LONG);
  const leftOut = (): JsonObject => withoutKinds(sent as JsonObject, refused);
  return run.inTurn(async () => {
    const isKnown = JSON.stringify(leftOut()) !== JSON.stringify(sent);
    const first = isKnown ? await run.call(endpoint, { body: leftOut() }) : refusal;
    if (first.answer.accepted || isTooLarge || wordOf(first.answer.status) !== 'refused') return first;
    const place = await makeRefusedSmaller(run, first, endpoint);
    const beside = place?.endsWith('Id') ? { twin: first, differs: `without ${place}` } : {};
    const second = await run.call(endpoint, { body: leftOut(), ...beside });
    if (second.answer.accepted || place === undefined) return second;
    // Other values of the field are refused too: the plainest one shows whether the field is.
    const plain = withPlainest(leftOut(), place);
    const third = plain ? await run.call(endpoint, { body: plain }) : second;
    if (third.answer.accepted) return third;
    refused.push({ kind: { value: undefined, is: () => true }, place });
    return run.call(endpoint, { body: leftOut(), twin: third, differs: `without ${place}` });
  });
}
