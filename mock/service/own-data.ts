import type { Profile } from '../../spec/index.ts';
import { isObject, mapped, textOf, type Json, type JsonObject } from '../../text/json.ts';
import type { Accepted, Call } from '../call.ts';
import { dataChoices, type Edit } from '../choices/data.ts';
import { chosen } from '../choices/index.ts';
import type { Store } from '../store/store.ts';

/** What a profile makes of data that no client has sent. */
export const editsOf = (profile: Profile): readonly Edit[] =>
  (Object.keys(dataChoices) as (keyof typeof dataChoices)[]).flatMap<Edit>((gap) => chosen(profile, gap) ?? []);

/** A resource that no client has sent, with these edits; `kind` is its member in the answer. */
export function withOwnData<T extends object>(resource: T, kind: string, edits: readonly Edit[]): T {
  return mapped(resource as unknown as Json, (value, name) =>
    edits.reduce((before, edit) => edit(before, name, kind), value),
  ) as unknown as T;
}

/** An answer with its generated data as the profile has it. What a client, a test or a seed has brought stays. */
export function withGeneratedData(reply: Accepted, { agentId, profile }: Call, { universe }: Store): Accepted {
  const edits = editsOf(profile);
  const index = universe.agentIndex(agentId);
  if (index === undefined || edits.length === 0) return reply;
  const generated: readonly unknown[] = [universe.agent(index), universe.publishedAgent(index)];
  const own = (value: Json, kind: string): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => own(item, kind));
    if (!isObject(value)) return value;
    const isOwn = generated.includes(value) || universe.resultIndex(index, textOf(value['id'])) !== undefined;
    return (isOwn && withOwnData(value, kind, edits)) || value;
  };
  const members = Object.entries(reply.body).map(([name, value]) => [name, own(value, name)]);
  return { ...reply, body: Object.fromEntries(members) as JsonObject };
}
