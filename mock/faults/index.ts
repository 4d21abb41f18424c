import { type ConnectionFault, connectionFaults, isConnectionFault } from '../wire/wire.ts';
import { MockError } from '../mock-error.ts';
import { triggerIds, triggersOf, violationIds, violations, type ViolationId } from '../../spec/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { endpointFaults } from '../generated/faults.ts';
import { authenticationFaults } from './authentication.ts';
import type { Fault } from './fault.ts';
import { answerFaults, shapeMutants } from './shape.ts';
import { alterationNamed } from './altered.ts';
import { under } from './triggers/triggers.ts';

/** The fault of every violation; a violation without one does not compile. */
export const faults: Readonly<Record<ViolationId, Fault>> = {
  ...authenticationFaults,
  ...answerFaults,
  ...endpointFaults,
};

/** The fault of a violation, of one broken shape (both also under a trigger: `…@later-pages`) or of an alteration; or why there is none. */
export function faultNamed(id: string): Fault | string {
  const altered = alterationNamed(id);
  if (altered) return altered;
  const [, plain = id, name] = /^(.*)@([^@]*)$/s.exec(id) ?? [];
  const [, ofShape] = /^(.+-answer-misshapen):/.exec(plain) ?? [];
  const violation = violationIds.find((known) => known === (ofShape ?? plain));
  const endpoint = (violation && violations[violation].at[0]) ?? 'get-agent';
  const ofPlace = ofShape !== undefined && shapeMutants(endpoint).find((one) => one.id === plain)?.fault;
  const fault = ofPlace || (ofShape === undefined && violation && faults[violation]);
  if (violation === undefined || !fault)
    return `There is no fault ${JSON.stringify(plain)}.${didYouMean(plain, plain.includes(':') ? [] : violationIds)}`;
  if (name === undefined) return fault;
  const trigger = triggerIds.find((known) => known === name);
  const fitting = triggersOf(violation);
  if (!trigger)
    return `There is no trigger ${JSON.stringify(name)}.${didYouMean(name, fitting) || ` Triggers that fit are ${fitting.join(', ')}.`}`;
  if (fitting.includes(trigger)) return under(fault, trigger, id);
  return `The fault ${violation} does not fit the trigger ${trigger}. Triggers that fit are ${fitting.join(', ')}.`;
}

/** An active fault: a violation, or a way to break connections. */
export interface NamedFault {
  readonly id: string;
  readonly fault: Fault | ConnectionFault;
}

/** @throws MockError for an id that no fault has. */
export function resolveFaults(ids: readonly string[]): readonly NamedFault[] {
  return ids.map((id) => {
    if (isConnectionFault(id)) return { id, fault: id };
    const fault = faultNamed(id);
    if (typeof fault === 'string')
      throw new MockError(
        `${fault} A fault is the id of a violation ("${violationIds[0] ?? ''}"), or a ` +
          'broken shape ("get-agent-answer-misshapen:/agent/name=wrong-type"), each with a trigger if you want one ' +
          `("results-ascending@later-pages"), or an altered field ("get-agent:/agent/name=absent", or =empty, =other), ` +
          `or "keys=reversed", or one of ${connectionFaults.join(', ')}. ` +
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

/** Milliseconds that an answer waits where a fault needs others beside it, so that the next request may come. */
const OVERLAP = 10;

/** The delay that active faults need in order to show; an explicit one, also of 0, takes precedence. */
export function delayFor(switchedOn: readonly NamedFault[], own: Fault | undefined): number | undefined {
  const needsOthers = committed(switchedOn, own).some(({ trigger }) => trigger === 'while-another-is-under-way');
  return needsOthers ? OVERLAP : undefined;
}
