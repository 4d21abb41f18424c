import type { TriggerId, ViolationId } from '../../../spec/index.ts';
import { triggerIds, triggers, unfit, violationIds, violations } from '../../../spec/index.ts';
import { refuse } from '../../call.ts';
import type { Wire } from '../../wire/wire.ts';
import type { Fault } from '../fault.ts';
import { faultNamed, faults } from '../index.ts';
import { shapeMutants } from '../shape.ts';
import { scriptedSession, type SessionStep } from '../../testing/test-session.ts';
import { under } from './triggers.ts';

const steps = scriptedSession();

const isSame = ({ status, body, headers }: Wire, other: Wire): boolean =>
  status === other.status && body === other.body && JSON.stringify(headers) === JSON.stringify(other.headers);

/** At most this number of steps, spread over all of them. */
const some = (of: readonly SessionStep[], most: number): readonly SessionStep[] =>
  of.filter((_, i) => i % Math.max(1, Math.ceil(of.length / most)) === 0);

/** All steps, with neighbours, which are alike, far apart, so that one that shows a change comes soon. */
const apart = (of: readonly SessionStep[]): readonly SessionStep[] =>
  Array.from({ length: STRIDE }, (_, first) => of.filter((_step, i) => i % STRIDE === first)).flat();
const STRIDE = 41;

const holding = new Map(triggerIds.map((id) => [id, new Set(steps.filter((step) => step.held.includes(id)))]));

function effect(violation: ViolationId, trigger: TriggerId, most = Infinity) {
  const fault = under(faults[violation], trigger, violation);
  const turns = new Map<string, number>();
  const changes = (step: SessionStep): boolean => !isSame(step.again(fault, turns), step.wire);
  const { at } = violations[violation];
  const own = steps.filter(({ endpoint }) => at.includes(endpoint));
  const isSeldom = triggers[trigger].isSeldom === true;
  // A turn of the fault differs from a turn of its endpoint.
  const [within, others] = [true, false].map((is) =>
    own.filter((step) => (isSeldom || holding.get(trigger)?.has(step) === true) === is),
  ) as [SessionStep[], SessionStep[]];
  return {
    // A fault that occurs now and then counts its turns in order.
    shows: (isSeldom ? within : apart(some(within, most))).some(changes),
    leaks: some(others, 4).some(changes),
  };
}

/**
 * An effect despite a refusal does not change the refusal itself, exchanged content needs two creations at once, and no import of
 * the session names an agent that is there.
 */
const isShownLater = (violation: ViolationId): boolean =>
  /-made-in-spite-of-refusal$|-exchange-content$|-overwrites-by-id$/.test(violation);

/** Faults whose change must persist when the thing is read later. */
const isReadBack = (violation: ViolationId): boolean => /-turns-\w+-to-null$/.test(violation);

/** Where WHOLE_PROOF is set all violations, or else a third of them, drawn anew. */
const tried = violationIds.filter(() => Boolean(process.env['WHOLE_PROOF']) || Math.random() < 1 / 3);

const pairs = (trigger: TriggerId, reason: ReturnType<typeof unfit>): readonly ViolationId[] =>
  tried.filter((violation) => !isShownLater(violation) && unfit(violation, trigger) === reason);

describe.each(triggerIds)('%s', (trigger) => {
  test('every fault that fits changes an answer where the trigger holds, and none elsewhere', () => {
    const wrong = pairs(trigger, undefined).filter((violation) => {
      const { shows, leaks } = effect(violation, trigger);
      return !shows || leaks;
    });
    expect(wrong).toEqual([]);
  });

  test('a fault that is said not to show changes no answer', () => {
    expect(pairs(trigger, 'cannot show').filter((violation) => effect(violation, trigger, 30).shows)).toEqual([]);
  });

  test('every exception pattern matches a violation at one of its endpoints', () => {
    const { at, cannotShow = [], isAnother = [] } = triggers[trigger];
    const here = violationIds.filter((id) => at === 'every' || violations[id].at.some((one) => at.includes(one)));
    const patterns = [...cannotShow, ...isAnother.flatMap((row) => row.violations)];
    const matches = (pattern: string): boolean =>
      pattern in triggers || here.some((id) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(id));
    expect(patterns.filter((pattern) => !matches(pattern))).toEqual([]);
  });
});

test('a violation has the endpoints of its fault', () => {
  const where = (id: ViolationId) => [...violations[id].at, isReadBack(id) ? 'get-agent' : []].flat();
  expect(violationIds.filter((id) => faults[id].on.toString() !== where(id).toString())).toEqual([]);
});

test('a fault under a trigger leaves unrelated requests alone', () => {
  const refusing: Fault = { on: ['get-agent'], reply: () => refuse('invalid', 'Refused.') };
  const reads = steps.filter(({ endpoint, wire }) => endpoint === 'get-agent' && wire.status === 200).slice(0, 40);
  const changed = (about: boolean): number => {
    const fault = under({ ...refusing, about: () => about }, 'given-agents', 'x');
    return reads.filter((step) => !isSame(step.again(fault, new Map()), step.wire)).length;
  };
  expect([changed(false), changed(true) > 0]).toEqual([0, true]);
});

test('a misshapen answer can have a trigger', () => {
  const [mutant] = shapeMutants('get-agent');
  const fault = under(mutant?.fault ?? faults['get-agent-answer-misshapen'], 'second-read', 'x');
  const reads = steps.filter(({ endpoint, wire }) => endpoint === 'get-agent' && wire.status === 200);
  const changed = reads.filter((step) => !isSame(step.again(fault, new Map()), step.wire));
  expect(changed).toEqual(reads.filter(({ held }) => held.includes('second-read')));
  expect(changed.length).toBeGreaterThan(0);
});

test.each([
  ['results-ascending@later-pages', expect.any(Object)],
  ['get-agent-answer-misshapen:/agent/name=wrong-type@second-read', expect.any(Object)],
  ['get-agent:/agent/name=absent', expect.any(Object)],
  ['results-ascending@last', 'There is no trigger "last". Did you mean last-page?'],
  ['result-ascending@later-pages', 'There is no fault "result-ascending". Did you mean results-ascending?'],
  ['cursor-starts-over@first-page', /does not fit the trigger first-page\. Triggers that fit are later-pages, /],
])('%s: %s', (id, why) => {
  if (why instanceof RegExp) expect(faultNamed(id)).toMatch(why);
  else expect(faultNamed(id)).toEqual(why);
});
