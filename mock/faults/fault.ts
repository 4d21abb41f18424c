import type { EndpointId } from '../../spec/index.ts';
import { isAccepted, refuse, type Call, type Reply, type Wire } from '../call.ts';
import { isObject, withFields, type Json, type JsonObject } from '../json.ts';
import type { Store } from '../store/store.ts';
import type { Circumstances } from '../session/circumstances.ts';

/**
 * A violation, committed: changes what comes in, what an endpoint means, or what goes out. Each hook is pure, but for
 * what it remembers of a store in a `WeakMap`.
 */
export interface Fault {
  readonly on: readonly EndpointId[] | 'every';
  /** Whether it is committed at all, decided before anything is done about the request. */
  readonly when?: (call: Call, store: Store, met: Circumstances) => boolean;
  /** The requests that it is about, where these are not all at its endpoints. */
  readonly about?: (call: Call, store: Store, met: Circumstances) => boolean;
  /** What it does instead of its other hooks where it is committed on some answers of a list and not on others. */
  readonly piecemeal?: Pick<Fault, 'request' | 'reply'>;
  readonly request?: (call: Call, store: Store) => Call;
  readonly reply?: (reply: Reply, call: Call, store: Store) => Reply;
  readonly wire?: (wire: Wire, call: Call) => Wire;
}

/** A fault that is about some of the requests to its endpoints. */
export const aboutThose = (about: NonNullable<Fault['about']>, fault: Fault): Fault => ({ ...fault, about });

/** A fault on accepted answers only: `change` sees and gives the body of the answer. */
export const onAnswer = (
  on: EndpointId,
  change: (body: JsonObject, call: Call, store: Store) => JsonObject,
): Fault => ({
  on: [on],
  reply: (reply, call, store) => (isAccepted(reply) ? { ...reply, body: change(reply.body, call, store) } : reply),
});

/** A fault on one resource (`agent`, `publicAgent`, `workspace`) of accepted answers. */
export const onResource = (
  on: EndpointId,
  name: 'agent' | 'publicAgent' | 'workspace',
  change: (resource: JsonObject, call: Call, store: Store) => Json,
): Fault =>
  onAnswer(on, (body, call, store) => {
    const resource = body[name];
    return isObject(resource) ? { ...body, [name]: change(resource, call, store) } : body;
  });

/** A fault that refuses what should be accepted, where `when` says so. */
export const refuseValid = (on: EndpointId, about: (call: Call) => boolean = () => true): Fault => ({
  on: [on],
  about,
  reply: (reply, call) => (isAccepted(reply) && about(call) ? refuse('invalid', 'Refused.') : reply),
});

/** A fault that changes the object under `agent` in a request body, or the body itself. */
export const onBody = (on: EndpointId, change: (body: JsonObject, store: Store) => JsonObject): Fault => ({
  on: [on],
  request: (call, store) =>
    call.body && 'value' in call.body && isObject(call.body.value)
      ? { ...call, body: { value: change(call.body.value, store) } }
      : call,
});

export const withoutAgentField = (on: EndpointId, field: string): Fault =>
  onBody(on, (body) =>
    isObject(body['agent']) ? { ...body, agent: withFields(body['agent'], { [field]: undefined }) } : body,
  );

export const parameter = (call: Call, name: string): string | undefined =>
  call.query.find(([key]) => key === name)?.[1];

/** A fault on the bytes of accepted answers. */
export const onWire = (on: EndpointId, change: (wire: Wire) => Wire): Fault => ({
  on: [on],
  wire: (wire) => (wire.status >= 200 && wire.status < 300 ? change(wire) : wire),
});

export const notJson = (on: EndpointId): Fault =>
  onWire(on, (wire) => ({
    ...wire,
    headers: { ...wire.headers, 'content-type': 'text/html; charset=utf-8' },
    body: '<!doctype html><title>Welcome</title><p>Please log in.</p>',
  }));
