import { type EndpointId, endpointIds } from '../../spec/index.ts';
import type { Match } from '../generated/patterns.ts';
import { isConnectionFault } from '../wire/wire.ts';
import { faultNamed } from '../faults/index.ts';
import { MockError } from '../mock-error.ts';
import { preferenceName, type Preferred, readPreferences } from './preferences.ts';
import { didYouMean } from '../../text/nearest.ts';
import { abridged } from '../wording/slips.ts';
import type { MockRequest } from '../call.ts';
import type { EndpointRoute } from '../service/route.ts';

/** One or several equal answers of a plan. `{}` lets a request through. */
export interface PlanStep extends Preferred {
  /** How many requests this step answers. Default: 1. */
  readonly times?: number;
}

/** Answers to the next requests to one endpoint, or to all, in order. */
export interface PlanRequest {
  readonly on: EndpointId | 'every';
  /** For which of these requests. Default: for all. */
  readonly match?: Match;
  readonly steps: readonly PlanStep[];
}

/** A plan and its progress. */
export interface Plan extends PlanRequest {
  readonly id: string;
  /** For each step, the journal numbers of the requests that it answered. */
  readonly met: readonly (readonly number[])[];
  /** How many answers remain. */
  readonly remaining: number;
  readonly isComplete: boolean;
}

interface Running extends PlanRequest {
  readonly id: string;
  readonly met: number[][];
  at: number;
}

export interface Plans extends ReturnType<typeof createPlans> {}

export function createPlans() {
  const running = new Map<string, Running>();
  let count = 0;
  return {
    /** @throws MockError for an unknown endpoint, an empty plan, or an invalid step, such as one with an unknown example. */
    add({ on, match, steps }: PlanRequest): Plan {
      checkOn(on, '"on" of a plan must be');
      if (!Array.isArray(steps) || steps.length === 0) throw new MockError('A plan needs at least one step.');
      for (const [index, step] of steps.entries()) checkStep(step, on, `steps/${index}`);
      checkMatch(match, 'match: ');
      const plan: Running = { id: `plan-${++count}`, on, match, steps, met: steps.map(() => []), at: 0 };
      running.set(plan.id, plan);
      return report(plan);
    },
    list: (): readonly Plan[] => [...running.values()].map(report),
    /** @throws MockError for an unknown id. */
    get(id: string): Plan {
      const plan = running.get(id);
      if (!plan) throw new MockError(`There is no plan ${JSON.stringify(id)}.${didYouMean(id, running.keys())}`);
      return report(plan);
    },
    remove: running.delete.bind(running),
    clear: running.clear.bind(running),
    /** The next answer for a request, from the oldest unfinished plan. */
    take({ endpoint, agentId }: EndpointRoute, request: Sent) {
      for (const plan of running.values()) {
        if (plan.on !== 'every' && plan.on !== endpoint) continue;
        if (!matches(plan.match ?? {}, agentId, request)) continue;
        const step = plan.steps[plan.at];
        if (!step) continue;
        const met = plan.met[plan.at] ?? [];
        const place = met.push(0) - 1;
        if (met.length >= (step.times ?? 1)) plan.at++;
        return {
          plan: plan.id,
          step,
          /** Reports the request's number in the journal. */
          metBy: (entry: number): void => void (met[place] = entry),
        };
      }
      return undefined;
    },
  };
}

function report({ at: _at, met: all, ...plan }: Running): Plan {
  const open = plan.steps.map(({ times = 1 }, i) => Math.max(0, times - (all[i]?.length ?? 0)));
  const remaining = open.reduce((sum, times) => sum + times, 0);
  const met = all.map((entries) => entries.filter((entry) => entry > 0));
  return { ...plan, met, remaining, isComplete: remaining === 0 };
}

/** @throws MockError, which the label begins, for a name that is neither an endpoint nor "every". */
export function checkOn(on: unknown, label: string): void {
  const known = ['every', ...endpointIds];
  if (typeof on === 'string' && known.includes(on)) return;
  const is = `it is ${abridged(on)}.${didYouMean(on, known)}`;
  throw new MockError(`${label} an endpoint (${endpointIds.join(', ')}) or "every"; ${is}`);
}

/** `where` is the place of the step in the input. @throws MockError */
export function checkStep(step: PlanStep, on: PlanRequest['on'], where: string): void {
  if (typeof step !== 'object' || step === null || Array.isArray(step))
    throw new MockError(`${where} must be an object such as {"code": 503, "retryAfter": 1}.`);
  const { times, ...wanted } = step;
  if (times !== undefined && !(Number.isSafeInteger(times) && times >= 1))
    throw new MockError(`${where}/times is ${JSON.stringify(times)}; it must be a whole number of at least 1.`);
  for (const [key, value] of Object.entries(wanted)) {
    const name = preferenceName(key);
    const { wanted: read, refused } = readPreferences(`${name}="${String(value)}"`, []);
    if (refused[0]) throw new MockError(`${where}/${refused[0].message}`);
    if (Object.keys(read).length === 0 && key !== 'dynamic')
      throw new MockError(
        `${where}/${key} is not part of a step. A step has code, example, dynamic, seed, delay, fault, rate, ` +
          'retryAfter and times.',
      );
  }
  const why = step.fault !== undefined && !isConnectionFault(step.fault) && faultNamed(step.fault);
  if (typeof why === 'string')
    throw new MockError(`${where}/fault: ${why} "agent-contract list faults" lists them all.`);
  if (step.example !== undefined || step.dynamic === true) checkDocumented(step, on, where);
}

/** A step for every endpoint needs one that documents the answer. @throws MockError */
function checkDocumented(step: PlanStep, on: PlanRequest['on'], where: string): void {
  const { documentedAnswer } = require('./examples') as typeof import('./examples.ts');
  const place = `${where}/${step.example === undefined ? 'dynamic' : 'example'}`;
  const refusals: string[] = [];
  for (const endpoint of on === 'every' ? endpointIds : [on]) {
    const found = documentedAnswer(endpoint, step);
    if (!('refusal' in found)) return;
    refusals.push(found.refusal);
  }
  throw new MockError(`${place}: ${refusals.join(' ')}`);
}

type Sent = Pick<MockRequest, 'headers' | 'target'>;

export function matches({ agentId, page, header }: Match, id: string, { headers, target }: Sent): boolean {
  const isLater = /[?&]cursor=./.test(target);
  if (agentId !== undefined && agentId !== id) return false;
  if (page !== undefined && (page === 'later') !== isLater) return false;
  if (header === undefined) return true;
  const [name = '', ...value] = header.split(':');
  const sent = new Map(Object.entries(headers)).get(name.trim().toLowerCase());
  return sent !== undefined && (value.length === 0 || sent === value.join(':').trim());
}

/** @throws MockError, which the label begins, for an unknown part. */
export function checkMatch(match: Match | undefined, label: string): void {
  const unknown = Object.keys(match ?? {}).find((name) => !['agentId', 'page', 'header'].includes(name));
  if (unknown === undefined) return;
  throw new MockError(`${label}${JSON.stringify(unknown)} is not known. A match has agentId, page and header.`);
}
