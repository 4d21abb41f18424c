import { violationIds } from '../../spec/index.ts';
import { connectionFaults, isConnectionFault, type ConnectionFault } from '../hosts/broken-connections.ts';
import { MockError } from '../mock-error.ts';
import { abridged } from '../wording/slips.ts';
import type { Fault } from './fault.ts';
import { faultNamed, whyNoFault } from './index.ts';

/** A fault that is switched on: a violation that is committed, or a way in which connections break. */
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
          'broken shape ("get-agent-answer-misshapen:/agent/name=wrong-type"), each of them with a trigger where one is ' +
          `wanted ("results-ascending@later-pages"), or one of ${connectionFaults.join(', ')}; ` +
          '"agent-contract list faults" shows them all.',
      );
    return { id, fault };
  });
}

const NONE: readonly Fault[] = [];

/** The faults that are committed on a request, beside those of connections: those that are switched on, and one of its own. */
export function committed(switchedOn: readonly NamedFault[], own: Fault | undefined): readonly Fault[] {
  if (switchedOn.length === 0 && !own) return NONE;
  return [...switchedOn.flatMap(({ fault }) => (typeof fault === 'string' ? [] : [fault])), ...(own ? [own] : [])];
}

/** How connections break, by the first fault that says so. */
export const breakOf = (switchedOn: readonly NamedFault[]): ConnectionFault | undefined =>
  switchedOn.map(({ fault }) => fault).find((fault) => typeof fault === 'string');
