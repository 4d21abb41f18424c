import type { Fault } from '../faults/fault.ts';
import { isAccepted, refuse, type Call, type Reply } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import type { JsonObject } from '../../text/json.ts';
import { refusalKind, render } from '../service/render.ts';
import type { Store } from '../store/store.ts';

/** Faults never change the request, since that would change the upstream's data. `idle` are those that changed nothing. */
export function withFaults(
  wire: Wire,
  shown: JsonObject | undefined,
  faults: readonly Fault[],
  { call, store }: { readonly call: Call; readonly store: Store },
): { readonly wire: Wire; readonly committed: readonly Fault[]; readonly idle: readonly Fault[] } {
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
  // An accepted answer keeps the status that it came with, so `created` would change nothing.
  const isShown = wire.status < 300 && shown !== undefined;
  const refused = { ...refuse(refusalKind(wire.status), ''), status: wire.status };
  const begun: Reply = isShown ? { kind: 'ok', body: shown } : refused;
  const reply = faults.reduce(
    (before, fault) => changedBy(fault, before, () => (fault.piecemeal ?? fault).reply?.(before, call, store)),
    begun,
  );
  const meant = reply === begun ? wire : written(wire, shown, begun, reply, call);
  const changed = faults.reduce((before, fault) => changedBy(fault, before, () => fault.wire?.(before, call)), meant);
  return { wire: changed, committed: [...committed], idle: faults.filter((fault) => !committed.has(fault)) };
}

/** The changed answer: the upstream's, if it has that form; otherwise one that the profile renders. */
function written(wire: Wire, shown: JsonObject | undefined, before: Reply, after: Reply, { profile }: Call): Wire {
  const { encoding: _, ...text } = wire;
  if (isAccepted(after) && isAccepted(before)) return { ...text, body: JSON.stringify(after.body) };
  if (isAccepted(after) || isAccepted(before) || after.kind !== before.kind || !after.holds)
    return render(after, profile);
  const headers = { ...wire.headers, 'content-type': 'application/json' };
  return { ...text, headers, body: JSON.stringify({ ...shown, ...after.holds }) };
}
