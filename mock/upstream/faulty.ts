import type { Fault } from '../faults/fault.ts';
import { isAccepted, refuse, type Call, type Refusal, type Reply } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { isObject, type JsonObject } from '../json.ts';
import { render } from '../service/render.ts';
import type { Store } from '../store/store.ts';

/** An upstream's answer, changed by faults. */
export interface Faulty {
  readonly wire: Wire;
  /** Faults that changed it. */
  readonly committed: readonly Fault[];
  /** Faults for this request that changed nothing. */
  readonly idle: readonly Fault[];
}

/**
 * Commits faults on an upstream's answer: on its meaning, and on its bytes. Faults never change the request, since that
 * would change the upstream's data. `shown` is the body of the answer.
 */
export function withFaults(
  wire: Wire,
  shown: JsonObject | undefined,
  faults: readonly Fault[],
  { call, store }: { readonly call: Call; readonly store: Store },
): Faulty {
  const committed = new Set<Fault>();
  /** The answer may have any shape, so a fault that throws changes nothing. */
  const changedBy = <T>(fault: Fault, before: T, change: () => T | undefined): T => {
    try {
      const after = change() ?? before;
      if (JSON.stringify(after) === JSON.stringify(before)) return before;
      committed.add(fault);
      return after;
    } catch {
      return before;
    }
  };
  const begun = replyOf(wire, shown);
  const reply = faults.reduce(
    (before, fault) => changedBy(fault, before, () => (fault.piecemeal ?? fault).reply?.(before, call, store)),
    begun,
  );
  const meant = reply === begun ? wire : written(wire, begun, reply, call);
  const changed = faults.reduce((before, fault) => changedBy(fault, before, () => fault.wire?.(before, call)), meant);
  return { wire: changed, committed: [...committed], idle: faults.filter((fault) => !committed.has(fault)) };
}

/** The answer in the form that faults change. */
function replyOf({ status }: Wire, shown: JsonObject | undefined): Reply {
  // An accepted answer keeps the status that it came with, so `created` would change nothing.
  if (status < 300 && shown !== undefined) return { kind: 'ok', body: shown };
  return { ...refuse(kinds[status] ?? (status >= 500 ? 'failed' : 'invalid'), ''), status };
}

const kinds: Readonly<Record<number, Refusal['kind']>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  410: 'not-found',
  429: 'rate-limited',
};

/** The changed answer: the upstream's, if it has that form; otherwise one that the profile renders. */
function written(wire: Wire, before: Reply, after: Reply, { profile }: Call): Wire {
  if (isAccepted(after) && isAccepted(before)) return asText(wire, JSON.stringify(after.body));
  if (!isAccepted(after) && !isAccepted(before) && after.kind === before.kind && after.holds) {
    const headers = { ...wire.headers, 'content-type': 'application/json' };
    return asText({ ...wire, headers }, JSON.stringify({ ...jsonIn(wire.body), ...after.holds }));
  }
  return render(after, profile);
}

function asText(wire: Wire, body: string): Wire {
  const { encoding: _, ...text } = wire;
  return { ...text, body };
}

function jsonIn(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
    return {};
  } catch {
    return {};
  }
}
