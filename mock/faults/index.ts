import { connectionFaults, isConnectionFault, type ConnectionFault } from '../wire/broken-connections.ts';
import { MockError } from '../mock-error.ts';
import { abridged } from '../wording/slips.ts';
import {
  triggerIds,
  triggersOf,
  unfit,
  violationIds,
  violations,
  type TriggerId,
  type ViolationId,
} from '../../spec/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { endpointFaults } from '../generated/faults.ts';
import { authenticationFaults } from './authentication.ts';
import type { Fault } from './fault.ts';
import { answerFaults, shapeMutants } from './shape.ts';
import { under } from './triggers/triggers.ts';

/** The fault of every violation; a violation without one does not compile. */
export const faults: Readonly<Record<ViolationId, Fault>> = {
  ...authenticationFaults,
  ...answerFaults,
  ...endpointFaults,
};

const isViolation = (id: string): id is ViolationId => violationIds.some((known) => known === id);
const isTrigger = (id: string): id is TriggerId => triggerIds.some((known) => known === id);

/**
 * The fault for a violation (`results-ascending`) or for one broken shape
 * (`get-agent-answer-misshapen:/agent/name=wrong-type`), either always or under a trigger
 * (`results-ascending@later-pages`); `undefined` for an unknown id.
 */
export function faultNamed(id: string): Fault | undefined {
  const read = readFaultId(id);
  if (!read) return undefined;
  const fault = isViolation(read.plain)
    ? faults[read.plain]
    : shapeMutants(violations[read.violation].at[0] ?? 'get-agent').find((mutant) => mutant.id === read.plain)?.fault;
  if (fault && read.trigger) return under(fault, read.trigger, id);
  return fault;
}

/** Why no fault has this id, with a suggestion; `undefined` if one has it. */
export function whyNoFault(id: string): string | undefined {
  const [plain, trigger] = parts(id);
  const violation = violationIn(plain);
  if (violation === undefined || !faultNamed(plain))
    return `There is no fault ${JSON.stringify(plain)}.${didYouMean(plain, plain.includes(':') ? [] : violationIds)}`;
  if (trigger === undefined) return undefined;
  const fitting = triggersOf(violation);
  if (!isTrigger(trigger))
    return `There is no trigger ${JSON.stringify(trigger)}.${didYouMean(trigger, fitting) || ` Triggers that fit are ${fitting.join(', ')}.`}`;
  if (fitting.includes(trigger)) return undefined;
  return `The fault ${violation} does not fit the trigger ${trigger}. Triggers that fit are ${fitting.join(', ')}.`;
}

interface FaultId {
  /** The id without a trigger. */
  readonly plain: string;
  readonly violation: ViolationId;
  readonly trigger: TriggerId | undefined;
}

/** The parts of an id, if its violation and trigger exist and fit each other. */
function readFaultId(id: string): FaultId | undefined {
  const [plain, trigger] = parts(id);
  const violation = violationIn(plain);
  if (violation === undefined) return undefined;
  if (trigger === undefined) return { plain, violation, trigger };
  if (isTrigger(trigger) && unfit(violation, trigger) === undefined) return { plain, violation, trigger };
  return undefined;
}

/** The text before and after the last `@`. */
function parts(id: string): readonly [plain: string, trigger?: string] {
  const at = id.lastIndexOf('@');
  if (at < 0) return [id];
  return [id.slice(0, at), id.slice(at + 1)];
}

/** The violation in an id without its trigger: the id itself, or the violation that a broken shape belongs to. */
function violationIn(plain: string): ViolationId | undefined {
  const name = /^(.+-answer-misshapen):/.exec(plain)?.[1] ?? plain;
  if (isViolation(name)) return name;
  return undefined;
}

/** An active fault: a violation, or a way to break connections. */
export interface NamedFault {
  readonly id: string;
  readonly fault: Fault | ConnectionFault;
}

/** @throws MockError for an id that no fault has. */
export function resolveFaults(ids: readonly string[]): readonly NamedFault[] {
  return ids.map((id) => {
    const fault = isConnectionFault(id) ? id : faultNamed(id);
    if (!fault)
      throw new MockError(
        `${whyNoFault(id) ?? `There is no fault ${abridged(id)}.`} A fault is the id of a violation ("${violationIds[0] ?? ''}"), or a ` +
          'broken shape ("get-agent-answer-misshapen:/agent/name=wrong-type"), each with a trigger if you want one ' +
          `("results-ascending@later-pages"), or one of ${connectionFaults.join(', ')}. ` +
          '"agent-contract list faults" lists them all.',
      );
    return { id, fault };
  });
}

const NONE: readonly Fault[] = [];

/** The faults that apply to a request, besides connection faults: the active ones, and one that the request names. */
export function committed(switchedOn: readonly NamedFault[], own: Fault | undefined): readonly Fault[] {
  if (switchedOn.length === 0 && !own) return NONE;
  return [...switchedOn.map(({ fault }) => fault), own].filter((fault) => typeof fault === 'object');
}

/** How the connection breaks, according to the first connection fault. */
export const breakOf = (switchedOn: readonly NamedFault[]): ConnectionFault | undefined =>
  switchedOn.map(({ fault }) => fault).find((fault) => typeof fault === 'string');
