import { endpoints, isCreatingAgents } from '../../spec/index.ts';
import type { EndpointId, NewAgentEndpoint, TriggerId } from '../../spec/index.ts';
import { bodyOf, type Call, isAccepted, type Mode, type Refusal, refuse, type Reply } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import { isObject, type Json, type JsonObject } from '../../text/json.ts';
import type { Store } from '../store/store.ts';
import type { Circumstances } from '../circumstances.ts';
import { originOf, type Origin } from '../store/overlay.ts';
import { HOUR } from '../../fixtures/universe/ages.ts';

/** What commits a violation. Each hook is pure, except for what it remembers in the notes of a store. */
export interface Fault {
  readonly on: readonly EndpointId[] | 'every';
  /** Whether it applies to a request, decided before the request is processed. */
  readonly when?: (call: Call, store: Store, met: Circumstances) => boolean;
  /** The trigger under which alone it is committed. */
  readonly trigger?: TriggerId;
  /** The requests that it applies to, if not all at its endpoints. */
  readonly about?: (call: Call, store: Store, met: Circumstances) => boolean;
  /** Replaces its other hooks when it is committed on only some answers of a list. */
  readonly piecemeal?: Pick<Fault, 'request' | 'reply'>;
  readonly request?: (call: Call, store: Store) => Call;
  readonly reply?: (reply: Reply, call: Call, store: Store) => Reply;
  readonly wire?: (wire: Wire, call: Call) => Wire;
}

/** A fault that leaves other requests at its endpoints alone, whatever its hooks do. */
export const onlyFor =
  (about: (call: Call, store: Store) => boolean) =>
  ({ on, request, reply, wire }: Fault): Fault => ({
    on,
    about,
    request: request && ((call, store) => (about(call, store) && request(call, store)) || call),
    reply: reply && ((given, call, store) => (about(call, store) && reply(given, call, store)) || given),
    wire,
  });

export const onAccepted = (
  on: readonly EndpointId[],
  change: (reply: Exclude<Reply, Refusal>, call: Call, store: Store) => Reply,
): Fault => ({
  on,
  reply(reply, call, store) {
    if (!isAccepted(reply)) return reply;
    return change(reply, call, store);
  },
});

type On = EndpointId | readonly EndpointId[];

export const onAnswer = (on: On, change: (body: JsonObject, call: Call, store: Store) => JsonObject): Fault =>
  onAccepted([on].flat(), ({ kind, body }, call, store) => ({ kind, body: change(body, call, store) }));

/** A fault on the resource that accepted answers hold. */
export const onResource = (on: On, change: (resource: JsonObject, call: Call, store: Store) => Json): Fault =>
  onAnswer(on, (body, call, store) => {
    const { holds: name } = endpoints[call.endpoint];
    const resource = body[name];
    if (isObject(resource)) return { ...body, [name]: change(resource, call, store) };
    return body;
  });

/** Requests of callers with one of these modes; `undefined` is a caller without a known token. */
export const inMode =
  (...modes: readonly (Mode | undefined)[]): NonNullable<Fault['about']> =>
  (_call, _store, { mode }) =>
    modes.includes(mode);

export const refuseValid = (...on: readonly EndpointId[]): Fault => onAccepted(on, () => refuse('invalid', 'Refused.'));

/** A creation takes place so many hours later. */
export const dated = (on: EndpointId, hours: number): Fault =>
  onCall(on, (call) => ({ ...call, now: call.now + hours * HOUR }));

/** With a time so many hours later. */
export function moved(resource: JsonObject, name: string, hours: number): JsonObject {
  const time = resource[name];
  if (typeof time !== 'string') return resource;
  return { ...resource, [name]: new Date(Date.parse(time) + hours * HOUR).toISOString() };
}

export const onCall = (on: On, change: (call: Call, store: Store) => Call): Fault => ({
  on: [on].flat(),
  request: change,
});

export const onBody = (on: On, change: (body: JsonObject, store: Store) => JsonObject): Fault =>
  onCall(on, (call, store) => {
    const body = bodyOf(call);
    if (isObject(body)) return { ...call, body: { value: change(body, store) } };
    return call;
  });

export const queryParameter = (call: Call, name: string): string | undefined =>
  call.query.find(([key]) => key === name)?.[1];

export const hasCursor = (call: Call): boolean => queryParameter(call, 'cursor') !== undefined;

export const onWire = (on: EndpointId, change: (wire: Wire) => Wire): Fault => ({
  on: [on],
  wire(wire) {
    if (wire.status < 200 || wire.status > 299) return wire;
    return change(wire);
  },
});

export const otherAgentId = ({ agentId }: Call, { universe, agentId: idAt }: Store): string =>
  idAt(Number(universe.agentIndex(agentId) === 0));

export const notJson = (on: EndpointId): Fault =>
  onWire(on, (wire) => ({
    ...wire,
    headers: { ...wire.headers, 'content-type': 'text/html; charset=utf-8' },
    body: '<!doctype html><title>Welcome</title><p>Please log in.</p>',
  }));

export const ofOrigin =
  (...origins: readonly Origin[]) =>
  ({ agentId }: Call, store: Store): boolean =>
    origins.some((origin) => origin === store.agent(agentId)?.origin);

export const idsBy = (endpoint: NewAgentEndpoint, store: Store): readonly string[] =>
  store.created().agents.filter((id) => store.agent(id)?.origin === originOf(endpoint));

export function madeAfter(store: Store, id: string): readonly string[] {
  const { agents } = store.created();
  const place = agents.indexOf(id);
  if (place < 0) return [];
  return agents.slice(place + 1);
}

/** Whether a request to the creation's endpoint made something before. */
export function hasMadeOne({ endpoint }: Pick<Call, 'endpoint'>, store: Store): boolean {
  if (isCreatingAgents(endpoint)) return idsBy(endpoint, store).length > 0;
  return store.created().workspaces.length > 0;
}
