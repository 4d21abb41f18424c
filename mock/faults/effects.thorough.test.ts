import { endpointIds, violationIds, violations, type EndpointId, type ViolationId } from '../../spec/index.ts';
import { pointerTokens } from '../../spec/json-pointer.ts';
import { isObject, type Json } from '../../text/json.ts';
import { faults } from './index.ts';
import { shapeMutants } from './shape.ts';
import { changes, parsed, differingPlaces } from '../testing/test-differences.ts';
import { scriptedSession, type SessionStep } from '../testing/test-session.ts';

// Shows within moments if a fault does more or less than before; the proof takes minutes to show it. If a change is intended,
// write the snapshot with `npx jest mock/faults/effects -u`, and read its difference.

const steps = scriptedSession();

const some = (of: readonly SessionStep[], most: number): readonly SessionStep[] =>
  of.filter((_, i) => Math.floor((i * most) / of.length) > Math.floor(((i - 1) * most) / of.length));

const isAccepted = ({ wire }: SessionStep): boolean => wire.status < 300;

const cases = new Map<string, readonly SessionStep[]>();
function casesAt(endpoints: readonly string[]): readonly SessionStep[] {
  const key = endpoints.join();
  const own = steps.filter((step) => endpoints.includes(step.endpoint));
  const [accepted, refused] = [own.filter(isAccepted), own.filter((step) => !isAccepted(step))];
  const first = some(accepted, key === 'list-results' ? 59 : 13);
  const found = cases.get(key) ?? [...first, ...accepted.slice(-6), ...some(refused, 19)];
  cases.set(key, found);
  return found;
}

/** The depth of a resource's own fields. */
const shortened = (place: string): string => place.split('/').slice(0, 4).join('/') || 'all';

function effect(violation: ViolationId): string {
  const asked = casesAt(violations[violation].at);
  const changed = asked.flatMap((step, i) => {
    const found = changes(step.wire, step.again(faults[violation], new Map()));
    return found.length === 0 ? [] : [{ i, found }];
  });
  const all = changed.flatMap(({ found }) => found);
  const where = [...new Set(all.map(shortened))].toSorted().slice(0, 3);
  return [`${changed.length}/${asked.length} from ${changed[0]?.i ?? 'none'}:`, all.length, ...where].join(' ');
}

/** What all endpoints share is tried at one of them. */
const isAlike = (violation: ViolationId): boolean =>
  /-(?:accepts|answer|refusal|refused)(?:-|$)/.test(violation) && !violation.startsWith('get-agent-');
const tried = violationIds.filter((violation) => !isAlike(violation));

test.each(tried)('%s changes the same answers as before', (violation) => {
  expect(effect(violation)).toMatchSnapshot();
});

const fullest = (endpoint: EndpointId): SessionStep | undefined =>
  steps.filter((step) => step.endpoint === endpoint && isAccepted(step)).toSorted(byLength)[0];
const byLength = (one: SessionStep, other: SessionStep): number => other.wire.body.length - one.wire.body.length;

/** The value at a pointer, in the last item of each list along it. */
const lastAt = (value: Json | undefined, pointer: string): Json | undefined =>
  pointerTokens(pointer).reduce<Json | undefined>(
    (inner, token) => (Array.isArray(inner) ? inner.at(-1) : isObject(inner) ? inner[token] : undefined),
    value,
  );

test.each(endpointIds)('each misshapen answer of %s is wrong in one place, as its violation says', (endpoint) => {
  const step = fullest(endpoint);
  const before = parsed(step?.wire.body ?? '');
  const wrong = shapeMutants(endpoint).filter(({ pointer, mutation, fault }) => {
    const after = parsed(step?.again(fault, new Map()).body ?? '');
    const [place = 'nowhere', ...more] = differingPlaces(before, after, '');
    const [was, is] = [lastAt(before, pointer), lastAt(after, pointer)];
    const isAsSaid = {
      null: is === null,
      missing: is === undefined,
      'outside-closed-set': is === 'outside',
      'wrong-type': typeof was === 'number' || typeof was === 'boolean' ? is === String(was) : is !== undefined,
    }[mutation];
    return more.length > 0 || !pointer.startsWith(place) || !isAsSaid;
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});
