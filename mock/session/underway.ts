import type { EndpointId } from '../../spec/index.ts';
import type { Incoming } from '../answer.ts';
import type { Fault } from '../faults/fault.ts';
import type { Json } from '../../text/json.ts';
import type { PlannedStep, PlanStep } from '../on-demand/plans.ts';
import type { Preferred } from '../on-demand/preferences.ts';
import type { Warning } from '../teaching/warnings.ts';
import type { ConnectionFault } from '../wire/broken-connections.ts';

/** A request on its way to its answer. */
export interface Underway extends Incoming {
  /** `undefined` if the request belongs to no endpoint. */
  readonly endpoint: EndpointId | undefined;
  /** When it arrived, by the process clock. */
  readonly began: number;
  /** Epoch milliseconds at which it is answered. */
  readonly at: number;
  /** The preferences of the request itself, which take precedence over a plan. */
  readonly own: Preferred;
  readonly preferred: Preferred;
  readonly plan: string | undefined;
  readonly planned: PlannedStep | undefined;
  /** What a plan or a standing answer says. */
  readonly step: PlanStep | undefined;
  /** The fault for this request, besides the active ones. */
  readonly extra: Fault | undefined;
  readonly connection: ConnectionFault | undefined;
  /** What the client should know, in the order in which it is found. */
  readonly warnings: Warning[];
  /** The preferences that are applied. */
  readonly applied: Set<keyof Preferred>;
  /** The parsed body, once it is parsed. */
  body: Json | undefined;
}
