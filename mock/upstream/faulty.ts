import type { Fault } from '../faults/fault.ts';
import { isAccepted, refuse, type Call, type Refusal, type Reply, type Wire } from '../call.ts';
import { isObject, type JsonObject } from '../json.ts';
import { render } from '../service/render.ts';
import type { Store } from '../store/store.ts';

/** An answer of an upstream with faults in it. */
export interface Faulty {
  readonly wire: Wire;
  /** Those that changed it. */
  readonly committed: readonly Fault[];
  /** Those that did not, though they are about the request. */
  readonly idle: readonly Fault[];
}

/**
 * Commits faults on the answer of an upstream: what they do to the meaning of an answer, and to its bytes. What they do to
 * a request is left out, since it would change what the upstream keeps. `shown` is the body of the answer.
 */
export function withFaults(
  wire: Wire,
  shown: JsonObject | undefined,
  faults: readonly Fault[],
  { call, store }: { readonly call: Call; readonly store: Store },
): Faulty {
  const committed = new Set<Fault>();
  /** An answer may be anything: a fault that finds nothing in it to change changes nothing. */
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
  const begun = replyOf(wire, shown, call);
  const reply = faults.reduce(
    (before, fault) => changedBy(fault, before, () => (fault.piecemeal ?? fault).reply?.(before, call, store)),
    begun,
  );
  const meant = reply === begun ? wire : written(wire, begun, reply, call);
  const changed = faults.reduce((before, fault) => changedBy(fault, before, () => fault.wire?.(before, call)), meant);
  return { wire: changed, committed: [...committed], idle: faults.filter((fault) => !committed.has(fault)) };
}

/** What an answer means to faults. */
function replyOf({ status }: Wire, shown: JsonObject | undefined, { endpoint }: Call): Reply {
  if (status < 300 && shown !== undefined)
    return { kind: endpoint.startsWith('get-') || endpoint === 'list-results' ? 'ok' : 'created', body: shown };
  return { ...refuse(kinds[status] ?? (status >= 500 ? 'failed' : 'invalid'), ''), status };
}

const kinds: Readonly<Record<number, Refusal['kind']>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  410: 'not-found',
  429: 'rate-limited',
};

/** The answer that means something else now: the upstream's own as far as that goes, or else one as the profile writes it. */
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
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
